import ShuntCore
import ShuntFleet
import Testing

@Suite("A node that a carrier overtakes, or shows old things")
struct OvertakenNodeTests {
    let fleet = TestFleet()

    func machine() -> TestMachine { .serving(of: fleet) }

    @Test("Old pointers of earlier stages confirm nothing")
    func oldStages() {
        var machine = machine()
        for step in 0..<92 {
            let (release, stable) = (fleet.release(41), fleet.release(40))
            machine.take(
                fleet.pointer(release, stable: stable, stage: (step + 1) % 2, threshold: .max - 1),
                after: 10
            )
        }
        #expect(machine.serving == 40)
        #expect(machine.notes.contains("release 41 was not confirmed in time"))
    }

    @Test("A release that another one overtakes just before it is loaded is not loaded any more")
    func overtaken() {
        var node = machine().node
        let date = TestFleet.date
        _ = node.handle(.pointer(fleet.stable(fleet.release(41)).encoded), at: .zero, date: date)
        _ = node.handle(.fetched(TestFleet.set(41), isDurable: true), at: .zero, date: date)
        var written = 0
        let later = node.handle(.pointer(fleet.stable(fleet.release(42)).encoded), at: .zero, date: date)
        for case .write(_, let number) in later { written = number }
        let effects = node.handle(.wrote(written, isDurable: true), at: .zero, date: date)
        #expect(!effects.contains(.load(fleet.release(41))))
        #expect(effects.contains(.fetch(fleet.release(42))))
        #expect(node.memory.marker == nil)
    }
}
