import ShuntCore

/// An input before its type reads it: values of a URL, which are texts, and JSON, which has types.
indirect enum InputNode: Sendable {
    /// The values of a name in a URL, decoded; more than one where it is repeated.
    case texts([String])
    /// A value of a URL that cannot be read at all: a wrong escape, invalid UTF-8, a NUL.
    case unreadable(String)
    case json(JSONValue)
    /// All parameters together.
    case parameters([String: InputNode])

    /// The value as people write it.
    var text: String {
        switch self {
        case .texts(let texts): texts.joined(separator: ", ")
        case .unreadable(let text): text
        case .json(.string(let bytes)), .json(.number(let bytes)): String(decoding: bytes, as: UTF8.self)
        case .json(.boolean(let value)): "\(value)"
        case .json(let value): value.kind
        case .parameters: "an object"
        }
    }
}

/// A parameter that is missing, unreadable or repeated.
public struct ParameterProblem: Sendable, Hashable {
    /// The kind of problem.
    @nonexhaustive public enum Kind: Sendable, Hashable {
        /// It is not there, and has to be.
        case missing
        /// It is there, but no value of the type that is wanted.
        case unreadable(value: String, wanted: String)
        /// It is there more than once where one value is wanted, or in the query and in the body.
        case repeated
    }

    /// The name of the parameter; empty for the whole input.
    public let name: String
    /// The problem, with a value that cannot be read.
    public let kind: Kind

    /// The problem of a value of another type; without a name it concerns the whole input.
    static func unreadable(_ value: String, wanted: String, name: String = "") -> Self {
        Self(name: name, kind: .unreadable(value: value, wanted: wanted))
    }
}

/// Puts the parameters of a URL and a body together.
///
/// The path wins over the query; a name that query and body both have is repeated.
struct InputParameters {
    private(set) var nodes: [String: InputNode] = [:]
    private(set) var problems: [ParameterProblem] = []

    /// Takes the values of a path in, each still encoded.
    mutating func addPath(_ name: String, _ bytes: [UInt8]) { nodes[name] = Self.node(bytes[...], plus: false) }

    /// Takes a query in, still encoded.
    ///
    /// Call it after the values of the path.
    mutating func addQuery(_ query: ArraySlice<UInt8>) {
        let path = Set(nodes.keys)
        for pair in query.split(separator: UInt8(ascii: "&")) {
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let first = parts.first, case .texts(let names) = Self.node(first, plus: true),
                let name = names.first,
                !path.contains(name)
            else { continue }
            let new = Self.node(parts.count > 1 ? parts[1] : [], plus: true)
            if case .texts(let before)? = nodes[name], case .texts(let texts) = new {
                nodes[name] = .texts(before + texts)
            } else {
                nodes[name] = new
            }
        }
    }

    /// Takes the members of a JSON body in.
    ///
    /// Call it last.
    mutating func addBody(_ members: [JSONMember], path: Set<String>) {
        for member in members where !path.contains(member.name) {
            if nodes[member.name] != nil {
                problems.append(ParameterProblem(name: member.name, kind: .repeated))
            } else {
                nodes[member.name] = .json(member.value)
            }
        }
    }

    /// Takes the default of a route in, for a name that has no value.
    mutating func addDefault(_ name: String, _ text: String) { nodes[name] = .texts([text]) }

    /// The text that bytes of a URL stand for; unreadable where they stand for none.
    private static func node(_ bytes: ArraySlice<UInt8>, plus: Bool) -> InputNode {
        guard let decoded = URLComponentCoding.decode(bytes.span, plusIsSpace: plus), !decoded.contains(0),
            decoded.span.isUTF8
        else { return .unreadable(String(decoding: bytes, as: UTF8.self)) }
        return .texts([String(decoding: decoded, as: UTF8.self)])
    }
}
