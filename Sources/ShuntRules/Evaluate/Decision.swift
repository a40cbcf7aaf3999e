public import ShuntCore
package import ShuntRouting

/// The decision of a rule set about one request, and the rule that made it.
///
/// `action` is what is to happen, with all that belongs to it; what comes with it is known of every decision. Printed,
/// it is the line that `shunt run` writes.
///
/// It is one object, in which its values are one after another; each is copied when it is read. A decision that is kept
/// keeps nothing of the rules but the names of their files, servers and locations, and, where a route matches, the
/// table of routes.
public struct Decision: Sendable, Hashable {
    /// The action for a request.
    ///
    /// Later versions may have more actions: treat one that you do not know as a failure.
    @nonexhaustive
    public enum Action: Sendable, Hashable {
        /// Nothing turned the request away: dispatch it, or ask the upstream.
        case forward(Forward)
        /// Send the client to another URL.
        case redirect(Redirect)
        /// Yield to a web URL: what a native URL led to is not to be used.
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
        /// A native URL yields to a web URL.
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
        /// The name in the pattern of the route.
        public var name: String
        /// The decoded value.
        public var value: String

        /// Makes a parameter.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    private let storage: DecisionStorage

    /// Makes a decision that no rules made.
    ///
    /// - Parameter action: What is to happen.
    public init(_ action: Action) {
        storage =
            switch action {
            case .forward(let forward):
                DecisionStorage(
                    DecisionParts(kind: .forward, isUpstream: forward.isUpstream, status: forward.status),
                    url: forward.urlBytes,
                    target: forward.targetBytes,
                    authority: forward.authorityBytes,
                    uri: forward.pathBytes,
                    arguments: forward.argumentsBytes,
                    headers: forward.headers,
                    successHeaders: forward.successHeaders,
                    upstreamHeaders: forward.upstreamHeaders
                )
            case .redirect(let redirect):
                DecisionStorage(
                    DecisionParts(kind: .redirect, status: redirect.status),
                    url: redirect.locationBytes,
                    headers: redirect.headers
                )
            case .degrade(let degrade):
                DecisionStorage(DecisionParts(kind: .degrade), url: degrade.urlBytes)
            case .respond(let response):
                DecisionStorage(
                    DecisionParts(kind: .respond, status: response.status),
                    url: response.locationBytes,
                    body: response.bodyBytes,
                    headers: response.headers
                )
            case .block(let block):
                DecisionStorage(DecisionParts(kind: .block, status: block.status), headers: block.headers)
            case .fail(let failure):
                DecisionStorage(DecisionParts(kind: .fail, status: failure.status), reason: Array(failure.reason.utf8))
            }
    }

    @inline(__always)
    init(_ storage: DecisionStorage) { self.storage = storage }

    /// The kind of the decision.
    public var kind: Kind { storage.with { $0.kind } }

    /// The HTTP status: of a redirect, a response, a block or a failure; for `forward` the status that replaces the
    /// handler's own after an `error_page`, else nil.
    ///
    /// 444 means that the connection is closed without an answer.
    public var status: Int? { storage.with { $0.status } }

    /// True if a rule changed the request or decided about it.
    public var isDecidedByRule: Bool { position.isPlace }

    /// For `forward`: whether a `proxy_pass` chose where it goes.
    package var isUpstream: Bool { storage.with { $0.isUpstream } }

    /// The rule that made the decision, for tables with one entry a rule.
    package var position: SourcePosition { storage.with { $0.position } }

    private var places: DecisionPlaces { storage.with { $0.places } }
    private var names: ProgramNames? { storage.with { $0.names } }
    private var found: DecisionRoute? { storage.with { $0.found } }

    /// The action with all its values.
    ///
    /// It is made of the values of the decision each time it is read: who needs it more than once keeps it.
    public var action: Action {
        switch kind {
        case .forward:
            .forward(
                Forward(
                    url: urlBytes ?? [],
                    target: targetBytes,
                    authority: authorityBytes,
                    path: uri,
                    arguments: arguments,
                    status: status,
                    headers: headers,
                    successHeaders: successHeaders,
                    upstreamHeaders: upstreamHeaders,
                    isUpstream: isUpstream
                )
            )
        case .redirect: .redirect(Redirect(status: status ?? 302, location: urlBytes ?? [], headers: headers))
        case .degrade: .degrade(Degrade(url: urlBytes ?? []))
        case .respond: .respond(Response(status: status ?? 200, location: urlBytes, body: body, headers: headers))
        case .block: .block(Block(status: status ?? 403, headers: headers))
        case .fail: .fail(Failure(status: status ?? 500, reason: reason ?? ""))
        }
    }

