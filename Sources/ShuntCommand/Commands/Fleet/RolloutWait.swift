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
#endif
