import ShuntCore

/// The place where an encoder puts what it gets.
final class OutputTarget {
    /// The value; nil until something was encoded.
    var value: JSONValue?
    /// The parts that are still being written, by name or in order.
    var members: [(name: String, target: OutputTarget)]?
    var items: [OutputTarget]?

    /// The value as it is now.
    var json: JSONValue {
        if let members { return .object(members.map { JSONMember(name: $0.name, value: $0.target.json) }) }
        if let items { return .array(items.map(\.json)) }
        return value ?? .object([])
    }
}

/// Makes JSON of an encodable value, without Foundation.
struct OutputEncoder: Encoder {
    let target: OutputTarget
    let codingPath: [any CodingKey]
    let userInfo: [CodingUserInfoKey: Any] = [:]

    static func json(_ value: any Encodable) throws -> JSONValue {
        let target = OutputTarget()
        try encode(value, to: target, [])
        return target.json
    }

    static func encode(_ value: any Encodable, to target: OutputTarget, _ path: [any CodingKey]) throws {
        if let leaf = value as? any InputLeaf {
            target.value = leaf.json
            return
        }
        try value.encode(to: OutputEncoder(target: target, codingPath: path))
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        if target.members == nil { target.members = [] }
        return KeyedEncodingContainer(OutputMembers(target: target, codingPath: codingPath))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        if target.items == nil { target.items = [] }
        return OutputItems(target: target, codingPath: codingPath)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        OutputValue(target: target, codingPath: codingPath)
    }
}

struct OutputMembers<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let target: OutputTarget
    let codingPath: [any CodingKey]

    private func add(_ key: any CodingKey) -> OutputTarget {
        let new = OutputTarget()
        target.members?.append((key.stringValue, new))
        return new
    }

    mutating func encodeNil(forKey key: Key) throws { add(key).value = .null }

    mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        try OutputEncoder.encode(value, to: add(key), codingPath + [key])
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        OutputEncoder(target: add(key), codingPath: codingPath + [key]).container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        OutputEncoder(target: add(key), codingPath: codingPath + [key]).unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder { OutputEncoder(target: target, codingPath: codingPath) }

    mutating func superEncoder(forKey key: Key) -> any Encoder {
        OutputEncoder(target: add(key), codingPath: codingPath + [key])
    }
}

struct OutputItems: UnkeyedEncodingContainer {
    let target: OutputTarget
    let codingPath: [any CodingKey]

    var count: Int { target.items?.count ?? 0 }

    private func add() -> OutputTarget {
        let new = OutputTarget()
        target.items?.append(new)
        return new
    }

    mutating func encodeNil() throws { add().value = .null }

    mutating func encode<Value: Encodable>(_ value: Value) throws {
        try OutputEncoder.encode(value, to: add(), codingPath)
    }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        OutputEncoder(target: add(), codingPath: codingPath).container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        OutputEncoder(target: add(), codingPath: codingPath).unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder { OutputEncoder(target: add(), codingPath: codingPath) }
}

struct OutputValue: SingleValueEncodingContainer {
    let target: OutputTarget
    let codingPath: [any CodingKey]

    mutating func encodeNil() throws { target.value = .null }

    mutating func encode<Value: Encodable>(_ value: Value) throws {
        try OutputEncoder.encode(value, to: target, codingPath)
    }
}
