import ShuntCore

/// The whole URL as the rules of the URL phase see it.
struct URLState {
    var range = ByteRange.empty
    /// Where its parts are in the arena.
    var parts = URLParts(scheme: .empty, path: .empty)
    /// Whether a rule has changed it.
    var isChanged = false
    /// Its normal form, once a matcher has asked for it; the same range where it is written so.
    var normalForm: ByteRange?
}
