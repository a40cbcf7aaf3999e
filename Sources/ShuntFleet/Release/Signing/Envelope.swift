import ShuntCore

/// A signed document as it is carried: the bytes that were signed, what they are, and signatures.
///
/// The form is DSSE's (https://github.com/secure-systems-lab/dsse). What is signed is the payload as it is transported, so
/// nothing has to be brought into a canonical form.
public struct Envelope: Sendable, Hashable {
    /// A signature and the key that it claims to be of.
    public struct Signature: Sendable, Hashable {
        /// The name of the key.
        public var key: String
        /// The bytes.
        public var bytes: [UInt8]

        /// Makes a signature.
        public init(key: String, bytes: [UInt8]) {
            self.key = key
            self.bytes = bytes
        }
    }

    /// The most bytes of an envelope's JSON text.
    public static let longest = 24 << 10
    /// The most signatures.
    public static let mostSignatures = 16

    /// The type of the payload, such as `application/vnd.shunt.release+json`.
    public var payloadType: String
    /// The document.
    public var payload: [UInt8]
    /// The signatures.
    public var signatures: [Signature]

    /// Makes an envelope.
    public init(payloadType: String, payload: [UInt8], signatures: [Signature] = []) {
        self.payloadType = payloadType
        self.payload = payload
        self.signatures = signatures
    }

    /// The signed bytes: DSSE's pre-authentication encoding.
    public var signedBytes: [UInt8] {
        let type = Array(payloadType.utf8)
        return Array("DSSEv1 \(type.count) ".utf8) + type + Array(" \(payload.count) ".utf8) + payload
    }

    /// The JSON text.
    public var encoded: [UInt8] { object.bytes }

    var object: JSONObject {
        let signatures = signatures.map { signature -> JSONObject in
            ["keyid": signature.key, "sig": Base64.encode(signature.bytes)]
        }
        return ["payloadType": payloadType, "payload": Base64.encode(payload), "signatures": signatures]
    }

    /// Reads an envelope, any bytes at all; nothing is verified.
    public init(decoding bytes: [UInt8]) throws(DocumentError) {
        try self.init(DocumentFields(bytes, "envelope", limit: Self.longest, format: nil))
    }

    init(_ fields: DocumentFields) throws(DocumentError) {
        payloadType = try fields.text("payloadType", limit: 128)
        payload = try Self.decoded("payload", fields)
        signatures = []
        for signature in try fields.objects("signatures", limit: Self.mostSignatures) {
            let key = try signature.text("keyid", limit: 64)
            signatures.append(Signature(key: key, bytes: try Self.decoded("sig", signature)))
        }
    }

    private static func decoded(_ name: String, _ fields: DocumentFields) throws(DocumentError) -> [UInt8] {
        guard let text = try fields.optionalBytes(name, limit: longest) else { throw fields.error(name, "is missing") }
        guard let bytes = Base64.decode(text) else { throw fields.error(name, "is not base64") }
        return bytes
    }
}
