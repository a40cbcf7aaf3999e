import ShuntCore

/// The type of a parameter such as `:id(int)`.
///
/// A value that does not fit is not a match; it is never an error. Types are checked on the decoded value. The order of
/// the cases is the order in which types are tried where several are at the same place of a path: narrow before wide.
@nonexhaustive public enum ParameterType: String, Sendable, Hashable, CaseIterable {
    /// `true` or `false`.
    case bool
    /// Decimal digits that fit 64 bits without a sign.
    case uint
    /// Decimal digits, after `-` if wanted, that fit 64 bits with a sign.
    case int
    /// An `int` of any size, after which `.` and more digits may follow.
    case decimal
    /// A day of the Gregorian calendar as `YYYY-MM-DD`; the day exists.
    case date
    /// 32 hexadecimal digits of either case in groups of 8, 4, 4, 4 and 12 (RFC 9562).
    case uuid
    /// One or more hexadecimal digits of either case.
    case hex
    /// One or more ASCII letters.
    case alpha
    /// One or more ASCII letters and digits.
    case alnum
    /// Runs of ASCII letters and digits, joined by single `-`.
    case slug

    /// The types by their numbers in tables.
    static let numbered = allCases

    package func accepts(_ value: Span<UInt8>) -> Bool {
        switch self {
        case .bool: Self.isBool(value)
        case .uint: Self.fits(value, from: 0, maximum: UInt64.max)
        case .int: Self.isInteger(value)
        case .decimal: Self.isDecimal(value)
        case .date: Self.isDate(value)
        case .uuid: Self.isUUID(value)
        case .hex: Self.all(value) { $0.hexadecimalValue != nil }
        case .alpha: Self.all(value) { $0.isASCIILetter }
        case .alnum: Self.all(value) { $0.isASCIILetter || $0.isASCIIDigit }
        case .slug: Self.isSlug(value)
        }
    }

    @inline(__always) private static func all(_ value: Span<UInt8>, _ isMember: (UInt8) -> Bool) -> Bool {
        for index in value.indices where !isMember(value[index]) { return false }
        return !value.isEmpty
    }

    private static func isBool(_ value: Span<UInt8>) -> Bool {
        if value.count == 4 { return equals(value, "true") }
        return value.count == 5 && equals(value, "false")
    }

    private static func equals(_ value: Span<UInt8>, _ word: StaticString) -> Bool {
        for index in value.indices where unsafe value[index] != word.utf8Start[index] { return false }
        return true
    }

    private static func fits(_ value: Span<UInt8>, from start: Int, maximum: UInt64) -> Bool {
        guard start < value.count else { return false }
        var number: UInt64 = 0
        for index in start..<value.count {
            guard value[index].isASCIIDigit else { return false }
            let (tenfold, overflowed) = number.multipliedReportingOverflow(by: 10)
            let (sum, carried) = tenfold.addingReportingOverflow(UInt64(value[index] &- 0x30))
            if overflowed || carried || sum > maximum { return false }
            number = sum
        }
        return true
    }

    private static func isInteger(_ value: Span<UInt8>) -> Bool {
        guard !value.isEmpty else { return false }
        let isNegative = value[0] == UInt8(ascii: "-")
        let maximum = UInt64(Int64.max) + (isNegative ? 1 : 0)
        return fits(value, from: isNegative ? 1 : 0, maximum: maximum)
    }

    private static func isDecimal(_ value: Span<UInt8>) -> Bool {
        var digits = 0
        var point = -1
        for index in value.indices {
            let byte = value[index]
            if byte.isASCIIDigit {
                digits += 1
            } else if byte == UInt8(ascii: "."), point < 0, digits > 0 {
                point = index
            } else if byte != UInt8(ascii: "-") || index != 0 {
                return false
            }
        }
        return digits > 0 && point != value.count - 1
    }

    private static func isDate(_ value: Span<UInt8>) -> Bool {
        guard value.count == 10, value[4] == UInt8(ascii: "-"), value[7] == UInt8(ascii: "-") else { return false }
        func number(_ range: Range<Int>) -> Int64? {
            var result: Int64 = 0
            for index in range {
                guard value[index].isASCIIDigit else { return nil }
                result = result * 10 + Int64(value[index] &- 0x30)
            }
            return result
        }
        guard let year = number(0..<4), let month = number(5..<7), (1...12).contains(month), let day = number(8..<10)
        else { return false }
        return day >= 1 && day <= CalendarTime.daysInMonth(year: year, month: month)
    }

    private static func isUUID(_ value: Span<UInt8>) -> Bool {
        guard value.count == 36 else { return false }
        for index in 0..<36 {
            let isDash = index == 8 || index == 13 || index == 18 || index == 23
            let fits = isDash ? value[index] == UInt8(ascii: "-") : value[index].hexadecimalValue != nil
            if !fits { return false }
        }
        return true
    }

    private static func isSlug(_ value: Span<UInt8>) -> Bool {
        var afterDash = true
        for index in value.indices {
            let byte = value[index]
            if byte == UInt8(ascii: "-") {
                if afterDash { return false }
                afterDash = true
            } else {
                guard byte.isASCIILetter || byte.isASCIIDigit else { return false }
                afterDash = false
            }
        }
        return !afterDash
    }
}
