public import Shunt

/// The reason why a rule did not apply to a request, and what it would have taken.
public struct WhyNot: Sendable {
    /// The reason why a rule did not decide.
    @nonexhaustive
    public enum Reason: Sendable, Equatable {
        /// It did apply.
        case applied
        /// It was tried and did not match; the value that it was tried on, where it is one.
        case skipped(subject: String?)
        /// It was not reached: the rule that had decided before, where there was one.
        case notReached(decidedBy: SourceLocation?)
    }

    /// The rule's place.
    public var rule: SourceLocation
    /// The rule.
    public var text: String
    /// The reason.
    public var reason: Reason
    /// The server and the location that were chosen, as they are written.
    public var chosen: [String]
    /// The tests of `if`s that are before the rule in its file and did not hold.
    public var failedTests: [String]
    /// The most similar request that is known to reach the rule; nil where none was found.
    public var nearest: RequestDescription?
    /// The rules that take all that could reach it, if that is proved.
    public var covers: [SourceLocation]
    /// The reason why there is no request.
    public var obstacle: UnprovedReason?

    /// The most requests that are compared with the given one.
    private static let candidates = 8
    /// The most bytes of a request that are compared: the work grows with their square.
    private static let compared = 500

    /// Asks about the rules at a place.
    ///
    /// - Parameters:
    ///   - rules: The rule set.
    ///   - request: The request.
    ///   - asOf: The time of requests in which no rule asks for another one.
    ///   - isMeant: True for the rules in question.
    /// - Returns: An answer for each, in the order of the files.
    public static func answers(
        for rules: RuleSet,
        _ request: RuleRequest,
        asOf: Timestamp,
        where isMeant: (SourceLocation) -> Bool
    ) -> [WhyNot] {
        var options = ExampleSearch.Options()
        options.hits = candidates
        let (decision, trace) = Engine(rules).explain(request)
        let search = ExampleSearch(rules, options: options, asOf: asOf)
        return search.examples(where: isMeant)
            .map { found in
                let steps = trace.steps.filter { $0.rule == found.rule && $0.result != nil }
                let reason: Reason =
                    if steps.contains(where: { $0.result != .skipped }) {
                        .applied
                    } else if let step = steps.last {
                        .skipped(subject: step.subject)
                    } else {
                        .notReached(decidedBy: decision.rule)
                    }
                let asked = Array(RequestText.subject(request).prefix(compared))
                let distances = found.hits.map { hit in
                    Suggestion.distance(Array(RequestText.subject(hit.request.request).prefix(compared)), asked)
                }
                let nearest = distances.min().flatMap { distances.firstIndex(of: $0) }.map { found.hits[$0].request }
                return WhyNot(
                    rule: found.rule,
                    text: found.text,
                    reason: reason,
                    chosen: trace.steps.filter { $0.kind == .server || $0.kind == .location }.map(\.text),
                    failedTests: failedTests(trace.steps.filter { isTest($0, before: found.rule) }),
                    nearest: nearest,
                    covers: found.covers,
                    obstacle: nearest == nil ? found.reason : nil
                )
            }
    }

    /// Returns each `if` that did not hold, once: the last of its tests decides.
    private static func failedTests(_ tests: [Trace.Step]) -> [String] {
        tests.indices
            .filter { index in
                let next = index + 1
                return tests[index].result == .skipped && (next == tests.count || tests[next].rule != tests[index].rule)
            }
            .map { tests[$0].text }
    }

    private static func isTest(_ step: Trace.Step, before rule: SourceLocation) -> Bool {
        guard let place = step.rule, place.file == rule.file, step.text.hasPrefix("if ") else { return false }
        return (place.line, place.column) < (rule.line, rule.column)
    }
}

extension WhyNot {
    /// The answer for programs.
    package var members: JSONObject {
        let why: JSONObject =
            switch reason {
            case .applied: ["reason": "applied"]
            case .skipped(let subject): ["reason": "skipped", "subject": subject]
            case .notReached(let rule): ["reason": "not reached", "decided_by": rule.map { "\($0)" }]
            }
        let head: JSONObject = ["rule": rule, "text": text]
        let rest: JSONObject = [
            "chosen": chosen,
            "failed_tests": failedTests,
            "nearest": nearest,
            "covers": covers.isEmpty ? nil : covers.map { "\($0)" },
            "obstacle": obstacle.map { "\($0)" },
        ]
        return head.adding(why).adding(rest)
    }
}
