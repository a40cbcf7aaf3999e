public import ShuntCore

/// The time as a rule store sees it, so that tests can turn the hands themselves.
public protocol StoreClock: Sendable {
    /// The time since some fixed moment. It never goes back and is not moved by changes of the calendar time.
    var now: Duration { get }

    /// The calendar time, for people.
    var date: Timestamp { get }

    /// Returns once `now` has reached a moment.
    ///
    /// - Throws: `CancellationError` when the task is cancelled before.
    func sleep(until moment: Duration) async throws
}

/// The monotonic clock and the calendar of this machine.
public struct SystemStoreClock: StoreClock {
    private static let origin = ContinuousClock.now

    /// Makes the clock.
    public init() {}

    /// The time since the first use of such a clock.
    public var now: Duration {
        // Before the present, which would be earlier on the first use.
        let origin = Self.origin
        return ContinuousClock.now - origin
    }

    /// The system's calendar time.
    public var date: Timestamp { .now() }

    /// Sleeps without blocking a thread.
    public func sleep(until moment: Duration) async throws {
        try await ContinuousClock().sleep(until: Self.origin + moment)
    }
}
