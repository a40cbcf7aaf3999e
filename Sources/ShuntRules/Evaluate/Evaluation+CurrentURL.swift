import ShuntCore
import ShuntRouting

/// The URL of a request that continues to whatever serves it.
extension Evaluation {
    /// Ends with the request handed on in its current form.
    @inline(__always)
    mutating func forwardCurrent() throws(EvaluationFailure) {
        if server.isAsSent, !server.isChanged {
            answer.outcome.parts = partsAsSent
            answer.outcome.targetApart = nil
            return try forward(to: request.line.joined)
        }
        try forwardOther()
    }

    /// Puts the scheme and the authority where a path is about to be made, so that the URL mostly is there with it.
    @inline(__always)
    mutating func beginURL() {
        guard server.isAsSent else { return }
        let origin = ByteRange(start: request.line.joined.start, end: request.line.host.end)
        guard origin.count <= ByteArena.block else { return }
        arena.append(copyOf: origin)
        server.originEnd = Int32(truncatingIfNeeded: arena.mark)
    }

    /// The URL whose path was made after its scheme and authority, if nothing in it has to be encoded; its parts are in the
    /// outcome then.
    private mutating func urlInPlace() throws(EvaluationFailure) -> ByteRange? {
        let path = server.uri
        guard PercentCoding.isPlainPath(path, in: arena) else { return nil }
        let origin = request.line.host.end &- request.line.joined.start
        let start = path.start &- origin
        var parts = originAsSent(path: path.moved(by: 0 &- start))
        if server.arguments.isEmpty {
            answer.outcome.parts = parts
            return ByteRange(start: start, end: path.end)
        }
        guard Int(path.end) == arena.mark else { return nil }
        arena.append(UInt8(ascii: "?"))
        arena.append(copyOf: server.arguments)
        let range = try made(from: Int(start))
        parts.query = ByteRange(start: path.end &+ 1 &- start, end: range.end &- start)
        answer.outcome.parts = parts
        return range
    }

    @inline(never)
    private mutating func forwardOther() throws(EvaluationFailure) {
        answer.outcome.targetApart = nil
        if server.originEnd == server.uri.start, let url = try urlInPlace() { return try forward(to: url) }
        if !server.isChanged {
            if url.range.isEmpty {
                let (range, parts) = try currentURL()
                answer.outcome.parts = parts
                return try forward(to: range)
            }
            answer.outcome.targetApart = try targetApart
            answer.outcome.parts = RouteSubject(url.parts, movedBy: 0 &- url.range.start)
            return try forward(to: url.range)
        }
        // Whatever serves it would read such a path as one that no rule has seen, or as a part of the host; a file has its own.
        if !answer.outcome.isFile, server.uri.isEmpty || arena[server.uri.start] != UInt8(ascii: "/") {
            position = changePosition
            throw failure(.pathWithoutSlash, status: server.methodKind.isReading ? 404 : 405)
        }
        let (range, parts) = try changedURL()
        answer.outcome.parts = parts
        try forward(to: range)
    }

    /// The target of a request for a URL that has no path, which is `/` then; nil for any other URL.
    var targetApart: ByteRange? {
        @inline(__always)
        get throws(EvaluationFailure) { url.parts.path.isEmpty ? try targetWithoutPath : nil }
    }

    private var targetWithoutPath: ByteRange {
        @inline(never)
        get throws(EvaluationFailure) {
            let mark = arena.mark
            arena.append(UInt8(ascii: "/"))
            if let query = url.parts.query {
                arena.append(UInt8(ascii: "?"))
                arena.append(copyOf: query)
            }
            return try made(from: mark)
        }
    }

    /// The parts of a URL that is in the arena as it came in, and whose Host and target needed no change.
    private var partsAsSent: RouteSubject {
        @inline(__always)
        get {
            let start = request.line.joined.start
            var parts = originAsSent(path: server.sentPath.moved(by: 0 &- start))
            if server.sentPath.end < server.requestURI.end {
                parts.query = server.receivedArguments.moved(by: 0 &- start)
            }
            return parts
        }
    }

