import ShuntCore
import ShuntFleet
import Testing

@Suite("A node of a fleet")
struct FleetNodeTests {
    let fleet = TestFleet()

    func machine(at sequence: Int = 40) -> TestMachine { .serving(sequence, of: fleet) }

    @Test("A stable release is taken, and a restart serves it without any carrier")
    func stable() {
        let machine = machine()
        #expect(machine.serving == 40)
        #expect(machine.reports.map(\.state) == [.loading, .applied])
        var next = machine.restarted()
        next.take(.started)
        #expect(next.serving == 40)
    }

    @Test("A release is taken by whose turn it is, and by no others")
    func wanted() {
        let rank = NodeRank.of("edge-1", namespace: "web", sequence: 41)
        let (next, stable) = (fleet.release(41), fleet.release(40))
        for (pointer, expected) in [
            (fleet.pointer(next, stable: stable, threshold: rank), 41),
            (fleet.pointer(next, stable: stable, threshold: rank - 1), 40),
            (fleet.pointer(next, stable: stable, threshold: nil), 40),
            (fleet.pointer(next, stable: stable, threshold: 0, nodes: ["edge-1"]), 41),
            (fleet.pointer(next, stable: stable, state: .paused, threshold: rank), 41),
            (fleet.pointer(next, stable: stable, state: .aborted), 40),
            (fleet.pointer(next, stable: stable, state: .done, threshold: nil), 41),
            (fleet.pointer(next, stable: stable, signers: [TestKey("eve", [.publish])]), 40),
        ] {
            var machine = machine()
            machine.take(pointer)
            #expect(machine.serving == expected)
        }
    }

    @Test("A sequence never goes down, after a restart too; a canary goes back all the same")
    func floor() {
        var machine = machine(at: 41)
        machine.take(fleet.stable(fleet.release(40)))
        #expect(machine.serving == 41)
        #expect(machine.node.condition?.contains("is an old one") == true)
        machine = machine.restarted()
        machine.take(.started)
        machine.take(fleet.stable(fleet.release(40)))
        #expect(machine.serving == 41)
        machine.take(fleet.pointer(fleet.release(42), stable: fleet.release(41)))
        #expect(machine.serving == 42)
        machine.take(fleet.pointer(fleet.release(42), stable: fleet.release(41), state: .aborted))
        #expect(machine.serving == 41)
        // What was aborted before its eyes is not taken again, by whichever way it is offered.
        machine = machine.restarted()
        machine.take(.started)
        for pointer in [fleet.pointer(fleet.release(42), stable: fleet.release(41)), fleet.stable(fleet.release(42))] {
            machine.take(pointer)
            #expect(machine.serving == 41)
        }
        machine.take(fleet.stable(fleet.release(43)))
        #expect(machine.serving == 43)
    }

    @Test("From a failed release a node goes back to the stable one before it takes the next")
    func aside() {
        let stable = fleet.release(40)
        for (kind, expected) in [(.publish, [40, 41, 40, 42]), (.rollback, [40, 41, 42])] as [(Release.Kind, [Int])] {
            var machine = machine()
            machine.take(fleet.pointer(fleet.release(41), stable: stable))
            machine.take(fleet.pointer(fleet.release(42, kind: kind), stable: stable))
            #expect(machine.loads == expected)
            #expect(machine.serving == 42)
        }
    }

    @Test("A thousand nodes fetch what is new to them evenly over the time of a release")
    func spread() throws {
        let plan = RolloutPlan(spreadMilliseconds: 2000)
        let release = fleet.release(41, plan: plan)
        let bytes = fleet.pointer(release, stable: release, state: .done).encoded
        var tenths = [Int](repeating: 0, count: 10)
        for number in 0..<1000 {
            var node = fleet.node("edge-\(number)")
            _ = node.handle(.started, at: .zero, date: TestFleet.date)
            _ = node.handle(.pointer(bytes), at: .zero, date: TestFleet.date)
            let time = try #require(node.wakeTime)
            tenths[min(9, Int(time / .milliseconds(200)))] += 1
        }
        #expect(tenths.allSatisfy { (50...200).contains($0) }, "\(tenths)")
    }

    @Test("A sequence is tried once, however often it is seen")
    func once() {
        var machine = machine()
        machine.outcome = { $0.sequence == 41 ? .rejected("rules/10-app.conf:6:5: error: …") : .inUse }
        for retry in 0..<100 {
            machine.take(fleet.pointer(fleet.release(41), stable: fleet.release(40), retry: retry), after: 30)
        }
        #expect(machine.loads == [40, 41])
        #expect(machine.serving == 40)
        #expect(machine.reports.last?.state == .rejected)
        #expect(machine.reports.last?.error == "rules/10-app.conf:6:5: error: …")
        machine = machine.restarted()
        machine.take(.started)
        machine.take(fleet.pointer(fleet.release(41), stable: fleet.release(40)))
        #expect(machine.loads == [40])
    }

