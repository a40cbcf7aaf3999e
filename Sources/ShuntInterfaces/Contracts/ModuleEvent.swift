/// Something that every module gets that listens for it.
///
/// Each may reply.
public struct ModuleEvent<Payload: Sendable, Reply: Sendable>: Contracted {
    /// The contract.
    public let contract: Contract

    /// An event for typed code only.
    ///
    /// - Parameter name: The name, unique in an assembly.
    public init(_ name: String) { contract = Contract(.event, name: name, input: Payload.self, output: Reply.self) }

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
            name: name,
            at: address,
            for: exposure,
            decoding: Payload.self,
            encoding: Reply.self
        )
    }
}
