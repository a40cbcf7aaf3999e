#if Gateway
import NIOCore
import NIOHTTP1
import ShuntCore

/// A `ProcessingRequest`: what Envoy's filter `ext_proc` asks.
///
/// https://www.envoyproxy.io/docs/envoy/latest/api-v3/service/ext_proc/v3/external_processor.proto
///
/// Envoy writes the names of members as in the file of the protocol; other writers of its JSON write them in camel case.
struct ExtProcQuestion {
    /// The subject of a question.
    enum Kind: String, CaseIterable {
        case requestHeaders
        case responseHeaders
        case requestBody
        case responseBody
        case requestTrailers
        case responseTrailers

        /// As Envoy writes it.
        fileprivate var snakeCase: String {
            rawValue.reduce(into: "") { $0 += $1.isUppercase ? "_\($1.lowercased())" : String($1) }
        }
    }

    /// The reason why something is not a question.
    struct Problem: Error {
        let reason: String

        init(_ reason: String) { self.reason = reason }
    }

    /// A header, or what is in the request line, whose name begins with a colon.
    struct Header: Equatable {
        let name: String
        let value: [UInt8]
    }

    /// The subject of the question.
    let kind: Kind
    /// The headers of the client's request in their order; none where the question is about anything else.
    let headers: [Header]
    /// The client's address and port, where the filter is configured to send them.
    let source: String?

    /// The place where Envoy puts the attributes of a request.
    private static let attributes = "envoy.filters.http.ext_proc"

    /// Reads a question.
    ///
    /// - Throws: What is wrong with it.
    init(_ text: [UInt8]) throws(Problem) {
        let whole: JSONValue
        do {
            whole = try JSONReader.read(text)
        } catch {
            throw Problem("the question is not JSON: \(error)")
        }
        guard case .object(let members) = whole else { throw Problem("the question is \(whole.kind), and no object") }
        var kinds: [(Kind, JSONValue)] = []
        for member in members {
            guard let kind = Kind.allCases.first(where: { [$0.rawValue, $0.snakeCase].contains(member.name) }) else {
                continue
            }
            kinds.append((kind, member.value))
        }
        guard let (kind, value) = kinds.first, kinds.count == 1 else {
            let names = Kind.allCases.map(\.snakeCase).joined(separator: ", ")
            throw Problem("the question has \(kinds.isEmpty ? "none" : "several") of \(names)")
        }
        self.kind = kind
        headers = kind == .requestHeaders ? try Self.headers(value) : []
        let attributes = try Self.member("attributes", of: whole, at: "the question")
        let ours = try attributes.flatMap { (value) throws(Problem) in
            try Self.member(Self.attributes, of: value, at: "attributes")
        }
        let source = try ours.flatMap { (value) throws(Problem) in
            try Self.member("source.address", of: value, at: Self.attributes)
        }
        self.source = try source.map { (value) throws(Problem) in
            String(decoding: try Self.string(value, "source.address"), as: UTF8.self)
        }
    }

    private static func headers(_ value: JSONValue) throws(Problem) -> [Header] {
        let list = try member("headers", of: value, at: "request_headers")
        let inner = try list.flatMap { (list) throws(Problem) in try member("headers", of: list, at: "headers") }
        guard case .array(let items)? = inner else { throw Problem("request_headers has no list of headers") }
        var headers: [Header] = []
        headers.reserveCapacity(items.count)
        for item in items {
            guard let key = try member("key", of: item, at: "a header") else { throw Problem("a header has no key") }
            let name = String(decoding: try string(key, "key"), as: UTF8.self)
            let plain = try member("value", of: item, at: "a header")
            var raw = try member("raw_value", of: item, at: "a header")
            if let camel = try member("rawValue", of: item, at: "a header") {
                guard raw == nil else { throw Problem("the header \(name) has two values") }
                raw = camel
            }
            let text = try plain.map { (value) throws(Problem) in try string(value, "value") } ?? []
            let encoded = try raw.map { (value) throws(Problem) in try string(value, "raw_value") } ?? []
            guard text.isEmpty || encoded.isEmpty else { throw Problem("the header \(name) has two values") }
            guard let bytes = Base64.decode(encoded) else {
                throw Problem("the raw_value of the header \(name) is not base64")
            }
            headers.append(Header(name: name, value: text.isEmpty ? bytes : text))
        }
        return headers
    }

    /// A member of an object; nil where there is none, or it is null.
    private static func member(_ name: String, of value: JSONValue, at place: String) throws(Problem) -> JSONValue? {
        guard case .object(let members) = value else { throw Problem("\(place) is \(value.kind), and no object") }
        guard let found = members.first(where: { $0.name == name })?.value, found != .null else { return nil }
        return found
    }

    private static func string(_ value: JSONValue, _ name: String) throws(Problem) -> [UInt8] {
        guard case .string(let bytes) = value else { throw Problem("\(name) is \(value.kind), and no string") }
        return bytes
    }
}
#endif
