import ShuntCore

/// The whole URL as the rules of the URL phase see it.
struct URLState {
    var range = ByteRange.empty
    /// The place where its parts are in the arena.
    var parts = URLParts(scheme: .empty, path: .empty)
    /// True if its scheme is `http` or `https`, in whatever case.
    var isWeb = false
    /// True if its host is written as hosts are compared, and nothing else is in it.
    var hasNormalHost = false
    var isChanged = false
    /// Its normal form, once a matcher has asked for it; the same range where it is written so.
    var normalForm: ByteRange?
    /// True if it has more forms, once a matcher has asked for them.
    var hasMoreForms: Bool?

    /// Takes a beginning and a capture of the URL for the URL; false, and no change, where its parts are not known.
    @inline(__always)
    mutating func replace(by range: ByteRange, _ beginning: URLBeginning, before tail: ByteRange) -> Bool {
        guard tail.end == self.range.end, range.count <= URLParser.maximumLength else { return false }
        let offset = range.start &+ Int32(beginning.count) &- tail.start
        let scheme = ByteRange(start: range.start, end: range.start &+ Int32(beginning.schemeEnd))
        if beginning.pathStart == 0 {
            guard isWeb, tail.start == parts.scheme.end &+ 1, let host = parts.host, !host.isEmpty else { return false }
            parts = parts.shifted(by: offset)
            parts.scheme = scheme
        } else {
            // Path, query and fragment follow the start of a path, wherever that is.
            guard tail.start >= parts.path.start, tail.start <= parts.path.end else { return false }
            let pathStart = range.start &+ Int32(beginning.pathStart)
            var moved = URLParts(scheme: scheme, path: ByteRange(start: pathStart, end: parts.path.end &+ offset))
            moved.host = ByteRange(start: scheme.end &+ 3, end: pathStart)
            moved.query = parts.query?.moved(by: offset)
            moved.fragment = parts.fragment?.moved(by: offset)
            parts = moved
            isWeb = beginning.isWeb
            hasNormalHost = beginning.hasNormalHost
        }
        self.range = range
        isChanged = true
        normalForm = nil
        hasMoreForms = nil
        return true
    }
}
