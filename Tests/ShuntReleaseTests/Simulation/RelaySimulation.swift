import SeededRandom
import ShuntCore
import ShuntFleet

/// Nodes behind relays with virtual time, as `docs/fleet.md` describes them, and what of all that reaches the carrier.
///
/// The nodes are those of the program. A relay follows the pointer, passes on what it has verified, holds polls until the
/// pointer changes, and writes one gathered word a second at most.
struct RelaySimulation {
    private enum Item {
        case begin(Int)
        case poll(Int)
        case expire(Int, poll: Int)
        case deliver(Int, NodeEvent)
        case wake(Int)
        case status(Int, relay: Int, NodeStatus)
        case pointer(relay: Int, [UInt8])
        case gather(Int)
        case write([UInt8])
        case crash(relay: Int)
    }

    private struct Relay {
        var isUp = true
        var pointer: [UInt8]
        /// Nodes whose polls are held.
        var held: [Int] = []
        /// The last report of each node.
        var states: [Int: NodeStatus.State] = [:]
        var hasNews = false
    }

    private struct Follower {
        var node: FleetNode
        var relay: Int
        var polls = 0
        var isHeld = false
        var wakeTime: Duration?
        var seen: [UInt8] = []
    }

    private let fleet = TestFleet()
    private let verifier = TestVerifier()
    private var generator: SeededGenerator
    private var agenda = Agenda<Item>()
    private var now = Duration.zero
    private var relays: [Relay]
    private var followers: [Follower]
    private var writes: [Int64: Int] = [:]
    /// The time that each poll waits.
    private static let patience = Duration.seconds(30)
    private static let published = Duration.seconds(60)

    /// The time when the last node had the second release, from its being written on.
    private(set) var longest = Duration.zero
    /// The number of nodes that report that they have it.
    private(set) var applied = 0
    /// The words that the carrier got in its busiest second.
    var busiest: Int { writes.values.max() ?? 0 }
    /// Pointers that reached a node and that a relay should have kept back.
    private(set) var leaks = 0

    init(seed: UInt64, nodes: Int, relays count: Int) {
        generator = SeededGenerator(seed: seed)
        let first = fleet.stable(fleet.release(1)).encoded
        relays = (0..<count).map { _ in Relay(pointer: first) }
        followers = []
        for number in 0..<nodes {
            let node = fleet.node("edge-\(number)", verifier: verifier)
            followers.append(Follower(node: node, relay: number % count))
        }
    }

    mutating func run() {
        let plan = RolloutPlan(stages: [.percent(100)], bakeSeconds: [], spreadMilliseconds: 2000)
        let second = fleet.release(2, plan: plan)
        for index in followers.indices { agenda.add(.begin(index), at: delay(20_000)) }
        for relay in relays.indices { agenda.add(.gather(relay), at: delay(1000)) }
        // An attacker without a key writes first, and one relay dies while the release passes.
        let eve = fleet.pointer(fleet.release(3), stable: fleet.release(1), signers: [TestKey("eve", [.publish])])
        agenda.add(.write(eve.encoded), at: Self.published - .seconds(5))
        agenda.add(.write(fleet.pointer(second, stable: fleet.release(1)).encoded), at: Self.published)
        agenda.add(.crash(relay: 0), at: Self.published + .milliseconds(200))
        while let (time, item) = agenda.next(), time <= Self.published + .seconds(40) {
            now = time
            carryOut(item)
        }
        applied = followers.count { $0.node.status?.state == .applied && $0.node.serving?.sequence == 2 }
    }

    private mutating func delay(_ longest: Int) -> Duration { now + .milliseconds(1 + generator.below(longest)) }