    @Test("A release that failed for want of something is tried again on request")
    func retry() {
        var machine = machine()
        machine.outcome = { $0.sequence == 41 ? .failed("no memory") : .inUse }
        for _ in 0..<10 { machine.take(fleet.pointer(fleet.release(41), stable: fleet.release(40)), after: 61) }
        #expect(machine.loads == [40, 41])
        machine.outcome = { _ in .inUse }
        machine.take(fleet.pointer(fleet.release(41), stable: fleet.release(40), retry: 1), after: 61)
        #expect(machine.serving == 41)
    }

    @Test("A release that no conductor confirms is left, whatever the calendar shows; one for all is not")
    func confirm() {
        var machine = machine()
        machine.take(fleet.pointer(fleet.release(41), stable: fleet.release(40), threshold: .max - 1))
        machine.calendar = Timestamp(seconds: TestFleet.date.seconds + 315_576_000)
        machine.take(.time, after: 899)
        #expect(machine.serving == 41)
        machine.calendar = Timestamp(seconds: 0)
        machine.take(.time, after: 2)
        #expect(machine.serving == 40)
        machine.take(fleet.pointer(fleet.release(42), stable: fleet.release(40), threshold: .max))
        machine.take(.time, after: 100_000)
        #expect(machine.serving == 42)
    }

    @Test("A node that was cut off in the middle of a rollout goes back after a restart as well")
    func confirmAfterRestart() {
        var machine = machine()
        machine.take(fleet.pointer(fleet.release(41), stable: fleet.release(40), threshold: .max - 1))
        machine = machine.restarted()
        machine.take(.started)
        #expect(machine.serving == 41)
        machine.take(.time, after: 901)
        #expect(machine.serving == 40)
    }

    @Test("A set that ends the process twice is not tried a third time")
    func poison() {
        var machine = machine()
        let pointer = fleet.pointer(fleet.release(41), stable: fleet.release(40))
        machine.outcome = { $0.sequence == 41 ? nil : .inUse }
        for _ in 0..<2 {
            let lives = machine.take(pointer)
            #expect(!lives)
            machine = machine.restarted()
            machine.take(.started)
            #expect(machine.serving == 40)
        }
        let lives = machine.take(pointer)
        #expect(lives)
        #expect(machine.serving == 40)
        #expect(machine.reports.last?.state == .held)
        #expect(machine.reports.last?.error?.hasPrefix("poison: ") == true)
    }

    @Test("A process that ends within the probation counts, and one that ends later does not")
    func probation() {
        for (seconds, expected) in [(29, 40), (31, 41)] {
            var machine = machine()
            machine.take(fleet.pointer(fleet.release(41), stable: fleet.release(40)))
            for _ in 0..<2 {
                machine.take(.time, after: seconds)
                machine = machine.restarted()
                machine.take(.started)
            }
            #expect(machine.serving == expected)
        }
        // An orderly end does not count.
        var machine = machine()
        machine.take(fleet.pointer(fleet.release(41), stable: fleet.release(40)))
        for _ in 0..<3 {
            machine.take(.stopping)
            machine = machine.restarted()
            machine.take(.started)
        }
        #expect(machine.serving == 41)
    }

    @Test("A signed list of poison moves a node off a set: to the stable one, else to its newest copy, else nowhere")
    func poisonList() {
        func listed(_ sets: [Int], _ number: Int, signer: TestKey? = nil) -> Envelope {
            let list = PoisonList(namespace: "web", number: number, sets: sets.map { TestFleet.set($0) })
            var envelope = Envelope(payloadType: PoisonList.payloadType, payload: list.encoded)
            (signer ?? fleet.oncall).sign(&envelope)
            return envelope
        }
        var machine = machine()
        var pointer = fleet.pointer(fleet.release(41), stable: fleet.release(40))
        machine.take(pointer)
        pointer.poison = listed([41], 1, signer: fleet.publisher)
        machine.take(pointer)
        #expect(machine.serving == 41)
        pointer.poison = listed([41], 1)
        machine.take(pointer)
        #expect(machine.serving == 40)
        var later = fleet.stable(fleet.release(42))
        machine.take(later)
        later.poison = listed([41, 42], 2)
        machine.take(later)
        #expect(machine.serving == 40)
        later.poison = listed([40, 41, 42], 3)
        machine.take(later)
        #expect(machine.serving == 40)
        #expect(machine.notes.contains { $0.contains("the node continues to serve it") })
    }

