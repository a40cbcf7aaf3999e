/// Checks whether a signature is one of a key.
///
/// Handed in, so that what a release is needs no cryptography library; `ShuntFleet` has Ed25519.
public protocol SignatureVerifier: Sendable {
    /// Returns true if `signature` is one of the key over exactly these bytes; any bytes at all may be asked about.
    func isValid(_ signature: [UInt8], of message: [UInt8], by publicKey: [UInt8]) -> Bool
}