    private mutating func carryOut(_ item: Item) {
        switch item {
        case .begin(let index):
            handle(index, .started)
            agenda.add(.poll(index), at: delay(100))
        case .poll(let index): poll(index)
        case .expire(let index, let number):
            guard followers[index].isHeld, followers[index].polls == number else { return }
            followers[index].isHeld = false
            agenda.add(.poll(index), at: delay(100))
        case .deliver(let index, let event): handle(index, event)
        case .wake(let index):
            guard followers[index].wakeTime == now else { return }
            followers[index].wakeTime = nil
            handle(index, .time)
        case .status(let index, let relay, let status):
            guard relays[relay].isUp else { return }
            relays[relay].states[index] = status.state
            relays[relay].hasNews = true
        case .pointer(let relay, let bytes): take(bytes, relay)
        case .gather(let relay):
            if relays[relay].hasNews, relays[relay].isUp { writes[now.components.seconds, default: 0] += 1 }
            relays[relay].hasNews = false
            agenda.add(.gather(relay), at: now + .seconds(1))
        case .write(let bytes):
            for relay in relays.indices { agenda.add(.pointer(relay: relay, bytes), at: delay(100)) }
        case .crash(let relay):
            relays[relay].isUp = false
            for index in relays[relay].held where followers[index].relay == relay && followers[index].isHeld {
                followers[index].isHeld = false
                agenda.add(.poll(index), at: delay(2000))
            }
        }
    }

    // MARK: Relays

    /// A relay passes nothing on that a node would have to refuse.
    private mutating func take(_ bytes: [UInt8], _ relay: Int) {
        guard relays[relay].isUp, let pointer = try? ReleasePointer(decoding: bytes),
            [pointer.release, pointer.stable]
                .allSatisfy({ (try? Release.verified($0, by: fleet.keys, verifier) { _ in true }) != nil })
        else { return }
        relays[relay].pointer = bytes
        let held = relays[relay].held
        relays[relay].held = []
        for index in held where followers[index].isHeld && followers[index].relay == relay { answer(index, relay) }
    }

    private mutating func poll(_ index: Int) {
        // A node knows two relays.
        if !relays[followers[index].relay].isUp { followers[index].relay = (followers[index].relay + 1) % relays.count }
        let relay = followers[index].relay
        guard relays[relay].isUp, !generator.chance(1) else { return agenda.add(.poll(index), at: delay(2000)) }
        followers[index].polls += 1
        guard relays[relay].pointer == followers[index].seen else { return answer(index, relay) }
        followers[index].isHeld = true
        relays[relay].held.append(index)
        agenda.add(.expire(index, poll: followers[index].polls), at: now + Self.patience)
    }

    private mutating func answer(_ index: Int, _ relay: Int) {
        followers[index].isHeld = false
        followers[index].seen = relays[relay].pointer
        agenda.add(.deliver(index, .pointer(relays[relay].pointer)), at: delay(200))
        agenda.add(.poll(index), at: delay(400))
    }

    // MARK: Nodes

    private mutating func handle(_ index: Int, _ event: NodeEvent) {
        let before = followers[index].node.serving?.sequence
        for effect in followers[index].node.handle(event, at: now, date: TestFleet.date) {
            switch effect {
            case .fetch(let release):
                agenda.add(.deliver(index, .fetched(release.set, isDurable: true)), at: delay(300))
            case .load(let release): agenda.add(.deliver(index, .loaded(release.set, .inUse)), at: delay(300))
            case .write(_, let number): agenda.add(.deliver(index, .wrote(number, isDurable: true)), at: delay(20))
            case .report(let status):
                agenda.add(.status(index, relay: followers[index].relay, status), at: delay(100))
            case .note: leaks += 1
            }
        }
        if followers[index].node.serving?.sequence != before, before == 1 {
            longest = max(longest, now - Self.published)
        }
        let wake = followers[index].node.wakeTime.map { max($0, now + .milliseconds(1)) }
        if let wake, wake != followers[index].wakeTime {
            followers[index].wakeTime = wake
            agenda.add(.wake(index), at: wake)
        }
    }
}
