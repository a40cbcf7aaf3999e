/// Blocks of Lua in an nginx.conf, which are passed and not read.
enum CodeBlock {
    /// Returns true if the block of a directive is code.
    static func isCode(_ name: [UInt8]) -> Bool {
        let ending = Array("_by_lua_block".utf8)
        return name.count > ending.count && name.suffix(ending.count).elementsEqual(ending)
    }

    /// The offset of the brace that closes a block whose code begins at `start`; nil when there is none.
    ///
    /// Braces in strings and comments do not count, as in the module that runs the code. Takes one pass over the bytes.
    static func end(in bytes: [UInt8], from start: Int) -> Int? {
        var index = start
        var depth = 0
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "}"):
                if depth == 0 { return index }
                depth -= 1
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                index = stringEnd(in: bytes, from: index)
            case UInt8(ascii: "-") where index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "-"):
                if let end = longBracketEnd(in: bytes, from: index + 2) {
                    index = end
                } else {
                    while index < bytes.count, bytes[index] != UInt8(ascii: "\n") { index += 1 }
                }
            case UInt8(ascii: "["):
                if let end = longBracketEnd(in: bytes, from: index) { index = end }
            default: break
            }
            index += 1
        }
        return nil
    }

    /// The closing quote of a string, or the end of its line.
    private static func stringEnd(in bytes: [UInt8], from start: Int) -> Int {
        var index = start + 1
        while index < bytes.count, bytes[index] != bytes[start], bytes[index] != UInt8(ascii: "\n") {
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return index
    }

    /// The last byte of a text between `[[` and `]]`, or `[=[` and `]=]`; nil where none begins.
    private static func longBracketEnd(in bytes: [UInt8], from start: Int) -> Int? {
        guard start < bytes.count, bytes[start] == UInt8(ascii: "[") else { return nil }
        var index = start + 1
        while index < bytes.count, bytes[index] == UInt8(ascii: "=") { index += 1 }
        let level = index - start - 1
        guard index < bytes.count, bytes[index] == UInt8(ascii: "[") else { return nil }
        index += 1
        while index < bytes.count {
            guard bytes[index] == UInt8(ascii: "]") else {
                index += 1
                continue
            }
            var close = index + 1
            while close < bytes.count, bytes[close] == UInt8(ascii: "="), close - index <= level { close += 1 }
            if close - index - 1 == level, close < bytes.count, bytes[close] == UInt8(ascii: "]") { return close }
            index = max(close, index + 1)
        }
        return bytes.count
    }
}
