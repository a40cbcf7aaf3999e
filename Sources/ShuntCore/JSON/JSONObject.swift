/// A value that has a form in JSON: reports are made of these, and one writer writes them.
package protocol JSONWritable {
    func write(to writer: inout JSONWriter)
    /// Writes several values: an array, or a string if they are bytes.
    static func write(_ values: [Self], to writer: inout JSONWriter)
}

extension JSONWritable {
    package static func write(_ values: [Self], to writer: inout JSONWriter) {
        writer.array { writer in for value in values { value.write(to: &writer) } }
    }
}

/// An object, as a dictionary literal; members without a value are left out.
package struct JSONObject: JSONWritable, ExpressibleByDictionaryLiteral {
    private var members: [(name: String, value: any JSONWritable)]

    package init(dictionaryLiteral members: (String, (any JSONWritable)?)...) {
        self.members = members.compactMap { name, value in value.map { (name, $0) } }
    }

    /// An object with members of one kind.
    package init(_ members: [(String, some JSONWritable)]) { self.members = members.map { ($0, $1) } }

    /// An object with members of several kinds.
    package init(mixed members: [(String, any JSONWritable)]) { self.members = members.map { ($0, $1) } }

    /// The object with more members after its own.
    package func adding(_ others: JSONObject) -> JSONObject {
        var object = self
        object.members += others.members
        return object
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            for member in members {
                writer.name(member.name)
                member.value.write(to: &writer)
            }
        }
    }

    package var bytes: [UInt8] {
        var writer = JSONWriter()
        write(to: &writer)
        return writer.bytes
    }

    package var line: [UInt8] { bytes + [UInt8(ascii: "\n")] }
}

/// An array of values of several kinds.
package struct JSONArray: JSONWritable, ExpressibleByArrayLiteral {
    private var values: [any JSONWritable]

    package init(arrayLiteral values: any JSONWritable...) { self.values = values }

    package init(_ values: [any JSONWritable]) { self.values = values }

    package func write(to writer: inout JSONWriter) {
        writer.array { writer in for value in values { value.write(to: &writer) } }
    }
}

/// JSON text without line breaks, written before; `null` without a text.
package struct JSONText: JSONWritable {
    private var bytes: [UInt8]?

    package init(_ bytes: [UInt8]?) { self.bytes = bytes }

    package func write(to writer: inout JSONWriter) {
        if let bytes { writer.json(bytes.span) } else { writer.null() }
    }
}

extension String: JSONWritable {
    package func write(to writer: inout JSONWriter) { writer.string(self) }
}

extension Bool: JSONWritable {
    package func write(to writer: inout JSONWriter) { writer.boolean(self) }
}

extension Double: JSONWritable {
    package func write(to writer: inout JSONWriter) { writer.number(self) }
}

extension JSONWritable where Self: FixedWidthInteger {
    package func write(to writer: inout JSONWriter) { writer.number(self) }
}

extension Int: JSONWritable {}
extension Int32: JSONWritable {}
extension Int64: JSONWritable {}
extension UInt: JSONWritable {}
extension UInt64: JSONWritable {}

extension UInt8: JSONWritable {
    package static func write(_ values: [UInt8], to writer: inout JSONWriter) { writer.string(values.span) }
}

extension Array: JSONWritable where Element: JSONWritable {
    package func write(to writer: inout JSONWriter) { Element.write(self, to: &writer) }
}

extension JSONValue: JSONWritable {
    package func write(to writer: inout JSONWriter) {
        switch self {
        case .null: writer.null()
        case .boolean(let value): writer.boolean(value)
        case .number(let digits): writer.json(digits.span)
        case .string(let text): writer.string(text.span)
        case .array(let values): values.write(to: &writer)
        case .object(let members):
            writer.object { writer in for member in members { writer.member(member.name, member.value) } }
        }
    }
}

extension SourceLocation: JSONWritable {
    package var members: JSONObject { ["file": file, "line": line, "column": column] }

    package func write(to writer: inout JSONWriter) { members.write(to: &writer) }
}
