/// A moment: seconds since the start of 1970 in UTC, without leap seconds, and nanoseconds.
public struct Timestamp: Sendable, Hashable {
    /// Whole seconds since 1970-01-01T00:00:00Z, rounded down.
    public var seconds: Int64
    /// The nanoseconds after the second, 0 to 999,999,999.
    public var nanoseconds: Int32

    /// Makes a moment; `nanoseconds` outside 0 to 999,999,999 are brought into that range.
    public init(seconds: Int64, nanoseconds: Int32 = 0) {
        self.seconds = seconds
        self.nanoseconds = max(0, min(nanoseconds, 999_999_999))
    }
}

extension Timestamp: Comparable {
    /// Returns true if `left` is earlier.
    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
    }
}

extension Timestamp: CustomStringConvertible {
    /// RFC 3339 in UTC, with a fraction only if there is one, such as `2026-02-03T04:05:06Z`.
    public var description: String {
        var bytes: [UInt8] = []
        CalendarTime(self, offset: 0).appendDateAndTime(to: &bytes)
        var text = String(decoding: bytes, as: UTF8.self)
        if nanoseconds != 0 {
            var digits = String(nanoseconds).paddedWithZeros(to: 9)
            while digits.hasSuffix("0") { digits.removeLast() }
            text += "." + digits
        }
        return text + "Z"
    }
}

extension Timestamp {
    /// The moment as nginx's `$time_iso8601` shows it: `2026-02-03T04:05:06+00:00`.
    ///
    /// - Parameter offset: Minutes east of UTC; brought into the range of ±23:59.
    /// - Returns: The text.
    public func iso8601(offset: Int = 0) -> String {
        String(decoding: bytes(as: .iso8601, offset: offset), as: UTF8.self)
    }

    /// The moment as nginx's `$time_local` shows it: `03/Feb/2026:04:05:06 +0000`.
    ///
    /// - Parameter offset: Minutes east of UTC; brought into the range of ±23:59.
    /// - Returns: The text.
    public func commonLogFormat(offset: Int = 0) -> String {
        String(decoding: bytes(as: .log, offset: offset), as: UTF8.self)
    }

    /// The moment as HTTP writes it: `Sun, 06 Nov 1994 08:49:37 GMT`.
    ///
    /// Source: https://www.rfc-editor.org/rfc/rfc9110#section-5.6.7
    package var httpDate: String {
        let weekday = TimeValue.longWeekday(of: self, offset: 0).prefix(3)
        let time = CalendarTime(self, offset: 0)
        var bytes: [UInt8] = []
        time.appendDate(separator: 0x20, to: &bytes)
        bytes.append(0x20)
        time.appendClock(to: &bytes)
        return "\(weekday), \(String(decoding: bytes, as: UTF8.self)) GMT"
    }
}
