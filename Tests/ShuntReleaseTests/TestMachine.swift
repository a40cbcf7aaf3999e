import ShuntCore
import ShuntFleet

/// A node whose disk, carrier and compiler do at once what they are asked.
struct TestMachine {
    let fleet: TestFleet
    var node: FleetNode
    var disk: NodeMemory
    var now: Duration = .zero
    var loads: [Int] = []
    var reports: [NodeStatus] = []
    var notes: [String] = []
    /// The result of loading a set; the process ends where there is nothing.
    var outcome: (Release) -> NodeLoadOutcome? = { _ in .inUse }
    var isDiskFull = false
    /// True if sets were written while there was room.
    var isSetThere = false
    var calendar = TestFleet.date

    init(_ fleet: TestFleet, disk: NodeMemory = NodeMemory(), version: String = "0.3.0") {
        self.fleet = fleet
        self.disk = disk
        let configuration = NodeConfiguration(name: "edge-1", keys: fleet.keys, version: version)
        node = FleetNode(configuration, memory: disk, verifier: TestVerifier(), now: .zero, date: TestFleet.date)
    }

    /// A machine that serves a stable release.
    static func serving(_ sequence: Int = 40, of fleet: TestFleet) -> TestMachine {
        var machine = TestMachine(fleet)
        machine.take(.started)
        machine.take(fleet.stable(fleet.release(sequence)))
        return machine
    }

    /// - Returns: Whether the process lives.
    @discardableResult
    mutating func take(_ event: NodeEvent, after seconds: Int = 0) -> Bool {
        now += .seconds(seconds)
        var events = [event]
        while !events.isEmpty {
            for effect in node.handle(events.removeFirst(), at: now, date: calendar) {
                switch effect {
                case .fetch(let release): events.append(.fetched(release.set, isDurable: isSetThere || !isDiskFull))
                case .write(let memory, let number):
                    if !isDiskFull { disk = memory }
                    events.append(.wrote(number, isDurable: !isDiskFull))
                case .load(let release):
                    loads.append(release.sequence)
                    guard let outcome = outcome(release) else { return false }
                    events.append(.loaded(release.set, outcome))
                case .report(let status): reports.append(status)
                case .note(let text): notes.append(text)
                }
            }
        }
        return true
    }

    @discardableResult
    mutating func take(_ pointer: ReleasePointer, after seconds: Int = 0) -> Bool {
        take(.pointer(pointer.encoded), after: seconds)
    }

    var serving: Int? { node.serving?.sequence }

    /// The process ends and starts again.
    func restarted() -> TestMachine {
        var next = TestMachine(fleet, disk: disk)
        next.outcome = outcome
        return next
    }
}