    // MARK: Values

    /// The whole resulting URL: where a request is forwarded to, or the Location; nil where the decision has none.
    public var url: String? { storage.text(places.url) }

    /// The bytes of `url`, which need not be UTF-8.
    ///
    /// Reading it makes an array, as reading the other values does; `withURL` lends them.
    public var urlBytes: [UInt8]? { storage.bytes(places.url) }

    /// Borrows the bytes of the resulting URL; nil where the decision has none.
    @inlinable
    public func withURL<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        defer { withExtendedLifetime(self) {} }
        guard let bytes = unsafe urlPointer else { return nil }
        return try unsafe body(bytes.span)
    }

    /// The path and the arguments of a forwarded request; see `DecisionView.withTarget`.
    public var target: String? { storage.text(places.target) }

    /// The bytes of `target`.
    public var targetBytes: [UInt8]? { storage.bytes(places.target) }

    /// The host of a forwarded request with its port; see `DecisionView.withAuthority`.
    public var authority: String? { storage.text(places.authority) }

    /// The bytes of `authority`.
    public var authorityBytes: [UInt8]? { storage.bytes(places.authority) }

    /// Borrows the bytes of the path as the rules left it; nil where the decision has none.
    @inlinable
    public func withURI<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        defer { withExtendedLifetime(self) {} }
        guard let bytes = unsafe uriPointer else { return nil }
        return try unsafe body(bytes.span)
    }

    /// The rule that made the decision; nil where none did.
    public var rule: SourceLocation? { names?.location(of: position) }

    /// The entries of `map`, `geo` and `split_clients` that supplied the values the decision came from, in the order in
    /// which they were read, each once; empty unless the engine names them: `Engine.Options.namesEntries`.
    ///
    /// The value of a list that `include` brings to a table has the place of its line.
    public var entries: [SourceLocation] { entryPositions.compactMap { names?.location(of: $0) } }

    /// The same, for tables with one entry each.
    package var entryPositions: [SourcePosition] { storage.entries }

    /// The version of the rules that decided, which is `RuleSet.contentHash`; nil where no rules were evaluated.
    public var version: String? { names?.version }

    /// The name of the route that a forwarded request is for, or its pattern where it has none; nil where none matches.
    public var route: String? { storage.routeName }

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

    /// Returns the value of a parameter of the route, decoded; nil where it has no parameter of that name.
    public func routeParameter(_ name: String) -> String? { parameters.first { $0.name == name }?.value }

    /// The path as the rules left it (`$uri`), decoded and normalised for HTTP.
    package var uri: [UInt8]? { storage.bytes(places.uri) }
    /// The arguments as the rules left them (`$args`).
    package var arguments: [UInt8]? { storage.bytes(places.arguments) }
    package var body: [UInt8]? { storage.bytes(places.body) }
    /// The response headers that rules added, in order.
    package var headers: [RuleRequest.Header] { storage.headers(places.headers) }
    /// For `forward`: the headers for an answer of the handler with one of nginx's usual statuses.
    package var successHeaders: [RuleRequest.Header] { storage.headers(places.successHeaders) }
    /// For `forward`: the request headers for the upstream.
    package var upstreamHeaders: [RuleRequest.Header] { storage.headers(places.upstreamHeaders) }
    /// The first name of the server that was chosen; nil where none was.
    package var server: [UInt8]? { names?.server(storage.with { $0.server }) }
    /// The location in force at the end: its modifier and pattern as written.
    package var location: String? { names?.location(storage.with { $0.location }) }
    /// For `fail`: what is wrong.
    package var reason: String? { storage.text(places.reason) }
    /// The route of a forwarded request with its values; nil where none matches.
    package var match: RouteMatch? { found?.match(url: urlBytes ?? [], values: storage.routeValues) }

    // Sound: who reads there keeps the decision meanwhile.
    @unsafe
    @usableFromInline
    var urlPointer: UnsafeBufferPointer<UInt8>? { unsafe storage.pointer(to: places.url) }

    @unsafe
    @usableFromInline
    var uriPointer: UnsafeBufferPointer<UInt8>? { unsafe storage.pointer(to: places.uri) }
}

extension Decision {
    /// Returns true if both are equal in all of their parts.
    public static func == (first: Decision, second: Decision) -> Bool {
        guard
            first.kind == second.kind, first.status == second.status, first.isUpstream == second.isUpstream,
            first.position == second.position, first.storage.hasSameValues(as: second.storage),
            first.server == second.server, first.location == second.location
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
        storage.hashValues(into: &hasher)
    }
}
