extension Collection<UInt8> {
    /// The number that decimal digits stand for; nil for anything else, and for more than nine digits that count.
    package var decimalNumber: Int? {
        guard !isEmpty else { return nil }
        var value = 0
        for byte in self {
            guard byte.isASCIIDigit, value < 100_000_000 else { return nil }
            value = value * 10 + Int(byte - UInt8(ascii: "0"))
        }
        return value
    }

    /// The number that decimal digits stand for; nil for anything else, and beyond `Int.max`.
    package var decimalInteger: Int? {
        guard !isEmpty else { return nil }
        var value = 0
        for byte in self {
            guard byte.isASCIIDigit else { return nil }
            let (product, isTooLarge) = value.multipliedReportingOverflow(by: 10)
            let (sum, isLarger) = product.addingReportingOverflow(Int(byte - UInt8(ascii: "0")))
            guard !isTooLarge, !isLarger else { return nil }
            value = sum
        }
        return value
    }
}
