#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The processor time that threads have taken, for work that must end whatever else the machine does.
package enum ProcessorTime {
    /// Returns the processor time of the calling thread since it began.
    package static func ofThread() -> Duration {
        var time = timespec()
        // Sound: the call only writes to the value, which outlives it. It cannot fail for this clock.
        _ = unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
    }
}
