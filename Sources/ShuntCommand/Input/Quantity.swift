#if Command && (Gateway || Fleet)
import ArgumentParser

/// A time as people write it: seconds alone, or with a unit, as in nginx: `75`, `10s`, `5m`, `1h30m`, `1d`.
struct Seconds: ExpressibleByArgument, CustomStringConvertible {
    let value: Int

    init(_ value: Int) { self.value = value }

    init?(argument: String) {
        guard let value = Quantity.sum(of: argument, units: ["s": 1, "m": 60, "h": 3_600, "d": 86_400], default: "s")
        else { return nil }
        self.value = value
    }

    var description: String { "\(value)s" }
    var defaultValueDescription: String { description }
}

/// A size as people write it: bytes alone, or with a unit, as in nginx: `65536`, `64k`, `20m`, `1g`.
struct ByteCount: ExpressibleByArgument, CustomStringConvertible {
    let value: Int

    init(_ value: Int) { self.value = value }

    init?(argument: String) {
        let units: [Character: Int] = ["b": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30]
        guard let value = Quantity.sum(of: argument.lowercased(), units: units, default: "b") else { return nil }
        self.value = value
    }

    var description: String {
        for (shift, unit) in [(30, "g"), (20, "m"), (10, "k")] where value > 0 && value % (1 << shift) == 0 {
            return "\(value >> shift)\(unit)"
        }
        return "\(value)"
    }
    var defaultValueDescription: String { description }
}

enum Quantity {
    /// The sum of numbers with units, the largest unit first; nil if the text is not a sum, or too large.
    static func sum(of text: String, units: [Character: Int], default usual: Character) -> Int? {
        var sum = 0
        var last = Int.max
        var rest = text[...]
        guard !rest.isEmpty else { return nil }
        while !rest.isEmpty {
            let digits = rest.prefix { ("0"..."9").contains($0) }
            rest = rest.dropFirst(digits.count)
            guard let number = Int(digits), let unit = units[rest.first ?? usual], unit < last else { return nil }
            rest = rest.dropFirst()
            let (product, isTooLarge) = number.multipliedReportingOverflow(by: unit)
            let (next, overflows) = sum.addingReportingOverflow(product)
            guard !isTooLarge, !overflows else { return nil }
            sum = next
            last = unit
        }
        return sum
    }
}
#endif
