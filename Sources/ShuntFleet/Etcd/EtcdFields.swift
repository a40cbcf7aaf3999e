#if Fleet
import ShuntCore

/// The members of an object of etcd's JSON gateway, taken by name and type.
///
/// Members that have their default value are left out by etcd: a number that is missing is 0. Numbers of 64 bits are
/// strings. Members that no one asks for are passed over.
package struct EtcdFields: Sendable {
    private let members: [String: JSONValue]
    private let endpoint: String

    package init(_ bytes: [UInt8], at endpoint: String) throws(EtcdError) {
        let value: JSONValue
        do {
            value = try JSONReader.read(bytes)
        } catch {
            throw EtcdError(.malformed, "\(endpoint): the answer is not JSON: \(error)")
        }
        try self.init(value, at: endpoint)
    }

    private init(_ value: JSONValue, at endpoint: String) throws(EtcdError) {
        self.endpoint = endpoint
        guard case .object(let members) = value else {
            throw EtcdError(.malformed, "\(endpoint): the answer is \(value.kind), and no object")
        }
        self.members = Dictionary(members.map { ($0.name, $0.value) }) { first, _ in first }
    }

    private func value(_ name: String) -> JSONValue? {
        guard let value = members[name], value != .null else { return nil }
        return value
    }

    private func failure(_ name: String, _ problem: String) -> EtcdError {
        EtcdError(.malformed, "\(endpoint): \"\(name)\" in the answer \(problem)")
    }

    /// A number; nil where it is left out.
    func optionalInteger(_ name: String) throws(EtcdError) -> Int64? {
        switch value(name) {
        case nil: return nil
        case .number(let digits)?, .string(let digits)?:
            // There is one after each revision.
            guard let number = Int64(String(decoding: digits, as: UTF8.self)), number < .max else {
                // Cluster and member identifiers have 64 bits without a sign; none is read.
                throw failure(name, "is not a whole number of 64 bits")
            }
            return number
        case let other?: throw failure(name, "is \(other.kind), and no number")
        }
    }

    func integer(_ name: String) throws(EtcdError) -> Int64 { try optionalInteger(name) ?? 0 }

    func text(_ name: String) throws(EtcdError) -> String { String(decoding: try string(name), as: UTF8.self) }

    /// Bytes, which are base64.
    func bytes(_ name: String) throws(EtcdError) -> [UInt8] {
        guard let bytes = Base64.decode(try string(name)) else { throw failure(name, "is not base64") }
        return bytes
    }

    private func string(_ name: String) throws(EtcdError) -> [UInt8] {
        switch value(name) {
        case nil: return []
        case .string(let bytes)?: return bytes
        case let other?: throw failure(name, "is \(other.kind), and no string")
        }
    }

    func flag(_ name: String) throws(EtcdError) -> Bool {
        switch value(name) {
        case nil: return false
        case .boolean(let flag)?: return flag
        case let other?: throw failure(name, "is \(other.kind), and no boolean")
        }
    }

    /// An object; nil if it is left out, or is not an object.
    func object(_ name: String) throws(EtcdError) -> EtcdFields? {
        guard case .object? = value(name), let value = value(name) else { return nil }
        return try EtcdFields(value, at: endpoint)
    }

    func objects(_ name: String) throws(EtcdError) -> [EtcdFields] {
        switch value(name) {
        case nil: return []
        case .array(let items)?:
            return try items.map { item throws(EtcdError) in try EtcdFields(item, at: endpoint) }
        case let other?: throw failure(name, "is \(other.kind), and no array")
        }
    }
}
#endif
