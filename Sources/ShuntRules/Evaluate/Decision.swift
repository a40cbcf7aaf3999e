public import ShuntCore
package import ShuntRouting

/// What a rule set decided about one request, and which rule decided it.
///
/// `action` is what is to happen, with all that belongs to it; what stands beside it is known of every decision. Printed,
/// it is the line that `shunt run` writes.
public struct Decision: Sendable, Hashable {
    /// What is to happen to a request.
    ///
    /// Later versions may have more actions: treat one that you do not know as a failure.
    @nonexhaustive
    public enum Action: Sendable, Hashable {
        /// Nothing turned the request away: dispatch it, or ask the upstream.
        case forward(Forward)
        /// Send the client to another URL.
        case redirect(Redirect)
        /// Give way to a web URL: what a native URL led to is not to be used.
        case degrade(Degrade)
        /// Answer the request.
        case respond(Response)
        /// Turn the request away: a `block` or a `blocklist` has it.
        case block(Block)
        /// Answer with an error: the request is malformed, or a limit was reached.
        case fail(Failure)
    }

    /// The kinds of action, for logs, counters and comparisons.
    @nonexhaustive
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Nothing turned the request away.
        case forward
        /// The client is sent to another URL.
        case redirect
        /// A native URL gives way to a web URL.
        case degrade
        /// The request is answered.
        case respond
        /// A `block` or `blocklist` turned it away.
        case block
        /// The request cannot be decided: it is malformed, or a limit was reached.
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
    public package(set) var kind: Kind
    /// The HTTP status: of a redirect, a response, a block or a failure; for `forward` the status that replaces the
    /// handler's own after an `error_page`, else nil.
    ///
    /// 444 means that the connection is closed without an answer.
    public package(set) var status: Int?
    /// The bytes of the whole resulting URL: where a request is forwarded to, or the Location, byte for byte.
    public package(set) var url: [UInt8]?
    /// The rule that made the decision; nil where none did.
    public package(set) var rule: SourceLocation?
    /// The version of the rules that decided, which is `RuleSet.contentHash`; nil where no rules were asked.
    public package(set) var version: String?
    /// The name of the route that a forwarded request is for; nil where none matches.
    public package(set) var route: String?
    /// The parameters of the route, decoded, in the order of its pattern.
    public package(set) var parameters: [Parameter] = []

    /// The path as the rules left it (`$uri`), decoded and normalised for HTTP.
    package var uri: [UInt8]?
    /// The arguments as the rules left them (`$args`).
    package var arguments: [UInt8]?
    /// The body that a rule gave.
    package var body: [UInt8]?
    /// The response headers that rules added, in order.
    package var headers: [RuleRequest.Header]
    /// For `forward`: the headers for an answer of the handler with one of nginx's usual statuses.
    package var successHeaders: [RuleRequest.Header] = []
    package var upstreamHeaders: [RuleRequest.Header] = []
    /// The first name of the server that was chosen; nil where none was.
    package var server: [UInt8]?
    /// The location in force at the end: its modifier and pattern as written.
    package var location: String?
    /// For `forward`: whether a `proxy_pass` chose where it goes.
    package var isUpstream = false
    /// The route of a forwarded request with its values; nil where none matches.
    package var match: RouteMatch?
    /// The rule that made the decision, for tables with one entry a rule.
    package var position = SourcePosition.none
    /// For `fail`: what is wrong.
    package var reason: String?

    /// Makes a decision that no rules made.
    ///
    /// - Parameter action: What is to happen.
    public init(_ action: Action) {
        switch action {
        case .forward(let forward):
            self.init(kind: .forward, status: forward.status, headers: forward.headers)
            url = forward.url
            uri = forward.path
            arguments = forward.arguments
            successHeaders = forward.successHeaders
            upstreamHeaders = forward.upstreamHeaders
            isUpstream = forward.isUpstream
        case .redirect(let redirect):
            self.init(kind: .redirect, status: redirect.status, headers: redirect.headers)
            url = redirect.location
        case .degrade(let degrade):
            self.init(kind: .degrade)
            url = degrade.url
        case .respond(let response):
            self.init(kind: .respond, status: response.status, headers: response.headers)
            url = response.location
            body = response.body
        case .block(let block): self.init(kind: .block, status: block.status, headers: block.headers)
        case .fail(let failure):
            self.init(kind: .fail, status: failure.status)
            reason = failure.reason
        }
    }

    /// Makes a decision whose other parts are set afterwards.
    package init(kind: Kind, status: Int? = nil, headers: [RuleRequest.Header] = []) {
        self.kind = kind
        self.status = status
        self.headers = headers
    }

    /// What is to happen, with all that belongs to it.
    public var action: Action {
        switch kind {
        case .forward:
            .forward(
                Forward(
                    url: url ?? [],
                    path: uri,
                    arguments: arguments,
                    status: status,
                    headers: headers,
                    successHeaders: successHeaders,
                    upstreamHeaders: upstreamHeaders,
                    isUpstream: isUpstream
                )
            )
        case .redirect: .redirect(Redirect(status: status ?? 302, location: url ?? [], headers: headers))
        case .degrade: .degrade(Degrade(url: url ?? []))
        case .respond: .respond(Response(status: status ?? 200, location: url, body: body, headers: headers))
        case .block: .block(Block(status: status ?? 403, headers: headers))
        case .fail: .fail(Failure(status: status ?? 500, reason: reason ?? ""))
        }
    }

    /// The resulting URL as text; see `url`.
    public var urlText: String? { url.map { String(decoding: $0, as: UTF8.self) } }
}
