import ShuntCore

/// A type that one value of a URL, or one value of JSON, is read as.
protocol InputLeaf: Codable {
    /// Reads a text of a URL.
    init?(text: String)
    /// The value with which decoding continues after a wrong one, so that all problems are found and not only the
    /// first.
    static var placeholder: Self { get }
    /// The value as JSON; `null` for a number that is not finite.
    var json: JSONValue { get }
}

extension InputLeaf where Self: FixedWidthInteger {
    init?(text: String) { self.init(text, radix: 10) }
    static var placeholder: Self { 0 }
    var json: JSONValue { .number(Array(String(self).utf8)) }
}

extension InputLeaf where Self: LosslessStringConvertible & BinaryFloatingPoint & CustomStringConvertible {
    /// No value is infinite or none: JSON has no such numbers to answer with.
    init?(text: String) {
        self.init(text)
        guard isFinite else { return nil }
    }
    static var placeholder: Self { 0 }
    var json: JSONValue { isFinite ? .number(Array(description.utf8)) : .null }
}

extension Int: InputLeaf {}
extension Int8: InputLeaf {}
extension Int16: InputLeaf {}
extension Int32: InputLeaf {}
extension Int64: InputLeaf {}
extension UInt: InputLeaf {}
extension UInt8: InputLeaf {}
extension UInt16: InputLeaf {}
extension UInt32: InputLeaf {}
extension UInt64: InputLeaf {}
extension Double: InputLeaf {}
extension Float: InputLeaf {}
extension Bool: InputLeaf {
    /// `true` and `false`; nothing else is a truth value.
    init?(text: String) { self.init(text) }
    static var placeholder: Bool { false }
    var json: JSONValue { .boolean(self) }
}
extension String: InputLeaf {
    init?(text: String) { self = text }
    static var placeholder: String { "" }
    var json: JSONValue { .string(Array(utf8)) }
}

/// The problems found while an input was read.
final class InputProblems {
    var problems: [ParameterProblem] = []

    func add(_ path: [any CodingKey], _ kind: ParameterProblem.Kind) {
        let name = path.map(\.stringValue).joined(separator: ".")
        // A second error of a type for a value that was found to be wrong is not another problem.
        guard !problems.contains(where: { $0.name == name }) else { return }
        problems.append(ParameterProblem(name: name, kind: kind))
    }
}

/// Reading cannot continue; the problem is in the list.
struct InputStop: Error {}

/// Reads an input from parameters and JSON: one decoder for both.
struct InputDecoder: Decoder {
    let node: InputNode
    let codingPath: [any CodingKey]
    let found: InputProblems
    let userInfo: [CodingUserInfoKey: Any] = [:]

    /// Reads a whole input, which may have problems already.
    ///
    /// - Throws: `ValueProblems`, with everything that does not fit.
    static func read<Value>(
        _ node: InputNode,
        problems: [ParameterProblem] = [],
        _ decode: (InputDecoder) throws -> Value
    ) throws(ValueProblems) -> Value {
        let found = InputProblems()
        found.problems = problems
        let decoder = InputDecoder(node: node, codingPath: [], found: found)
        do {
            let value = try decode(decoder)
            if found.problems.isEmpty { return value }
        } catch {
            if found.problems.isEmpty { found.add([], .unreadable(value: "", wanted: "\(error)")) }
        }
        throw ValueProblems(problems: found.problems)
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        switch node {
        case .parameters(let nodes):
            return KeyedDecodingContainer(InputMembers(nodes: nodes, codingPath: codingPath, found: found))
        case .json(.object(let members)):
            var nodes: [String: InputNode] = [:]
            for member in members { nodes[member.name] = .json(member.value) }
            return KeyedDecodingContainer(InputMembers(nodes: nodes, codingPath: codingPath, found: found))
        default: throw wrong("an object")
        }
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        switch node {
        case .texts(let texts):
            return InputItems(items: texts.map { .texts([$0]) }, codingPath: codingPath, found: found)
        case .json(.array(let values)):
            return InputItems(items: values.map(InputNode.json), codingPath: codingPath, found: found)
        default: throw wrong("a list")
        }
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { InputValue(decoder: self) }

    func wrong(_ wanted: String) -> InputStop {
        found.add(codingPath, .unreadable(value: node.text, wanted: wanted))
        return InputStop()
    }

    /// Reads one value; where it is wrong this is written down, and reading continues.
    func leaf<Leaf: InputLeaf>(_ type: Leaf.Type) -> Leaf {
        switch node {
        case .texts(let texts):
            guard texts.count < 2 else {
                found.add(codingPath, .repeated)
                return .placeholder
            }
            if let text = texts.first, let value = Leaf(text: text) { return value }
        case .json(.string(let bytes)) where type == String.self:
            if let value = Leaf(text: String(decoding: bytes, as: UTF8.self)) { return value }
        case .json(.number(let bytes)) where type != String.self && type != Bool.self:
            if let value = Leaf(text: String(decoding: bytes, as: UTF8.self)) { return value }
        case .json(.boolean(let value)) where type == Bool.self:
            if let value = Leaf(text: "\(value)") { return value }
        default: break
        }
        found.add(codingPath, .unreadable(value: node.text, wanted: "\(Leaf.self)"))
        return .placeholder
    }

    /// Reads a value of any type.
    func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if let known = type as? any InputLeaf.Type, let value = leaf(known) as? Value { return value }
        do {
            return try Value(from: self)
        } catch {
            if !(error is InputStop) { _ = wrong("\(Value.self)") }
            throw InputStop()
        }
    }

    var isNull: Bool { if case .json(.null) = node { true } else { false } }
}

/// The name of an item of a list.
struct InputIndex: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(intValue: Int) {
        self.intValue = intValue
        stringValue = "\(intValue)"
    }

    init?(stringValue: String) { nil }
}
