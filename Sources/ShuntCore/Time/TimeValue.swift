/// Texts that stand for moments, as conditions compare them.
///
/// An offset is in minutes east of UTC; it counts where a text names none.
package enum TimeValue {
    /// Reads a date (its beginning), or a date and time, with or without an offset.
    ///
    /// - Throws: `TimestampError` with the first place that does not fit.
    package static func moment(_ text: String, offset: Int) throws(TimestampError) -> Timestamp {
        let bytes = Array(text.utf8)
        return try Timestamp(parsing: bytes.span, zone: offset)
    }

    /// Reads the value of a variable: what `moment` reads, seconds since 1970 with or without a fraction, or the form of
    /// `$time_local`; nil for anything else.
    ///
    /// Allocates nothing.
    package static func moment(of value: Span<UInt8>, offset: Int) -> Timestamp? {
        guard value.count > 0, value[0].isASCIIDigit else { return nil }
        do throws(TimestampError) {
            return try Timestamp(parsing: value, zone: value.count > 40 ? nil : offset)
        } catch {
            return value.count > 40 ? nil : seconds(value) ?? fromLog(value)
        }
    }

    /// Returns true if a text begins as a date does: four digits, a dash, two digits, and a dash or the end.
    package static func looksLikeDate(_ text: [UInt8]) -> Bool {
        guard text.count >= 7, text[4] == UInt8(ascii: "-"), text.count == 7 || text[7] == UInt8(ascii: "-") else {
            return false
        }
        return text[..<4].allSatisfy(\.isASCIIDigit) && text[5..<7].allSatisfy(\.isASCIIDigit)
    }

    /// Returns true if a text begins as a time of day does: one or two digits and a colon.
    package static func looksLikeTimeOfDay(_ text: [UInt8]) -> Bool {
        guard let colon = text.firstIndex(of: UInt8(ascii: ":")), (1...2).contains(colon) else { return false }
        return text[..<colon].allSatisfy(\.isASCIIDigit)
    }

    /// Reads `9:30`, `09:30` or `09:30:15`, up to `24:00`, as seconds; nil for anything else.
    package static func timeOfDay(_ text: Span<UInt8>) -> Int64? {
        var (seconds, part, digits, colons): (Int64, Int64, Int, Int) = (0, 0, 0, 0)
        for index in 0...text.count {
            if index < text.count, text[index].isASCIIDigit, digits < 2 {
                (part, digits) = (part * 10 + Int64(text[index] - UInt8(ascii: "0")), digits + 1)
                continue
            }
            guard digits == 2 || colons == 0 && digits == 1, part <= (colons == 0 ? 24 : 59) else { return nil }
            seconds = seconds * 60 + part
            guard index < text.count else { break }
            guard text[index] == UInt8(ascii: ":"), colons < 2 else { return nil }
            (part, digits, colons) = (0, 0, colons + 1)
        }
        guard colons > 0 else { return nil }
        if colons == 1 { seconds *= 60 }
        return seconds <= CalendarTime.secondsPerDay ? seconds : nil
    }

    /// Reads `Z`, `UTC` or an offset such as `+08:00` as minutes; nil for anything else.
    package static func offset(_ text: String) -> Int? {
        if text == "Z" || text == "UTC" { return 0 }
        let bytes = Array(text.utf8)
        guard bytes.count == 6, bytes[0] == UInt8(ascii: "+") || bytes[0] == UInt8(ascii: "-"),
            let seconds = timeOfDay(bytes.span.extracting(1...)), seconds < CalendarTime.secondsPerDay
        else { return nil }
        return Int(seconds / 60) * (bytes[0] == UInt8(ascii: "-") ? -1 : 1)
    }

    /// The days of the week as `$weekday` has them, from Monday on.
    package static let weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

    private static let longWeekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]

    package static func weekday(of moment: Timestamp, offset: Int) -> String {
        weekdays[numberOfWeekday(of: moment, offset)]
    }

    static func longWeekday(of moment: Timestamp, offset: Int) -> String {
        longWeekdays[numberOfWeekday(of: moment, offset)]
    }

    /// The days since the last Monday.
    private static func numberOfWeekday(of moment: Timestamp, _ offset: Int) -> Int {
        // The first of January 1970 was a Thursday.
        Int(((split(moment, offset).days + 3) % 7 + 7) % 7)
    }

    package static func secondsOfDay(of moment: Timestamp, offset: Int) -> Int64 { split(moment, offset).seconds }

    /// The days since 1970 and the seconds since midnight of a moment.
    static func split(_ moment: Timestamp, _ offset: Int) -> (days: Int64, seconds: Int64) {
        let day = CalendarTime.secondsPerDay
        // Days first, so that no sum overflows even at the ends of Int64.
        var days = moment.seconds / day
        var seconds = moment.seconds % day + Int64(offset) * 60
        while seconds < 0 { (days, seconds) = (days - 1, seconds + day) }
        while seconds >= day { (days, seconds) = (days + 1, seconds - day) }
        return (days, seconds)
    }

    private static func seconds(_ value: Span<UInt8>) -> Timestamp? {
        var (seconds, nanoseconds): (Int64, Int64) = (0, 0)
        var unit: Int64 = 0
        for index in 0..<value.count {
            if value[index] == UInt8(ascii: "."), unit == 0, index + 1 < value.count {
                unit = 1_000_000_000
                continue
            }
            guard value[index].isASCIIDigit else { return nil }
            let digit = Int64(value[index] - UInt8(ascii: "0"))
            if unit > 0 {
                // What follows the ninth digit counts for nothing, and neither may the unit be zero.
                nanoseconds += unit / 10 * digit
                unit = max(1, unit / 10)
                continue
            }
            let (tens, overflows) = seconds.multipliedReportingOverflow(by: 10)
            let (sum, overflowsAgain) = tens.addingReportingOverflow(digit)
            if overflows || overflowsAgain { return nil }
            seconds = sum
        }
        return Timestamp(seconds: seconds, nanoseconds: Int32(nanoseconds))
    }

    /// Reads `03/Feb/2026:04:05:06 +0000`, brought into the form of ISO 8601; nil for anything else.
    private static func fromLog(_ value: Span<UInt8>) -> Timestamp? {
        guard value.count == 26, value[2] == UInt8(ascii: "/"), value[6] == UInt8(ascii: "/"),
            value[11] == UInt8(ascii: ":"), value[20] == 0x20
        else { return nil }
        let found = CalendarTime.months.firstIndex { name in
            var index = 3
            for byte in name.utf8 {
                if value[index] != byte { return false }
                index += 1
            }
            return true
        }
        guard let found else { return nil }
        let month = UInt8(found + 1)
        var text = InlineArray<24, UInt8>(repeating: UInt8(ascii: "-"))
        for index in 0..<4 { text[index] = value[7 + index] }
        text[5] = UInt8(ascii: "0") + month / 10
        text[6] = UInt8(ascii: "0") + month % 10
        for index in 0..<2 { text[8 + index] = value[index] }
        text[10] = UInt8(ascii: "T")
        for index in 0..<8 { text[11 + index] = value[12 + index] }
        for index in 0..<5 { text[19 + index] = value[21 + index] }
        return try? Timestamp(parsing: text.span)
    }
}
