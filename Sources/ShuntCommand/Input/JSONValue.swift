/// A JSON value as it was read.
indirect enum JSONValue: Equatable, Sendable {
    case null
    case boolean(Bool)
    /// A number, as it is written.
    case number([UInt8])
    /// A string in UTF-8, its escapes resolved.
    case string([UInt8])
    case array([JSONValue])
    /// The members in order; names are not repeated.
    case object([JSONMember])

    /// What kind of value it is, for messages.
    var kind: String {
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

/// A member of a JSON object.
struct JSONMember: Equatable, Sendable {
    var name: String
    var value: JSONValue
}

/// Why a text is not JSON.
struct JSONError: Error, Equatable, CustomStringConvertible {
    /// What is wrong, as the end of a sentence.
    var problem: String
    /// Where, in bytes from the start of the text.
    var offset: Int

    var description: String { "\(problem) at column \(offset + 1)" }
}
