import Glibc

/// Times of the day in the time zone of the machine.
package enum LocalDay {
    /// The seconds since 1970 of the next moment that is so many seconds after midnight.
    package static func next(seconds: Int, after now: Int64) -> Int64 {
        var start = time_t(now)
        // Sound: both are local values that outlive the calls, and no one reads the name of the zone.
        var day = unsafe tm()
        _ = unsafe localtime_r(&start, &day)
        unsafe day.tm_hour = CInt(seconds / 3_600)
        unsafe day.tm_min = CInt(seconds / 60 % 60)
        unsafe day.tm_sec = CInt(seconds % 60)
        let today = Int64(unsafe mktime(&day))
        if today > now { return today }
        unsafe day.tm_mday += 1
        return Int64(unsafe mktime(&day))
    }
}
