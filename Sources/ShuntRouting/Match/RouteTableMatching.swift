extension RouteTable {
    /// Finds the first route that matches a URL, and its values.
    ///
    /// For the hot path use `lookup`, which does not allocate.
    ///
    /// - Parameters:
    ///   - url: The URL or path.
    ///   - method: The method of the request; nil when it does not matter.
    /// - Returns: The match; nil when no route matches.
    public func match(_ url: String, method: String? = nil) -> RouteMatch? {
        var candidates = candidates(for: url, method: method)
        return candidates.next()
    }

    /// Returns true if any route matches a URL.
    ///
    /// - Parameters:
    ///   - url: The URL or path.
    ///   - method: The method of the request; nil when it does not matter.
    /// - Returns: Whether `match` would find one.
    public func canRoute(_ url: String, method: String? = nil) -> Bool { match(url, method: method) != nil }

    /// The routes that match a URL, the first first, for handlers that may decline.
    ///
    /// - Parameters:
    ///   - url: The URL or path.
    ///   - method: The method of the request; nil when it does not matter.
    /// - Returns: The matches, each looked for when it is asked for.
    public func candidates(for url: String, method: String? = nil) -> RouteCandidates {
        RouteCandidates(table: self, url: Array(url.utf8), method: method.map { methods(named: $0) } ?? .any)
    }

    /// The routes that match a URL after one that was found already, for a handler that declined.
    ///
    /// - Parameter match: A match of this table.
    /// - Returns: The matches that follow it, each looked for when it is asked for.
    public func candidates(after match: RouteMatch) -> RouteCandidates { RouteCandidates(table: self, after: match) }

    /// Finds the first route that matches a URL, or why none does.
    ///
    /// Finding out why takes several times as long as a lookup; how near other paths are is looked for in at most
    /// `RoutingLimits.suggestionCandidates` of them.
    ///
    /// - Parameters:
    ///   - url: The URL or path.
    ///   - method: The method of the request; nil when it does not matter.
    /// - Returns: The match, or the reason.
    public func resolve(_ url: String, method: String? = nil) -> RouteResolution {
        resolve(bytes: Array(url.utf8), method: method)
    }

    /// Finds the first route that matches a URL which need not be UTF-8, or why none does.
    ///
    /// - Parameters:
    ///   - bytes: The bytes of the URL or path.
    ///   - method: The method of the request; nil when it does not matter.
    /// - Returns: The match, or the reason.
    public func resolve(bytes: [UInt8], method: String? = nil) -> RouteResolution {
        var candidates = RouteCandidates(table: self, url: bytes, method: method.map { methods(named: $0) } ?? .any)
        if let match = candidates.next() { return .matched(match) }
        let last = candidates.outcome
        if last?.outcome == .tooComplex { return .missed(RouteMiss(reason: .tooComplex, suggestion: nil)) }
        if last?.outcome == .methodNotAllowed, let allowed = last?.allowedMethods {
            return .missed(RouteMiss(reason: .methodNotAllowed(names(of: allowed)), suggestion: nil))
        }
        let suggestion = suggestion(for: bytes)
        if let misfit = misfit(bytes) { return .missed(RouteMiss(reason: misfit, suggestion: suggestion)) }
        return .missed(RouteMiss(reason: .noSuchPath, suggestion: suggestion))
    }

    /// The first route that would match if values were not checked, and the first value that does not fit.
    private func misfit(_ url: [UInt8]) -> RouteMiss.Reason? {
        let parts = RouteSubject(splitting: url.span)
        let scratch = RouteScratch()
        var request = request(url.span, parts)
        request.isLenient = true
        request.isFirst = false
        let lookup = search(url.span, parts: parts, start: request, after: nil, scratch: scratch)
        guard lookup.isMatch else { return nil }
        let route = routes[Int(lookup.index)]
        for (slot, parameter) in route.fullPattern.parameters.enumerated() {
            guard let range = scratch.value(slot) else { continue }
            let value = URLBytes.decoded(range, of: url, plus: .never)
            guard let requirement = automaton.requirement(parameter.constraint, missedBy: value, scratch) else {
                continue
            }
            return .valueDoesNotFit(
                route: route.id,
                parameter: parameter.name ?? "*",
                value: String(decoding: value, as: UTF8.self),
                requirement: requirement
            )
        }
        return nil
    }
}

/// The routes that match a URL, in order.
///
/// Not thread safe; each value has its own memory.
public struct RouteCandidates: Sequence, IteratorProtocol {
    private let table: RouteTable
    private let url: [UInt8]
    private let parts: RouteSubject
    private let method: RouteMethodSet
    private let scratch = RouteScratch()
    /// The result of the last lookup; nil before the first.
    private(set) var outcome: RouteLookup?

    init(table: RouteTable, url: [UInt8], method: RouteMethodSet) {
        self.table = table
        self.url = url
        self.method = method
        parts = RouteSubject(splitting: url.span)
    }

    init(table: RouteTable, after match: RouteMatch) {
        self.table = table
        url = match.urlBytes
        parts = match.parts
        method = match.methods
        outcome = match.lookup
    }

    /// True if a limit ended the search, so that it is not known what would have come next.
    public var isTooComplex: Bool { outcome?.outcome == .tooComplex }

    /// The next match; nil when there is none.
    public mutating func next() -> RouteMatch? {
        let lookup: RouteLookup
        if let previous = outcome {
            guard previous.isMatch else { return nil }
            lookup = table.lookup(url.span, parts: parts, method: method, after: previous, scratch: scratch)
        } else {
            lookup = table.lookup(url.span, parts: parts, method: method, scratch: scratch)
        }
        outcome = lookup
        guard lookup.isMatch else { return nil }
        return table.match(lookup, url: url, parts: parts, method: method, scratch: scratch)
    }
}
