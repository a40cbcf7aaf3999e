#if Gateway
import NIOPosix
import Shunt
import ShuntTools
import Synchronization

/// The results about rules that take too long for an event loop; computed once on request.
final class RuleAnalysis: Sendable {
    /// The findings of lint in a set.
    struct Findings: Sendable {
        /// The report for programs.
        var json: [UInt8]
        var byPlace: [SourceLocation: [LintFinding]] = [:]
    }

    private struct State {
        var ruleSet: RuleSet?
        var findings: Findings?
        var isLooking = false
        var examples: [SourceLocation: RuleExamples] = [:]
    }

    /// The most examples that are kept.
    private static let exampleLimit = 1_000

    private let state = Mutex(State())

    private func with<Result>(_ ruleSet: RuleSet, _ body: (inout State) -> Result) -> Result where Result: Sendable {
        state.withLock { state in
            if state.ruleSet !== ruleSet { state = State(ruleSet: ruleSet) }
            return body(&state)
        }
    }

    /// Returns the findings in a set; nil if lint has not run yet.
    func findings(of ruleSet: RuleSet) -> Findings? {
        state.withLock { $0.ruleSet === ruleSet ? $0.findings : nil }
    }

    /// Has a thread look for findings, where none has yet.
    ///
    /// - Returns: What has been found so far: nil while the thread is at it.
    func lookForFindings(in ruleSet: RuleSet) -> Findings? {
        let (findings, begins) = with(ruleSet) { state in
            defer { state.isLooking = true }
            return (state.findings, !state.isLooking)
        }
        if begins { NIOThreadPool.singleton.submit { _ in self.look(in: ruleSet) } }
        return findings
    }

    private func look(in ruleSet: RuleSet) {
        let run = LintRun(ruleSet, LintOptions(asOf: .now()))
        var found = Findings(json: LintJSON.bytes([("", run, ruleSet)], run.findings))
        for finding in run.findings { found.byPlace[finding.diagnostic.location, default: []].append(finding) }
        state.withLock { if $0.ruleSet === ruleSet { $0.findings = found } }
    }

    /// A request that reaches a rule, or why there is none; takes its time the first time.
    func examples(of place: SourceLocation, in ruleSet: RuleSet) -> RuleExamples? {
        if let known = with(ruleSet, { $0.examples[place] }) { return known }
        let found = ExampleSearch(ruleSet, asOf: .now()).examples { $0 == place }.first
        if let found {
            with(ruleSet) { state in
                if state.examples.count >= Self.exampleLimit { state.examples = [:] }
                state.examples[place] = found
            }
        }
        return found
    }
}
#endif
