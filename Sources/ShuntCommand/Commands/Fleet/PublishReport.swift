#if Command && Fleet
import Shunt
import ShuntFleet

/// Reports the progress of a release that is made, for people as it goes and for programs in the end.
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
