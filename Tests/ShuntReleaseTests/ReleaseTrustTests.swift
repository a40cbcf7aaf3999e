import ShuntFleet
import Synchronization
import Testing

@Suite("The number of times that a node checks signatures") struct ReleaseTrustTests {
    final class CountingVerifier: SignatureVerifier {
        let count = Atomic<Int>(0)

        func isValid(_ signature: [UInt8], of message: [UInt8], by publicKey: [UInt8]) -> Bool {
            count.wrappingAdd(1, ordering: .relaxed)
            return TestVerifier().isValid(signature, of: message, by: publicKey)
        }
    }

    @Test("A proven release is not proven again during its rollout; one with other signatures is")
    func once() {
        let fleet = TestFleet()
        let (stable, next) = (fleet.release(40), fleet.release(41))
        let verifier = CountingVerifier()
        var node = fleet.node("edge-1", verifier: verifier)
        func take(_ pointer: ReleasePointer) -> Int {
            let before = verifier.count.load(ordering: .relaxed)
            _ = node.handle(.pointer(pointer.encoded), at: .zero, date: TestFleet.date)
            return verifier.count.load(ordering: .relaxed) - before
        }
        let eve = TestKey("eve", [.publish])
        let steps: [(ReleasePointer, Int)] = [
            (fleet.stable(stable), 1),
            (fleet.pointer(next, stable: stable, stage: 0, threshold: nil), 1),
            (fleet.pointer(next, stable: stable, stage: 0, threshold: 1), 0),
            (fleet.pointer(next, stable: stable, stage: 1, threshold: 2), 0),
            (fleet.pointer(next, stable: stable, stage: 1, threshold: 2, signers: [fleet.publisher, eve]), 1),
            (fleet.pointer(next, stable: stable, stage: 2, threshold: 3, signers: [fleet.both]), 1),
            (fleet.stable(next), 1),
            (fleet.pointer(fleet.release(42, kind: .rollback), stable: next, threshold: nil), 1),
            (fleet.pointer(fleet.release(42, kind: .rollback), stable: next, threshold: 1), 1),
        ]
        for (number, (pointer, expected)) in steps.enumerated() {
            #expect(take(pointer) == expected, "step \(number)")
        }
        #expect(node.condition == nil)
    }
}