    @Test("A pointer that is gone, damaged, old or of others changes nothing")
    func badPointers() {
        var machine = machine()
        let other = fleet.release(41) { $0.namespace = "shop" }
        let before = machine.loads
        for bytes in [
            [], [0, 1, 2], Array("{}".utf8), fleet.stable(other).encoded, fleet.stable(fleet.release(39)).encoded,
        ] {
            machine.take(.pointer(bytes))
            #expect(machine.node.condition != nil)
            #expect(machine.serving == 40)
        }
        machine.take(.noPointer("nothing there"))
        #expect(machine.node.condition == "nothing there")
        #expect(machine.loads == before)
        machine.take(fleet.stable(fleet.release(41)), after: 604_800)
        #expect(machine.node.condition == nil)
        #expect(machine.serving == 41)
    }

    @Test("A release that a node may not take is held, with the reason")
    func held() {
        for (change, reason) in [
            ({ $0.requiredVersion = "9.0" }, "it requires Shunt 9.0, and this is 0.3.0"),
            ({ $0.expires = Timestamp(seconds: TestFleet.date.seconds - 301) }, "it expired at"),
            ({ $0.rules = 0 }, "it has no rules"),
        ] as [((inout Release) -> Void, String)] {
            var machine = machine()
            machine.take(fleet.pointer(fleet.release(41, change), stable: fleet.release(40)))
            #expect(machine.serving == 40)
            #expect(machine.reports.last?.state == .held)
            #expect(machine.reports.last?.error?.hasPrefix(reason) == true)
        }
        var machine = machine()
        machine.take(
            fleet.pointer(
                fleet.release(41) { $0.expires = Timestamp(seconds: TestFleet.date.seconds - 299) },
                stable: fleet.release(40)
            )
        )
        #expect(machine.serving == 41)
        machine.calendar = Timestamp(seconds: TestFleet.date.seconds + 1_000_000)
        machine.take(.time, after: 1)
        #expect(machine.serving == 41)
    }

    @Test("With a full disk a release is used and never reported as applied")
    func fullDisk() {
        var machine = machine()
        machine.isDiskFull = true
        machine.take(fleet.pointer(fleet.release(41), stable: fleet.release(40)))
        #expect(machine.serving == 41)
        #expect(machine.reports.last?.state == .unkept)
        #expect(machine.restarted().disk.kept.map(\.sequence) == [40])
    }

    @Test("Going back with a full disk is reported as applied once the disk has it, and not before")
    func fullDiskOnTheWayBack() {
        var machine = machine()
        machine.take(fleet.pointer(fleet.release(41), stable: fleet.release(40)))
        machine.isDiskFull = true
        machine.isSetThere = true
        machine.take(fleet.pointer(fleet.release(41), stable: fleet.release(40), state: .aborted))
        #expect(machine.serving == 40)
        #expect(machine.reports.last?.state == .unkept)
        machine.isDiskFull = false
        machine.take(.time, after: 11)
        #expect(machine.reports.last?.state == .applied)
        #expect(machine.disk.kept.first?.sequence == 40)
    }

    @Test("A rollback of a rollback is the set that was there before")
    func rollbacks() {
        var machine = machine()
        machine.take(fleet.stable(fleet.release(41)))
        for (sequence, set) in [(42, 40), (43, 41)] {
            let release = fleet.release(sequence, set: set, kind: .rollback)
            let envelope = fleet.signed(release, by: [fleet.oncall])
            var pointer = fleet.stable(release)
            (pointer.release, pointer.stable) = (envelope, envelope)
            machine.take(pointer)
            #expect(machine.node.serving?.set == TestFleet.set(set))
        }
        let never = fleet.signed(fleet.release(44, set: 7, kind: .rollback), by: [fleet.oncall])
        var pointer = fleet.stable(fleet.release(44))
        (pointer.release, pointer.stable) = (never, never)
        machine.take(pointer)
        #expect(machine.serving == 43)
    }

    @Test("Keys are replaced without a restart, and stay replaced")
    func keys() {
        var machine = machine()
        let fritz = TestKey("fritz", [.publish])
        var next = fleet.keys
        next.number = 2
        next.keys = [fritz.key]
        next.thresholds = [.publish: 1]
        var envelope = Envelope(payloadType: KeyFile.payloadType, payload: next.encoded)
        fleet.publisher.sign(&envelope)
        var pointer = fleet.stable(fleet.release(40))
        pointer.keys = [envelope]
        machine.take(pointer)
        machine = machine.restarted()
        machine.take(.started)
        machine.take(fleet.stable(fleet.release(41)))
        #expect(machine.serving == 40)
        let signed = fleet.signed(fleet.release(41), by: [fritz])
        (pointer.release, pointer.stable) = (signed, signed)
        machine.take(pointer)
        #expect(machine.serving == 41)
    }
}
