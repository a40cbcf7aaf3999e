/// The trusted part of a pointer: only signed parts, and the progress of the rollout.
struct PointerView: Sendable {
    struct Signed: Sendable, Hashable {
        var release: Release
        var envelope: Envelope
    }

    /// The release that is rolled out, or why there is none.
    var release: Result<Signed, DocumentError>
    /// The release that every node may have.
    var stable: Signed
    var progress: RolloutProgress
    /// Newer than the known pointer of the node; nil where there is none.
    var poison: PoisonList?
    /// The key file that is in force after this pointer.
    var keys: KeyFile
    /// The untrusted parts that can be ignored.
    var problems: [String] = []

    /// The release that is rolled out; nil where there is none that is later than the stable one.
    var offered: Release? {
        guard case .success(let signed) = release, signed.release.sequence > stable.release.sequence else { return nil }
        return signed.release
    }

    /// The releases that are believed for their signatures alone, whatever the node has had.
    private var published: [Signed] {
        var signed = [stable]
        if case .success(let offered) = release { signed.append(offered) }
        return signed.filter { $0.release.kind == .publish }
    }

    /// Parts that the same keys had signed in the pointer before, `last`, are not read again.
    init(
        _ bytes: [UInt8],
        keys: KeyFile,
        memory: NodeMemory,
        after last: PointerView?,
        _ verifier: some SignatureVerifier
    ) throws(DocumentError) {
        let pointer = try ReleasePointer(decoding: bytes)
        var keys = keys
        for envelope in pointer.keys {
            // Those that are known already come again; only what claims to be later is asked for its signatures.
            guard let claim = try? KeyFile(decoding: envelope.payload), claim.number > keys.number else { continue }
            do {
                keys = try keys.successor(envelope, verifier)
            } catch {
                problems.append(error.description)
            }
        }
        self.keys = keys
        let trusted = keys
        let proven = last?.keys == keys ? last?.published ?? [] : []
        func signed(_ envelope: Envelope) throws(DocumentError) -> Signed {
            if let known = proven.first(where: { $0.envelope == envelope }) { return known }
            // One that is in use here was believed when it came, and keys may have been replaced since.
            if let known = memory.kept.first(where: { $0.envelope == envelope }),
                let release = try? Release(decoding: known.envelope.payload), release.namespace == trusted.namespace
            {
                return Signed(release: release, envelope: envelope)
            }
            let isNew = memory.had.isEmpty
            let release = try Release.verified(envelope, by: trusted, verifier, isNew: isNew) {
                memory.had.contains($0)
            }
            guard memory.floor == 0 || release.sequence <= Release.furthest(from: memory.floor) else {
                throw DocumentError(
                    "release",
                    "its number \(release.sequence) is more than \(Release.longestJump) beyond \(memory.floor)"
                )
            }
            return Signed(release: release, envelope: envelope)
        }
        stable = try signed(pointer.stable)
        guard stable.release.sequence >= memory.floor else {
            throw DocumentError(
                "pointer",
                "release \(stable.release.sequence) is its stable one, and \(memory.floor) was so before: it is an old one"
            )
        }
        if pointer.release == pointer.stable {
            release = .success(stable)
        } else {
            do {
                release = .success(try signed(pointer.release))
            } catch {
                release = .failure(error)
            }
        }
        progress = pointer.progress
        poison = nil
        if let envelope = pointer.poison {
            do {
                let list = try PoisonList.verified(envelope, by: keys, verifier)
                if list.number > memory.listNumber { poison = list }
            } catch {
                problems.append(error.description)
            }
        }
    }
}
