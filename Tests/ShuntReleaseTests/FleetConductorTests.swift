import ShuntCore
import ShuntFleet
import Testing

@Suite("A conductor")
struct FleetConductorTests {
    let fleet = TestFleet()
    static let plan = RolloutPlan(bakeSeconds: [10, 20, 30], spreadMilliseconds: 0)

    /// A carrier with nodes that report what the test sets.
    struct Carrier {
        let fleet: TestFleet
        var pointer: TrustedPointer
        var revision: UInt64 = 1
        var nodes: [String: NodeStatus]
        var now: Duration = .zero

        init(_ fleet: TestFleet, nodes count: Int) throws {
            self.fleet = fleet
            let stable = fleet.release(40)
            pointer = try fleet.trusted(
                fleet.pointer(fleet.release(41, plan: FleetConductorTests.plan), stable: stable, threshold: nil)
            )
            nodes = [:]
            for number in 1...count {
                let name = "edge-\(number)"
                nodes[name] = NodeStatus(
                    node: name,
                    sequence: 40,
                    set: stable.set,
                    state: .applied,
                    serving: 40,
                    at: TestFleet.date
                )
            }
        }

        var cohort: [String] {
            nodes.keys
                .filter {
                    pointer.progress.includes($0, rank: NodeRank.of($0, namespace: "web", sequence: 41))
                }
                .sorted()
        }

        /// Nodes report something about the release.
        mutating func say(_ state: NodeStatus.State, _ names: [String], _ error: String? = nil) {
            for name in names {
                nodes[name]?.sequence = 41
                nodes[name]?.state = state
                nodes[name]?.error = error
                nodes[name]?.serving = state == .applied ? 41 : 40
            }
        }

        func view(acknowledgements: [String: NodeStatus.State] = [:]) -> FleetConductor.View {
            FleetConductor.View(
                pointer: pointer,
                revision: revision,
                nodes: nodes.values.sorted { $0.node < $1.node },
                acknowledgements: acknowledgements
            )
        }

        /// Lets the conductor look, and compares and swaps.
        @discardableResult
        mutating func look(_ conductor: inout FleetConductor, after seconds: Int = 0) -> FleetConductor.Step {
            now += .seconds(seconds)
            let step = conductor.step(view(), at: now, date: TestFleet.date)
            if case .write(let next, let expected) = step, expected == revision {
                pointer = next
                revision += 1
            }
            return step
        }
    }

    @Test("Stage after stage has 1, 12, 60 and 240 nodes, each after it was quiet; then the release is stable")
    func stages() throws {
        var carrier = try Carrier(fleet, nodes: 240)
        var conductor = FleetConductor(name: "one")
        var earlier: Set<String> = []
        for (size, bake) in [(1, 10), (12, 20), (60, 30)] {
            carrier.look(&conductor)
            #expect(carrier.cohort.count == size)
            #expect(earlier.isSubset(of: carrier.cohort))
            earlier = Set(carrier.cohort)
            carrier.say(.applied, carrier.cohort)
            carrier.look(&conductor)
            carrier.look(&conductor, after: bake - 1)
            #expect(carrier.cohort.count == size)
            carrier.look(&conductor, after: 1)
        }
        #expect(carrier.cohort.count == 240)
        carrier.say(.applied, carrier.cohort)
        carrier.look(&conductor)
        #expect(carrier.pointer.progress.state == .done)
        #expect(carrier.pointer.stable == carrier.pointer.release)
        let last = carrier.look(&conductor)
        #expect(last == .over(.done))
    }

    @Test("One that refuses, cannot keep, or does not answer in time undoes the rollout")
    func aborts() throws {
        for (state, seconds, reason) in [
            (NodeStatus.State.rejected, 0, "rejected: rules:1:1: error"), (.unkept, 0, "unkept"),
            (.failed, 0, "failed"),
            (.loading, 61, "did not apply it in time"), (.held, 61, "did not apply it in time"),
        ] {
            var carrier = try Carrier(fleet, nodes: 240)
            var conductor = FleetConductor(name: "one")
            carrier.look(&conductor)
            carrier.say(state, carrier.cohort, state == .rejected ? "rules:1:1: error" : nil)
            carrier.look(&conductor)
            carrier.look(&conductor, after: seconds)
            #expect(carrier.pointer.progress.state == .aborted)
            #expect(carrier.cohort == [])
            #expect(carrier.pointer.progress.reason.contains(reason))
        }
    }

    @Test("A node that dies while it loads aborts, and one that dies later does not")
    func lost() throws {
        for (state, isAborted) in [(NodeStatus.State.loading, true), (.applied, false)] {
            var carrier = try Carrier(fleet, nodes: 7)
            var conductor = FleetConductor(name: "one")
            carrier.look(&conductor)
            let name = carrier.cohort[0]
            carrier.nodes[name] = nil
            let step = conductor.step(carrier.view(acknowledgements: [name: state]), at: .zero, date: TestFleet.date)
            guard case .write(let next, _) = step else {
                #expect(!isAborted)
                continue
            }
            #expect(isAborted && next.progress.state == .aborted)
            #expect(next.progress.reason == "\(name) was lost while it loaded the release")
        }
    }

