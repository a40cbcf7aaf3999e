/// A JSON value with the places of its parts in the text, for messages about files that people write.
package struct PlacedJSON: Sendable {
    package enum Content: Sendable {
        case null
        case boolean(Bool)
        /// A number, as it is written.
        case number([UInt8])
        /// A string in UTF-8, its escapes resolved.
        case string([UInt8])
        case array([PlacedJSON])
        /// The members in order; names are not repeated.
        case object([Member])
    }

    package struct Member: Sendable {
        package var name: String
        /// The place where the name is, its quotes included.
        package var place: Range<Int>
        package var value: PlacedJSON
    }

    package let content: Content
    /// The kind of the value, for messages.
    package let kind: String
    /// The place where it is, in bytes from the start of the text; of a string with its quotes.
    package let place: Range<Int>

    /// Puts a value together with the places of its parts, in the order in which they begin.
    init(_ value: JSONValue, taking places: inout ArraySlice<Range<Int>>) {
        place = places.popFirst() ?? 0..<0
        kind = value.kind
        switch value {
        case .null: content = .null
        case .boolean(let flag): content = .boolean(flag)
        case .number(let digits): content = .number(digits)
        case .string(let text): content = .string(text)
        case .array(let items): content = .array(items.map { PlacedJSON($0, taking: &places) })
        case .object(let members):
            content = .object(
                members.map { member in
                    let place = places.popFirst() ?? 0..<0
                    let value = PlacedJSON(member.value, taking: &places)
                    return Member(name: member.name, place: place, value: value)
                }
            )
        }
    }

    /// The text of a string; nil for all else.
    package var text: String? {
        if case .string(let bytes) = content { String(decoding: bytes, as: UTF8.self) } else { nil }
    }

    /// The items of an array; nil for all else.
    package var items: [PlacedJSON]? { if case .array(let items) = content { items } else { nil } }

    /// The members of an object; nil for all else.
    package var members: [Member]? { if case .object(let members) = content { members } else { nil } }

    package subscript(_ name: String) -> PlacedJSON? { members?.first { $0.name == name }?.value }

    package var isNull: Bool { if case .null = content { true } else { false } }
}
