#if Fleet

extension Envelope {
    /// Adds the signatures of keys; one that has signed already does not sign twice.
    public mutating func sign(with keys: [Ed25519.SigningKey]) throws {
        let message = signedBytes
        for key in keys {
            let identifier = KeyFile.identifier(of: key.publicKey)
            guard !signatures.contains(where: { $0.key == identifier }) else { continue }
            signatures.append(Signature(key: identifier, bytes: try key.sign(message)))
        }
    }
}
extension KeyFile {
    /// Returns true if a node that has had the set of a release would take it by its signatures.
    func accepts(_ release: Release, _ envelope: Envelope) -> Bool {
        if accepts(envelope, as: [.publish, .approve], Ed25519()) { return true }
        return release.kind == .rollback && accepts(envelope, as: [.rollback], Ed25519())
    }
}
#endif
