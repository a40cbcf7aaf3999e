/// As much of nginx's tokenizer as is needed to find the blocks and directives of a rule text, with their places.
package struct RuleText: Sendable {
    package struct Word: Sendable, Hashable {
        /// The word without its quotes; backslashes are left unchanged.
        package var bytes: [UInt8]
        package var range: Range<Int>
    }

    package struct Item: Sendable {
        package enum Kind: Sendable {
            case directive
            case open
            case close
        }

        package var kind: Kind
        package var words: [Word]
        /// The offset behind the `;`, `{` or `}`.
        package var end: Int

        package var name: String { words.first.map { String(decoding: $0.bytes, as: UTF8.self) } ?? "" }
    }

    package let bytes: [UInt8]
    package private(set) var items: [Item] = []

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var words: [Word] = []
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            switch byte {
            case 0x20, 0x09, 0x0a, 0x0d: index += 1
            case UInt8(ascii: "#"):
                while index < bytes.count, bytes[index] != 0x0a { index += 1 }
            case UInt8(ascii: ";"), UInt8(ascii: "{"), UInt8(ascii: "}"):
                index += 1
                let kind: Item.Kind =
                    byte == UInt8(ascii: ";") ? .directive : byte == UInt8(ascii: "{") ? .open : .close
                items.append(Item(kind: kind, words: words, end: index))
                words = []
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                let end = Self.endOfQuoted(bytes, from: index + 1, quote: byte)
                words.append(Word(bytes: Array(bytes[index + 1..<end]), range: index..<min(end + 1, bytes.count)))
                index = end + 1
            default:
                let end = Self.endOfBare(bytes, from: index)
                words.append(Word(bytes: Array(bytes[index..<end]), range: index..<end))
                index = end
            }
        }
    }

    private static func endOfQuoted(_ bytes: [UInt8], from start: Int, quote: UInt8) -> Int {
        var index = start
        while index < bytes.count, bytes[index] != quote {
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(index, bytes.count)
    }

    private static func endOfBare(_ bytes: [UInt8], from start: Int) -> Int {
        var index = start
        var afterDollar = false
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\\") {
                index += 2
                afterDollar = false
                continue
            }
            if [0x20, 0x09, 0x0a, 0x0d, UInt8(ascii: ";")].contains(byte) { break }
            if byte == UInt8(ascii: "{"), !afterDollar { break }
            afterDollar = byte == UInt8(ascii: "$")
            index += 1
        }
        return min(index, bytes.count)
    }

    /// All directives with this name, at any depth.
    package func directives(named name: String) -> [Item] {
        items.filter { $0.kind == .directive && $0.name == name }
    }

    /// True if there is a `server` block at the top level: then this is text for the `http` level, otherwise it is
    /// the body of one server.
    package var hasServer: Bool { topLevel.contains { $0.kind == .open && $0.name == "server" } }

    /// The items at the top level, without those inside blocks.
    package var topLevel: [Item] {
        var depth = 0
        var result: [Item] = []
        for item in items {
            if item.kind == .close {
                depth -= 1
                continue
            }
            if depth == 0 { result.append(item) }
            if item.kind == .open { depth += 1 }
        }
        return result
    }
}
