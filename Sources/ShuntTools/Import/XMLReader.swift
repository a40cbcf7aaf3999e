/// An element of an XML file.
package struct XMLElement {
    /// An attribute, its entities resolved.
    package struct Attribute {
        package var name: String
        package var value: String
        /// The offset of its name.
        package var offset: Int
    }

    package var name: String
    package var attributes: [Attribute] = []
    package var children: [XMLElement] = []
    /// The offset of its `<`.
    package var offset: Int

    /// The value of an attribute; nil if there is none.
    package subscript(_ name: String) -> String? { attributes.first { $0.name == name }?.value }
}

/// Reads the elements and attributes of an XML file; text, comments and instructions are passed over.
///
/// Declarations of entities are refused, so that a small file cannot become a large one.
package struct XMLReader {
    /// A place where the file is not what this reader takes.
    package struct Problem: Error {
        package var message: String
        package var offset: Int
    }

    private static let depthLimit = 256
    private static let elementLimit = 100_000

    private let bytes: [UInt8]
    private var index = 0
    private var count = 0

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The outermost element.
    package static func read(_ bytes: [UInt8]) throws(Problem) -> XMLElement {
        var reader = XMLReader(bytes)
        // The elements that are open, with the outermost first.
        var open: [XMLElement] = []
        while try reader.findTag() {
            if reader.starts(with: "</") {
                let start = reader.index
                reader.index += 2
                let name = reader.name()
                reader.skipBlanks()
                guard reader.take(">"), let element = open.popLast(), element.name == name else {
                    throw Problem(message: "\"</\(name)>\" closes no element", offset: start)
                }
                guard !open.isEmpty else { return element }
                open[open.count - 1].children.append(element)
                continue
            }
            let (element, isClosed) = try reader.element()
            if isClosed, open.isEmpty { return element }
            if isClosed {
                open[open.count - 1].children.append(element)
            } else {
                open.append(element)
            }
            if open.count > depthLimit {
                throw Problem(message: "elements nest deeper than \(depthLimit)", offset: element.offset)
            }
        }
        let message = open.last.map { "\"<\($0.name)>\" is not closed" } ?? "there is no element"
        throw Problem(message: message, offset: open.last?.offset ?? 0)
    }

    /// Goes to the next tag of an element; false at the end of the file.
    private mutating func findTag() throws(Problem) -> Bool {
        while let start = bytes[index...].firstIndex(of: UInt8(ascii: "<")) {
            index = start
            let others = [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>"), ("<!", ">")]
            guard let (sign, end) = others.first(where: { starts(with: $0.0) }) else { return true }
            try skip(past: end)
            if sign == "<!", bytes[start..<index].contains(UInt8(ascii: "[")) {
                throw Problem(message: "declarations in a document type are not read", offset: start)
            }
        }
        return false
    }

    private mutating func element() throws(Problem) -> (element: XMLElement, isClosed: Bool) {
        let start = index
        count += 1
        guard count <= Self.elementLimit else {
            throw Problem(message: "there are more than \(Self.elementLimit) elements", offset: start)
        }
        index += 1
        var element = XMLElement(name: name(), offset: start)
        guard !element.name.isEmpty else { throw Problem(message: "an element has no name", offset: start) }
        while true {
            skipBlanks()
            if take(">") { return (element, false) }
            if take("/>") { return (element, true) }
            let offset = index
            let attribute = name()
            guard !attribute.isEmpty else {
                throw Problem(message: "an attribute or the end of \"<\(element.name)\" is missing", offset: offset)
            }
            skipBlanks()
            guard take("=") else { throw Problem(message: "\"\(attribute)\" has no value", offset: offset) }
            skipBlanks()
            let value = try self.value(of: attribute)
            element.attributes.append(XMLElement.Attribute(name: attribute, value: value, offset: offset))
        }
    }

    private mutating func value(of attribute: String) throws(Problem) -> String {
        let start = index
        guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") || bytes[index] == UInt8(ascii: "'"),
            let end = bytes[(index + 1)...].firstIndex(of: bytes[index])
        else { throw Problem(message: "the value of \"\(attribute)\" has no quotes around it", offset: start) }
        let text = String(decoding: bytes[(start + 1)..<end], as: UTF8.self)
        index = end + 1
        guard text.contains("&") else { return text }
        var parts = text.split(separator: "&", omittingEmptySubsequences: false)
        var result = String(parts.removeFirst())
        for part in parts {
            guard let mark = part.firstIndex(of: ";"), let character = Self.character(part[..<mark]) else {
                throw Problem(message: "\"&\(part.prefix(12))\" is not an entity of XML", offset: start)
            }
            result.unicodeScalars.append(character)
            result += part[part.index(after: mark)...]
        }
        return result
    }

    private static func character(_ entity: Substring) -> Unicode.Scalar? {
        switch entity {
        case "lt": return "<"
        case "gt": return ">"
        case "amp": return "&"
        case "quot": return "\""
        case "apos": return "'"
        default:
            guard entity.hasPrefix("#") else { return nil }
            let isHexadecimal = entity.hasPrefix("#x")
            return UInt32(entity.dropFirst(isHexadecimal ? 2 : 1), radix: isHexadecimal ? 16 : 10)
                .flatMap(Unicode.Scalar.init)
        }
    }

    // MARK: Bytes

    private func starts(with text: String) -> Bool { bytes[index...].starts(with: text.utf8) }

    private mutating func take(_ text: String) -> Bool {
        guard starts(with: text) else { return false }
        index += text.utf8.count
        return true
    }

    private mutating func skipBlanks() { while index < bytes.count, bytes[index] <= 0x20 { index += 1 } }

    private mutating func skip(past text: String) throws(Problem) {
        let start = index
        while index < bytes.count {
            if take(text) { return }
            index += 1
        }
        throw Problem(message: "\"\(text)\" is missing", offset: start)
    }

    private mutating func name() -> String {
        let start = index
        while index < bytes.count, bytes[index] > 0x20, !"/>=<\"'".utf8.contains(bytes[index]) { index += 1 }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }
}