    @Test("A canary that meets more errors than the others aborts")
    func gates() throws {
        var carrier = try Carrier(fleet, nodes: 10)
        var conductor = FleetConductor(name: "one")
        carrier.look(&conductor)
        carrier.say(.applied, carrier.cohort)
        for name in carrier.nodes.keys { carrier.nodes[name]?.counters.requests = 500 }
        carrier.look(&conductor)
        #expect(carrier.pointer.progress.state == .running)
        carrier.nodes[carrier.cohort[0]]?.counters.serverErrors = 50
        carrier.look(&conductor)
        #expect(carrier.pointer.progress.state == .aborted)
    }

    @Test("Another conductor continues in the same stage, and one that slept overwrites nothing")
    func successors() throws {
        var carrier = try Carrier(fleet, nodes: 240)
        var first = FleetConductor(name: "one")
        carrier.look(&first)
        carrier.say(.applied, carrier.cohort)
        carrier.look(&first)
        let asleep = carrier.view()
        var second = FleetConductor(name: "two")
        carrier.look(&second)
        carrier.look(&second, after: 10)
        #expect(carrier.cohort.count == 12)
        #expect(carrier.pointer.progress.by == "two")
        // What the first had seen before is not where it wants to write any more.
        guard case .write(_, let expected) = first.step(asleep, at: .seconds(70), date: TestFleet.date) else {
            Issue.record("it does not want to go on")
            return
        }
        #expect(expected != carrier.revision)
    }

    @Test("A pause lasts, continuing waits for quiet again, and excluded nodes are not counted")
    func pause() throws {
        var carrier = try Carrier(fleet, nodes: 240)
        var conductor = FleetConductor(name: "one")
        carrier.look(&conductor)
        carrier.say(.applied, carrier.cohort)
        carrier.look(&conductor)
        carrier.pointer.progress.state = .paused
        for _ in 0..<10 {
            let step = carrier.look(&conductor, after: 60)
            #expect(step == .wait("paused"))
        }
        carrier.pointer.progress.state = .running
        carrier.look(&conductor)
        carrier.look(&conductor, after: 9)
        #expect(carrier.cohort.count == 1)
        carrier.look(&conductor, after: 1)
        #expect(carrier.cohort.count == 12)
        let stubborn = carrier.cohort.filter { carrier.nodes[$0]?.sequence != 41 }[0]
        carrier.pointer.progress.excluded = [stubborn]
        carrier.say(.rejected, [stubborn])
        carrier.say(.applied, carrier.cohort.filter { $0 != stubborn })
        carrier.look(&conductor)
        carrier.look(&conductor, after: 20)
        #expect(carrier.pointer.progress.stage == 2)
    }

    @Test("Without live nodes nothing moves, and without reports only time counts")
    func silence() throws {
        var carrier = try Carrier(fleet, nodes: 1)
        carrier.nodes = [:]
        var conductor = FleetConductor(name: "one")
        let step = carrier.look(&conductor)
        #expect(step == .wait("no node lives"))
        var view = carrier.view()
        view.reports = false
        var thresholds: [UInt64] = []
        var now = Duration.zero
        while case .running = view.pointer.progress.state {
            if case .write(let next, _) = conductor.step(view, at: now, date: TestFleet.date) {
                view.pointer = next
                if next.progress.state == .running { thresholds.append(next.progress.threshold ?? 0) }
            }
            now += .seconds(1)
        }
        #expect(thresholds == [0, UInt64.max / 100 * 5, UInt64.max / 100 * 25, .max])
        #expect(now == .seconds(65))
    }

    @Test("Each node has its own rank, whichever come and leave between two looks")
    func comings() throws {
        var carrier = try Carrier(fleet, nodes: 40)
        var conductor = FleetConductor(name: "one")
        carrier.look(&conductor)
        // As many as before, under other names: those of the stage are not those who were in their places.
        let gone = carrier.nodes.filter { !carrier.cohort.contains($0.key) }.keys.sorted().prefix(20)
        for (number, name) in gone.enumerated() {
            guard var node = carrier.nodes.removeValue(forKey: name) else { continue }
            node.node = "late-\(number)"
            carrier.nodes[node.node] = node
        }
        carrier.say(.applied, carrier.cohort)
        let cohort = carrier.cohort.count
        #expect(carrier.look(&conductor) == .wait("\(cohort) applied, quiet"))
        // All names are new, again and again.
        for round in 0..<20 {
            carrier.nodes = Dictionary(
                uniqueKeysWithValues: carrier.nodes.values.enumerated()
                    .map { number, node in
                        var node = node
                        node.node = "edge-\(round)-\(number)"
                        (node.sequence, node.serving) = (40, 40)
                        return (node.node, node)
                    }
            )
            carrier.say(.applied, carrier.cohort)
            let cohort = carrier.cohort.count
            #expect(
                carrier.look(&conductor)
                    == .wait(cohort == 0 ? "no node of this stage lives" : "\(cohort) applied, quiet")
            )
        }
    }
}
