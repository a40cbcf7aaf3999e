#if Command && Fleet
import Glibc
import Shunt
import ShuntFleet

/// Waits for what becomes of a release, and conducts its rollout where no one else does.
struct RolloutWait {
    let store: any ReleaseStore
    let trusted: KeyFile
    let publication: ReleasePublisher.Publication
    let name: String
    let isQuiet: Bool

    /// The time in seconds that nodes are awaited after an abort.
    private static let patience = 60

    /// Waits until it is over; throws where another release took its place.
    func run() async throws -> RolloutProgress {
        if publication.isWaiting { try await waitForSignatures() }
        let release = publication.release
        var run = ConductorRun(store, trusted: trusted, name: name)
        var text = RolloutProgressText(release)
        let errors = OutputStream(STDERR_FILENO)
        let isShown = errors.isTerminal && !isQuiet
        let progress = try await run.run(until: release.sequence) { look in
            let lines = text.lines(look)
            if isShown { try? errors.write("\r\u{1b}[K") }
            for line in lines { say(line) }
            if isShown {
                try? errors.write(text.waiting(look))
                try? errors.flush()
            }
        } note: { problem in
            Failure.report("shunt: warning: \(problem.printable)")
        }
        if isShown {
            try? errors.write("\r\u{1b}[K")
            try? errors.flush()
        }
        guard let pointer = try await store.current()?.trusted(by: trusted) else { return progress }
        let newest = pointer.release
        guard newest.set == release.set, newest.sequence == release.sequence else {
            throw FleetError.refusal(
                "release \(release.sequence) was replaced by release \(newest.sequence) of \(newest.author)"
            )
        }
        if progress.state == .aborted {
            try await tellReturn(pointer)
        } else {
            say("done".padded(to: 12) + "release \(release.sequence) is stable")
        }
        return progress
    }

    private func waitForSignatures() async throws {
        let release = publication.release
        while true {
            if let pointer = try await store.current()?.trusted(by: trusted) {
                let newest = pointer.release
                if newest == release {
                    return say("approved".padded(to: 12) + "by \(pointer.progress.by.firstLine)")
                }
                guard newest.sequence < release.sequence else {
                    throw FleetError.refusal(
                        "release \(release.sequence) was not created: \(newest.author) created one with that number"
                    )
                }
            }
            try await Task.sleep(for: .seconds(1))
        }
    }

    /// Waits until no living node has the release any more.
    private func tellReturn(_ pointer: TrustedPointer) async throws {
        let sequence = publication.release.sequence
        let stable = pointer.stable.sequence
        var having: [NodeReport] = []
        var before = 0
        for _ in 0..<Self.patience * 4 {
            having = try await store.statuses().filter { $0.isAlive && $0.status.serving == sequence }
            before = max(before, having.count)
            if having.isEmpty { break }
            try await Task.sleep(for: .milliseconds(250))
        }
        let nodes = before == 1 ? "1 node is" : "\(before) nodes are"
        let text =
            having.isEmpty
            ? "\(nodes) back on release \(stable)" : "\(having.count) nodes still have release \(sequence)"
        say("aborted".padded(to: 12) + (before == 0 ? "every node has release \(stable)" : text))
    }

    private func say(_ line: String) {
        if !isQuiet { try? OutputStream.standard { try $0.write(line + "\n") } }
    }
}

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

/// Reports the progress of a new release: for people step by step, for programs at the end.
struct PublishReport {
    let format: OutputFormat

    /// Reports what was checked; throws where the rules change more than the budget.
    func tellCheck(_ rules: LoadedRules, changes: RuleChanges?, budget: ChangeBudget) throws {
        let count = rules.ruleSet.ruleCount
        try say("checked", "\(count) rule\(count == 1 ? "" : "s"), all tests passed")
        guard let changes else { return }
        let excess = budget.excess(
            removed: changes.removedCount,
            added: changes.addedCount,
            edited: changes.editedCount,
            of: changes.previousCount
        )
        let text =
            "\(changes.addedCount) added, \(changes.editedCount) edited, \(changes.removedCount) removed "
            + "of \(changes.previousCount) rules"
        if let excess {
            try say("changes", text)
            throw FleetError.refusal("\(excess): nodes would refuse it")
        }
        try say("changes", "\(text), within the budget")
    }

    func endDry(_ rules: LoadedRules) throws {
        let set = try Manifest.cut(ReleaseFiles.contents(of: rules.archive)).manifest
        try say(
            "release",
            "would have set \(set.name.hexadecimal.prefix(12)), \(set.files.count) files; nothing was written"
        )
        guard format == .json else { return }
        try write(["state": "dry", "set": set.name.hexadecimal, "rules": rules.ruleSet.ruleCount])
    }

    /// Reports a release, and of its rollout where that is waited for; throws the exit status if it was aborted.
    func follow(
        _ publication: ReleasePublisher.Publication,
        in store: any ReleaseStore,
        _ trusted: KeyFile,
        waits: Bool,
        as name: String
    ) async throws {
        let release = publication.release
        let set = "set \(release.set.hexadecimal.prefix(12))"
        guard let pointer = try await store.current()?.pointer, !publication.isWaiting else {
            try say(
                "release \(release.sequence)",
                "\(set) waits for another signature: shunt fleet approve \(release.sequence)"
            )
            guard waits else { return try end(release, state: "waiting", reason: "") }
            return try await wait(publication, in: store, trusted, as: name)
        }
        if pointer.progress.state == .done, pointer.release == publication.envelope {
            try say("release \(release.sequence)", "\(set) is stable: it is the first one")
            return try end(release, state: "done", reason: "")
        }
        guard waits else {
            try say("release \(release.sequence)", "\(set) begins when a conductor runs: shunt fleet conduct")
            return try end(release, state: pointer.progress.state.rawValue, reason: "")
        }
        try say("release \(release.sequence)", set)
        try await wait(publication, in: store, trusted, as: name)
    }

    private func wait(
        _ publication: ReleasePublisher.Publication,
        in store: any ReleaseStore,
        _ trusted: KeyFile,
        as name: String
    ) async throws {
        let wait = RolloutWait(
            store: store,
            trusted: trusted,
            publication: publication,
            name: name,
            isQuiet: format == .json
        )
        let progress = try await wait.run()
        try end(publication.release, state: progress.state.rawValue, reason: progress.reason)
        if progress.state == .aborted { throw Failure.negative }
    }

    private func end(_ release: Release, state: String, reason: String) throws {
        guard format == .json else { return }
        try write([
            "release": release.sequence, "set": release.set.hexadecimal, "rules": release.rules, "state": state,
            "reason": reason,
        ])
    }

    private func write(_ object: JSONObject) throws { try OutputStream.standard { try $0.write(object.line) } }

    private func say(_ what: String, _ text: String) throws {
        guard format == .text else { return }
        try OutputStream.standard { try $0.write(what.padded(to: 12) + text + "\n") }
    }
}
#endif
