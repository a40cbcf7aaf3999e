#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The clocks of measurements.
public enum Clocks {
    /// The processor time of this thread, in nanoseconds.
    ///
    /// Unlike the time of day it does not count while other programs run.
    public static func threadTime() -> Double {
        nanoseconds(CLOCK_THREAD_CPUTIME_ID)
    }

    /// The time since some moment, in nanoseconds.
    public static func time() -> Double {
        nanoseconds(CLOCK_MONOTONIC)
    }

    private static func nanoseconds(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
    }
}
