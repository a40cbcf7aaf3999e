import ShuntRelease
import Testing

/// What a node holds against a release, and what it does not.
@Suite("Refused releases")
struct RefusedReleaseTests {
    let fleet = TestFleet()

    /// A node that serves release 40.
    private func started() -> TestMachine {
        var machine = TestMachine(fleet)
        machine.take(.started)
        machine.take(fleet.stable(fleet.release(40)))
        return machine
    }

    @Test("A set that comes again under another number counts once for a process")
    func attempts() {
        var machine = started()
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
            var machine = TestMachine(fleet)
            if hasCopy {
                machine = started()
            } else {
                machine.outcome = { $0.sequence == 40 ? .rejected("") : .inUse }
            }
            machine.take(.started)
            machine.take(fleet.pointer(next, stable: stable, state: .aborted))
            machine.take(fleet.stable(next))
            #expect(machine.serving == (hasCopy ? 40 : 41))
        }
    }
}
