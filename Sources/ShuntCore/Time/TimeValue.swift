/// Texts that stand for moments, as conditions compare them.
///
/// An offset is in minutes east of UTC; it counts where a text names none.
package enum TimeValue {
    /// Reads a date (its beginning), or a date and time, with or without an offset.
    ///
    /// - Throws: `TimestampError` with the first place that does not fit.
    package static func moment(_ text: String, offset: Int) throws(TimestampError) -> Timestamp {
        var text = text
        let count = text.utf8.count
        if count == 10 { text += "T00:00:00" }
        let behind = text.utf8.dropFirst(11)
        let hasOffset = behind.contains { "Zz+-".utf8.contains($0) }
        // What is no date is refused where it stops being one, and not for want of an offset.
        if !hasOffset, count >= 10 { text += Self.text(ofOffset: offset) }
        return try Timestamp(text)
    }

    /// Reads the value of a variable: what `moment` reads, seconds since 1970 with or without a fraction, or the form of
    /// `$time_local`; nil for anything else.
    package static func moment(of value: [UInt8], offset: Int) -> Timestamp? {
        if let moment = try? Timestamp(parsing: value.span) { return moment }
        guard let first = value.first, first.isASCIIDigit, value.count <= 40 else { return nil }
        if let seconds = seconds(value) { return seconds }
        let text = String(decoding: value, as: UTF8.self)
        return (try? moment(fromLog(text) ?? text, offset: offset))
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
    package static func timeOfDay(_ text: [UInt8]) -> Int64? {
        let parts = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count == 2 || parts.count == 3 else { return nil }
        var seconds: Int64 = 0
        for (index, part) in parts.enumerated() {
            guard part.count == 2 || index == 0 && part.count == 1, part.allSatisfy(\.isASCIIDigit),
                let number = Int64(String(decoding: part, as: UTF8.self)), number <= (index == 0 ? 24 : 59)
            else { return nil }
            seconds = seconds * 60 + number
        }
        if parts.count == 2 { seconds *= 60 }
        return seconds <= CalendarTime.secondsPerDay ? seconds : nil
    }

    /// Reads `Z`, `UTC` or an offset such as `+08:00` as minutes; nil for anything else.
    package static func offset(_ text: String) -> Int? {
        if text == "Z" || text == "UTC" { return 0 }
        let bytes = Array(text.utf8)
        guard bytes.count == 6, bytes[0] == UInt8(ascii: "+") || bytes[0] == UInt8(ascii: "-"),
            let seconds = timeOfDay(Array(bytes.dropFirst())), seconds < CalendarTime.secondsPerDay
        else { return nil }
        return Int(seconds / 60) * (bytes[0] == UInt8(ascii: "-") ? -1 : 1)
    }

    /// The days of the week as `$weekday` has them, from Monday on.
    package static let weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

    /// The day of the week of a moment.
    package static func weekday(of moment: Timestamp, offset: Int) -> String {
        let (days, _) = split(moment, offset)
        // The first of January 1970 was a Thursday.
        return weekdays[Int(((days + 3) % 7 + 7) % 7)]
    }

    /// The seconds since midnight of a moment.
    package static func secondsOfDay(of moment: Timestamp, offset: Int) -> Int64 { split(moment, offset).seconds }

    /// `09:30:15`.
    package static func clock(of moment: Timestamp, offset: Int) -> [UInt8] {
        let seconds = secondsOfDay(of: moment, offset: offset)
        var bytes: [UInt8] = []
        for (index, value) in [seconds / 3600, seconds / 60 % 60, seconds % 60].enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ":")) }
            CalendarTime.append(value, digits: 2, to: &bytes)
        }
        return bytes
    }

    private static func split(_ moment: Timestamp, _ offset: Int) -> (days: Int64, seconds: Int64) {
        let day = CalendarTime.secondsPerDay
        // Days first, so that no sum overflows even at the ends of Int64.
        var days = moment.seconds / day
        var seconds = moment.seconds % day + Int64(offset) * 60
        while seconds < 0 { (days, seconds) = (days - 1, seconds + day) }
        while seconds >= day { (days, seconds) = (days + 1, seconds - day) }
        return (days, seconds)
    }

    private static func seconds(_ value: [UInt8]) -> Timestamp? {
        let parts = value.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count <= 2, parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isASCIIDigit) }),
            let seconds = Int64(String(decoding: parts[0], as: UTF8.self))
        else { return nil }
        var nanoseconds: Int32 = 0
        if parts.count == 2 {
            let digits = (Array(parts[1].prefix(9)) + Array(repeating: UInt8(ascii: "0"), count: 9)).prefix(9)
            nanoseconds = Int32(String(decoding: digits, as: UTF8.self)) ?? 0
        }
        return Timestamp(seconds: seconds, nanoseconds: nanoseconds)
    }

    /// `03/Feb/2026:04:05:06 +0000` as ISO 8601; nil for anything else.
    private static func fromLog(_ text: String) -> String? {
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let bytes = Array(text.utf8)
        guard bytes.count == 26, bytes[2] == UInt8(ascii: "/"), bytes[6] == UInt8(ascii: "/"),
            bytes[11] == UInt8(ascii: ":"), bytes[20] == 0x20,
            let month = months.firstIndex(of: String(decoding: bytes[3..<6], as: UTF8.self))
        else { return nil }
        func part(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
        let number = month < 9 ? "0\(month + 1)" : "\(month + 1)"
        return "\(part(7..<11))-\(number)-\(part(0..<2))T\(part(12..<20))\(part(21..<26))"
    }

    private static func text(ofOffset offset: Int) -> String {
        let minutes = abs(offset) % 60
        let hours = abs(offset) / 60
        return (offset < 0 ? "-" : "+") + (hours < 10 ? "0" : "") + "\(hours):" + (minutes < 10 ? "0" : "")
            + "\(minutes)"
    }
}
