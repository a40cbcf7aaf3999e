public import ShuntCore
package import ShuntRouting

/// What a rule set decided about one request, and which rule decided it.
///
/// `action` is what is to happen, with all that belongs to it; what stands beside it is known of every decision. Printed,
/// it is the line that `shunt run` writes.
///
/// Its values stand one behind another in one array, from which each is copied when it is read. A decision that is kept keeps
/// nothing of the rules but the names of their files, and, where a route matches, the table of routes.
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
    public let kind: Kind
    /// The HTTP status: of a redirect, a response, a block or a failure; for `forward` the status that replaces the
    /// handler's own after an `error_page`, else nil.
    ///
    /// 444 means that the connection is closed without an answer.
    public let status: Int?
    /// For `forward`: whether a `proxy_pass` chose where it goes.
    package let isUpstream: Bool
    /// The rule that made the decision, for tables with one entry a rule.
    package let position: SourcePosition
    /// The names of the rules that decided; nil where no rules were asked.
    private let names: ProgramNames?
    /// The route of a forwarded request; nil where none matches.
    private let found: DecisionRoute?
    private let values: DecisionValues

    /// Makes a decision that no rules made.
    ///
    /// - Parameter action: What is to happen.
    public init(_ action: Action) {
        var isUpstream = false
        (position, names, found) = (.none, nil, nil)
        switch action {
        case .forward(let forward):
            (kind, status, isUpstream) = (.forward, forward.status, forward.isUpstream)
            values = DecisionValues(
                url: forward.url,
                uri: forward.path,
                arguments: forward.arguments,
                headers: forward.headers,
                successHeaders: forward.successHeaders,
                upstreamHeaders: forward.upstreamHeaders
            )
        case .redirect(let redirect):
            (kind, status) = (.redirect, redirect.status)
            values = DecisionValues(url: redirect.location, headers: redirect.headers)
        case .degrade(let degrade):
            (kind, status) = (.degrade, nil)
            values = DecisionValues(url: degrade.url)
        case .respond(let response):
            (kind, status) = (.respond, response.status)
            values = DecisionValues(url: response.location, body: response.body, headers: response.headers)
        case .block(let block):
            (kind, status) = (.block, block.status)
            values = DecisionValues(headers: block.headers)
        case .fail(let failure):
            (kind, status) = (.fail, failure.status)
            values = DecisionValues(reason: Array(failure.reason.utf8))
        }
        self.isUpstream = isUpstream
    }

    /// Makes the decision that an evaluation came to, with its values.
    init(_ outcome: Outcome, names: ProgramNames, found: DecisionRoute?, values: DecisionValues) {
        kind = outcome.action
        status = outcome.shownStatus
        isUpstream = outcome.isUpstream
        position = outcome.position
        self.names = names
        self.found = found
        self.values = values
    }

    /// What is to happen, with all that belongs to it.
    ///
    /// It is made of the values of the decision each time it is read: who needs it more than once keeps it.
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

    // MARK: Values

    /// The bytes of the whole resulting URL: where a request is forwarded to, or the Location, byte for byte.
    ///
    /// Reading it makes an array, as reading the other values does: a decision keeps all of them in one.
    public var url: [UInt8]? { values.bytes(values.url) }

    /// The resulting URL as text; see `url`.
    public var urlText: String? { values.text(values.url) }

    /// The rule that made the decision; nil where none did.
    public var rule: SourceLocation? { names?.location(of: position) }

    /// The version of the rules that decided, which is `RuleSet.contentHash`; nil where no rules were asked.
    public var version: String? { names?.version }

    /// The name of the route that a forwarded request is for, or its pattern where it has none; nil where none matches.
    public var route: String? { found?.name }

    /// The parameters of the route, decoded, in the order of its pattern.
    ///
    /// They are decoded each time they are read.
    public var parameters: [Parameter] {
        guard let match else { return [] }
        var parameters = match.parameters.map { Parameter(name: $0.name, value: $0.value) }
        if let wildcard = match.wildcard, !match.capturedParameters.contains(where: { $0.value == wildcard }) {
            parameters.append(Parameter(name: "*", value: wildcard))
        }
        return parameters
    }

    /// The path as the rules left it (`$uri`), decoded and normalised for HTTP.
    package var uri: [UInt8]? { values.bytes(values.uri) }
    /// The arguments as the rules left them (`$args`).
    package var arguments: [UInt8]? { values.bytes(values.arguments) }
    /// The body that a rule gave.
    package var body: [UInt8]? { values.bytes(values.body) }
    /// The response headers that rules added, in order.
    package var headers: [RuleRequest.Header] { values.headers(values.headers) }
    /// For `forward`: the headers for an answer of the handler with one of nginx's usual statuses.
    package var successHeaders: [RuleRequest.Header] { values.headers(values.successHeaders) }
    /// For `forward`: the request headers for the upstream.
    package var upstreamHeaders: [RuleRequest.Header] { values.headers(values.upstreamHeaders) }
    /// The first name of the server that was chosen; nil where none was.
    package var server: [UInt8]? { values.bytes(values.server) }
    /// The location in force at the end: its modifier and pattern as written.
    package var location: String? { values.text(values.location) }
    /// For `fail`: what is wrong.
    package var reason: String? { values.text(values.reason) }
    /// The route of a forwarded request with its values; nil where none matches.
    package var match: RouteMatch? {
        found?.match(url: url ?? [], values: values.valueRanges)
    }
}

extension Decision {
    /// Whether both say the same in all of their parts.
    public static func == (first: Decision, second: Decision) -> Bool {
        guard
            first.kind == second.kind, first.status == second.status, first.isUpstream == second.isUpstream,
            first.position == second.position, first.values == second.values
        else { return false }
        let hasSameRules =
            first.names === second.names || first.version == second.version && first.rule == second.rule
        // What a route calls its values is the table's.
        let hasSameRoute =
            first.found?.table === second.found?.table && first.found?.lookup.route == second.found?.lookup.route
            || first.match == second.match && first.route == second.route && first.parameters == second.parameters
        return hasSameRules && hasSameRoute
    }

    /// Hashes the kind, the status, the rule and the values.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        hasher.combine(status)
        hasher.combine(position)
        hasher.combine(values)
    }
}
