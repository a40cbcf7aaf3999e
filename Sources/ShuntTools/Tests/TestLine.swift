import ShuntRules

/// A line of a test file, or a part of it, whose bytes know where they are.
struct TestLine {
    /// Bytes without a space.
    struct Word {
        var bytes: [UInt8]
        /// The place where it begins in the line.
        var offset: Int
    }

    private var bytes: ArraySlice<UInt8>
    /// The index of the first byte of the line.
    private let start: Int

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        start = bytes.startIndex
    }

    private init(_ bytes: ArraySlice<UInt8>, of line: TestLine) {
        self.bytes = bytes
        start = line.start
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0d }

    var isEmpty: Bool { bytes.allSatisfy(Self.isSpace) }

    /// The bytes without spaces at both ends.
    var trimmed: ArraySlice<UInt8> {
        var result = bytes.drop(while: Self.isSpace)
        while let last = result.last, Self.isSpace(last) { result.removeLast() }
        return result
    }

    var words: [Word] {
        bytes.split(whereSeparator: Self.isSpace).map { Word(bytes: Array($0), offset: $0.startIndex - start) }
    }

    func after(_ word: Word) -> TestLine {
        TestLine(bytes[(start + word.offset + word.bytes.count)...], of: self)
    }

    /// Takes off a remark, which begins with two spaces and `# `.
    mutating func dropRemark() { if let range = find("  # ") { bytes = bytes[..<range] } }

    /// Returns the parts before and after ` -> `; nil after if there is no arrow.
    func splitAtArrow() -> (before: TestLine, after: TestLine?) {
        guard let arrow = find(" -> ") else {
            let text = trimmed
            guard text.suffix(3).elementsEqual(" ->".utf8) else { return (self, nil) }
            return (TestLine(text.dropLast(3), of: self), TestLine(bytes[text.endIndex...], of: self))
        }
        return (TestLine(bytes[..<arrow], of: self), TestLine(bytes[(arrow + 4)...], of: self))
    }

    private func find(_ text: String) -> Int? {
        let wanted = Array(text.utf8)
        guard bytes.count >= wanted.count else { return nil }
        return (bytes.startIndex...bytes.endIndex - wanted.count).first { bytes[$0...].starts(with: wanted) }
    }

    /// Takes off `(route NAME, KEY=VALUE, …)` at the end.
    mutating func takeRoute() -> (name: String, parameters: [Decision.Parameter])? {
        let text = trimmed
        guard text.last == UInt8(ascii: ")"), let open = find("(route ") else { return nil }
        let inner = String(decoding: bytes[(open + 7)..<text.endIndex - 1], as: UTF8.self)
        var parts = inner.split(separator: ", ", omittingEmptySubsequences: false).map(String.init)
        guard !parts.isEmpty else { return nil }
        let name = parts.removeFirst()
        bytes = bytes[..<open]
        return (
            name,
            parts.map { part in
                let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
                let value = WrittenBytes.decode((pair.count > 1 ? pair[1] : "").utf8)
                return Decision.Parameter(name: pair[0], value: String(decoding: value, as: UTF8.self))
            }
        )
    }

    /// Takes off `"TEXT"` at the end.
    mutating func takeQuoted() -> [UInt8]? {
        let text = trimmed
        guard text.count > 1, text.last == UInt8(ascii: "\""), let open = text.firstIndex(of: UInt8(ascii: "\"")),
            open < text.endIndex - 1
        else { return nil }
        bytes = bytes[..<open]
        return Array(text[(open + 1)..<text.endIndex - 1])
    }
}
