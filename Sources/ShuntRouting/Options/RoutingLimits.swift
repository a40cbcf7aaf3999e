/// The bounds of route patterns, tables and lookups.
///
/// What passes a bound of a pattern or table is an error when it is built. A lookup that passes a bound ends as
/// `tooComplex`, whatever other routes there are; a tail that passes its bound does not match.
public enum RoutingLimits {
    /// The most bytes of a pattern.
    public static let patternLength = 4096
    /// The most components of a pattern, those in groups included.
    public static let components = 64
    /// The most parameters of a pattern, those of its host included.
    public static let parameters = 32
    /// The most optional groups of a pattern.
    public static let groups = 32
    /// The deepest nesting of groups.
    public static let groupDepth = 8
    /// The most forms of one component that has optional text in it.
    public static let componentForms = 16
    /// The most pieces (texts and parameters) of one component or tail.
    public static let pieces = 32
    /// The most components that a tail such as `*rest` takes.
    public static let tailComponents = 1024
    /// The most routes of a table.
    public static let routes = 4_000_000
    /// The most methods of a table that are not among the nine of HTTP.
    public static let customMethods = 54
    /// The most states of a table for each step of its patterns, and a few more for small tables.
    ///
    /// Only patterns with optional groups that overlap in many ways can reach it.
    public static let statesPerStep = 8
    /// The most times that one lookup goes back to try another alternative.
    public static let returns = 100_000
    /// The most joins of optional groups that one lookup visits.
    public static let visitedJoins = 4096
    /// The most steps of matching one component or tail against its pieces, for each byte of it.
    public static let stepsPerByte = 64
    /// The most host patterns and namespaces that one lookup searches.
    public static let namespacesPerLookup = 32
    /// The most sibling components that one search for a similar path reads.
    public static let suggestionCandidates = 20_000
}
