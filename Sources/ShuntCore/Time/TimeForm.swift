/// A form in which variables have a moment.
package enum TimeForm: Sendable {
    /// `2026-02-03T04:05:06+00:00`.
    case iso8601
    /// `03/Feb/2026:04:05:06 +0000`.
    case log
    /// `04:05:06`.
    case clock
    /// `tue`.
    case weekday
    /// `Tuesday, 03-Feb-2026 04:05:06 GMT`.
    case long
    /// `1770091506.000`: seconds since 1970.
    case milliseconds
}

extension Timestamp {
    /// The moment in a form, as a clock shows it that is `offset` minutes ahead of UTC.
    package func bytes(as form: TimeForm, offset: Int = 0) -> [UInt8] {
        var bytes: [UInt8] = []
        append(form, offset: offset, to: &bytes)
        return bytes
    }

    /// Appends the moment in a form; an offset is brought into the range of ±23:59.
    func append(_ form: TimeForm, offset: Int, to bytes: inout some ByteSink) {
        let offset = max(-1439, min(offset, 1439))
        switch form {
        case .iso8601:
            CalendarTime(self, offset: offset).appendDateAndTime(to: &bytes)
            Self.append(offset, separator: UInt8(ascii: ":"), to: &bytes)
        case .log:
            CalendarTime(self, offset: offset).appendLogDateAndTime(to: &bytes)
            bytes.append(0x20)
            Self.append(offset, separator: nil, to: &bytes)
        case .clock: CalendarTime(self, offset: offset).appendClock(to: &bytes)
        case .weekday:
            for byte in TimeValue.weekday(of: self, offset: offset).utf8 { bytes.append(byte) }
        case .long:
            let time = CalendarTime(self, offset: offset)
            for byte in TimeValue.longWeekday(of: self, offset: offset).utf8 { bytes.append(byte) }
            for byte in ", ".utf8 { bytes.append(byte) }
            time.appendDate(separator: UInt8(ascii: "-"), to: &bytes)
            bytes.append(0x20)
            time.appendClock(to: &bytes)
            for byte in " GMT".utf8 { bytes.append(byte) }
        case .milliseconds:
            bytes.append(seconds, digits: 1)
            bytes.append(UInt8(ascii: "."))
            bytes.append(Int64(nanoseconds / 1_000_000), digits: 3)
        }
    }

    private static func append(_ offset: Int, separator: UInt8?, to bytes: inout some ByteSink) {
        bytes.append(UInt8(ascii: offset < 0 ? "-" : "+"))
        bytes.append(Int64(abs(offset) / 60), digits: 2)
        if let separator { bytes.append(separator) }
        bytes.append(Int64(abs(offset) % 60), digits: 2)
    }
}
