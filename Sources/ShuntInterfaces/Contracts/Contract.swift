/// The common part of an action, a feed and an event: one object for each constant, so that passing a constant costs a
/// pointer, whatever its size.
public final class Contract: Sendable {
    package enum Kind: String, Sendable, Hashable {
        /// Once.
        case action
        /// Again and again.
        case feed
        /// By everybody who wants to.
        case event
        /// By the scope itself: a workflow or a step of one.
        case workflow
    }

    package let kind: Kind
    /// The name; unique in an assembly.
    package let name: String
    /// The hash of the name, so that looking a contract up hashes nothing.
    package let nameHash: Int
    /// The pattern of the URLs that reach it; nil when only typed code may call it.
    package let address: String?
    /// The HTTP method that the address is for; nil for every method.
    package let method: String?
    /// The callers that may use the address.
    package let exposure: Exposure
    /// The types, for messages and for distinguishing two constants with one name.
    package let input: Any.Type
    package let output: Any.Type
    /// Decodes the input; nil if it cannot enter the process.
    package let decodeInput: (@Sendable (any Decoder) throws -> any Sendable)?
    /// Encodes the output or an element; nil if it cannot leave the process.
    package let encodeOutput: (@Sendable (any Sendable, any Encoder) throws -> Void)?

    package init(
        _ kind: Kind,
        name: String,
        method: String? = nil,
        at address: String? = nil,
        for exposure: Exposure = [],
        input: Any.Type,
        output: Any.Type,
        decodeInput: (@Sendable (any Decoder) throws -> any Sendable)? = nil,
        encodeOutput: (@Sendable (any Sendable, any Encoder) throws -> Void)? = nil
    ) {
        self.kind = kind
        self.name = name
        nameHash = name.hashValue
        self.address = address
        self.method = method
        self.exposure = exposure
        self.input = input
        self.output = output
        self.decodeInput = decodeInput
        self.encodeOutput = encodeOutput
    }

    /// A contract whose values enter and leave the process.
    package convenience init<Input: Decodable & Sendable, Output: Encodable & Sendable>(
        _ kind: Kind,
        name: String,
        method: String? = nil,
        at address: String,
        for exposure: Exposure,
        decoding: Input.Type,
        encoding: Output.Type
    ) {
        self.init(
            kind,
            name: name,
            method: method,
            at: address,
            for: exposure,
            input: decoding,
            output: encoding,
            decodeInput: Self.decode(decoding),
            encodeOutput: Self.encode(encoding)
        )
    }

    /// Returns true if two constants with one name have the same meaning.
    package func agrees(with other: Contract) -> Bool {
        kind == other.kind && input == other.input && output == other.output && address == other.address
            && method == other.method && exposure == other.exposure
    }

    package static func decode<Input: Decodable & Sendable>(
        _: Input.Type
    ) -> @Sendable (any Decoder) throws -> any Sendable {
        { try Input(from: $0) }
    }

    package static func encode<Output: Encodable & Sendable>(
        _: Output.Type
    ) -> @Sendable (any Sendable, any Encoder) throws -> Void {
        { value, encoder in
            guard let value = value as? Output else { return }
            try value.encode(to: encoder)
        }
    }
}
