/// A moment taken apart by the Gregorian calendar, extended to all years in both directions.
package struct CalendarTime {
    var year: Int64
    var month: Int64
    var day: Int64
    var hour: Int64
    var minute: Int64
    var second: Int64

    static let secondsPerDay: Int64 = 86_400

    /// Takes `moment` apart as a clock shows it that is `offset` minutes ahead of UTC.
    init(_ moment: Timestamp, offset: Int) {
        let (days, rest) = TimeValue.split(moment, offset)
        hour = rest / 3600
        minute = rest / 60 % 60
        second = rest % 60

        // Years are counted from March, so that the leap day is the last of its year; 400 years have 146,097 days.
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// Days from 1970-01-01 to a date; the year must be one of 0 to 9999.
    static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
        let marchYear = month <= 2 ? year - 1 : year
        let era = (marchYear >= 0 ? marchYear : marchYear - 399) / 400
        let yearOfEra = marchYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    package static func daysInMonth(year: Int64, month: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// `2026-02-03T04:05:06`.
    ///
    /// Years outside 0 to 9999 get a sign and as many digits as they need (ISO 8601).
    func appendDateAndTime(to bytes: inout some ByteSink) {
        appendYear(to: &bytes)
        bytes.append(UInt8(ascii: "-"))
        bytes.append(month, digits: 2)
        bytes.append(UInt8(ascii: "-"))
        bytes.append(day, digits: 2)
        bytes.append(UInt8(ascii: "T"))
        appendClock(to: &bytes)
    }

    /// `04:05:06`.
    func appendClock(to bytes: inout some ByteSink) {
        bytes.append(hour, digits: 2)
        bytes.append(UInt8(ascii: ":"))
        bytes.append(minute, digits: 2)
        bytes.append(UInt8(ascii: ":"))
        bytes.append(second, digits: 2)
    }

    /// `03/Feb/2026:04:05:06`.
    func appendLogDateAndTime(to bytes: inout some ByteSink) {
        appendDate(separator: UInt8(ascii: "/"), to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        appendClock(to: &bytes)
    }

    /// `03/Feb/2026`.
    func appendDate(separator: UInt8, to bytes: inout some ByteSink) {
        bytes.append(day, digits: 2)
        bytes.append(separator)
        for byte in CalendarTime.months[Int(month - 1)].utf8 { bytes.append(byte) }
        bytes.append(separator)
        appendYear(to: &bytes)
    }

    static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    private func appendYear(to bytes: inout some ByteSink) {
        if year < 0 { bytes.append(UInt8(ascii: "-")) }
        if year > 9999 { bytes.append(UInt8(ascii: "+")) }
        bytes.append(abs(year), digits: 4)
    }
}
