/// The reason why a text is not a moment.
public struct TimestampError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The text expected at `offset`.
    @nonexhaustive public enum Expectation: String, Sendable, Hashable {
        /// Four digits for the year.
        case year = "a year of four digits"
        /// A month from 01 to 12.
        case month = "a month from 01 to 12"
        /// A day that the month has.
        case day = "a day that the month has"
        /// `T` or a space between date and time.
        case separator = "T between date and time"
        /// An hour from 00 to 23.
        case hour = "an hour from 00 to 23"
        /// A minute from 00 to 59.
        case minute = "a minute from 00 to 59"
        /// A second from 00 to 60.
        case second = "a second from 00 to 60"
        /// A digit after the decimal point.
        case fraction = "a digit after the point"
        /// `Z`, or an offset such as `+02:00`.
        case offset = "Z or an offset such as +02:00"
        /// Nothing more.
        case end = "the end"
    }

    /// The expected text.
    public var expectation: Expectation
    /// The place, in bytes from the start of the text.
    public var offset: Int

    /// Makes an error.
    public init(expectation: Expectation, offset: Int) {
        self.expectation = expectation
        self.offset = offset
    }

    /// One sentence for people, such as `expected a month from 01 to 12 at byte 5`.
    public var description: String { "expected \(expectation.rawValue) at byte \(offset)" }
}

extension Timestamp {
    /// Reads an RFC 3339 date and time, such as `2026-02-03T04:05:06.5+01:00`.
    ///
    /// Date and time are separated by `T` or a space; the seconds may be missing, a fraction may follow them (digits after
    /// the ninth are dropped), and the offset must be there: `Z`, `+hh:mm`, `+hhmm` or `+hh`. Letters may be in lower
    /// case. Second 60 is read as the first of the next minute.
    ///
    /// - Throws: `TimestampError` with the first place that does not fit.
    public init(_ text: String) throws(TimestampError) {
        let bytes = Array(text.utf8)
        try self.init(parsing: bytes.span)
    }

    /// Reads an RFC 3339 date and time from bytes.
    ///
    /// - Throws: `TimestampError` with the first place that does not fit.
    public init(parsing bytes: Span<UInt8>) throws(TimestampError) { try self.init(parsing: bytes, zone: nil) }

    /// Reads the same; with a `zone`, in minutes east of UTC, a text without an offset is in that, and a date alone is its
    /// beginning.
    init(parsing bytes: Span<UInt8>, zone: Int?) throws(TimestampError) {
        var reader = TimestampReader()
        let year = try reader.number(4, upTo: 9999, .year, in: bytes)
        try reader.skip(UInt8(ascii: "-"), .month, in: bytes)
        let month = try reader.number(2, from: 1, upTo: 12, .month, in: bytes)
        try reader.skip(UInt8(ascii: "-"), .day, in: bytes)
        let lastDay = CalendarTime.daysInMonth(year: year, month: month)
        let day = try reader.number(2, from: 1, upTo: lastDay, .day, in: bytes)
        let days = CalendarTime.days(year: year, month: month, day: day)
        if let zone, reader.offset == bytes.count {
            self.init(seconds: days * CalendarTime.secondsPerDay - Int64(zone) * 60)
            return
        }
        guard
            reader.take(UInt8(ascii: "T"), in: bytes) || reader.take(UInt8(ascii: "t"), in: bytes)
                || reader.take(0x20, in: bytes)
        else { throw TimestampError(expectation: .separator, offset: reader.offset) }
        let hour = try reader.number(2, upTo: 23, .hour, in: bytes)
        try reader.skip(UInt8(ascii: ":"), .minute, in: bytes)
        let minute = try reader.number(2, upTo: 59, .minute, in: bytes)
        var second: Int64 = 0
        var nanoseconds: Int64 = 0
        if reader.take(UInt8(ascii: ":"), in: bytes) {
            second = try reader.number(2, upTo: 60, .second, in: bytes)
            if reader.take(UInt8(ascii: "."), in: bytes) { nanoseconds = try reader.fraction(in: bytes) }
        }
        let offset = if let zone, reader.offset == bytes.count { Int64(zone) } else { try reader.zone(in: bytes) }
        guard reader.offset == bytes.count else { throw TimestampError(expectation: .end, offset: reader.offset) }
        let clock = hour * 3600 + minute * 60 + second - offset * 60
        self.init(
            seconds: days * CalendarTime.secondsPerDay + clock,
            nanoseconds: Int32(truncatingIfNeeded: nanoseconds)
        )
    }
}

/// A position in the text, and how to read on from it.
private struct TimestampReader {
    var offset = 0

    mutating func take(_ byte: UInt8, in bytes: Span<UInt8>) -> Bool {
        guard offset < bytes.count, bytes[offset] == byte else { return false }
        offset += 1
        return true
    }

    mutating func skip(
        _ byte: UInt8,
        _ expectation: TimestampError.Expectation,
        in bytes: Span<UInt8>
    ) throws(TimestampError) {
        guard take(byte, in: bytes) else { throw TimestampError(expectation: expectation, offset: offset) }
    }

    mutating func number(
        _ digits: Int,
        from lowest: Int64 = 0,
        upTo highest: Int64,
        _ expectation: TimestampError.Expectation,
        in bytes: Span<UInt8>
    ) throws(TimestampError) -> Int64 {
        let start = offset
        var value: Int64 = 0
        while offset - start < digits, offset < bytes.count, bytes[offset].isASCIIDigit {
            value = value * 10 + Int64(bytes[offset] &- 0x30)
            offset += 1
        }
        guard offset - start == digits, value >= lowest, value <= highest else {
            throw TimestampError(expectation: expectation, offset: start)
        }
        return value
    }

    mutating func fraction(in bytes: Span<UInt8>) throws(TimestampError) -> Int64 {
        let start = offset
        var value: Int64 = 0
        var scale: Int64 = 100_000_000
        while offset < bytes.count, bytes[offset].isASCIIDigit {
            value += Int64(bytes[offset] &- 0x30) * scale
            scale /= 10
            offset += 1
        }
        guard offset > start else { throw TimestampError(expectation: .fraction, offset: start) }
        return value
    }

    /// Minutes east of UTC.
    mutating func zone(in bytes: Span<UInt8>) throws(TimestampError) -> Int64 {
        let start = offset
        if take(UInt8(ascii: "Z"), in: bytes) || take(UInt8(ascii: "z"), in: bytes) { return 0 }
        let isWest = take(UInt8(ascii: "-"), in: bytes)
        guard isWest || take(UInt8(ascii: "+"), in: bytes) else {
            throw TimestampError(expectation: .offset, offset: start)
        }
        let hours = try number(2, upTo: 23, .offset, in: bytes)
        var minutes: Int64 = 0
        if take(UInt8(ascii: ":"), in: bytes) || offset < bytes.count {
            minutes = try number(2, upTo: 59, .offset, in: bytes)
        }
        return (hours * 60 + minutes) * (isWest ? -1 : 1)
    }
}
