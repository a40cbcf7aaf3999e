public import Shunt

/// The rules that can send a request to a URL: the images of rules, inverted.
public struct TargetSources: Sendable {
    /// A rule that sends a request to the URL.
    public struct Source: Sendable {
        /// The rule's place.
        public var rule: SourceLocation
        /// The rule.
        public var text: String
        /// A request that it sends there: the engine was asked with it.
        public var request: RequestDescription
        /// The decision.
        public var decision: Decision
    }

    /// The rules of which a request is known, in the order of the files.
    public private(set) var sources: [Source] = []
    /// The rules whose target may be the URL, and of which no request is known.
    public private(set) var unproved: [SourceLocation] = []

    /// Looks for the rules.
    ///
    /// - Parameters:
    ///   - target: A URL, or a path with its query, of whatever host.
    ///   - rules: The rule set.
    ///   - limits: The bounds on the work.
    ///   - asOf: The time of requests in which no rule asks for another one.
    public init(of target: String, in rules: RuleSet, limits: AnalysisLimits = AnalysisLimits(), asOf: Timestamp) {
        let solver = RuleSolver(rules, limits: limits, asOf: asOf)
        let target = WantedTarget(target)
        let places = solver.model.rules
            .compactMap { rule in solver.model.location(of: rule.position).map { ($0, rule) } }
            .sorted { $0.0.isBefore($1.0) }
        for (location, rule) in places {
            let search = SourceSearch(solver, rule: rule, target: target)
            guard search.mayLeadThere else { continue }
            if let sighting = search.sighting() {
                let text = rules.text(at: rule.position)
                sources.append(
                    Source(rule: location, text: text, request: sighting.request, decision: sighting.decision)
                )
            } else {
                unproved.append(location)
            }
        }
    }
}

/// The URL that is asked about, and its parts.
struct WantedTarget {
    /// The whole URL; nil for a path of whatever host.
    let url: [UInt8]?
    /// Scheme and host, as before the path.
    let origin: [UInt8]
    let host: [UInt8]
    let path: [UInt8]
    let query: [UInt8]?

    init(_ text: String) {
        let bytes = Array(text.prefix { $0 != "#" }.utf8)
        let parts = RouteSubject(splitting: bytes.span)
        let isURL = parts.scheme != nil && parts.host != nil
        origin = isURL ? Array(bytes[..<Int(parts.path.start)]) : []
        host = isURL ? bytes[(parts.host ?? .empty).indices].map(\.asciiLowercased) : []
        url = text.hasPrefix("/") ? nil : bytes
        let rest = bytes[origin.count...]
        let mark = rest.firstIndex(of: UInt8(ascii: "?"))
        path = Array(rest[..<(mark ?? rest.endIndex)])
        query = mark.map { Array(rest[($0 + 1)...]) }
    }

    var pathAndQuery: [UInt8] { path + (query.map { [UInt8(ascii: "?")] + $0 } ?? []) }

    /// Returns true if a decision leads there.
    func isReached(by decision: Decision) -> Bool {
        guard let found = decision.urlBytes else { return false }
        if let url { return found == url }
        return WantedTarget(String(decoding: found, as: UTF8.self)).pathAndQuery == pathAndQuery
    }
}
