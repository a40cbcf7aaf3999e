#if Fleet

/// Looks whether a carrier has what nodes need, as a node would.
public struct ReleaseVerification: Sendable {
    /// The result.
    public struct Result: Sendable, Hashable {
        /// The checks that passed, a line each.
        public var lines: [String] = []
        /// The problems, a line each.
        public var problems: [String] = []
    }

    private let carrier: any FleetCarrier
    private let trusted: KeyFile

    /// Makes a check of what nodes with a key file get from a carrier.
    public init(_ carrier: any FleetCarrier, trusted: KeyFile) {
        self.carrier = carrier
        self.trusted = trusted
    }

    /// Reads the pointer, checks all signatures, and fetches each manifest and blob; throws where it cannot read it.
    public func run() async throws -> Result {
        var result = Result()
        let pointer = try ReleasePointer(decoding: try await carrier.pointer())
        var keys = trusted
        for envelope in pointer.keys {
            guard let claim = try? KeyFile(decoding: envelope.payload), claim.number > keys.number else { continue }
            do {
                keys = try keys.successor(envelope, Ed25519())
                result.lines.append("key file \(keys.number) is signed by the one before it")
            } catch {
                result.problems.append("\(error)")
            }
        }
        if let envelope = pointer.poison {
            do {
                let list = try PoisonList.verified(envelope, by: keys, Ed25519())
                result.lines.append("poison list \(list.number) has \(list.sets.count) sets")
            } catch {
                result.problems.append("\(error)")
            }
        }
        var seen: Set<Envelope> = []
        for envelope in [pointer.stable, pointer.release] where seen.insert(envelope).inserted {
            do {
                let release = try Release.verified(envelope, by: keys, Ed25519()) { _ in true }
                let (manifest, _) = try await carrier.files(of: release)
                let counts = "\(manifest.files.count) files and \(manifest.blobs.count) blobs"
                let text = "signed, \(counts) match their names"
                result.lines.append("release \(release.sequence) set \(release.set.hexadecimal.prefix(12)): \(text)")
                _ = try Release.verified(envelope, by: keys, Ed25519(), isNew: true) { _ in false }
            } catch {
                result.problems.append("\(error)")
            }
        }
        if result.problems.isEmpty {
            do { _ = try TrustedPointer(pointer, keys: trusted, Ed25519()) } catch {
                result.problems.append("\(error)")
            }
        }
        return result
    }
}
#endif
