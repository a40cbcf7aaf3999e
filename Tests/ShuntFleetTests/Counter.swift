#if Fleet
import Synchronization

/// A number that several may count down.
final class Counter: Sendable {
    private let left: Mutex<Int>

    init(_ count: Int) { left = Mutex(count) }

    /// Returns true if there was one left.
    func take() -> Bool {
        left.withLock { left in
            left -= 1
            return left >= 0
        }
    }
}
#endif
