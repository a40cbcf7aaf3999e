import Glibc

/// The processor time of the calling thread.
enum ProcessorClock {
    /// Nanoseconds since the thread began.
    static var nanoseconds: Int {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }

    /// Returns the cost of two readings of the clock, which every measurement includes.
    static func overhead() -> Int {
        var least = Int.max
        for _ in 0..<1000 {
            let start = nanoseconds
            least = min(least, nanoseconds - start)
        }
        return least
    }
}
