/// Something that every module is told that wants to know.
///
/// Each may reply.
public struct Event<Payload: Sendable, Reply: Sendable>: Sendable {
    package let contract: Contract

    /// An event for typed code only.
    ///
    /// - Parameter name: The name, unique in an assembly.
    public init(_ name: String) {
        contract = Contract(.event, name, input: Payload.self, output: Reply.self)
    }

    /// An event with an address.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - address: The pattern of the URLs that send it, in the grammar of routes.
    ///   - exposure: Who may use the address.
    public init(_ name: String, at address: String, for exposure: Exposure = .code)
    where Payload: Decodable, Reply: Encodable {
        contract = Contract(
            .event,
            name,
            address: address,
            exposure: exposure,
            input: Payload.self,
            output: Reply.self,
            decodeInput: Contract.decode(Payload.self),
            encodeOutput: Contract.encode(Reply.self)
        )
    }

    /// The name.
    public var name: String { contract.name }
    /// The pattern of the URLs that send it; nil when only typed code may.
    public var address: String? { contract.address }
    /// Who may use the address.
    public var exposure: Exposure { contract.exposure }
}
