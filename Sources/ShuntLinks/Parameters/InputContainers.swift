import ShuntCore

struct InputMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let nodes: [String: InputNode]
    let codingPath: [any CodingKey]
    let found: InputProblems

    var allKeys: [Key] { nodes.keys.compactMap(Key.init) }

    func contains(_ key: Key) -> Bool { nodes[key.stringValue] != nil }

    func decodeNil(forKey key: Key) throws -> Bool { decoder(key)?.isNull ?? true }

    private func decoder(_ key: any CodingKey) -> InputDecoder? {
        nodes[key.stringValue].map { InputDecoder(node: $0, codingPath: codingPath + [key], found: found) }
    }

    private func needed(_ key: any CodingKey) throws -> InputDecoder {
        guard let decoder = decoder(key) else {
            found.add(codingPath + [key], .missing)
            throw InputStop()
        }
        return decoder
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        if let decoder = decoder(key) { return try decoder.value(type) }
        found.add(codingPath + [key], .missing)
        guard let leaf = type as? any InputLeaf.Type, let placeholder = leaf.placeholder as? Value else {
            throw InputStop()
        }
        return placeholder
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try needed(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try needed(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder {
        InputDecoder(node: .parameters(nodes), codingPath: codingPath, found: found)
    }

    func superDecoder(forKey key: Key) throws -> any Decoder { try needed(key) }
}

struct InputItems: UnkeyedDecodingContainer {
    let items: [InputNode]
    let codingPath: [any CodingKey]
    let found: InputProblems
    private(set) var currentIndex = 0

    var count: Int? { items.count }
    var isAtEnd: Bool { currentIndex >= items.count }

    private mutating func next() throws -> InputDecoder {
        guard currentIndex < items.count else {
            found.add(codingPath, .missing)
            throw InputStop()
        }
        defer { currentIndex += 1 }
        let path = codingPath + [InputIndex(intValue: currentIndex)]
        return InputDecoder(node: items[currentIndex], codingPath: path, found: found)
    }

    mutating func decodeNil() throws -> Bool {
        guard currentIndex < items.count, case .json(.null) = items[currentIndex] else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try next().value(type) }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        try next().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try next().unkeyedContainer() }

    mutating func superDecoder() throws -> any Decoder { try next() }
}

struct InputValue: SingleValueDecodingContainer {
    let decoder: InputDecoder

    var codingPath: [any CodingKey] { decoder.codingPath }

    func decodeNil() -> Bool { decoder.isNull }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decoder.value(type) }
}
