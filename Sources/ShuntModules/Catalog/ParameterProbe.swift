/// Finds out what an input consists of, by letting it read itself from nothing.
///
/// Each member that the type asks for is written down and gets a plain value. A type that refuses its value, as an
/// enumeration without a list of its cases does, ends the list there: what was asked for until then is known.
final class ParameterProbe {
    /// A member, with its type.
    struct Member {
        let name: String
        let type: Any.Type
        let isOptional: Bool
    }

    fileprivate(set) var members: [Member] = []

    /// The members that a type reads from an object.
    static func members(of type: any Decodable.Type) -> [Member] {
        let probe = ParameterProbe()
        _ = try? type.init(from: ProbeDecoder(probe: probe))
        return probe.members
    }

    /// The members that an input asks for.
    static func parameters(of decode: (any Decoder) throws -> any Sendable) -> [Catalog.Parameter] {
        let probe = ParameterProbe()
        _ = try? decode(ProbeDecoder(probe: probe))
        return probe.members.map {
            Catalog.Parameter(name: $0.name, type: "\($0.type)", isOptional: $0.isOptional)
        }
    }

    fileprivate func note(_ key: any CodingKey, _ type: Any.Type, isOptional: Bool) {
        guard !members.contains(where: { $0.name == key.stringValue }) else { return }
        members.append(Member(name: key.stringValue, type: type, isOptional: isOptional))
    }

    /// A value of a type, whichever is at hand.
    fileprivate static func value<T: Decodable>(_ type: T.Type) throws -> T {
        if let cases = type as? any CaseIterable.Type, let first = cases.firstCase as? T { return first }
        return try T(from: ProbeDecoder(probe: nil))
    }
}

extension CaseIterable {
    fileprivate static var firstCase: Any? { allCases.first }
}

/// Hands out plain values, and reports the members of the outermost object to the probe.
private struct ProbeDecoder: Decoder {
    let probe: ParameterProbe?
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(ProbeObject(probe: probe))
    }

    func unkeyedContainer() -> any UnkeyedDecodingContainer { ProbeList() }

    func singleValueContainer() -> any SingleValueDecodingContainer { ProbeValue() }
}

private struct ProbeObject<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let probe: ParameterProbe?
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { [] }

    func contains(_ key: Key) -> Bool { true }
    func decodeNil(forKey key: Key) -> Bool { false }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        probe?.note(key, type, isOptional: false)
        return try ParameterProbe.value(type)
    }

    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? { absent(type, key) }
    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { absent(type, key) }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { absent(type, key) }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? { absent(type, key) }
    func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? { absent(type, key) }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { absent(type, key) }
    func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? { absent(type, key) }
    func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? { absent(type, key) }
    func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? { absent(type, key) }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { absent(type, key) }
    func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? { absent(type, key) }
    func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? { absent(type, key) }
    func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? { absent(type, key) }
    func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? { absent(type, key) }
    func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? { absent(type, key) }

    private func absent<T>(_ type: T.Type, _ key: Key) -> T? {
        probe?.note(key, type, isOptional: true)
        return nil
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type,
        forKey key: Key
    ) -> KeyedDecodingContainer<Nested> {
        KeyedDecodingContainer(ProbeObject<Nested>(probe: nil))
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer { ProbeList() }
    func superDecoder() -> any Decoder { ProbeDecoder(probe: probe) }
    func superDecoder(forKey key: Key) -> any Decoder { ProbeDecoder(probe: nil) }
}

/// A list without items.
private struct ProbeList: UnkeyedDecodingContainer {
    var codingPath: [any CodingKey] { [] }
    var count: Int? { 0 }
    var isAtEnd: Bool { true }
    var currentIndex: Int { 0 }

    mutating func decodeNil() -> Bool { true }
    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T { try ParameterProbe.value(type) }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedDecodingContainer<Nested> {
        KeyedDecodingContainer(ProbeObject<Nested>(probe: nil))
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer { ProbeList() }
    mutating func superDecoder() -> any Decoder { ProbeDecoder(probe: nil) }
}

/// Plain values: no, zero, no text.
private struct ProbeValue: SingleValueDecodingContainer {
    var codingPath: [any CodingKey] { [] }

    func decodeNil() -> Bool { false }
    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        try plainValues.lazy.compactMap { $0 as? T }.first ?? ParameterProbe.value(type)
    }
}

private let plainValues: [any Decodable & Sendable] = [
    false, "", Double(0), Float(0), Int(0), Int8(0), Int16(0), Int32(0), Int64(0), UInt(0), UInt8(0), UInt16(0),
    UInt32(0), UInt64(0),
]
