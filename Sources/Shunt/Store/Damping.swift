/// The time when a source that changes too often is held back, and for how long.
///
/// A source flaps when it is now right, now wrong, or puts a new set into use many times within a minute. Each further
/// attempt then waits, twice as long each time, and then loads what is there. A quiet minute ends it.
public struct Damping: Sendable, Hashable {
    /// The span of time that is read.
    public var window: Duration = .seconds(60)
    /// The number of times within the window that a new set may be put into use.
    public var maximumLoads = 12
    /// The number of times within the window that the source may turn from valid to invalid or back.
    public var maximumTurns = 4
    /// The wait of the first attempt that is held; each further one is twice as long.
    public var firstDelay: Duration = .seconds(1)
    /// The limit of waits that double.
    public var longestDelay: Duration = .seconds(60)

    /// Makes the usual damping.
    public init() {}
}

/// Counts what a source does and returns how long to wait.
///
/// All times are arguments, so that it needs no clock.
struct Damper: Sendable {
    let damping: Damping
    private var loads: [Duration] = []
    private var turns: [Duration] = []
    private var lastWasGood: Bool?
    private var steps = 0
    /// The end of the wait that is on.
    private(set) var heldUntil: Duration?

    init(_ damping: Damping) { self.damping = damping }

    /// Notes how an attempt ended; `isNew` is true if the set was another than the one in use.
    mutating func note(success: Bool, isNew: Bool = true, at now: Duration) {
        forget(before: now)
        // Neither list outgrows what decides, however fast the source is.
        if success, isNew, loads.count <= damping.maximumLoads { loads.append(now) }
        if let lastWasGood, lastWasGood != success, turns.count <= damping.maximumTurns { turns.append(now) }
        lastWasGood = success
    }

    /// Returns the delay before the next attempt, counted from now; nil if it need not wait.
    mutating func wait(at now: Duration) -> (delay: Duration, reason: String)? {
        forget(before: now)
        let reason: String
        if turns.count >= damping.maximumTurns {
            reason = "the source turned from right to wrong or back \(turns.count) times within \(damping.window)"
        } else if loads.count >= damping.maximumLoads {
            reason = "the source changed \(loads.count) times within \(damping.window)"
        } else {
            steps = 0
            heldUntil = nil
            return nil
        }
        let delay = min(damping.firstDelay * (1 << min(steps, 20)), damping.longestDelay)
        steps += 1
        heldUntil = now + delay
        return (delay, reason)
    }

    /// Notes that the wait is over.
    mutating func release() { heldUntil = nil }

    private mutating func forget(before now: Duration) {
        let start = now - damping.window
        loads.removeAll { $0 <= start }
        turns.removeAll { $0 <= start }
    }
}
