public import ShuntCore
import ShuntRouting

/// A decision that is read where the engine made it.
///
/// It has the values of a `Decision` without a copy of any: reading the action, the status and the rule allocates nothing,
/// and the bytes of a value are borrowed by a closure. It lives inside the closure that it was passed to.
@safe
public struct DecisionView: ~Copyable {
    @usableFromInline let place: UnsafeRawPointer

    /// Makes a view of the outcome of the evaluation at `place`, which no one uses until the closure that reads it has
    /// returned.
    @unsafe
    @inlinable
    package init(at place: UnsafeRawPointer) { unsafe self.place = place }

    @unsafe
    private var evaluation: UnsafePointer<Evaluation> {
        @inline(__always)
        get { unsafe place.assumingMemoryBound(to: Evaluation.self) }
    }

    /// The outcome of the evaluation in place.
    ///
    /// Sound: as for `bytes`.
    var outcome: Outcome {
        @inline(__always)
        get { unsafe evaluation.pointee.outcome }
    }

    /// Reads the evaluation where it is.
    ///
    /// Sound: as for `bytes`.
    func evaluated<Result>(_ body: (borrowing Evaluation) -> Result) -> Result {
        unsafe body(evaluation.pointee)
    }

    /// The kind of the decision.
    public var kind: Decision.Kind { outcome.action }

    /// The HTTP status; see `Decision.status`.
    public var status: Int? { outcome.shownStatus }

    /// True if a `proxy_pass` chose where a forwarded request goes.
    public var isUpstream: Bool { outcome.isUpstream }

    /// The settings for the upstream of a `proxy_pass`; nil without an upstream, or without settings.
    package var upstreamSettings: UpstreamSettings? {
        guard outcome.isUpstream else { return nil }
        return unsafe evaluation.pointee.upstreamSettings
    }

    /// The longest body of the request in bytes, 0 for any, wherever it goes; nil where no rule limits it.
    package var maximumBody: Int? { evaluated { $0.server.settings.isNone ? nil : $0.upstreamSettings?.maximumBody } }

    /// True if an upstream gets the request after the beginning of the body has come, wherever the request goes.
    package var holdsBody: Bool { evaluated { $0.server.settings.isNone || $0.upstreamSettings?.holdsBody != false } }

    /// True if an answer without a length comes in chunks; else the connection ends it.
    package var sendsChunks: Bool { evaluated { $0.sendsChunks } }

    /// The longest time that the client's connection may be idle afterwards, in milliseconds; nil if it is not set.
    package var keepAlive: Int? { unsafe evaluation.pointee.keepAlive }

    /// The number of requests after which the client's connection ends.
    package var keepAliveRequests: Int {
        evaluated {
            $0.server.settings.isNone ? .max : Int($0.program.tables.settings[$0.server.settings].keepAliveRequests)
        }
    }

    /// The type of an earlier answer of an upstream, which an answer without one has; nil without one.
    package var keptType: [UInt8]? {
        guard unsafe evaluation.pointee.server.keepsHeaders else { return nil }
        return unsafe evaluation.pointee.answer.keptType.map { type in
            unsafe evaluation.pointee.arena.withBytes(type) { Array(copying: $0) }
        }
    }

    /// The changes to the Location of the upstream's answer; nil if it stays unchanged.
    package var upstreamRedirects: UpstreamRedirects? {
        guard outcome.isUpstream else { return nil }
        return unsafe evaluation.pointee.upstreamRedirects
    }

    /// The changes to cookies of the upstream's answer; nil if they stay unchanged.
    package var upstreamCookies: UpstreamCookies? {
        guard outcome.isUpstream, unsafe evaluation.pointee.program.tables.hasUpstreamValues else { return nil }
        return unsafe evaluation.pointee.answer.cookies
    }

    /// The name of the group of servers that the `proxy_pass` names; nil for a host and for a Unix socket.
    package var upstreamGroup: String? {
        guard outcome.isUpstream, !outcome.group.isNone else { return nil }
        return unsafe evaluation.pointee.program.tables.upstreamGroups[outcome.group].name
    }

    /// The path of the Unix socket that the `proxy_pass` names; nil for a host and for a group.
    package var upstreamSocket: String? {
        guard outcome.isUpstream, outcome.isSocket else { return nil }
        return withAuthority { String(repairing: $0) }
    }

    /// True if the URL of a forwarded request is one of `https` rather than of `http`; nil for any other scheme.
    package var isSecure: Bool? { hasTarget ? outcome.parts.scheme?.count == 5 : nil }

    /// True if a rule changed the request or decided about it.
    public var isDecidedByRule: Bool { outcome.position.isPlace }

    /// The place of the rule that made the decision; nil where none did.
    public var rule: SourceLocation? { unsafe evaluation.pointee.program.location(of: outcome.position) }

    /// The rule that made the decision, for tables with one entry a rule.
    package var position: SourcePosition { outcome.position }

