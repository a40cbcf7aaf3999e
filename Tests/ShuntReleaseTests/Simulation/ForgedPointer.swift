import SeededRandom
import ShuntCore
import ShuntFleet

/// The pointers of an attacker who may write everything into a carrier, and has no key or that of the role `rollback`.
enum ForgedPointer {
    /// Numbers that leave no next one, or hardly any.
    static let numbers = [1 << 53, (1 << 53) - 1, 1 << 52, 2_000_000, 900_000]

    static func make(
        past: [ReleasePointer],
        _ fleet: TestFleet,
        hasRollbackKey: Bool,
        _ generator: inout SeededGenerator
    ) -> [UInt8] {
        var pointer = generator.pick(past)
        switch generator.below(12) {
        case 0: return []
        case 1: return (0..<generator.below(300)).map { _ in UInt8(generator.below(256)) }
        case 2:
            var bytes = pointer.encoded
            for _ in 0...generator.below(4) { bytes[generator.below(bytes.count)] ^= 1 << UInt8(generator.below(8)) }
            return bytes
        case 3: swap(&pointer.release, &pointer.stable)
        case 4: pointer.stable = generator.pick(past).release
        case 5:
            // The attacker's own release, signed by himself, or with signatures of another.
            let own = fleet.release(generator.below(100) + 1, set: 1000 + generator.below(9))
            var envelope = fleet.signed(own, by: [TestKey("eve", [.publish, .approve, .rollback])])
            if generator.chance(50) { envelope.signatures = pointer.release.signatures }
            pointer.release = envelope
            if generator.chance(50) { pointer.stable = envelope }
        case 6:
            var keys = fleet.keys
            keys.number = 2
            let eve = TestKey("eve", [.publish])
            keys.keys = [eve.key]
            keys.thresholds = [.publish: 1]
            var envelope = Envelope(payloadType: KeyFile.payloadType, payload: keys.encoded)
            eve.sign(&envelope)
            pointer.keys = [envelope]
            pointer.stable = fleet.signed(fleet.release(90, set: 2000), by: [eve])
            pointer.release = pointer.stable
        case 7:
            let list = PoisonList(namespace: "web", number: 9, sets: past.prefix(5).map { ContentName(of: $0.encoded) })
            pointer.poison = Envelope(payloadType: PoisonList.payloadType, payload: list.encoded)
        case 8:
            // Not signed, or with the signatures of the release whose place it takes.
            var release = fleet.release(generator.pick(numbers + [1, 2, 3]), set: 3000)
            if let last = past.last, let own = try? Release(decoding: last.stable.payload), generator.chance(50) {
                release.sequence = own.sequence
            }
            let signatures = generator.chance(50) ? [] : pointer.release.signatures
            let envelope = Envelope(
                payloadType: Release.payloadType,
                payload: release.encoded,
                signatures: signatures
            )
            if generator.chance(50) { pointer.release = envelope } else { pointer.stable = envelope }
        case 9 where hasRollbackKey:
            let number = generator.chance(50) ? generator.pick(numbers) : 2 + generator.below(12)
            var release = fleet.release(number, set: generator.chance(50) ? 3000 : 1 + generator.below(8))
            release.kind = .rollback
            release.witness = generator.pick(past).release
            pointer.release = fleet.signed(release, by: [fleet.oncall])
            if generator.chance(50) { pointer.stable = pointer.release }
            pointer.progress.state = generator.pick([.running, .done])
            pointer.progress.threshold = .max
        default:
            pointer.progress.state = generator.pick(RolloutProgress.State.allCases)
            pointer.progress.threshold = generator.chance(50) ? .max : nil
            pointer.progress.stage = generator.below(4)
            pointer.progress.retry = generator.pick([generator.below(100), 1 << 53, .max])
        }
        return pointer.encoded
    }
}
