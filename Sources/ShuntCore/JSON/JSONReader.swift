/// Reads one JSON text (RFC 8259).
///
/// Strict: no repeated names, no half surrogate pairs, at most `maximumDepth` levels. Strings stay bytes, so that nothing
/// in them is normalised.
package struct JSONReader {
    /// The deepest nesting of arrays and objects.
    package static let maximumDepth = 32

    private let text: [UInt8]
    private var offset = 0
    /// The place where values and names of members are, in the order in which they begin; kept for `readPlaced` only.
    private var places: [Range<Int>]?

    private init(_ text: [UInt8]) { self.text = text }

    package static func read(_ text: [UInt8]) throws(JSONError) -> JSONValue {
        var reader = JSONReader(text)
        return try reader.value(endingWith: "line")
    }

    /// Reads a whole text, and keeps where everything is.
    package static func readPlaced(_ text: [UInt8]) throws(JSONError) -> PlacedJSON {
        var reader = JSONReader(text)
        reader.places = []
        let value = try reader.value(endingWith: "file")
        var places = (reader.places ?? [])[...]
        return PlacedJSON(value, taking: &places)
    }

    private mutating func value(endingWith whole: String) throws(JSONError) -> JSONValue {
        guard text.span.isUTF8 else { throw JSONError(problem: "the text is not UTF-8", offset: 0) }
        let value = try value(depth: 0)
        skipSpace()
        guard offset == text.count else { throw error("expected the end of the \(whole)") }
        return value
    }

    private func error(_ problem: String) -> JSONError { JSONError(problem: problem, offset: offset) }

    private var current: UInt8? { offset < text.count ? text[offset] : nil }

    private mutating func skipSpace() {
        while let byte = current, byte == 0x20 || byte == 0x09 || byte == 0x0a || byte == 0x0d { offset += 1 }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard current == byte else { return false }
        offset += 1
        return true
    }

    private mutating func value(depth: Int) throws(JSONError) -> JSONValue {
        skipSpace()
        guard let place = places?.count else { return try unplacedValue(depth: depth) }
        let start = offset
        places?.append(start..<start)
        let value = try unplacedValue(depth: depth)
        places?[place] = start..<offset
        return value
    }

    private mutating func unplacedValue(depth: Int) throws(JSONError) -> JSONValue {
        switch current {
        case UInt8(ascii: "{"): return try object(depth: depth + 1)
        case UInt8(ascii: "["): return try array(depth: depth + 1)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .boolean(true))
        case UInt8(ascii: "f"): return try word("false", .boolean(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case UInt8(ascii: "-")?, (UInt8(ascii: "0")...UInt8(ascii: "9"))?: return .number(try number())
        default: throw unexpected("a value")
        }
    }

    /// The error where something else is than is expected, with the way out for what people write there.
    private func unexpected(_ expected: String) -> JSONError {
        let advice: String? =
            switch current {
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                text[..<offset].last { $0 > 0x20 } == UInt8(ascii: ",") ? "remove the comma before it" : nil
            case UInt8(ascii: "/"): "JSON has no comments"
            case UInt8(ascii: "'"): "write double quotes"
            case 0xef? where text[offset...].starts(with: [0xef, 0xbb, 0xbf]):
                "save the file as UTF-8 without a byte order mark"
            default: nil
            }
        return error("expected \(expected)\(advice.map { " (\($0))" } ?? "")")
    }

    private mutating func word(_ word: String, _ value: JSONValue) throws(JSONError) -> JSONValue {
        guard text[offset...].starts(with: word.utf8) else { throw error("expected a value") }
        offset += word.utf8.count
        return value
    }

    private mutating func object(depth: Int) throws(JSONError) -> JSONValue {
        guard depth <= Self.maximumDepth else { throw error("more than \(Self.maximumDepth) levels") }
        offset += 1
        var members: [JSONMember] = []
        var names: Set<String> = []
        skipSpace()
        if take(UInt8(ascii: "}")) { return .object([]) }
        repeat {
            skipSpace()
            guard current == UInt8(ascii: "\"") else { throw unexpected("a name in quotes") }
            let place = offset
            let name = String(decoding: try string(), as: UTF8.self)
            places?.append(place..<offset)
            guard isNew(name, members: members, to: &names) else {
                throw JSONError(problem: "a repeated name", offset: place)
            }
            skipSpace()
            guard take(UInt8(ascii: ":")) else { throw error("expected \":\"") }
            members.append(JSONMember(name: name, value: try value(depth: depth)))
            skipSpace()
        } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "}")) else { throw error("expected \",\" or \"}\"") }
        return .object(members)
    }

    /// Most objects are small, and a few names are compared sooner than they are hashed.
    private func isNew(_ name: String, members: [JSONMember], to names: inout Set<String>) -> Bool {
        if members.count < 16 { return !members.contains { $0.name == name } }
        if names.isEmpty { names = Set(members.map(\.name)) }
        return names.insert(name).inserted
    }

    private mutating func array(depth: Int) throws(JSONError) -> JSONValue {
        guard depth <= Self.maximumDepth else { throw error("more than \(Self.maximumDepth) levels") }
        offset += 1
        var items: [JSONValue] = []
        skipSpace()
        if take(UInt8(ascii: "]")) { return .array([]) }
        repeat {
            items.append(try value(depth: depth))
            skipSpace()
        } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "]")) else { throw error("expected \",\" or \"]\"") }
        return .array(items)
    }

    private mutating func number() throws(JSONError) -> [UInt8] {
        let start = offset
        _ = take(UInt8(ascii: "-"))
        if !take(UInt8(ascii: "0")) { try digits() }
        if take(UInt8(ascii: ".")) { try digits() }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            try digits()
        }
        return Array(text[start..<offset])
    }

    private mutating func digits() throws(JSONError) {
        let start = offset
        while let byte = current, byte.isASCIIDigit { offset += 1 }
        guard offset > start else { throw error("expected a digit") }
    }

    // MARK: Strings

    private mutating func string() throws(JSONError) -> [UInt8] {
        offset += 1
        let start = offset
        while let byte = current, byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") { offset += 1 }
        var result = Array(text[start..<offset])
        while let byte = current {
            offset += 1
            switch byte {
            case UInt8(ascii: "\""): return result
            case UInt8(ascii: "\\"): try escape(into: &result)
            case 0..<0x20: throw JSONError(problem: "a control character in a string", offset: offset - 1)
            default: result.append(byte)
            }
        }
        throw error("expected the closing quote")
    }

    private mutating func escape(into result: inout [UInt8]) throws(JSONError) {
        guard let byte = current else { throw error("expected the closing quote") }
        offset += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): result.append(byte)
        case UInt8(ascii: "b"): result.append(0x08)
        case UInt8(ascii: "f"): result.append(0x0c)
        case UInt8(ascii: "n"): result.append(0x0a)
        case UInt8(ascii: "r"): result.append(0x0d)
        case UInt8(ascii: "t"): result.append(0x09)
        case UInt8(ascii: "u"):
            let place = offset - 2
            guard let scalar = Unicode.Scalar(try codePoint()) else {
                throw JSONError(problem: "half of a surrogate pair", offset: place)
            }
            result.append(contentsOf: String(Character(scalar)).utf8)
        default: throw JSONError(problem: "an unknown escape", offset: offset - 2)
        }
    }

    /// The code point of a `\u` escape, or of the two that make a surrogate pair; half a pair stays a surrogate.
    private mutating func codePoint() throws(JSONError) -> UInt32 {
        let first = try codeUnit()
        guard (0xd800...0xdbff).contains(first), text[offset...].starts(with: [0x5c, 0x75]) else { return first }
        offset += 2
        let second = try codeUnit()
        guard (0xdc00...0xdfff).contains(second) else { return first }
        return 0x10000 + (first - 0xd800) << 10 + (second - 0xdc00)
    }

    private mutating func codeUnit() throws(JSONError) -> UInt32 {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = current, let digit = byte.hexadecimalValue else {
                throw error("expected four hexadecimal digits")
            }
            unit = unit << 4 + UInt32(digit)
            offset += 1
        }
        return unit
    }
}
