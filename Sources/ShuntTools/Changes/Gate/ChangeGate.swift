public import Shunt
import Synchronization

/// A guard of reloads: rules that change more than they may are not put into use automatically.
///
/// The gate asks both sets about a sample of the requests that came in, and compares the outcomes. A set that changes more of
/// them than the options allow, or has fewer rules, or changes a request that may not change, is held until someone approves
/// exactly its content, is refused, or is only warned of. At the start there is nothing to compare, and nothing is held, nor
/// is a last-known-good copy.
///
/// ```swift
/// let gate = ChangeGate(options, sample: { sample.requests }, warn: { logger.warning("\($0.summary)") })
/// gate.guard(&storeOptions)
/// let store = try await RuleStore.open(path: "rules", options: storeOptions)
/// ```
///
/// Thread safe.
public final class ChangeGate: Sendable {
    private struct State {
        /// The set that was held last; nil once other rules are in use or the old ones are back.
        var held: GateReport?
        /// The rules that the report is about.
        var heldRules: RuleSet?
        var approved: String?
        var rejected: String?
    }

    private let options: Options
    private let sample: @Sendable () -> [RequestDescription]
    private let warn: @Sendable (GateReport) -> Void
    private let state = Mutex(State())

    /// Makes a gate.
    ///
    /// - Parameters:
    ///   - options: What the gate lets pass.
    ///   - sample: Requests such as come in.
    ///   - warn: Called with rules that pass although they could not be judged, or change more than they may.
    public init(
        _ options: Options,
        sample: @escaping @Sendable () -> [RequestDescription],
        warn: @escaping @Sendable (GateReport) -> Void = { _ in }
    ) {
        self.options = options
        self.sample = sample
        self.warn = warn
    }

    /// Has a store that is opened with these options ask the gate, after the checks that they have already.
    public func `guard`(_ options: inout RuleStore.Options) {
        let validate = options.validate
        options.validate = { candidate in
            try validate(candidate)
            try self.judge(candidate)
        }
        options.observers.append { event in
            guard case .reload(let report) = event else { return }
            self.note(report)
        }
    }

    /// The rules that wait for someone to approve them; nil where none do.
    public var held: GateReport? { state.withLock { $0.held } }

    /// The rules of `held`, to find out what they would decide.
    package var heldRules: RuleSet? { state.withLock { $0.held == nil ? nil : $0.heldRules } }

    /// Lets the rules that are held pass at the next reload, if they are still the same.
    ///
    /// - Parameter contentHash: The content hash of the rules, as the report has it.
    /// - Returns: Whether these rules are held.
    public func approve(_ contentHash: String) -> Bool {
        state.withLock { state in
            guard state.held?.contentHash == contentHash else { return false }
            state.approved = contentHash
            return true
        }
    }

    /// Refuses the rules that are held until their files change.
    ///
    /// - Parameter contentHash: The content hash of the rules, as the report has it.
    /// - Returns: Whether these rules are held.
    public func reject(_ contentHash: String) -> Bool {
        state.withLock { state in
            guard state.held?.contentHash == contentHash else { return false }
            (state.held, state.heldRules) = (nil, nil)
            state.rejected = contentHash
            return true
        }
    }

    /// Judges rules that are about to be used; throws a `ReloadError` if they may not be used.
    private func judge(_ candidate: RuleStore.Candidate) throws(ReloadError) {
        guard options.isActive, let current = candidate.current else { return }
        let contentHash = candidate.ruleSet.contentHash
        let (isApproved, isRejected) = state.withLock { ($0.approved == contentHash, $0.rejected == contentHash) }
        if isApproved || candidate.trigger == .force { return }
        if isRejected {
            throw ReloadError(.refused, summary: "these rules were rejected by an administrator", date: .now())
        }
        let report = report(on: candidate, current)
        if report.isWithinBudget || options.action == .warn {
            if !report.isWithinBudget || !report.remarks.isEmpty { warn(report) }
            return
        }
        guard options.action == .hold else {
            throw ReloadError(.refused, summary: "the rules change too much: \(report.summary)", date: .now())
        }
        state.withLock { ($0.held, $0.heldRules) = (report, candidate.ruleSet) }
        throw ReloadError(.held, summary: "the rules are held for approval: \(report.summary)", date: .now())
    }

