/// Something that can be asked of a module and is answered once.
///
/// A constant of a target that the caller and the module that answers both import. Names are unique in an assembly.
/// An action without an address cannot be reached by a URL at all; one with an address only by the callers that its
/// exposure names.
public struct ModuleAction<Input: Sendable, Output: Sendable>: Contracted {
    /// The contract.
    public let contract: Contract

    /// An action for typed code only.
    ///
    /// Values are handed over unchanged, whatever they are.
    ///
    /// - Parameter name: The name, such as `Pay.checkout`.
    public init(_ name: String) { contract = Contract(.action, name: name, input: Input.self, output: Output.self) }

    /// An action with an address.
    ///
    /// The parameters of the URL, and a body, become the input.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - method: The HTTP method; nil for every method.
    ///   - address: The pattern of the URLs that reach it, in the grammar of routes.
    ///   - exposure: Who may use the address.
    public init(_ name: String, method: String? = nil, at address: String, for exposure: Exposure = .code)
    where Input: Decodable {
        contract = Contract(
            .action,
            name: name,
            method: method,
            at: address,
            for: exposure,
            input: Input.self,
            output: Output.self,
            decodeInput: Contract.decode(Input.self)
        )
    }

    /// An action with an address whose output can leave the process too.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - method: The HTTP method; nil for every method.
    ///   - address: The pattern of the URLs that reach it, in the grammar of routes.
    ///   - exposure: Who may use the address.
    public init(_ name: String, method: String? = nil, at address: String, for exposure: Exposure = .code)
    where Input: Decodable, Output: Encodable {
        contract = Contract(
            .action,
            name: name,
            method: method,
            at: address,
            for: exposure,
            decoding: Input.self,
            encoding: Output.self
        )
    }
}
