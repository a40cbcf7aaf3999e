import ShuntCore

/// The whole URL as the rules of the URL phase see it.
struct URLState {
    var range = ByteRange.empty
    /// Where its parts are in the arena.
    var parts = URLParts(scheme: .empty, path: .empty)
    /// Whether its scheme is `http` or `https`, in whatever case.
    var isWeb = false
    /// Whether its host is written as hosts are compared, and nothing else stands beside it.
    var hasNormalHost = false
    /// Whether a rule has changed it.
    var isChanged = false
    /// Its normal form, once a matcher has asked for it; the same range where it is written so.
    var normalForm: ByteRange?
}
