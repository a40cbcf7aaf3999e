import ShuntRouting
import ShuntRules

/// The handlers of the routes that match a URL, in order: those of the rules, and then those that were added in code.
///
/// The first route of the rules is known from the decision, so that nothing is looked up for it; those after it are
/// looked for when it declined.
struct CandidateSearch<Value: Sendable> {
    /// A route that matches, with its handler.
    struct Candidate {
        let handler: DispatcherBuilder<Value>.Handler
        let name: String
        let match: RouteMatch
    }

    private let builder: DispatcherBuilder<Value>
    private let table: RouteTable
    private let ruleTable: RouteTable?
    private let url: String
    private let method: String
    /// The match that the decision has, until it was read.
    private var first: RouteMatch?
    private var fromRules: RouteCandidates?
    private var fromCode: RouteCandidates?
    /// The first route of the rules that matches, but has no handler.
    private var withoutHandler: String?
    /// True if a limit ended the search, so that it is not known which route would have come next.
    private(set) var isTooComplex = false

    init(_ builder: DispatcherBuilder<Value>, table: RouteTable, engine: Engine, decision: Decision, method: String) {
        self.builder = builder
        self.table = table
        self.method = method
        url = decision.url ?? ""
        ruleTable = engine.ruleSet.routes
        if let match = decision.match {
            first = match
            fromRules = ruleTable?.candidates(after: match)
        } else if decision.version == nil || decision.isUpstream {
            // The rules have not looked for a route.
            fromRules = ruleTable?.candidates(for: url, method: method)
        }
    }

    /// The next route with a handler; nil when there is none.
    mutating func next() -> Candidate? {
        while let match = nextFromRules() {
            let name = match.route.displayName
            if match.route.name != nil, let handler = builder.namedHandlers[name] {
                return Candidate(handler: handler, name: name, match: match)
            }
            if withoutHandler == nil { withoutHandler = name }
        }
        if isTooComplex { return nil }
        if fromCode == nil { fromCode = table.candidates(for: url, method: method) }
        while let match = fromCode?.next() {
            guard let handler = builder.handlers[match.route.id] else { continue }
            return Candidate(handler: handler, name: match.route.displayName, match: match)
        }
        isTooComplex = fromCode?.isTooComplex ?? false
        return nil
    }

    private mutating func nextFromRules() -> RouteMatch? {
        if let match = first {
            first = nil
            return match
        }
        if let match = fromRules?.next() { return match }
        if fromRules?.isTooComplex ?? false { isTooComplex = true }
        return nil
    }

    /// The reason why no route has a handler for the URL, of the rules' routes and of those in code the more specific
    /// reason.
    var miss: RouteMiss? {
        if let withoutHandler { return RouteMiss(reason: .noHandler(withoutHandler)) }
        let inCode = table.resolve(url, method: method).miss
        let inRules = ruleTable?.resolve(url, method: method).miss
        guard let inCode, let inRules else { return inCode ?? inRules }
        let reason = Self.moreTelling(inRules.reason, inCode.reason)
        return RouteMiss(reason: reason, suggestion: inRules.suggestion ?? inCode.suggestion)
    }

    private static func moreTelling(_ first: RouteMiss.Reason, _ second: RouteMiss.Reason) -> RouteMiss.Reason {
        switch (first, second) {
        case (.methodNotAllowed(let some), .methodNotAllowed(let others)):
            .methodNotAllowed(some + others.filter { !some.contains($0) })
        case (.noSuchPath, let other): other
        default: first
        }
    }
}
