import ShuntCore
import ShuntFleet

/// A check of signatures without cryptography: a signature is a hash of the key and the message.
///
/// An attacker without a key cannot make one in these tests, because nothing else computes it.
struct TestVerifier: SignatureVerifier {
    func isValid(_ signature: [UInt8], of message: [UInt8], by publicKey: [UInt8]) -> Bool {
        signature == TestKey.signature(message, publicKey)
    }
}

/// A key that signs for `TestVerifier`.
struct TestKey {
    var key: KeyFile.Key

    init(_ owner: String, _ roles: Set<KeyRole>) {
        key = KeyFile.Key(owner: owner, publicKey: Array("key of \(owner)".utf8), roles: roles)
    }

    static func signature(_ message: [UInt8], _ publicKey: [UInt8]) -> [UInt8] {
        Array(String(MurmurHash2.hash((publicKey + [0] + message).span), radix: 16).utf8)
    }

    func sign(_ envelope: inout Envelope) {
        let bytes = Self.signature(envelope.signedBytes, key.publicKey)
        envelope.signatures.append(Envelope.Signature(key: key.identifier, bytes: bytes))
    }
}

/// Keys, and releases that are signed with them.
struct TestFleet {
    let publisher = TestKey("alice", [.publish])
    let approver = TestKey("bob", [.approve])
    let oncall = TestKey("carol", [.rollback])
    let both = TestKey("dora", [.publish, .approve])
    var keys: KeyFile
    static let date = Timestamp(seconds: 1_800_000_000)

    init(approvals: Int = 0) {
        keys = KeyFile(
            namespace: "web",
            keys: [publisher.key, approver.key, oncall.key, both.key],
            thresholds: [.publish: 1, .approve: approvals, .rollback: 1]
        )
    }

    /// A node that knows nothing yet.
    func node(_ name: String, verifier: some SignatureVerifier = TestVerifier()) -> FleetNode {
        let configuration = NodeConfiguration(name: name, keys: keys, version: "0.3.0")
        return FleetNode(configuration, memory: NodeMemory(), verifier: verifier, now: .zero, date: Self.date)
    }

    static func set(_ number: Int) -> ContentName { ContentName(of: Array("set \(number)".utf8)) }

    func release(
        _ sequence: Int,
        set: Int? = nil,
        kind: Release.Kind = .publish,
        plan: RolloutPlan = RolloutPlan(spreadMilliseconds: 0),
        _ change: (inout Release) -> Void = { _ in }
    ) -> Release {
        var release = Release(
            namespace: "web",
            sequence: sequence,
            kind: kind,
            set: Self.set(set ?? sequence),
            content: Self.set(set ?? sequence),
            rules: 10,
            bytes: 100,
            parent: sequence - 1,
            created: Self.date,
            author: "alice",
            rollout: plan
        )
        change(&release)
        return release
    }

    func signed(_ release: Release, by signers: [TestKey]? = nil) -> Envelope {
        var envelope = Envelope(payloadType: Release.payloadType, payload: release.encoded)
        for signer in signers ?? [publisher] { signer.sign(&envelope) }
        return envelope
    }

    func pointer(
        _ release: Release,
        stable: Release,
        state: RolloutProgress.State = .running,
        stage: Int = 0,
        threshold: UInt64? = .max,
        nodes: [String] = [],
        retry: Int = 0,
        signers: [TestKey]? = nil
    ) -> ReleasePointer {
        ReleasePointer(
            release: signed(release, by: signers),
            stable: signed(stable),
            progress: RolloutProgress(
                state: state,
                stage: stage,
                threshold: threshold,
                nodes: nodes,
                live: 240,
                retry: retry,
                since: Self.date
            )
        )
    }

    /// A pointer as people and conductors see it.
    func trusted(_ pointer: ReleasePointer) throws(DocumentError) -> TrustedPointer {
        try TrustedPointer(pointer, keys: keys, TestVerifier())
    }

    /// A pointer whose one release is for all.
    func stable(_ release: Release) -> ReleasePointer { pointer(release, stable: release, state: .done) }
}
