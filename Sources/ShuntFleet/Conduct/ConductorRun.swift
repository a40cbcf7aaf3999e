#if Fleet
public import Shunt

/// Moves the pointer of a store forward, or looks on while someone else does.
///
/// What is to be done is `FleetConductor`'s to decide. Only who has the lease writes, and only in the place of what was
/// read.
public struct ConductorRun: Sendable {
    /// The result of a check of the store.
    public struct Look: Sendable {
        /// The pointer, after what was written.
        public var pointer: TrustedPointer
        /// The reports of the nodes.
        public var reports: [NodeReport]
        /// The nodes that are awaited; empty if something was written.
        public var waiting: String
    }

    /// The interval between two looks if nothing is expected soon.
    public var interval: Duration = .milliseconds(500)

    private let store: any ReleaseStore
    private let trusted: KeyFile
    private let name: String
    private let clock: any StoreClock
    private var conductor: FleetConductor
    private var lease: (any ConductorLease)?
    private var renewal: Duration = .zero
    private var lastProblem: String?
    private var pause: Duration?

    /// The interval between two renewals of the lease.
    private static let renewalInterval: Duration = .seconds(5)

    /// Makes a conductor, with its name for the pointer and the history; nothing is asked yet.
    ///
    /// A pointer that is not signed as the key file that nodes got first requires is not moved.
    public init(
        _ store: any ReleaseStore,
        trusted: KeyFile,
        name: String,
        gate: RolloutGate = RolloutGate(),
        clock: any StoreClock = SystemStoreClock()
    ) {
        self.store = store
        self.trusted = trusted
        self.name = name
        self.clock = clock
        conductor = FleetConductor(name: name)
        conductor.gate = gate
    }

    /// Conducts every rollout that comes until the task is cancelled; `note` gets each reason why the store fails once.
    public mutating func run(tell: (Look) async -> Void = { _ in }, note: (String) -> Void) async {
        while !Task.isCancelled {
            do {
                if let look = try await look() { await tell(look) }
                lastProblem = nil
            } catch {
                if "\(error)" != lastProblem { note("\(error)") }
                lastProblem = "\(error)"
            }
            do { try await clock.sleep(until: clock.now + nextPause()) } catch { break }
        }
        await end()
    }

    /// Conducts the rollout of one release to its end; `note` gets each reason why the store fails once.
    ///
    /// - Returns: How far it is: done or aborted, or anything where another release has taken its place.
    /// - Throws: `CancellationError` when the task is cancelled; why nodes cannot believe the pointer.
    public mutating func run(
        until sequence: Int,
        tell: (Look) async -> Void,
        note: (String) -> Void
    ) async throws -> RolloutProgress {
        while true {
            do {
                if let look = try await look() {
                    await tell(look)
                    let newest = look.pointer.release.sequence
                    let progress = look.pointer.progress
                    if newest != sequence || [.done, .aborted].contains(progress.state) {
                        await end()
                        return progress
                    }
                    // What was written has an effect at once; what is waited for takes its time.
                    if look.waiting.isEmpty { continue }
                }
                lastProblem = nil
            } catch let error where Self.isFinal(error) {
                await end()
                throw error
            } catch {
                if "\(error)" != lastProblem { note("\(error)") }
                lastProblem = "\(error)"
            }
            do {
                try await clock.sleep(until: clock.now + nextPause())
            } catch {
                await end()
                throw error
            }
        }
    }

    /// Returns true if waiting does not help: nodes refuse a pointer that is not signed as well.
    private static func isFinal(_ error: any Error) -> Bool {
        error is CancellationError || error is DocumentError || (error as? FleetError)?.isRefusal == true
    }

    /// Looks once, and writes what follows where this conducts; nil without a pointer, or if another one has written.
    public mutating func look() async throws -> Look? {
        guard let stored = try await store.current() else { return nil }
        let current = try stored.trusted(by: trusted)
        let reports = try await store.statuses()
        guard try await hasLease() else {
            return Look(pointer: current, reports: reports, waiting: "another conductor runs")
        }
        let release = current.release
        var acknowledgements: [String: NodeStatus.State] = [:]
        for report in reports where report.status.sequence == release.sequence {
            acknowledgements[report.status.node] = report.status.state
        }
        let view = FleetConductor.View(
            pointer: current,
            revision: stored.version,
            nodes: reports.filter(\.isAlive).map(\.status),
            acknowledgements: acknowledgements,
            // Only time counts if no node has ever reported, as with a web server.
            reports: !reports.isEmpty
        )
        switch conductor.step(view, at: clock.now, date: clock.date) {
        case .wait(let reason): return Look(pointer: current, reports: reports, waiting: reason)
        case .over(let state): return Look(pointer: current, reports: reports, waiting: state.rawValue)
        case .write(let pointer, let version):
            let entry = HistoryEntry(
                sequence: release.sequence,
                action: Self.action(pointer.progress.state),
                stage: pointer.progress.state == .running ? pointer.progress.stage : nil,
                by: name,
                at: pointer.progress.since,
                reason: pointer.progress.reason
            )
            guard try await store.replace(version, with: pointer.document, entry: entry) else { return nil }
            pause = interval / 16
            return Look(pointer: pointer, reports: reports, waiting: "")
        }
    }

    /// Returns the time until the next look: the results of a stage arrive soon after it began, or take their time.
    private mutating func nextPause() -> Duration {
        let next = min(interval, pause ?? interval)
        pause = next * 3 / 2
        return next
    }

    /// Releases the lease.
    public mutating func end() async {
        await lease?.end()
        lease = nil
    }

    private static func action(_ state: RolloutProgress.State) -> HistoryEntry.Action {
        switch state {
        case .running: .stage
        case .paused: .paused
        case .aborted: .aborted
        case .done: .done
        }
    }

    private mutating func hasLease() async throws -> Bool {
        if let held = lease {
            guard clock.now >= renewal else { return true }
            if try await held.renew() {
                renewal = clock.now + Self.renewalInterval
                return true
            }
            lease = nil
        }
        lease = try await store.conductorLease(name)
        renewal = clock.now + Self.renewalInterval
        return lease != nil
    }
}
#endif
