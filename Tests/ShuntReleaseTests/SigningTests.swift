import ShuntCore
import ShuntFleet
import Testing

@Suite("Signed documents")
struct SigningTests {
    let fleet = TestFleet(approvals: 1)

    func accepts(_ envelope: Envelope, had: Bool = false, isNew: Bool = false) -> Bool {
        (try? Release.verified(envelope, by: fleet.keys, TestVerifier(), isNew: isNew) { _ in had }) != nil
    }

    @Test("A release needs different keys of the roles that the keys ask for")
    func roles() {
        let release = fleet.release(41)
        let (alice, bob, carol, dora) = (fleet.publisher, fleet.approver, fleet.oncall, fleet.both)
        for (signers, isAccepted) in [
            ([], false), ([alice], false), ([bob], false), ([alice, bob], true), ([bob, alice], true),
            ([alice, alice], false), ([dora], false), ([dora, dora], false), ([dora, alice], true),
            ([dora, bob], true), ([carol, alice], false), ([TestKey("eve", [.publish, .approve]), alice], false),
        ] {
            #expect(accepts(fleet.signed(release, by: signers)) == isAccepted, "\(signers.map(\.key.owner))")
        }
    }

    @Test("A key file without a threshold accepts nothing")
    func noThreshold() {
        var keys = fleet.keys
        keys.thresholds = [:]
        #expect(!keys.accepts(fleet.signed(fleet.release(1)), as: [.publish, .approve], TestVerifier()))
        #expect(throws: DocumentError.self) { try KeyFile(decoding: keys.encoded) }
    }

    @Test("One flipped bit anywhere refuses a document")
    func everyBit() {
        var short = Envelope(payloadType: "text", payload: Array("41".utf8))
        for signer in [fleet.publisher, fleet.approver] { signer.sign(&short) }
        func isTrusted(_ envelope: Envelope) -> Bool {
            envelope.payloadType == "text" && fleet.keys.accepts(envelope, as: [.publish, .approve], TestVerifier())
        }
        #expect(isTrusted(short))
        let bytes = short.encoded
        for bit in 0..<(8 * bytes.count) {
            guard let envelope = try? Envelope(decoding: Self.flipped(bit, bytes)) else { continue }
            #expect(!isTrusted(envelope), "bit \(bit % 8) of byte \(bit / 8)")
        }
        let release = fleet.signed(fleet.release(41), by: [fleet.publisher, fleet.approver]).encoded
        #expect((try? Envelope(decoding: release)).map { accepts($0) } == true)
        for index in release.indices {
            guard let envelope = try? Envelope(decoding: Self.flipped(8 * index + index % 8, release)) else { continue }
            #expect(!accepts(envelope), "byte \(index)")
        }
    }

    static func flipped(_ bit: Int, _ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        bytes[bit / 8] ^= 1 << UInt8(bit % 8)
        return bytes
    }

    @Test("A signature for another type, another namespace or another encoding does not count")
    func otherDocuments() throws {
        let signers = [fleet.publisher, fleet.approver]
        let good = fleet.signed(fleet.release(41), by: signers)
        var other = good
        other.payloadType = KeyFile.payloadType
        #expect(!accepts(other))
        var spaced = good
        spaced.payload.append(0x20)
        #expect(!accepts(spaced))
        #expect(try Release(decoding: spaced.payload) == fleet.release(41))
        #expect(!accepts(fleet.signed(fleet.release(41) { $0.namespace = "shop" }, by: signers)))
    }

    @Test("A rollback key alone is enough for a set that was in use here, and for no other")
    func rollback() {
        let release = fleet.release(42, set: 40, kind: .rollback)
        #expect(accepts(fleet.signed(release, by: [fleet.oncall]), had: true))
        #expect(!accepts(fleet.signed(release, by: [fleet.oncall]), had: false))
        #expect(!accepts(fleet.signed(fleet.release(42), by: [fleet.oncall]), had: true))
        #expect(accepts(fleet.signed(release, by: [fleet.publisher, fleet.approver]), had: false))
    }

