/// A pointer whose two releases are signed as the key file asks: the only one that people and conductors use.
///
/// How far the rollout is stays the word of every writer of the carrier. Key files and a list of poison that are
/// not signed are left out, also of what is written back.
public struct TrustedPointer: Sendable, Hashable {
    /// The document, without what is not signed.
    public private(set) var document: ReleasePointer
    /// The release that is rolled out.
    public private(set) var release: Release
    /// The release that every node may have.
    public private(set) var stable: Release
    /// The key files that the pointer leads to: first the given one, last the one in force.
    public private(set) var keyFiles: [KeyFile]
    /// The sets that no node may use; nil if there is no list.
    public private(set) var poison: PoisonList?

    /// The progress of the rollout.
    public var progress: RolloutProgress {
        get { document.progress }
        set { document.progress = newValue }
    }

    /// The key file in force.
    public var keys: KeyFile { keyFiles[keyFiles.count - 1] }

    /// Checks a pointer.
    ///
    /// Releases may be signed by any of the key files that the pointer leads to: keys are replaced while a release is stable.
    ///
    /// - Throws: If one of the releases is not signed, or its number is far beyond the other's.
    public init(_ pointer: ReleasePointer, keys: KeyFile, _ verifier: some SignatureVerifier) throws(DocumentError) {
        document = pointer
        document.keys = []
        document.poison = nil
        keyFiles = [keys]
        for envelope in pointer.keys {
            guard let next = try? keyFiles[keyFiles.count - 1].successor(envelope, verifier) else { continue }
            keyFiles.append(next)
            document.keys.append(envelope)
        }
        if let envelope = pointer.poison {
            poison = keyFiles.lazy.compactMap { try? PoisonList.verified(envelope, by: $0, verifier) }.first
            if poison != nil { document.poison = envelope }
        }
        stable = try Self.release(pointer.stable, name: "stable", keyFiles: keyFiles, verifier: verifier)
        release = try Self.release(pointer.release, name: "newest", keyFiles: keyFiles, verifier: verifier)
        guard release.sequence <= Release.furthest(from: stable.sequence) else {
            throw DocumentError(
                "pointer",
                "it leads from release \(stable.sequence) to \(release.sequence), a jump of more than \(Release.longestJump)"
            )
        }
    }

    /// A release that one of the key files accepts, the one in force last; `name` is its place, for the error.
    public static func release(
        _ envelope: Envelope,
        name: String,
        keyFiles: [KeyFile],
        verifier: some SignatureVerifier
    ) throws(DocumentError) -> Release {
        let claim = try Release(decoding: envelope.payload)
        var problem = "no key file is known"
        for keys in keyFiles {
            do {
                return try Release.verified(envelope, by: keys, verifier) { _ in
                    keyFiles.contains { claim.isWitnessed(by: $0, verifier, isNew: true) }
                }
            } catch {
                problem = error.problem
            }
        }
        throw DocumentError("pointer", "its \(name) release is not to be trusted: \(problem)")
    }

    /// Makes the release that is rolled out the stable one.
    public mutating func settle() {
        (document.stable, stable) = (document.release, release)
        progress.state = .done
    }

    /// Puts a list of poison into the pointer, and returns it; throws if the key file in force does not accept it.
    @discardableResult
    public mutating func take(
        poison envelope: Envelope,
        _ verifier: some SignatureVerifier
    ) throws(DocumentError) -> PoisonList {
        let list = try PoisonList.verified(envelope, by: keys, verifier)
        (document.poison, poison) = (envelope, list)
        return list
    }

    /// Puts the key file that follows the one in force into the pointer; throws if it is not signed as that one asks.
    public mutating func take(keys envelope: Envelope, _ verifier: some SignatureVerifier) throws(DocumentError) {
        keyFiles.append(try keys.successor(envelope, verifier))
        document.keys.append(envelope)
    }

    /// Sets the number of a release and the place after this pointer; throws if there is no further number.
    public func next(_ release: Release) throws(DocumentError) -> Release {
        guard self.release.sequence < Release.numbers.upperBound else {
            throw DocumentError(
                "release",
                "the numbers of \"\(release.namespace)\" are used up: begin another namespace"
            )
        }
        var next = release
        (next.parent, next.sequence) = (self.release.sequence, self.release.sequence + 1)
        next.base = stable.set
        return next
    }
}
