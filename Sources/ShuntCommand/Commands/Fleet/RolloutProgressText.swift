#if Command && Fleet
import Shunt
import ShuntFleet

/// Reports how a rollout proceeds, a line for each stage that is over.
struct RolloutProgressText {
    private let release: Release
    private var stage: Int?
    private var began: ContinuousClock.Instant
    private var last = ""

    init(_ release: Release) {
        self.release = release
        began = .now
    }

    mutating func lines(_ look: ConductorRun.Look) -> [String] {
        let progress = look.pointer.progress
        let cohort = look.reports.filter { isInCohort($0, progress) }
        defer {
            if stage != progress.stage { began = .now }
            stage = progress.threshold == nil ? nil : progress.stage
            if progress.state == .running { last = Self.shown(cohort, release) }
        }
        guard let stage else { return [] }
        if progress.state == .aborted {
            return [line(stage, progress.reason)]
        }
        guard progress.stage != stage || progress.state == .done else { return [] }
        return [line(stage, "\(last) in \(Self.shown(ContinuousClock.now - began))")]
    }

    /// Returns the nodes that are awaited, on one line.
    func waiting(_ look: ConductorRun.Look) -> String {
        guard let stage else { return look.waiting }
        return line(stage, look.waiting)
    }

    private func line(_ stage: Int, _ text: String) -> String {
        let stages = release.rollout.stages
        let size =
            switch stages.indices.contains(stage) ? stages[stage] : .percent(100) {
            case .nodes(let number): "\(number) node\(number == 1 ? "" : "s")"
            case .percent(let percent): "\(percent) %"
            }
        return "stage \(stage + 1)".padded(to: 12) + size.padded(to: 10) + text.firstLine
    }

    private func isInCohort(_ report: NodeReport, _ progress: RolloutProgress) -> Bool {
        let name = report.status.node
        guard report.isAlive, !progress.excluded.contains(name) else { return false }
        let rank = NodeRank.of(name, namespace: release.namespace, sequence: release.sequence)
        return progress.includes(name, rank: rank)
    }

    private static func shown(_ cohort: [NodeReport], _ release: Release) -> String {
        if cohort.isEmpty { return "no node reports; waited" }
        if cohort.count == 1 { return "\(cohort[0].status.node) applied" }
        return "\(cohort.count) of \(cohort.count) applied"
    }

    private static func shown(_ time: Duration) -> String {
        let tenths = Int((Double(time.components.seconds) * 10) + Double(time.components.attoseconds) / 1e17)
        return "\(tenths / 10).\(tenths % 10) s"
    }
}
#endif