    @Test(
        "A rollback to a set that was never in use needs a publisher's word: that it was stable, or published"
    )
    func witness() {
        let signers = [fleet.publisher, fleet.approver]
        let after = fleet.release(41) { $0.base = TestFleet.set(40) }
        let (other, itself) = (fleet.release(41), fleet.release(40))
        let later = fleet.release(42) { $0.base = TestFleet.set(40) }
        let back = fleet.release(41, set: 39, kind: .rollback) { $0.base = TestFleet.set(40) }
        for (witness, inUse, new) in [
            (nil, false, false), (fleet.signed(after, by: signers), true, true),
            (fleet.signed(itself, by: signers), false, true), (fleet.signed(other, by: signers), false, false),
            (fleet.signed(after, by: [fleet.publisher]), false, false),
            (fleet.signed(later, by: signers), false, false),
            (fleet.signed(back, by: signers), false, false),
            (fleet.signed(fleet.release(41) { $0.namespace = "shop" }, by: signers), false, false),
        ] as [(Envelope?, Bool, Bool)] {
            let release = fleet.release(42, set: 40, kind: .rollback) { $0.witness = witness }
            let envelope = fleet.signed(release, by: [fleet.oncall])
            #expect(accepts(envelope) == inUse)
            #expect(accepts(envelope, isNew: true) == new)
            // Who may only roll back makes nothing else of it.
            let publication = fleet.signed(fleet.release(42, set: 40) { $0.witness = witness }, by: [fleet.oncall])
            #expect(!accepts(publication, isNew: true))
        }
    }

    @Test("A key file is replaced by one that the old keys signed, and by no other")
    func successor() throws {
        var next = fleet.keys
        next.number = 2
        next.keys.append(TestKey("fritz", [.publish]).key)
        func envelope(_ keys: KeyFile, _ signers: [TestKey]) -> Envelope {
            var envelope = Envelope(payloadType: KeyFile.payloadType, payload: keys.encoded)
            for signer in signers { signer.sign(&envelope) }
            return envelope
        }
        let signers = [fleet.publisher, fleet.approver]
        #expect(try fleet.keys.successor(envelope(next, signers), TestVerifier()) == next)
        #expect(throws: DocumentError.self) {
            try fleet.keys.successor(envelope(next, [fleet.publisher]), TestVerifier())
        }
        #expect(throws: DocumentError.self) { try fleet.keys.successor(envelope(fleet.keys, signers), TestVerifier()) }
        next.namespace = "shop"
        #expect(throws: DocumentError.self) { try fleet.keys.successor(envelope(next, signers), TestVerifier()) }
    }

    @Test("Documents are read as they were written, and random bytes of them never trap")
    func totalDecoding() throws {
        let release = fleet.release(41) {
            $0.expires = TestFleet.date
            $0.requiredVersion = "0.3.0"
            $0.message = "degrade \"Pay\" below 3.2"
            $0.locations = ["https://rules.example.com/web/"]
            $0.base = TestFleet.set(40)
            $0.witness = fleet.signed(fleet.release(40))
        }
        var pointer = fleet.pointer(release, stable: fleet.release(40), threshold: 12, nodes: ["edge-17"])
        pointer.poison = Envelope(payloadType: PoisonList.payloadType, payload: [1, 2, 3])
        pointer.keys = [fleet.signed(release)]
        let status = NodeStatus(
            node: "edge-1",
            sequence: 41,
            set: release.set,
            state: .rejected,
            serving: 40,
            at: TestFleet.date,
            error: "rules:1:2: error"
        )
        #expect(try Release(decoding: release.encoded) == release)
        #expect(try ReleasePointer(decoding: pointer.encoded) == pointer)
        #expect(try NodeStatus(decoding: status.encoded) == status)
        #expect(try KeyFile(decoding: fleet.keys.encoded) == fleet.keys)
        let list = PoisonList(namespace: "web", number: 3, sets: [release.set])
        #expect(try PoisonList(decoding: list.encoded) == list)
        // Cut at each byte nothing is whole.
        for (bytes, read) in [
            (release.encoded, { _ = try Release(decoding: $0) }),
            (pointer.encoded, { _ = try ReleasePointer(decoding: $0) }),
            (status.encoded, { _ = try NodeStatus(decoding: $0) }),
            (list.encoded, { _ = try PoisonList(decoding: $0) }),
        ] as [([UInt8], ([UInt8]) throws -> Void)] {
            for end in bytes.indices { #expect(throws: DocumentError.self) { try read(Array(bytes[..<end])) } }
        }
    }

    @Test("The reason in a status is cut at 16 KiB")
    func longReason() {
        let text = String(repeating: "ä", count: 20_000)
        let status = NodeStatus(
            node: "a",
            sequence: 1,
            set: TestFleet.set(1),
            state: .rejected,
            serving: 0,
            at: TestFleet.date,
            error: text
        )
        #expect(status.error.map { (16_000...NodeStatus.longestError).contains($0.utf8.count) } == true)
        #expect((try? NodeStatus(decoding: status.encoded)) == status)
    }
}