    /// The parts of a URL whose scheme and Host are those that came in, and whose path is this one.
    @inline(__always)
    private func originAsSent(path: ByteRange) -> RouteSubject {
        var parts = RouteSubject(path: path)
        parts.scheme = ByteRange(start: 0, end: server.isSecure ? 5 : 4)
        parts.host = request.line.host.moved(by: 0 &- request.line.joined.start)
        return parts
    }

    /// The URL that the request stands for, as it came in unless a rule has changed the path or the arguments, and where its
    /// parts are, counted from its start.
    func currentURL() throws(EvaluationFailure) -> (ByteRange, RouteSubject) {
        if server.isChanged { return try changedURL() }
        if !url.range.isEmpty { return (url.range, RouteSubject(url.parts, movedBy: 0 &- url.range.start)) }
        if isJoined { return (request.line.joined, sentParts(in: request.line.joined, path: server.requestURI.start)) }
        return try sentURL()
    }

    /// The URL of a request that no rule has changed, put together from what was sent.
    @inline(never)
    private func sentURL() throws(EvaluationFailure) -> (ByteRange, RouteSubject) {
        // An absolute target without a path, which is `/` then.
        guard !server.requestURI.isEmpty, arena[server.requestURI.start] == UInt8(ascii: "/") else {
            return try changedURL()
        }
        let mark = try appendOrigin()
        let path = Int32(truncatingIfNeeded: arena.mark)
        arena.append(copyOf: server.requestURI)
        let range = try made(from: mark)
        return (range, sentParts(in: range, path: path))
    }

    /// The URL of a path and arguments that are not as they were sent; one with a slash before the path if that has none.
    @inline(never)
    private func changedURL() throws(EvaluationFailure) -> (ByteRange, RouteSubject) {
        let mark = try appendOrigin()
        let pathStart = arena.mark
        if !server.uri.isEmpty, arena[server.uri.start] != UInt8(ascii: "/") { arena.append(UInt8(ascii: "/")) }
        PercentCoding.appendEscapedURI(server.uri, to: arena)
        let path = arena.range(from: pathStart)
        var query: ByteRange?
        if !server.arguments.isEmpty {
            arena.append(UInt8(ascii: "?"))
            let start = arena.mark
            arena.append(copyOf: server.arguments)
            query = arena.range(from: start)
        }
        let range = try made(from: mark)
        var parts = originParts(in: range, path: path.start)
        parts.path = path.moved(by: -range.start)
        parts.query = query?.moved(by: -range.start)
        return (range, parts)
    }

    /// Appends the scheme and the authority; returns where they begin.
    private func appendOrigin() throws(EvaluationFailure) -> Int {
        let authority = server.authority.isEmpty ? try localHost() : server.authority
        let mark = arena.mark
        arena.append(server.isSecure ? "https://" : "http://")
        arena.append(copyOf: authority)
        return mark
    }

    /// The parts of a URL whose path, query and fragment were sent, and are at `path` as they were.
    @inline(__always)
    private func sentParts(in range: ByteRange, path: Int32) -> RouteSubject {
        var parts = originParts(in: range, path: path)
        let target = server.requestURI
        let start = path - range.start
        let end = start + (server.sentPath.end - target.start)
        parts.path = ByteRange(start: start, end: end)
        guard server.sentPath.end < target.end else { return parts }
        var next = end
        if arena[server.sentPath.end] == UInt8(ascii: "?") {
            let queryStart = next + 1
            next = max(queryStart, start + (server.receivedArguments.end - target.start))
            parts.query = ByteRange(start: queryStart, end: next)
        }
        if next < Int32(range.count) { parts.fragment = ByteRange(start: next + 1, end: Int32(range.count)) }
        return parts
    }

    /// The scheme and the authority of a URL whose path begins at `path`.
    @inline(__always)
    private func originParts(in range: ByteRange, path: Int32) -> RouteSubject {
        let schemeEnd: Int32 = server.isSecure ? 5 : 4
        var parts = RouteSubject(path: .empty)
        parts.scheme = ByteRange(start: 0, end: schemeEnd)
        let name = ByteRange(start: schemeEnd + 3, end: path - range.start)
        if server.host == server.authority, !server.host.isEmpty {
            parts.host = name
        } else {
            let (host, port) = HostName.split(name.moved(by: range.start), in: arena)
            parts.host = host.moved(by: -range.start)
            parts.port = port?.moved(by: -range.start)
        }
        return parts
    }
}
