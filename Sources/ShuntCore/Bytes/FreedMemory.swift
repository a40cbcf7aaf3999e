import CMemory
import Synchronization

/// Memory that was freed and that the C library keeps.
///
/// Loading rules takes several times the memory that they need afterwards, and each thread that did so leaves its part
/// after in a separate arena: without this, a program grows to the sum of those parts over its reloads.
package enum FreedMemory {
    private static let last = Mutex<ContinuousClock.Instant?>(nil)

    /// Returns it to the system, at most once in a second.
    ///
    /// It takes milliseconds, and more the more memory the program has, while a thousand stores of one program may load at the
    /// same time.
    package static func giveBack() {
        let now = ContinuousClock.now
        let isDue = last.withLock { last in
            if let last, now - last < .seconds(1) { return false }
            last = now
            return true
        }
        if isDue { giveBackAtOnce() }
    }

    /// Returns it to the system, however short ago that was: for a loop that frees much.
    package static func giveBackAtOnce() { give_back_freed_memory() }
}
