/// A JSON value as it was read.
package indirect enum JSONValue: Equatable, Sendable {
    case null
    case boolean(Bool)
    /// A number, as it is written.
    case number([UInt8])
    /// A string in UTF-8, its escapes resolved.
    case string([UInt8])
    case array([JSONValue])
    /// The members in order; names are not repeated.
    case object([JSONMember])

    /// The kind of the value, for messages.
    package var kind: String {
        switch self {
        case .null: "null"
        case .boolean: "a boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

extension JSONValue {
    /// The text of a string; nil for all else.
    package var text: String? {
        if case .string(let bytes) = self { String(decoding: bytes, as: UTF8.self) } else { nil }
    }

    /// The whole number of a number; nil for all else.
    package var integer: Int? {
        if case .number(let digits) = self { Int(String(decoding: digits, as: UTF8.self)) } else { nil }
    }

    /// The items of an array; nil for all else.
    package var items: [JSONValue]? { if case .array(let items) = self { items } else { nil } }

    /// The members of an object; nil for all else.
    package var members: [JSONMember]? { if case .object(let members) = self { members } else { nil } }

    /// The value of the first member of an object with a name.
    package subscript(_ name: String) -> JSONValue? { members?[name] }
}

extension [JSONMember] {
    /// The value of the first member with a name.
    package subscript(_ name: String) -> JSONValue? { first { $0.name == name }?.value }
}

/// A member of a JSON object.
package struct JSONMember: Equatable, Sendable {
    package var name: String
    package var value: JSONValue

    package init(name: String, value: JSONValue) {
        self.name = name
        self.value = value
    }
}

/// The reason why a text is not JSON.
package struct JSONError: Error, Equatable, CustomStringConvertible {
    /// The problem, as the end of a sentence.
    package var problem: String
    /// The place, in bytes from the start of the text.
    package var offset: Int

    package var description: String { "\(problem) at column \(offset + 1)" }
}
