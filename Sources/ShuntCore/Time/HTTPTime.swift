/// Times in headers of HTTP.
package enum HTTPTime {
    /// Reads `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` or `Sun Nov  6 08:49:37 1994`, as nginx does: what
    /// follows does not count.
    package static func seconds(_ bytes: [UInt8]) -> Int64? {
        let text = String(decoding: bytes, as: UTF8.self)
        let hasComma = bytes.contains(UInt8(ascii: ","))
        let words = (hasComma ? text.drop { $0 != "," }.dropFirst() : text.drop { $0 != " " })
            .split { $0 == " " || hasComma && $0 == "-" }
        guard words.count >= 4 else { return nil }
        let (day, month, year, clock) =
            hasComma ? (words[0], words[1], words[2], words[3]) : (words[1], words[0], words[3], words[2])
        let time = clock.split(separator: ":", omittingEmptySubsequences: false)
        guard let month = CalendarTime.months.firstIndex(of: String(month)), let day = number(day, 1...2),
            time.count == 3,
            let hour = number(time[0], 2...2), let minute = number(time[1], 2...2), let second = number(time[2], 2...2),
            var year = number(year, 2...4), hour < 24, minute < 60, second < 60
        else { return nil }
        if year < 70 { year += 2000 } else if year < 100 { year += 1900 }
        guard year >= 1970, (1...CalendarTime.daysInMonth(year: year, month: Int64(month + 1))).contains(day) else {
            return nil
        }
        let days = CalendarTime.days(year: year, month: Int64(month + 1), day: day)
        return days * 86_400 + hour * 3_600 + minute * 60 + second
    }

    private static func number(_ text: Substring, _ length: ClosedRange<Int>) -> Int64? {
        guard length.contains(text.utf8.count), text.utf8.allSatisfy(\.isASCIIDigit) else { return nil }
        return Int64(text)
    }
}
