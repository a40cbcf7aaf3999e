public import ShuntCore

/// Moves a rollout forward, as a state machine: what is in the carrier goes in with the time, at most one write comes out.
///
/// All that matters is in the carrier, so another conductor continues where one stopped; it only has to wait once more for the
/// stage to be quiet. It never writes but in the place of the very pointer that it read.
public struct FleetConductor: Sendable {
    /// The content of the carrier.
    public struct View: Sendable {
        /// The pointer.
        public var pointer: TrustedPointer
        /// The version of the pointer.
        public var revision: UInt64
        /// The nodes that live, with their last reports.
        public var nodes: [NodeStatus]
        /// The last statuses of nodes about the release that is rolled out, including nodes that no longer live.
        public var acknowledgements: [String: NodeStatus.State]
        /// True if nodes can report; where they cannot, only time counts.
        public var reports: Bool

        /// Makes a view.
        public init(
            pointer: TrustedPointer,
            revision: UInt64,
            nodes: [NodeStatus],
            acknowledgements: [String: NodeStatus.State] = [:],
            reports: Bool = true
        ) {
            self.pointer = pointer
            self.revision = revision
            self.nodes = nodes
            self.acknowledgements = acknowledgements
            self.reports = reports
        }
    }

    /// The next step.
    public enum Step: Sendable, Hashable {
        /// Nothing is to be done before the next look.
        case wait(String)
        /// This pointer is to be written if the seen pointer is still there.
        case write(TrustedPointer, ifRevision: UInt64)
        /// The rollout is over; nothing is to be done.
        case over(RolloutProgress.State)
    }

    /// The name of the conductor, for the pointer.
    public let name: String
    /// The gate.
    public var gate = RolloutGate()
    private var seen: (sequence: Int, stage: Int, since: Duration)?
    private var quietSince: Duration?
    private var conducted: ConductedRelease?

    /// Makes a conductor.
    public init(name: String) { self.name = name }

    /// Reads what is in the carrier.
    public mutating func step(_ view: View, at now: Duration, date: Timestamp) -> Step {
        let progress = view.pointer.progress
        guard progress.state == .running else {
            seen = nil
            return progress.state == .paused ? .wait("paused") : .over(progress.state)
        }
        let release = view.pointer.release
        if conducted?.release != release { conducted = ConductedRelease(release) }
        if seen?.sequence != release.sequence || seen?.stage != progress.stage {
            seen = (release.sequence, progress.stage, now)
            quietSince = nil
        }
        let since = seen?.since ?? now
        guard progress.threshold != nil else { return begin(0, release: release, view: view, at: date) }
        let cohort = cohort(view)
        if let reason = failure(release, view: view, cohort: cohort) { return abort(reason, view: view, at: date) }
        let waiting = cohort.filter { view.nodes[$0].sequence != release.sequence || view.nodes[$0].state != .applied }
        if !waiting.isEmpty {
            quietSince = nil
            let patience = release.rollout.acknowledgeSeconds * 1000 + release.rollout.spreadMilliseconds
            guard now - since >= .milliseconds(patience) else {
                return .wait("\(cohort.count - waiting.count) of \(cohort.count) applied")
            }
            let shown = waiting.map { view.nodes[$0].node }.sorted().prefix(5).joined(separator: ", ")
            return abort("\(waiting.count) nodes did not apply it in time: \(shown)", view: view, at: date)
        }
        if cohort.isEmpty, view.reports {
            quietSince = nil
            return .wait("no node of this stage lives")
        }
        let quiet = quietSince ?? now
        quietSince = quiet
        let stage = progress.stage
        let last = release.rollout.stages.count - 1
        guard stage < last else { return finish(view, date) }
        let bakes = release.rollout.bakeSeconds
        let bake = bakes.indices.contains(stage) ? bakes[stage] : 0
        guard now - quiet >= .seconds(bake) else { return .wait("\(cohort.count) applied, quiet") }
        return begin(stage + 1, release: release, view: view, at: date)
    }

    /// The place where the nodes that have their turn are in a view.
    private mutating func cohort(_ view: View) -> [Int] {
        let progress = view.pointer.progress
        var cohort: [Int] = []
        for (index, rank) in (conducted?.ranks(view.nodes) ?? []).enumerated()
        where progress.includes(view.nodes[index].node, rank: rank) {
            if !progress.excluded.contains(view.nodes[index].node) { cohort.append(index) }
        }
        return cohort
    }

    /// The reason why a rollout has to be undone; nil where it need not.
    private func failure(_ release: Release, view: View, cohort: [Int]) -> String? {
        let nodes = view.nodes
        for index in cohort where nodes[index].sequence == release.sequence {
            switch nodes[index].state {
            case .rejected, .failed, .unkept:
                let status = nodes[index]
                return "\(status.node) \(status.state.rawValue): \(status.error ?? "")"
            case .applied, .loading, .held: continue
            }
        }
        let sequence = release.sequence
        let loading = view.acknowledgements.filter { $0.value == .loading }
        let living = loading.isEmpty ? [] : Set(nodes.map(\.node))
        let lost = loading.keys.filter { !living.contains($0) && !view.pointer.progress.excluded.contains($0) }
        if let node = lost.min() { return "\(node) was lost while it loaded the release" }
        return gate.problem(
            cohort.lazy.filter { nodes[$0].serving == sequence }.map { nodes[$0].counters },
            against: nodes.lazy.filter { $0.serving != sequence }.map(\.counters)
        )
    }

    // MARK: What is written

    private mutating func begin(_ stage: Int, release: Release, view: View, at date: Timestamp) -> Step {
        var pointer = view.pointer
        let counted = view.nodes.filter { !pointer.progress.excluded.contains($0.node) }
        let plan = release.rollout
        let threshold: UInt64
        if view.reports {
            guard !counted.isEmpty else { return .wait("no node lives") }
            let sizes = plan.sizes(live: counted.count)
            guard sizes.indices.contains(stage) else { return .wait("there is no stage \(stage + 1)") }
            let isLast = stage == plan.stages.count - 1
            let ranks = isLast ? [] : conducted?.ranks(counted) ?? []
            threshold = isLast ? .max : NodeRank.threshold(first: sizes[stage], of: ranks)
        } else {
            threshold = plan.share(stage: stage)
        }
        pointer.progress.stage = stage
        pointer.progress.threshold = max(pointer.progress.threshold ?? 0, threshold)
        pointer.progress.live = counted.count
        return write(pointer, reason: "", view: view, at: date)
    }

    private func abort(_ reason: String, view: View, at date: Timestamp) -> Step {
        var pointer = view.pointer
        pointer.progress.state = .aborted
        pointer.progress.threshold = nil
        pointer.progress.nodes = []
        return write(pointer, reason: String(reason.prefix(1000)), view: view, at: date)
    }

    private func finish(_ view: View, _ date: Timestamp) -> Step {
        var pointer = view.pointer
        pointer.settle()
        return write(pointer, reason: "", view: view, at: date)
    }

    private func write(_ pointer: TrustedPointer, reason: String, view: View, at date: Timestamp) -> Step {
        var pointer = pointer
        pointer.progress.since = date
        pointer.progress.by = name
        pointer.progress.reason = reason
        return .write(pointer, ifRevision: view.revision)
    }
}
