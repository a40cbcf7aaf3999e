/// The relation of two values.
package enum Ordering: Int, Sendable, Hashable {
    /// The left one comes first.
    case less = -1
    /// They are the same.
    case equal
    /// The right one comes first.
    case greater
}

/// Compares versions, for `<`, `<=`, `>` and `>=` in rules.
///
/// A version is `[v] number *("." number) ["-" identifiers] ["+" identifiers]`, in which a number is one or more digits
/// and identifiers are runs of ASCII letters, digits and `-` separated by single dots.
///
/// * Numbers compare by value at any length; missing ones are 0: `3.10` > `3.9`, `3.2` = `3.2.0`.
/// * With equal numbers a version with `-identifiers` comes before the one without: `3.2.0-beta` < `3.2.0`.
/// * Identifiers compare one by one as in Semantic Versioning 2.0, section 11: digits only by value, others by ASCII
///   order, digits before others, and the shorter list first when it is the start of the longer.
/// * What follows `+` counts for nothing, nor does a leading `v` or `V`.
///
/// Whole numbers are versions of one number. Decimal fractions are not numbers here: `1.10` > `1.9`.
package enum VersionComparison {
    /// Returns the relation of `left` to `right`; nil if one of them is not a version.
    ///
    /// Takes linear time and allocates nothing.
    package static func compare(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Ordering? {
        guard let leftLayout = VersionLayout(left), let rightLayout = VersionLayout(right) else { return nil }
        let numbers = compareNumbers(left, leftLayout: leftLayout, right: right, rightLayout: rightLayout)
        if numbers != .equal { return numbers }
        switch (leftLayout.prerelease, rightLayout.prerelease) {
        case (nil, nil): return .equal
        case (nil, _): return .greater
        case (_, nil): return .less
        case (let leftRange?, let rightRange?):
            return compareIdentifiers(left.extracting(leftRange), right.extracting(rightRange))
        }
    }

    package static func isVersion(_ bytes: Span<UInt8>) -> Bool { VersionLayout(bytes) != nil }

    private static func compareNumbers(
        _ left: Span<UInt8>,
        leftLayout: VersionLayout,
        right: Span<UInt8>,
        rightLayout: VersionLayout
    ) -> Ordering {
        var leftStart = leftLayout.numbers.lowerBound
        var rightStart = rightLayout.numbers.lowerBound
        let leftEnd = leftLayout.numbers.upperBound
        let rightEnd = rightLayout.numbers.upperBound
        while leftStart < leftEnd || rightStart < rightEnd {
            let leftNext = endOfPart(leftStart, leftEnd, in: left)
            let rightNext = endOfPart(rightStart, rightEnd, in: right)
            let order = compareNumber(left.extracting(leftStart..<leftNext), right.extracting(rightStart..<rightNext))
            if order != .equal { return order }
            leftStart = min(leftNext + 1, leftEnd)
            rightStart = min(rightNext + 1, rightEnd)
        }
        return .equal
    }

    private static func compareIdentifiers(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Ordering {
        var leftStart = 0
        var rightStart = 0
        while leftStart < left.count, rightStart < right.count {
            let leftNext = endOfPart(leftStart, left.count, in: left)
            let rightNext = endOfPart(rightStart, right.count, in: right)
            let order = compareIdentifier(
                left.extracting(leftStart..<leftNext),
                right.extracting(rightStart..<rightNext)
            )
            if order != .equal { return order }
            leftStart = leftNext + 1
            rightStart = rightNext + 1
        }
        if leftStart >= left.count { return rightStart >= right.count ? .equal : .less }
        return .greater
    }

    private static func compareIdentifier(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Ordering {
        switch (isNumber(left), isNumber(right)) {
        case (true, true): return compareNumber(left, right)
        case (true, false): return .less
        case (false, true): return .greater
        case (false, false):
            for index in 0..<min(left.count, right.count) where left[index] != right[index] {
                return left[index] < right[index] ? .less : .greater
            }
            return order(left.count, right.count)
        }
    }

    /// Compares two numbers of any length; an empty one is 0.
    private static func compareNumber(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Ordering {
        var leftStart = 0
        var rightStart = 0
        while leftStart < left.count, left[leftStart] == UInt8(ascii: "0") { leftStart += 1 }
        while rightStart < right.count, right[rightStart] == UInt8(ascii: "0") { rightStart += 1 }
        let digits = left.count - leftStart
        guard digits == right.count - rightStart else { return order(digits, right.count - rightStart) }
        for index in 0..<digits where left[leftStart + index] != right[rightStart + index] {
            return left[leftStart + index] < right[rightStart + index] ? .less : .greater
        }
        return .equal
    }

    private static func order(_ left: Int, _ right: Int) -> Ordering {
        left == right ? .equal : left < right ? .less : .greater
    }

    private static func isNumber(_ bytes: Span<UInt8>) -> Bool {
        for index in bytes.indices where !bytes[index].isASCIIDigit { return false }
        return true
    }

    private static func endOfPart(_ start: Int, _ end: Int, in bytes: Span<UInt8>) -> Int {
        var index = start
        while index < end, bytes[index] != UInt8(ascii: ".") { index += 1 }
        return index
    }
}

/// The place where the parts of a version are.
private struct VersionLayout {
    var numbers: Range<Int>
    var prerelease: Range<Int>?

    init?(_ bytes: Span<UInt8>) {
        var index = 0
        if let first = bytes.indices.first, bytes[first] | 0x20 == UInt8(ascii: "v") { index = 1 }
        let numbersStart = index
        var needsDigit = true
        while index < bytes.count {
            if bytes[index].isASCIIDigit {
                needsDigit = false
            } else if bytes[index] == UInt8(ascii: "."), !needsDigit {
                needsDigit = true
            } else {
                break
            }
            index += 1
        }
        guard !needsDigit else { return nil }
        numbers = numbersStart..<index
        if index < bytes.count, bytes[index] == UInt8(ascii: "-") {
            guard let end = VersionLayout.endOfIdentifiers(index + 1, in: bytes) else { return nil }
            prerelease = index + 1..<end
            index = end
        }
        if index < bytes.count, bytes[index] == UInt8(ascii: "+") {
            guard let end = VersionLayout.endOfIdentifiers(index + 1, in: bytes) else { return nil }
            index = end
        }
        guard index == bytes.count else { return nil }
    }

    /// The place where a list of identifiers ends; nil when it is empty or has an empty one.
    private static func endOfIdentifiers(_ start: Int, in bytes: Span<UInt8>) -> Int? {
        var index = start
        var needsByte = true
        while index < bytes.count {
            let byte = bytes[index]
            if byte.isASCIILetter || byte.isASCIIDigit || byte == UInt8(ascii: "-") {
                needsByte = false
            } else if byte == UInt8(ascii: "."), !needsByte {
                needsByte = true
            } else {
                break
            }
            index += 1
        }
        return needsByte ? nil : index
    }
}