    /// For `fail`: what is wrong; nil for every other kind.
    public var reason: String? { unsafe evaluation.pointee.reason }

    /// The name of the route of a forwarded request; nil where none matches.
    public var route: String? {
        guard let found = outcome.route else { return nil }
        return unsafe evaluation.pointee.program.routeTable?.with { $0.displayName(of: found) }
    }

    /// Borrows the bytes of the resulting URL; nil where the decision has none.
    @inlinable
    public func withURL<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        guard let bytes = unsafe urlBytes else { return nil }
        return try unsafe body(bytes.span)
    }

    /// Borrows the path and the arguments of a forwarded request, byte for byte as its request line has them.
    ///
    /// Nil for any other decision, and for a URL of another scheme than `http` and `https`.
    /// Send these bytes: the URL is for people, and a parser may read another path, or another host, in it.
    @inlinable
    public func withTarget<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        guard let bytes = unsafe targetBytes else { return nil }
        return try unsafe body(bytes.span)
    }

    /// Borrows the host of a forwarded request with its port, as the rules judged it or a `proxy_pass` names it; nil if there is none.
    @inlinable
    public func withAuthority<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        guard let bytes = unsafe authorityBytes else { return nil }
        return try unsafe body(bytes.span)
    }

    /// Borrows the host that the servers of the rules were chosen by, with its port; nil if there is none.
    package func withJudgedHost<Result>(_ body: (Span<UInt8>) -> Result?) -> Result? {
        let host = unsafe evaluation.pointee.server.authority
        return host.isEmpty ? nil : unsafe body(bytes(host).span)
    }

    /// Borrows the bytes of the path as the rules left it; nil where the decision has none.
    @inlinable
    public func withURI<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        guard let bytes = unsafe uriBytes else { return nil }
        return try unsafe body(bytes.span)
    }

    /// The length of the body that a rule set, also if HEAD withholds it; nil without a body.
    package var bodyLength: Int? { outcome.hasBody || outcome.isBodyWithheld ? outcome.body.count : nil }

    /// Borrows the bytes of the body of a rule; nil where the decision has none.
    @inlinable
    public func withBody<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        guard let bytes = unsafe bodyBytes else { return nil }
        return try unsafe body(bytes.span)
    }

    /// Borrows the names and values of the response headers that rules add, one after another; see
    /// `Decision.Forward.headers`.
    public func withHeaders<Failure: Error>(
        _ body: (_ name: Span<UInt8>, _ value: Span<UInt8>) throws(Failure) -> Void
    ) throws(Failure) {
        try unsafe borrow(evaluation.pointee.answer.headers, body)
    }

    /// Borrows those that come before the headers of a forwarded request's answer: they are of earlier answers.
    package func withKeptHeaders<Failure: Error>(
        _ body: (_ name: Span<UInt8>, _ value: Span<UInt8>) throws(Failure) -> Void
    ) throws(Failure) {
        guard outcome.action == .forward else { return }
        try unsafe borrow(evaluation.pointee.keptHeaders, body)
    }

    /// Borrows those that rules add to an answer with one of the usual statuses only; see
    /// `Decision.Forward.successHeaders`.
    public func withSuccessHeaders<Failure: Error>(
        _ body: (_ name: Span<UInt8>, _ value: Span<UInt8>) throws(Failure) -> Void
    ) throws(Failure) {
        try unsafe borrow(evaluation.pointee.answer.successHeaders, body)
    }

    /// Borrows those of `proxy_set_header`; see `Decision.Forward.upstreamHeaders`.
    public func withUpstreamHeaders<Failure: Error>(
        _ body: (_ name: Span<UInt8>, _ value: Span<UInt8>) throws(Failure) -> Void
    ) throws(Failure) {
        guard outcome.isUpstream else { return }
        try unsafe borrow(evaluation.pointee.answer.upstreamHeaders, body)
    }

    /// The method that a forwarded request has instead of the client's; nil for the client's.
    ///
    /// `proxy_method` sets it, and an `error_page` that leads to another path makes it GET.
    package var changedMethod: [UInt8]? {
        upstreamValue(unsafe evaluation.pointee.answer.upstreamMethod) ?? ownMethod
    }

    /// The method of the request where an `error_page` that leads to another path has changed it.
    package var ownMethod: [UInt8]? {
        let method = unsafe evaluation.pointee.server.method
        guard unsafe method != evaluation.pointee.request.line.method else { return nil }
        return unsafe evaluation.pointee.arena.array(method)
    }

    /// True if its method is one that files are asked for with.
    package var isReading: Bool { evaluated { $0.server.methodKind.isReading } }

    /// True if something else than files answers in its location, such as a `fastcgi_pass`.
    package var isAnsweredByModule: Bool {
        evaluated { !$0.server.settings.isNone && $0.program.tables.settings[$0.server.settings].isAnsweredByModule }
    }

    /// True if the request that is passed on is the question of an `auth_request`.
    package var isQuestion: Bool { evaluated { $0.server.isQuestion } }

    /// True if the path of the decision is another one than the client's, such as that of an `error_page`.
    package var isInternal: Bool { evaluated { $0.server.isInternal } }

    /// True if the body of the request was refused or dropped before, and goes nowhere.
    package var isBodyRefused: Bool { evaluated { $0.server.isBodyRefused } }

    /// True if it was dropped, so that the client's connection stays of use.
    package var isBodyDropped: Bool { evaluated { $0.server.isBodyDropped } }

    /// True if something led to the place of the decision before: an `error_page`, or an answer with a header that stays.
    package var isOfAnotherPath: Bool { outcome.status != 0 || evaluated { $0.server.keepsHeaders } }

    /// True if what the rules add to the answer that is passed on depends on it: they are evaluated again with it.
    package var awaitsAnswer: Bool { outcome.action == .forward && evaluated { $0.answer.awaitsAnswer } }

    /// True if a header of a proxy that the rules trust named the client.
    package var isOfTrustedProxy: Bool {
        evaluated { evaluation in
            guard evaluation.server.client.isReplaced else { return false }
            let tables = evaluation.program.tables
            return tables.realIPs[tables.settings[evaluation.server.settings].realIP].header
                != RealIPRules.proxyProtocol
        }
    }

    /// The statuses that an `error_page` of the location takes.
    package var errorStatuses: [Int] {
        evaluated { evaluation in
            let settings = evaluation.server.settings
            guard !settings.isNone else { return [] }
            let pages = evaluation.program.tables.settings[settings].errorPages
            return pages.isNone ? [] : evaluation.program.errorStatuses[pages.position]
        }
    }

    /// The body of `proxy_set_body`; nil for the client's.
    package var upstreamBody: [UInt8]? { upstreamValue(unsafe evaluation.pointee.answer.upstreamBody) }

    /// The name of `proxy_ssl_name`, without a port; nil for the host of the `proxy_pass`.
    package var upstreamName: String? {
        upstreamValue(unsafe evaluation.pointee.answer.upstreamName)
            .map { name in
                let host = HostName.split(ByteRange(0, name.count), in: name.span).host
                return String(decoding: name[host.indices], as: UTF8.self)
            }
    }

    private func upstreamValue(_ range: ByteRange?) -> [UInt8]? {
        guard outcome.isUpstream, unsafe evaluation.pointee.program.tables.hasUpstreamValues, let range else {
            return nil
        }
        return unsafe evaluation.pointee.arena.array(range)
    }

    /// The key that chooses a server of the upstream's group with `hash`; empty for other methods.
    package var balancingKey: [UInt8] {
        guard outcome.isUpstream, unsafe evaluation.pointee.program.tables.hasBalancingKeys else { return [] }
        return unsafe evaluation.pointee.arena.array(evaluation.pointee.answer.balancingKey)
    }

    private func borrow<Failure: Error>(
        _ headers: [RuleAnswer.Header],
        _ body: (Span<UInt8>, Span<UInt8>) throws(Failure) -> Void
    ) throws(Failure) {
        for header in headers {
            let value = unsafe bytes(header.value)
            try unsafe body(header.name.span, value.span)
        }
    }

    @unsafe
    @usableFromInline
    var urlBytes: UnsafeBufferPointer<UInt8>? { outcome.hasURL ? unsafe bytes(outcome.url) : nil }

    @unsafe
    @usableFromInline
    var targetBytes: UnsafeBufferPointer<UInt8>? { hasTarget ? unsafe bytes(outcome.target) : nil }

    @unsafe
    @usableFromInline
    var authorityBytes: UnsafeBufferPointer<UInt8>? {
        guard outcome.isForwarded, let authority = outcome.authority else { return nil }
        return unsafe bytes(authority)
    }

    private var hasTarget: Bool { outcome.isForwarded && outcome.target.start >= 0 }

    @unsafe
    @usableFromInline
    var uriBytes: UnsafeBufferPointer<UInt8>? { outcome.hasURI ? unsafe bytes(outcome.uri) : nil }

    @unsafe
    @usableFromInline
    var bodyBytes: UnsafeBufferPointer<UInt8>? { outcome.hasBody ? unsafe bytes(outcome.body) : nil }

    /// The place where a value lies, without counting a reference, which would take as long as what most callers do.
    ///
    /// Sound: the evaluation is not used until the view is gone, so that its bytes stay where they are.
    @unsafe
    @inline(__always)
    private func bytes(_ range: ByteRange) -> UnsafeBufferPointer<UInt8> {
        unsafe evaluation.pointee.arena.withBytes(range) { bytes in
            unsafe bytes.withUnsafeBufferPointer { unsafe $0 }
        }
    }

    /// The decision as a separate value: this copies its values, with one allocation.
    public func copy() -> Decision { unsafe evaluation.pointee.separateDecision }
}
