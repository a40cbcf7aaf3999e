import ShuntCore
import Synchronization

/// Watches the files of a directory source for one listener.
final class DirectoryWatcher: Sendable {
    private struct State {
        var detector: ChangeDetector
        var plan: WatchPlan
        /// True if the plan is to be made again, since another set was read.
        var needsPlan = true
        /// True if the plan is for a rule set that was read before the last one.
        var planIsOld = false
        /// The stamp that was seen last by looking.
        var stamp: Int
        var nextContentCheck: Duration
        /// The moment at which the next step comes without an event.
        var armed: Duration
        /// Called when there is something to do.
        var wake: AsyncStream<Void>.Continuation?
    }

    private let source: DirectorySource
    private let state: Mutex<State>

    init(_ source: DirectorySource) {
        self.source = source
        let options = source.options
        let now = source.clock.now
        let periods = ChangeDetector.Periods(
            quiet: options.quietPeriod,
            longest: options.longestDelay,
            writer: options.writerPatience,
            poll: options.pollInterval
        )
        state = Mutex(
            State(
                detector: ChangeDetector(periods, now: now),
                plan: WatchPlan(path: source.name, files: source.files),
                stamp: source.state.withLock { $0.stamp },
                nextContentCheck: now + options.contentCheckInterval,
                armed: now
            )
        )
    }

    /// Calls `fire` whenever a change is over, until the task is cancelled.
    func run(_ fire: @escaping @Sendable () -> Void) async {
        let (signals, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        state.withLock { $0.wake = wake }
        let events = startEvents()
        let listener = source.state.withLock { state in
            let number = state.nextListener
            state.nextListener &+= 1
            state.listeners[number] = DirectorySource.Listener(
                isBusy: { [weak self] in
                    events?.deliverPending()
                    return self?.hasWriters ?? false
                },
                noteLoad: { [weak self] isStable in self?.noteLoad(isStable) }
            )
            return number
        }
        defer {
            events?.stop()
            source.state.withLock { _ = $0.listeners.removeValue(forKey: listener) }
        }
        wake.yield()
        var timer: Task<Void, Never>?
        defer { timer?.cancel() }
        for await _ in signals {
            timer?.cancel()
            await BackgroundThread.run { self.step(events, fire) }
            let deadline = state.withLock { state in
                state.armed = state.detector.deadline
                return state.armed
            }
            let clock = source.clock
            timer = Task {
                do { try await clock.sleep(until: deadline) } catch { return }
                wake.yield()
            }
        }
    }

    private func startEvents() -> (any FileEvents)? {
        guard let events = source.makeEvents() else { return nil }
        do {
            try events.start { [weak self] in self?.take($0) }
            return events
        } catch {
            setCondition("looking every \(source.options.pollInterval) for changes: \(error)")
            return nil
        }
    }

    private func setCondition(_ condition: String?) { source.state.withLock { $0.condition = condition } }

    // MARK: What comes from outside

    private func take(_ events: [FileEvent]) {
        let now = source.clock.now
        let wake = state.withLock { state in
            for event in events {
                if event.kind == .lost {
                    state.detector.noteLoss(at: now)
                    state.needsPlan = true
                } else if state.plan.concerns(event) {
                    let file = ChangeDetector.File(directory: event.directory, name: event.name)
                    state.detector.note(event.kind, file, at: now)
                    // A directory that came or went may have to be watched, or watched elsewhere.
                    if event.kind != .modified, event.kind != .closed { state.needsPlan = true }
                }
            }
            // Further events only move the end of the change away, which is soon enough seen when it is due.
            return state.detector.deadline < state.armed ? state.wake : nil
        }
        wake?.yield()
    }

    private var hasWriters: Bool {
        let now = source.clock.now
        return state.withLock { $0.detector.hasWriters(at: now) }
    }

    private func noteLoad(_ isStable: Bool) {
        let now = source.clock.now
        let wake = state.withLock { state in
            state.needsPlan = true
            state.planIsOld = true
            if !isStable { state.detector.noteChange(at: now, wasPolled: true) }
            return state.wake
        }
        wake?.yield()
    }

    // MARK: What is to be done

    private func step(_ events: (any FileEvents)?, _ fire: @Sendable () -> Void) {
        plan(events)
        events?.deliverPending()
        let now = source.clock.now
        switch state.withLock({ $0.detector.due(at: now) }) {
        case .none:
            break
        case .poll:
            if hasChanged(at: now) {
                state.withLock { $0.detector.noteChange(at: source.clock.now, wasPolled: true) }
            }
        case .settle:
            let stamp = currentStamp()
            let isSettled = state.withLock { state in
                defer { state.stamp = stamp }
                if state.stamp == stamp {
                    state.detector.noteSettled(at: now)
                    return true
                }
                state.detector.noteUnsettled(at: now)
                return false
            }
            if isSettled { fire() }
        case .fire:
            fire()
        }
    }

    /// Watches what the set that was read last consists of, then looks whether it changed before it was watched.
    private func plan(_ events: (any FileEvents)?) {
        guard state.withLock({ $0.needsPlan }) else { return }
        let (capture, stamp) = source.state.withLock { ($0.capture, $0.stamp) }
        let files = source.files
        var plan = capture.map { WatchPlan(for: $0, files: files) } ?? WatchPlan(path: source.name, files: files)
        plan = state.withLock { state in
            if !state.planIsOld { plan.keepArrivals(of: state.plan) }
            state.planIsOld = false
            state.plan = plan
            state.needsPlan = false
            return plan
        }
        if let events {
            let interval = source.options.pollInterval
            do {
                _ = try events.watch(plan.directories)
                setCondition(
                    plan.isOverLimit
                        ? "looking every \(interval) for changes: there are more than \(WatchPlan.directoryLimit) directories"
                        : nil
                )
            } catch {
                setCondition("looking every \(interval) for changes: \(error)")
            }
        }
        let live = currentStamp()
        state.withLock { state in
            if live != stamp, !state.detector.isPending {
                state.detector.noteChange(at: source.clock.now, wasPolled: true)
            }
            state.stamp = live
        }
    }

    private func currentStamp() -> Int {
        guard let capture = source.state.withLock({ $0.capture }) else {
            var hasher = Hasher()
            let attributes = try? source.files.attributes(source.name)
            hasher.combine(attributes)
            return hasher.finalize()
        }
        return capture.stamp(in: source.files)
    }

    private func hasChanged(at now: Duration) -> Bool {
        let live = currentStamp()
        let (isOther, checksContents) = state.withLock { state in
            defer { state.stamp = live }
            let isDue = now >= state.nextContentCheck
            if isDue { state.nextContentCheck = now + source.options.contentCheckInterval }
            return (state.stamp != live, isDue)
        }
        if isOther { return true }
        guard checksContents, let capture = source.state.withLock({ $0.capture }) else { return false }
        return !capture.isCurrent(in: source.files)
    }
}
