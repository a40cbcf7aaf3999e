/// Something that a module answers again and again, until the listener leaves or the module stops.
public struct ModuleFeed<Input: Sendable, Element: Sendable>: Contracted {
    /// The contract.
    public let contract: Contract

    /// A feed for typed code only.
    ///
    /// - Parameter name: The name, unique in an assembly.
    public init(_ name: String) { contract = Contract(.feed, name: name, input: Input.self, output: Element.self) }

    /// A feed with an address.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - address: The pattern of the URLs that reach it, in the grammar of routes.
    ///   - exposure: Who may use the address.
    public init(_ name: String, at address: String, for exposure: Exposure = .code)
    where Input: Decodable, Element: Encodable {
        contract = Contract(.feed, name: name, at: address, for: exposure, decoding: Input.self, encoding: Element.self)
    }
}
