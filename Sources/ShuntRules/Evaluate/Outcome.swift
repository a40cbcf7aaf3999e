package import ShuntCore
package import ShuntRouting

/// The outcome of an evaluation, as ranges of its memory: trivial to copy, valid until the next evaluation.
package struct Outcome: Sendable {
    // What `begin` writes is together, so that a few stores do it.
    package var action: Decision.Kind = .forward
    package var hasURL = false
    package var hasBody = false
    package var hasURI = false
    /// True if the body is there for its length only: no one gets one for HEAD.
    package var isBodyWithheld = false
    /// True if a `proxy_pass` chose where a forwarded request goes.
    package var isUpstream = false
    /// True if a file answers the request.
    package var isFile = false
    package var reason = FailureReason.none
    package var urlError: URLSyntaxError?
    package var status: Int32 = 0
    package var position = SourcePosition.none
    var server = ServerIndex.none
    var location = LocationIndex.none
    /// The Location, the degraded URL or the upstream's; unused where `hasURL` is false.
    package var url = ByteRange.empty
    package var body = ByteRange.empty
    package var uri = ByteRange.empty
    package var arguments = ByteRange.empty
    /// The path of the file; it counts only with `isFile`.
    package var file = ByteRange.empty
    /// The place where the parts of the URL of a forwarded request are, counted from its start.
    ///
    /// They come from the values that the URL was put together from: the URL is never taken apart to find its host. The host of a
    /// Unix socket is its path.
    package var parts = RouteSubject(path: .empty)
    /// The target of a forwarded request whose URL has no path; below 0 for a URL that is not of the web, nil for any other.
    package var targetApart: ByteRange?
    /// The group of servers that the `proxy_pass` names; it counts only with `isUpstream`.
    var group = TableIndex<UpstreamGroup>.none
    /// True if the `proxy_pass` names a Unix socket; it counts only with `isUpstream`.
    package var isSocket = false
    /// The route of a forwarded request; its values are in the memory of the evaluation, counted from the start of the URL.
    package var route: RouteLookup?

    @inline(__always)
    package init() {}

    /// The status, where the decision has one.
    var shownStatus: Int? {
        @inline(__always)
        get { status != 0 || action == .respond ? Int(status) : nil }
    }

    /// True if the outcome is a request that continues at its URL.
    var isForwarded: Bool {
        @inline(__always)
        get { action == .forward && hasURL && hasURI }
    }

    /// The path and the arguments of a forwarded request in the arena, as its request line has them; below 0 for a URL that is
    /// not of the web.
    package var target: ByteRange { targetApart ?? targetInURL.moved(by: url.start) }

    /// The path and the query among the `parts`.
    var targetInURL: ByteRange {
        @inline(__always)
        get {
            var range = parts.path
            if let query = parts.query { range.end = query.end }
            return range
        }
    }

    /// The host and port of a forwarded request in the arena; nil if there is none.
    package var authority: ByteRange? { authorityInURL?.moved(by: url.start) }

    /// The host and port among the `parts`.
    var authorityInURL: ByteRange? {
        @inline(__always)
        get {
            guard var range = parts.host else { return nil }
            if let port = parts.port { range.end = port.end }
            return range
        }
    }

    /// Forgets what was decided; ranges that do not count by a flag, and what counts with the URL of a forwarded
    /// request, stay unchanged.
    @inline(__always)
    mutating func begin() {
        action = .forward
        hasURL = false
        hasBody = false
        isBodyWithheld = false
        hasURI = false
        isUpstream = false
        isFile = false
        reason = .none
        urlError = nil
        status = 0
        position = .none
        server = .none
        location = .none
        route = nil
    }
}
