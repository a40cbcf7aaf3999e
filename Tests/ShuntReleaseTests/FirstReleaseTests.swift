import ShuntCore
import ShuntFleet
import Testing

@Suite("A node that has had nothing yet")
struct FirstReleaseTests {
    let fleet = TestFleet()

    @Test("A release that ends it twice is not tried a third time, though it has nothing else; the next one serves")
    func poison() {
        var machine = TestMachine(fleet)
        machine.outcome = { $0.sequence == 40 ? nil : .inUse }
        for _ in 0..<2 {
            machine = machine.restarted()
            machine.take(.started)
            let lives = machine.take(fleet.stable(fleet.release(40)))
            #expect(!lives)
        }
        machine = machine.restarted()
        machine.take(.started)
        for _ in 0..<10 { machine.take(fleet.stable(fleet.release(40)), after: 60) }
        #expect(machine.loads == [])
        #expect(machine.serving == nil)
        #expect(machine.reports.last?.state == .held)
        #expect(machine.reports.last?.error?.hasPrefix("poison: ") == true)
        machine.take(fleet.stable(fleet.release(41)))
        #expect(machine.serving == 41)
    }
}
