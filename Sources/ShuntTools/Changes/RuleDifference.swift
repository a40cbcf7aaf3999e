public import Shunt

/// The effect of a change of rules on requests: both sets decide each request, and the outcomes are compared.
///
/// Requests that look the same to both sets are decided once. The memory is bounded: of more than 250,000 different requests,
/// those that come later are decided each time, and only those whose outcome changed are kept, 100,000 at most.
public struct RuleDifference: Sendable {
    /// The most requests that are remembered as decided.
    private static let remembered = 250_000
    /// The most changed requests that are kept.
    private static let kept = 100_000

    private let old: RuleSet
    private let new: RuleSet
    private let oldEngine: Engine
    private let newEngine: Engine
    private let reads: RequestReads
    private let time: Timestamp
    private let comparesRules: Bool
    private let options: Engine.Options

    /// For each request that was decided, its place among the changed ones; below zero for the others.
    private var decided: [[UInt8]: Int] = [:]
    private var changedRequests: [ChangedRequest] = []
    private var otherRules: [[String?]: Int] = [:]

    /// The variables that the rules read and no request had so far.
    public private(set) var missingVariables: Set<String>
    /// The number of requests with values that the log has masked, by the names of headers, cookies and inputs.
    public private(set) var maskedRequests: [String: Int] = [:]

    /// The number of requests compared.
    public private(set) var requests = 0
    /// The number of requests that differ for the rules; at most this many are distinguished.
    public var distinct: Int { decided.count }
    /// The number of requests with another outcome.
    public private(set) var changed = 0
    /// The number of requests that both sets refuse with 400, so that no rule is evaluated.
    public private(set) var failed = 0
    /// The place of requests that both sets refuse.
    private static let refused = -2

    /// Compares two rule sets.
    ///
    /// - Parameters:
    ///   - old: The present rules.
    ///   - new: The rules as they would be.
    ///   - time: The time of requests that have none.
    ///   - comparesRules: Whether requests with the same outcome by another rule are counted, too.
    ///   - options: How the engines work that decide; files are those of the requests that name some.
    public init(
        from old: RuleSet,
        to new: RuleSet,
        asOf time: Timestamp,
        comparingRules comparesRules: Bool = false,
        engine options: Engine.Options = Engine.Options()
    ) {
        self.old = old
        self.new = new
        self.time = time
        self.comparesRules = comparesRules
        self.options = options
        oldEngine = Self.engine(old, options: options, files: options.fileSystem)
        newEngine = Self.engine(new, options: options, files: options.fileSystem)
        reads = RequestReads([old, new])
        missingVariables = reads.variables
    }

    private static func engine(_ ruleSet: RuleSet, options: Engine.Options, files: (any FileSystem)?) -> Engine {
        var options = options
        options.fileSystem = files
        options.requestIdentifier = [UInt8](repeating: UInt8(ascii: "0"), count: 32)
        return Engine(ruleSet, options: options)
    }

    /// Decides about a request by both sets.
    public mutating func compare(_ description: RequestDescription) {
        requests += description.weight
        for name in description.masked { maskedRequests[name, default: 0] += description.weight }
        let key = reads.key(of: description)
        if let place = decided[key] {
            if place == Self.refused { failed += description.weight }
            guard place >= 0 else { return }
            changedRequests[place].weight += description.weight
            changed += description.weight
            return
        }
        if !missingVariables.isEmpty { missingVariables.subtract(reads.variables(in: description.request)) }
        let (before, after) = decisions(of: description)
        guard let place = note(description, before: before, after: after), decided.count < Self.remembered else {
            return
        }
        decided[key] = place
    }

    private func decisions(of description: RequestDescription) -> (old: Decision, new: Decision) {
        let request = description.request.at(time)
        guard let files = description.fileSystem else { return (oldEngine.decide(request), newEngine.decide(request)) }
        return (
            Self.engine(old, options: options, files: files).decide(request),
            Self.engine(new, options: options, files: files).decide(request)
        )
    }

    /// Compares a request; returns true if its outcome changes.
    mutating func changes(_ description: RequestDescription) -> Bool {
        let before = changed
        compare(description)
        return changed > before
    }

    /// Counts a request; returns its place among the changed ones, below zero where it has not, nil where it is not kept.
    private mutating func note(_ description: RequestDescription, before: Decision, after: Decision) -> Int? {
        guard let change = OutcomeChange(from: before, to: after) else {
            if comparesRules {
                let rules = [text(before, old), text(after, new)]
                if rules[0] != rules[1] { otherRules[rules, default: 0] += description.weight }
            }
            guard before.kind == .fail, before.status == 400 else { return -1 }
            failed += description.weight
            return Self.refused
        }
        changed += description.weight
        guard changedRequests.count < Self.kept else { return nil }
        changedRequests.append(
            ChangedRequest(request: description, weight: description.weight, change: change, old: before, new: after)
        )
        return changedRequests.count - 1
    }

    private func text(_ decision: Decision, _ ruleSet: RuleSet) -> String? {
        let text = ruleSet.text(at: decision.position)
        return text.isEmpty ? nil : text
    }

    /// The requests that have another outcome, those that have the same change together, the largest group first.
    public func groups(by criterion: ChangeGroup.Criterion = .rule) -> [ChangeGroup] {
        var places: [[String?]: Int] = [:]
        var groups: [ChangeGroup] = []
        for request in changedRequests {
            var group = ChangeGroup(change: request.change, from: request.old.outcome, to: request.new.outcome)
            if criterion == .rule {
                group.oldRule = text(request.old, old)
                group.newRule = text(request.new, new)
            }
            if criterion == .host { group.host = Self.host(of: request.request) }
            let key = [group.change.rawValue, group.from, group.to, group.oldRule, group.newRule, group.host]
            let place = places[key] ?? groups.count
            if place == groups.count {
                places[key] = place
                groups.append(group)
            }
            groups[place].weight += request.weight
            groups[place].requests.append(request)
        }
        for index in groups.indices {
            // Sorting is stable in its result: those that came first stay first among equals.
            groups[index].requests = groups[index].requests.enumerated()
                .sorted { ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset) }.map(\.element)
        }
        return groups.enumerated().sorted { ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset) }
            .map(\.element)
    }

    /// The numbers of requests with the same outcome by another rule, by the texts of both rules.
    public var sameOutcomes: [(old: String?, new: String?, weight: Int)] {
        otherRules.map { (old: $0.key[0], new: $0.key[1], weight: $0.value) }
            .sorted { ($1.weight, $0.old ?? "", $0.new ?? "") < ($0.weight, $1.old ?? "", $1.new ?? "") }
    }

    private static func host(of description: RequestDescription) -> String {
        let request = description.request
        if let host = request.host { return String(decoding: host, as: UTF8.self) }
        let parts = RouteSubject(splitting: request.urlBytes.span)
        guard let host = parts.host else { return "" }
        return String(decoding: request.urlBytes[Int(host.start)..<Int(parts.port?.end ?? host.end)], as: UTF8.self)
    }
}
