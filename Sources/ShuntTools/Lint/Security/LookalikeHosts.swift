import Shunt

extension LintSubject {
    func mixedScriptHost() -> [LintFound] {
        var known: Set<SourcePosition> = []
        return tree.nodes.flatMap { node in
            node.arguments.compactMap { word in
                guard word.bytes.count < 256, let label = Self.mixedLabel(in: word.text),
                    known.insert(word.position).inserted
                else { return nil }
                return LintFound(
                    word,
                    "\(word.text) has letters of several alphabets: \(label)",
                    advice: "write the name that is meant"
                )
            }
        }
    }

    /// The first label in Punycode that mixes Latin with letters that look like it.
    private static func mixedLabel(in text: String) -> String? {
        for label in text.lowercased().split(whereSeparator: { "./:".contains($0) }) where label.hasPrefix("xn--") {
            guard let scalars = Punycode.decoded(label.dropFirst(4)) else { continue }
            let hasLatin = scalars.contains { (0x61...0x7a).contains($0.value) }
            let other = scalars.first { (0x370...0x52f).contains($0.value) }
            if hasLatin, let other {
                return "U+0" + String(other.value, radix: 16, uppercase: true) + " among Latin letters"
            }
        }
        return nil
    }
}

/// Names of hosts in letters beyond ASCII, as DNS has them (RFC 3492).
private enum Punycode {
    private static let base = 36

    /// The letters of a label without its `xn--`; nil if it is malformed.
    static func decoded(_ label: Substring) -> [Unicode.Scalar]? {
        let bytes = Array(label.utf8)
        let mark = bytes.lastIndex(of: UInt8(ascii: "-"))
        var output = mark.map { bytes[..<$0].map { UInt32($0) } } ?? []
        var index = mark.map { $0 + 1 } ?? 0
        var (number, bias, position) = (128, 72, 0)
        while index < bytes.count {
            let start = position
            var weight = 1
            var step = base
            while true {
                guard index < bytes.count, let digit = digit(bytes[index]), weight < 1 << 30 else { return nil }
                index += 1
                position += digit * weight
                let threshold = step <= bias ? 1 : step >= bias + 26 ? 26 : step - bias
                if digit < threshold { break }
                weight *= base - threshold
                step += base
            }
            let count = output.count + 1
            bias = adapted(position - start, count, isFirst: start == 0)
            number += position / count
            position %= count
            guard number < 0x110000 else { return nil }
            output.insert(UInt32(number), at: position)
            position += 1
        }
        return output.compactMap(Unicode.Scalar.init)
    }

    private static func digit(_ byte: UInt8) -> Int? {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(byte - UInt8(ascii: "a"))
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte - UInt8(ascii: "0")) + 26
        default: nil
        }
    }

    private static func adapted(_ delta: Int, _ count: Int, isFirst: Bool) -> Int {
        var delta = isFirst ? delta / 700 : delta / 2
        delta += delta / count
        var steps = 0
        while delta > 455 {
            delta /= 35
            steps += base
        }
        return steps + 36 * delta / (delta + 38)
    }
}
