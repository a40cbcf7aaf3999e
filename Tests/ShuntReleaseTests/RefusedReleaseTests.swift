import ShuntFleet
import Testing

/// The releases that a node refuses after an abort or an end of its process.
@Suite("Refused releases")
struct RefusedReleaseTests {
    let fleet = TestFleet()

    @Test("A process that loads a set under several numbers counts one attempt")
    func attempts() {
        var machine = TestMachine.serving(of: fleet)
        machine.take(fleet.pointer(fleet.release(41), stable: fleet.release(40)))
        for sequence in 42...45 {
            machine.take(fleet.pointer(fleet.release(sequence, set: 41), stable: fleet.release(40)))
            #expect(machine.serving == sequence)
            #expect(machine.node.memory.marker?.attempts == 1)
        }
        machine = machine.restarted()
        machine.take(.started)
        #expect(machine.serving == 45)
        #expect(machine.node.memory.marker?.attempts == 2)
    }

    @Test("A node without a copy takes a release that is stable, also after an abort; one with a copy does not")
    func abortedFirst() {
        let (next, stable) = (fleet.release(41), fleet.release(40))
        for hasCopy in [true, false] {
            var machine = hasCopy ? TestMachine.serving(of: fleet) : TestMachine(fleet)
            if !hasCopy {
                machine.outcome = { $0.sequence == 40 ? .rejected("") : .inUse }
            }
            machine.take(.started)
            machine.take(fleet.pointer(next, stable: stable, state: .aborted))
            // The memory is read again: what was aborted stays known.
            machine = machine.restarted()
            machine.take(.started)
            machine.take(fleet.stable(next))
            #expect(machine.serving == (hasCopy ? 40 : 41))
        }
    }
}
