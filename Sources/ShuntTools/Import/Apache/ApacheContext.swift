/// The place of a rule, and the effects of rules before it.
struct ApacheContext {
    /// The folder as a path, with its slashes; nil for the configuration of a server.
    var folder: String?
    /// The beginning of paths that are relative.
    var base = "/"
    var environment = Set<String>()
    /// The maps of the server.
    var maps = ApacheMaps(tables: ApacheTables())
    /// True if a rule before may have changed the path and continued.
    var hasChangedPath = false
    /// True if a target that begins with a capture of a condition is a whole one.
    var takesWholeCaptures = false
}
