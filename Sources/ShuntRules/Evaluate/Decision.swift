public import ShuntCore

/// What a rule set decided about one request, with the rule that decided it.
public struct Decision: Sendable, Hashable {
    /// The kinds of decision.
    public enum Action: String, Sendable, Hashable, CaseIterable {
        /// Nothing turned the request away: `url` is to be dispatched, or requested from the upstream.
        case forward
        /// The client is sent to `url` with `status`.
        case redirect
        /// A native URL gives way to the web URL in `url`.
        case degrade
        /// `status`, `body` and `headers` answer the request.
        case respond
        /// A `block` or `blocklist` turned it away with `status`.
        case block
        /// The request cannot be decided: it is malformed, or a limit was reached. `reason` says why.
        case fail
    }

    /// A parameter of a route.
    public struct Parameter: Sendable, Hashable {
        /// The name.
        public var name: String
        /// The decoded value.
        public var value: String

        /// Makes a parameter.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// What kind of decision it is.
    public var action: Action
    /// The HTTP status: of a redirect, a response, a block or a failure; for `forward` the status that replaces the
    /// handler's own after an `error_page`, else nil.
    ///
    /// 444 means that the connection is closed without an answer.
    public var status: Int?
    /// The whole resulting URL; for a redirect the Location, byte for byte.
    public var url: [UInt8]?
    /// The path as the rules left it (`$uri`), decoded and normalised for HTTP.
    public var uri: [UInt8]?
    /// The arguments as the rules left them (`$args`).
    public var arguments: [UInt8]?
    /// The body that a rule gave.
    public var body: [UInt8]?
    /// The response headers that rules added, in order.
    public var headers: [Request.Header]
    /// For `forward`: the response headers that rules add when the handler answers with 200, 201, 204, 206, 301, 302,
    /// 303, 304, 307 or 308.
    public var successHeaders: [Request.Header] = []
    /// The first name of the server that was chosen; nil where none was.
    public var server: [UInt8]?
    /// The location in force at the end: its modifier and pattern as written.
    public var location: String?
    /// The name of the route that a forwarded request is for; nil where none matches.
    public var route: String?
    /// The parameters of the route, decoded, in the order of its pattern.
    public var parameters: [Parameter] = []
    /// For `forward`: whether a `proxy_pass` chose where it goes, so that `url` is what to ask of that upstream.
    public var isUpstream = false
    /// The rule that made the decision; nil where none did.
    public var rule: SourceLocation?
    /// The rule that made the decision, for tables with one entry a rule.
    package var position = SourcePosition.none
    /// For `fail`: what is wrong.
    public var reason: String?

    /// Makes a decision.
    public init(action: Action, status: Int? = nil, headers: [Request.Header] = []) {
        self.action = action
        self.status = status
        self.headers = headers
    }
}
