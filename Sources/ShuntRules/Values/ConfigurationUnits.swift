import ShuntCore

/// Times and sizes as nginx writes them.
enum ConfigurationUnits {
    /// The seconds that a time such as `30`, `30s` or `1h 30m` stands for; nil if it is invalid.
    ///
    /// Units come in descending order, each once, and a number without a unit is last.
    ///
    /// Source: http://nginx.org/en/docs/syntax.html
    static func seconds(_ bytes: ArraySlice<UInt8>) -> Int? {
        let units: [(letter: UInt8, seconds: Int)] = [
            (UInt8(ascii: "y"), 365 * 86_400), (UInt8(ascii: "M"), 30 * 86_400), (UInt8(ascii: "w"), 7 * 86_400),
            (UInt8(ascii: "d"), 86_400), (UInt8(ascii: "h"), 3_600), (UInt8(ascii: "m"), 60), (UInt8(ascii: "s"), 1),
        ]
        var allowed = units[...]
        var total = 0
        var rest = bytes
        guard rest.first?.isASCIIDigit == true else { return nil }
        while !rest.isEmpty {
            let digits = rest.prefix(while: \.isASCIIDigit)
            guard let number = digits.decimalNumber else { return nil }
            rest = rest.dropFirst(digits.count)
            var scale = 1
            if let letter = rest.first {
                guard let unit = allowed.firstIndex(where: { $0.letter == letter }) else { return nil }
                scale = allowed[unit].seconds
                allowed = allowed[(unit + 1)...]
                rest = rest.dropFirst().drop { $0 == UInt8(ascii: " ") }
            }
            let (product, overflows) = number.multipliedReportingOverflow(by: scale)
            guard !overflows, product <= Int(Int32.max), total + product <= Int(Int32.max) else { return nil }
            total += product
        }
        return total
    }

    /// The milliseconds that a time such as `30`, `500ms` or `1m 30s` stands for; nil if it is invalid.
    static func milliseconds(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard bytes.suffix(2).elementsEqual("ms".utf8) else { return seconds(bytes).map { $0 * 1_000 } }
        let rest = bytes.dropLast(2)
        let start = rest.lastIndex { !$0.isASCIIDigit }.map { $0 + 1 } ?? rest.startIndex
        guard let number = rest[start...].decimalNumber, number <= Int(Int32.max) else { return nil }
        let before = Array(rest[..<start].reversed().drop { $0 == UInt8(ascii: " ") }.reversed())
        if before.isEmpty { return number }
        guard before.last?.isASCIIDigit == false, let seconds = seconds(before[...]) else { return nil }
        return seconds * 1_000 + number
    }

    /// The bytes that a size such as `8k`, `20m` or `1g` stands for; nil for anything else, and beyond `Int.max`.
    static func offset(_ bytes: ArraySlice<UInt8>) -> Int? {
        let shift =
            switch (bytes.last ?? 0) | 0x20 {
            case UInt8(ascii: "k"): 10
            case UInt8(ascii: "m"): 20
            case UInt8(ascii: "g"): 30
            default: 0
            }
        let number = (shift == 0 ? bytes : bytes.dropLast()).decimalInteger
        return number.flatMap { $0 <= Int.max >> shift ? $0 << shift : nil }
    }

    /// The bytes that a size such as `8k` or `1m` stands for; nil if it is invalid.
    static func size(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard let last = bytes.last else { return nil }
        switch last | 0x20 {
        case UInt8(ascii: "k"): return bytes.dropLast().decimalNumber.map { $0 << 10 }
        case UInt8(ascii: "m"): return bytes.dropLast().decimalNumber.map { $0 << 20 }
        default: return bytes.decimalNumber
        }
    }
}
