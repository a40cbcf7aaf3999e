#if Gateway
import NIOCore
import NIOPosix
import ServiceLifecycle
import Shunt
import Synchronization

/// Decisions as they are made, for at most eight listeners.
///
/// Without a listener, deciding costs one read of a flag. With one, each event loop puts what it decides into a
/// separate ring, and the rings are emptied twenty times a second. Of what comes faster than anybody is shown, the rest
/// is only counted, unless someone looks for few among many.
final class LiveEvents: Sendable {
    static let maximumListeners = 8
    static let drainsPerSecond = 20

    private struct State {
        var listeners: [ObjectIdentifier: LiveListener] = [:]
        var drains = 0
        var task: RepeatedTask?
        var isEnded = false
    }

    private let watched = Atomic<Bool>(false)
    /// True if a listener has a filter, so that every decision is read.
    private let isFiltered = Atomic<Bool>(false)
    private let rings: [LiveRing]
    private let state = Mutex(State())
    /// True if the values of arguments are shown.
    private let showsValues: Bool

    init(loops: Int, showsValues: Bool) {
        rings = (0..<max(1, loops)).map { _ in LiveRing() }
        self.showsValues = showsValues
    }

    /// True if anybody listens.
    var isWatched: Bool { watched.load(ordering: .relaxed) }

    /// Returns true if the decision that an event loop has made is to be noted; one that is not is counted.
    func takesNext(shard: Int) -> Bool {
        guard isWatched else { return false }
        return isFiltered.load(ordering: .relaxed) || rings[shard % rings.count].takesNext()
    }

    /// Notes a decision of an event loop.
    func note(_ event: LiveEvent, shard: Int) { rings[shard % rings.count].put(event) }

    /// Begins to listen.
    ///
    /// - Returns: The listener, which has to leave; nil when there are too many, or the listener of the gateway ends.
    func listen(_ filter: LiveListener.Filter) -> LiveListener? {
        let listener = LiveListener(filter, showsValues: showsValues)
        return state.withLock { state in
            guard state.listeners.count < Self.maximumListeners, !state.isEnded else { return nil }
            state.listeners[ObjectIdentifier(listener)] = listener
            isFiltered.store(state.listeners.values.contains { !$0.filter.isEmpty }, ordering: .relaxed)
            guard state.task == nil else { return listener }
            watched.store(true, ordering: .relaxed)
            let pause = TimeAmount.milliseconds(1000 / Int64(Self.drainsPerSecond))
            state.task = MultiThreadedEventLoopGroup.singleton.next()
                .scheduleRepeatedTask(initialDelay: pause, delay: pause) { _ in self.drain() }
            return listener
        }
    }

    private func drain() {
        let (listeners, isPause) = state.withLock { state in
            state.drains += 1
            return (Array(state.listeners.values), state.drains % Self.drainsPerSecond == 0)
        }
        var events: [LiveEvent] = []
        var lost = 0
        for ring in rings {
            let taken = ring.take()
            events += taken.events
            lost += taken.lost
        }
        for listener in listeners {
            listener.send(events, lost: lost)
            // Nothing else would show that a listener is gone while nothing happens.
            if isPause { listener.send(Array(":\n\n".utf8)) }
        }
    }

    /// Ends to listen.
    func leave(_ listener: LiveListener) {
        listener.end()
        let isLast = state.withLock { state in
            state.listeners[ObjectIdentifier(listener)] = nil
            isFiltered.store(state.listeners.values.contains { !$0.filter.isEmpty }, ordering: .relaxed)
            guard state.listeners.isEmpty, let task = state.task else { return false }
            task.cancel()
            state.task = nil
            watched.store(false, ordering: .relaxed)
            return true
        }
        guard isLast else { return }
        for ring in rings { _ = ring.take() }
    }

    /// Sends everybody away, so that a listener keeps no gateway from ending.
    func end() {
        let listeners = state.withLock { state in
            state.isEnded = true
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.end() }
    }

    /// Sends an attempt to load rules.
    func tell(_ event: RuleStoreEvent) {
        guard case .reload(let report) = event, isWatched else { return }
        let message: JSONObject = [
            "version": report.snapshot.version, "hash": report.snapshot.contentHash, "trigger": report.trigger.rawValue,
            "problem": report.failure?.summary,
        ]
        var bytes: [UInt8] = []
        LiveEvent.append(report.failure?.reason == .held ? "held" : "reload", message.bytes, to: &bytes)
        for listener in state.withLock({ Array($0.listeners.values) }) { listener.send(bytes) }
    }
}

/// The last events of one event loop; events that no one took are overwritten.
final class LiveRing: Sendable {
    /// The most events it keeps.
    static let capacity = 1_024

    private struct State {
        var events: [LiveEvent] = []
        var next = 0
        var overwritten = 0
    }

    /// The number of decisions between two drains of which every listener gets a sample.
    static let sample = 32

    private let state = Mutex(State())
    /// The number of further decisions before the next drain.
    private let room = Atomic<Int>(sample)
    private let skipped = Atomic<Int>(0)

    /// Returns true if the next decision is taken; one that is not is counted.
    ///
    /// To be called on the event loop that the ring is for.
    func takesNext() -> Bool {
        let left = room.load(ordering: .relaxed)
        guard left > 0 else {
            skipped.add(1, ordering: .relaxed)
            return false
        }
        room.store(left - 1, ordering: .relaxed)
        return true
    }

    func put(_ event: LiveEvent) {
        state.withLock { state in
            if state.events.count < Self.capacity {
                state.events.append(event)
            } else {
                state.events[state.next] = event
                state.next = (state.next + 1) % Self.capacity
                state.overwritten += 1
            }
        }
    }

    /// Takes the events out, the oldest first, with the number of those that were overwritten or not taken.
    func take() -> (events: [LiveEvent], lost: Int) {
        room.store(Self.sample, ordering: .relaxed)
        let skipped = skipped.exchange(0, ordering: .relaxed)
        let taken = state.withLock { state in
            defer { state = State() }
            return state
        }
        return (Array(taken.events[taken.next...] + taken.events[..<taken.next]), taken.overwritten + skipped)
    }
}

/// Ends the streams of events when the gateway is to end, which waits for answers that are under way.
struct LiveEventsEnd: Service {
    let live: LiveEvents

    func run() async throws {
        do { try await gracefulShutdown() } catch {}
        live.end()
    }
}
#endif
