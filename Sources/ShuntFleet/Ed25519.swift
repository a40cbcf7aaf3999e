#if Fleet
import Crypto

/// Signatures by Ed25519 (RFC 8032).
public struct Ed25519: SignatureVerifier {
    /// A key that signs.
    public struct SigningKey: Sendable {
        private let key: Curve25519.Signing.PrivateKey

        /// Makes a new key.
        public init() { key = Curve25519.Signing.PrivateKey() }

        /// Makes a key of its 32 bytes; nil where there are not so many.
        public init?(seed: [UInt8]) {
            guard let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: seed) else { return nil }
            self.key = key
        }

        /// The 32 bytes that make this key again.
        public var seed: [UInt8] { Array(key.rawRepresentation) }

        /// The 32 bytes that its signatures are checked with.
        public var publicKey: [UInt8] { Array(key.publicKey.rawRepresentation) }

        /// Signs a message.
        public func sign(_ message: [UInt8]) throws -> [UInt8] { Array(try key.signature(for: message)) }
    }

    /// Makes the check of signatures.
    public init() {}

    /// Returns true if a signature is one of the key over exactly these bytes.
    public func isValid(_ signature: [UInt8], of message: [UInt8], by publicKey: [UInt8]) -> Bool {
        guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: publicKey) else { return false }
        return key.isValidSignature(signature, for: message)
    }
}
#endif
