/// The place where the directives of a rule file are, found without the parser of the engine.
enum RuleText {
    /// The ranges of all directives, with their blocks, in order; a block's directives follow the directive itself.
    static func directives(in text: String) -> [Range<Int>] {
        let bytes = Array(text.utf8)
        var ranges: [Range<Int>] = []
        var starts: [Int] = []
        var current: Int?
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "\n"):
                index += 1
            case UInt8(ascii: "#"):
                while index < bytes.count, bytes[index] != UInt8(ascii: "\n") { index += 1 }
            case UInt8(ascii: ";"):
                if let start = current { ranges.append(start..<(index + 1)) }
                current = nil
                index += 1
            case UInt8(ascii: "{"):
                starts.append(current ?? index)
                current = nil
                index += 1
            case UInt8(ascii: "}"):
                if let start = starts.popLast() { ranges.append(start..<(index + 1)) }
                index += 1
            default:
                if current == nil { current = index }
                index = endOfWord(in: bytes, from: index)
            }
        }
        return ranges.sorted { ($0.lowerBound, $1.upperBound) < ($1.lowerBound, $0.upperBound) }
    }

    private static func endOfWord(in bytes: [UInt8], from start: Int) -> Int {
        var index = start
        if bytes[start] == UInt8(ascii: "\"") {
            index += 1
            while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
                index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
            }
            return min(index + 1, bytes.count)
        }
        while index < bytes.count, ![0x20, 0x0a, 0x3b, 0x7b].contains(bytes[index]) {
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(index, bytes.count)
    }

    /// The ranges of the lines of a list that name whole hosts.
    static func hosts(in text: String) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var start = 0
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let end = start + line.utf8.count
            if line.hasPrefix("||"), line.contains("^") { ranges.append(start..<end) }
            start = end + 1
        }
        return ranges
    }

    /// The text with a range of it blank, everything else staying where it is.
    static func blanking(_ range: Range<Int>, in text: String) -> String {
        var bytes = Array(text.utf8)
        for index in range where bytes[index] != UInt8(ascii: "\n") { bytes[index] = UInt8(ascii: " ") }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The text in a range.
    static func text(_ range: Range<Int>, in text: String) -> String {
        String(decoding: Array(text.utf8)[range], as: UTF8.self)
    }
}
