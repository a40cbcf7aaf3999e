import ShuntCore

/// What a rule set says that it decides about a URL: a test that it brings along.
struct Expectation {
    /// The URL, as written.
    var subject: Word
    var action: Decision.Kind
    /// The status, where one is named.
    var status: Int?
    /// The resulting URL, where one is named.
    var url: [UInt8]?
    /// The name of the route, where one is named.
    var route: String?

    /// Whether a decision is the expected one.
    func isMet(by decision: Decision) -> Bool {
        decision.kind == action && (status == nil || status == decision.status)
            && (url == nil || url == decision.url) && (route == nil || route == decision.route)
    }

    /// What is expected, as the directive has it.
    var text: String {
        if let route { return "route \(route)" }
        var parts = [action.rawValue]
        if let status { parts.append(String(status)) }
        if let url { parts.append(String(decoding: url, as: UTF8.self)) }
        return parts.joined(separator: " ")
    }
}

/// The tests of a rule set: they are made when it is loaded, and one that fails is an error like any other.
struct ExpectationCompiler {
    /// What the rule set says of itself.
    private var expectations: [Expectation] = []

    /// `expect URL DECISION [STATUS] [URL]` and `expect URL route NAME`.
    mutating func declare(_ directive: CheckedDirective, in context: inout CompileContext) {
        guard expectations.count < RuleLimits.expectations else {
            return context.error(
                "too-many-expectations",
                "more than \(RuleLimits.expectations) tests",
                at: directive.name
            )
        }
        var words = directive.arguments[...]
        guard let subject = words.popFirst(), let name = words.popFirst() else { return }
        var expectation = Expectation(subject: subject, action: .forward)
        if name.text == "route" {
            guard let route = words.popFirst() else {
                return context.error("missing-route", "\"route\" is followed by the name of one", at: name)
            }
            expectation.route = route.text
        } else if let action = Decision.Kind(rawValue: name.text) {
            expectation.action = action
            let hasStatus = action != .forward && action != .degrade
            if hasStatus, let word = words.first, let status = Int(word.text) {
                guard (100...599).contains(status) else {
                    return context.error(
                        "invalid-status",
                        "a status is a number from 100 to 599, not \"\(word.text)\"",
                        at: word
                    )
                }
                expectation.status = status
                words.removeFirst()
            }
            let hasURL = action == .forward || action == .redirect || action == .degrade
            if hasURL, let url = words.popFirst() { expectation.url = url.bytes }
        } else {
            let known = Decision.Kind.allCases.map(\.rawValue) + ["route"]
            return context.error(
                "unknown-decision",
                "there is no decision \"\(name.text)\"",
                at: name,
                suggestion: Suggestion.closest(to: name.text, among: known).map { "did you mean \"\($0)\"?" }
                    ?? "write one of \(known.joined(separator: ", "))"
            )
        }
        if let extra = words.first {
            return context.error("extra-argument", "nothing can follow here that \"\(name.text)\" needs", at: extra)
        }
        expectations.append(expectation)
    }

    /// Decides about the URL of each expectation, and reports those that are not met.
    ///
    /// Tests that take longer than `limit` together are an error, too: whoever waits for the rules is not kept waiting.
    func test(_ program: Program, within limit: Duration, in context: inout CompileContext) {
        guard !expectations.isEmpty else { return }
        var evaluation = Evaluation(program)
        let start = ProcessorTime.ofThread()
        for expectation in expectations {
            guard ProcessorTime.ofThread() - start <= limit else {
                return context.error(
                    "slow-expectations",
                    "the tests before this one took more than \(limit) of processor time",
                    at: expectation.subject,
                    suggestion: "write fewer, or simpler expressions in the rules"
                )
            }
            evaluation.evaluate(RuleRequest(url: expectation.subject.bytes))
            let decision = evaluation.decision(evaluation.outcome)
            guard !expectation.isMet(by: decision) else { continue }
            let place = decision.rule.map { ", by \($0)" } ?? ""
            context.error(
                "unmet-expectation",
                "expected \"\(expectation.text)\", but it is \"\(Self.text(of: decision, expectation))\"\(place)",
                at: expectation.subject,
                suggestion: "change the rules, or what is expected of them"
            )
        }
    }

    /// A decision in the form of an expectation.
    private static func text(of decision: Decision, _ expectation: Expectation) -> String {
        if expectation.route != nil, decision.kind == .forward {
            return decision.route.map { "route \($0)" } ?? "forward"
        }
        var parts = [decision.kind.rawValue]
        if let status = decision.status { parts.append(String(status)) }
        if let reason = decision.reason { parts.append("(\(reason))") }
        if let url = decision.url { parts.append(String(decoding: url, as: UTF8.self)) }
        return parts.joined(separator: " ")
    }
}