    /// Forgets what was held once it is no longer what the source has.
    private func note(_ reload: ReloadReport) {
        if case .failed(let failure) = reload.outcome, failure.reason == .held || failure.reason == .unavailable {
            return
        }
        state.withLock { state in
            (state.held, state.heldRules) = (nil, nil)
            state.approved = nil
            if reload.failure == nil { state.rejected = nil }
        }
    }

    private func report(on candidate: RuleStore.Candidate, _ current: RuleSnapshot) -> GateReport {
        let old = current.ruleSet
        let new = candidate.ruleSet
        var report = GateReport(contentHash: new.contentHash, rules: current.ruleCount)
        var compared = RuleDifference(from: old, to: new, asOf: .now(), engine: options.engine)
        for request in options.requests { compared.compare(request) }
        report.requiredChanges = compared.groups().flatMap(\.requests)
        if !report.requiredChanges.isEmpty {
            let count = report.requiredChanges.count
            report.reasons.append("\(count) of \(options.requests.count) requests that may not change do")
        }
        if let budget = options.maximumRemoved {
            report.removedRules = candidate.changes().removedCount
            if !budget.allows(report.removedRules, of: current.ruleCount) {
                report.reasons.append(
                    "\(report.removedRules) of \(current.ruleCount) rules are removed, more than \(budget)"
                )
            }
        }
        if let budget = options.maximumChanged { judgeSample(within: budget, old: old, new: new, in: &report) }
        return report
    }

    private func judgeSample(within budget: ChangeLimit, old: RuleSet, new: RuleSet, in report: inout GateReport) {
        let sample = sample()
        guard sample.count >= options.minimumSample else {
            let fewest = options.minimumSample
            report.remarks.append("too few requests to judge: \(sample.count) of the \(fewest) that are needed")
            return
        }
        var difference = RuleDifference(from: old, to: new, asOf: .now(), engine: options.engine)
        let clock = ContinuousClock()
        let end = clock.now + options.timeLimit
        for (index, request) in sample.enumerated() {
            // The clock is read now and then: it costs more than some decisions.
            if index & 15 == 15, clock.now > end { break }
            difference.compare(request)
        }
        report.requests = difference.requests
        report.changed = difference.changed
        report.groups = difference.groups()
        if difference.requests < sample.count {
            report.remarks.append(
                "only \(difference.requests) of \(sample.count) requests were evaluated in \(options.timeLimit)"
            )
        }
        if !budget.allows(difference.changed, of: difference.requests) {
            report.reasons.append(
                "\(difference.changed) of \(difference.requests) requests change, more than \(budget)"
            )
        }
    }

    /// The action for rules that change more than they may.
    @nonexhaustive
    public enum Action: String, Sendable, CaseIterable {
        /// They wait for someone to approve them; the old ones continue serving.
        case hold
        /// They are refused; the old ones continue serving.
        case refuse
        /// They are put into use, and a warning reports it.
        case warn
    }

    /// The limits of a gate.
    public struct Options: Sendable {
        /// The most sampled requests that may get another outcome; nil for any number.
        public var maximumChanged: ChangeLimit?
        /// The most rules that a new set may lack; nil for any number.
        public var maximumRemoved: ChangeLimit?
        /// The action for a set that changes more.
        public var action = Action.hold
        /// Requests that are always decided as well: none of them may change.
        public var requests: [RequestDescription] = []
        /// The fewest sampled requests to judge by.
        public var minimumSample = 100
        /// The longest time that judging may take; the requests that were decided by then count.
        public var timeLimit: Duration = .seconds(10)
        /// The options of the engines whose decisions are compared: those of the serving engines.
        public var engine = Engine.Options()

        /// Makes options that let everything pass.
        public init() {}

        /// True if there is anything to judge.
        public var isActive: Bool { maximumChanged != nil || maximumRemoved != nil || !requests.isEmpty }
    }
}
