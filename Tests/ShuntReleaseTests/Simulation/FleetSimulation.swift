import SeededRandom
import ShuntCore
import ShuntFleet

/// A fleet in virtual time, by the code of the program: nodes, conductors, a publisher, a carrier, and all that can go wrong.
struct FleetSimulation {
    struct Options {
        var nodes = 12
        var releases = 5
        /// An attacker without a key writes into the carrier, and the fleet's own people use what they find there.
        var hasAttacker = false
        /// The attacker has the key of the role `rollback`.
        var hasRollbackKey = false
        var hasFaults = true
        /// The time when faults and attacks end; then everybody has to agree before `end`.
        var quiet: Duration = .seconds(800)
        var end: Duration = .seconds(1200)
    }

    private enum Item {
        case poll(Int, life: Int)
        case deliver(Int, life: Int, NodeEvent)
        case wake(Int, life: Int)
        case start(Int)
        case status(Int, NodeStatus)
        case conduct(Int)
        case publish(Int)
        case fault
        case room(Int)
        case attack
        case steer
    }

    let options: Options
    let fleet = TestFleet()
    private var generator: SeededGenerator
    /// A divisor of the frequency of faults: with many of them, hardly a release gets to the end.
    private let severity: Int
    private var agenda = Agenda<Item>()
    private(set) var now: Duration = .zero
    var nodes: [SimulatedNode]
    private var conductors = [FleetConductor(name: "one"), FleetConductor(name: "two")]
    var bytes: [UInt8] { didSet { if bytes != oldValue { shown = try? ReleasePointer(decoding: bytes) } } }
    /// The pointer in `bytes`, if it can be read.
    private(set) var shown: ReleasePointer?
    let checked = CheckedPointers()
    private var revision: UInt64 = 1
    /// Every pointer that the fleet's own people wrote.
    private(set) var past: [ReleasePointer]
    private(set) var pastBytes: [[UInt8]]
    private var statuses: StatusBoard
    /// The releases that the fleet's own people have signed.
    var signed: Set<Release> = []
    var numbers: [ContentName: Int] = [:]
    var violations: [String] = []
    private(set) var finished: [Int] = []
    private(set) var aborted: Set<Int> = []
    private(set) var loads = 0

    init(seed: UInt64, _ options: Options) {
        self.options = options
        generator = SeededGenerator(seed: seed)
        nodes = (0..<options.nodes).map { SimulatedNode("edge-\($0)") }
        statuses = StatusBoard(nodes.map(\.name))
        severity = [1, 3, 10][Int(seed % 3)]
        let first = fleet.release(1, plan: Self.plan)
        (signed, numbers[first.set]) = ([first], 1)
        (offered, stable) = (first, first)
        past = [fleet.stable(first)]
        bytes = past[0].encoded
        shown = past[0]
        pastBytes = [bytes]
    }

    static let plan = RolloutPlan(
        stages: [.nodes(1), .percent(25), .percent(100)],
        bakeSeconds: [5, 5],
        acknowledgeSeconds: 60,
        confirmSeconds: 120,
        spreadMilliseconds: 500
    )

    /// Returns true if a set is wrong: every third is, every fifth ends the process within its probation, every seventh
    /// is slow.
    private func isWrong(_ set: ContentName) -> Bool { number(set) % 3 == 0 }
    private func isDeadly(_ set: ContentName) -> Bool { number(set) % 5 == 0 }
    private func number(_ set: ContentName) -> Int { numbers[set] ?? 1 }

    var truth: ReleasePointer? { past.last }
    /// The releases of the true pointer.
    private var offered: Release
    private(set) var stable: Release

    mutating func run() {
        for index in nodes.indices { agenda.add(.start(index), at: .milliseconds(generator.below(5000))) }
        for index in conductors.indices { agenda.add(.conduct(index), at: .seconds(2)) }
        for number in 0..<options.releases { agenda.add(.publish(2 + number), at: .seconds(60 + number * 140)) }
        if options.hasFaults { agenda.add(.fault, at: .seconds(5)) }
        if options.hasAttacker {
            agenda.add(.attack, at: .seconds(30))
            agenda.add(.steer, at: .seconds(50))
        }
        while let (time, item) = agenda.next(), time <= options.end, violations.isEmpty {
            now = time
            carryOut(item)
        }
        if violations.isEmpty { checkAgreement() }
    }

    private mutating func carryOut(_ item: Item) {
        switch item {
        case .poll(let index, let life): poll(index, life)
        case .deliver(let index, let life, let event):
            if nodes[index].life == life { handle(index, event) }
        case .wake(let index, let life):
            guard nodes[index].life == life, nodes[index].wakeTime == now else { return }
            nodes[index].wakeTime = nil
            handle(index, .time)
        case .start(let index): start(index)
        case .status(let index, let status):
            if !options.hasFaults || !chance(10) { statuses.hear(index, status, about: offered.sequence) }
        case .conduct(let index): conduct(index)
        case .publish(let number):
            if !publish(number) { agenda.add(.publish(number), at: now + .seconds(20)) }
        case .fault: fault()
        case .room(let index): nodes[index].isDiskFull = false
        case .attack: attack()
        case .steer:
            steer()
            agenda.add(.steer, at: now + .seconds(50))
        }
    }

    private mutating func chance(_ percent: Int) -> Bool {
        now < options.quiet && generator.below(100 * severity) < percent
    }

    private mutating func delay(_ longest: Int) -> Duration { now + .milliseconds(1 + generator.below(longest)) }

    // MARK: Nodes

    private mutating func start(_ index: Int) {
        guard nodes[index].process == nil else { return }
        nodes[index].life += 1
        nodes[index].wakeTime = nil
        let configuration = NodeConfiguration(name: nodes[index].name, keys: fleet.keys, version: "0.3.0")
        // What is written is read again, so that a memory that cannot be read shows here.
        guard let memory = try? NodeMemory(decoding: nodes[index].memory.encoded) else {
            return violate("\(nodes[index].name) cannot read its memory")
        }
        let date = date(index)
        nodes[index].process = SimulatedNode.Process(
            FleetNode(configuration, memory: memory, verifier: TestVerifier(), now: now, date: date)
        )
        handle(index, .started)
        agenda.add(.poll(index, life: nodes[index].life), at: delay(1000))
    }

    private func date(_ index: Int) -> Timestamp {
        Timestamp(seconds: TestFleet.date.seconds + now.components.seconds + nodes[index].clockError)
    }

    private mutating func poll(_ index: Int, _ life: Int) {
        guard nodes[index].life == life else { return }
        agenda.add(.poll(index, life: life), at: now + .milliseconds(7000 + generator.below(6000)))
        // Its report may have been lost.
        if generator.chance(50), let status = nodes[index].process?.node.status { tell(index, status) }
        guard !(options.hasFaults && chance(20)) else { return }
        // Late, twice, or an older one than was read before.
        var copy = bytes
        if options.hasFaults, chance(5) { copy = generator.pick(pastBytes) }
        for _ in 0..<(chance(5) ? 2 : 1) {
            agenda.add(.deliver(index, life: life, .pointer(copy)), at: delay(options.hasFaults ? 3000 : 50))
        }
    }

    private mutating func crash(_ index: Int) {
        nodes[index].process = nil
        nodes[index].life += 1
        nodes[index].outsideSince = nil
        statuses.silence(index)
        agenda.add(.start(index), at: delay(20_000))
    }

    private mutating func handle(_ index: Int, _ event: NodeEvent) {
        guard let process = nodes[index].process else { return }
        let life = nodes[index].life
        let effects = process.node.handle(event, at: now, date: date(index))
        for effect in effects {
            if options.hasFaults, generator.below(400 * severity) == 0, now < options.quiet { return crash(index) }
            switch effect {
            case .fetch(let release): fetch(index, release, life)
            case .load(let release): load(index, release, life)
            case .write(let memory, let number):
                let isDurable = !nodes[index].isDiskFull
                if isDurable { nodes[index].memory = memory }
                agenda.add(.deliver(index, life: life, .wrote(number, isDurable: isDurable)), at: delay(20))
            case .report(let status):
                checkReport(index, status)
                tell(index, status)
            case .note: break
            }
        }
        if let wake = process.node.wakeTime.map({ max($0, now + .milliseconds(1)) }), wake != nodes[index].wakeTime {
            nodes[index].wakeTime = wake
            agenda.add(.wake(index, life: life), at: wake)
        }
        checkServing(index)
    }

    private mutating func tell(_ index: Int, _ status: NodeStatus) {
        let isSlow = nodes[index].process?.node.serving.map { number($0.set) % 7 == 0 } ?? false
        agenda.add(.status(index, SimulatedNode.measured(status, isSlow: isSlow)), at: delay(500))
    }

    private mutating func fetch(_ index: Int, _ release: Release, _ life: Int) {
        let isHere = nodes[index].sets.contains(release.set)
        if !isHere, options.hasFaults, chance(15) {
            agenda.add(.deliver(index, life: life, .notFetched(release.set, "lost")), at: delay(5000))
        } else {
            let isDurable = isHere || !nodes[index].isDiskFull
            if isDurable { nodes[index].sets.insert(release.set) }
            agenda.add(.deliver(index, life: life, .fetched(release.set, isDurable: isDurable)), at: delay(800))
        }
    }

    private mutating func load(_ index: Int, _ release: Release, _ life: Int) {
        loads += 1
        checkLoad(index, release)
        if isWrong(release.set) {
            let outcome = NodeLoadOutcome.rejected("rules:1:1: error")
            return agenda.add(.deliver(index, life: life, .loaded(release.set, outcome)), at: delay(300))
        }
        if isDeadly(release.set) { return crash(index) }
        agenda.add(.deliver(index, life: life, .loaded(release.set, .inUse)), at: delay(300))
    }

    // MARK: People and conductors

    mutating func write(_ pointer: ReleasePointer) {
        past.append(pointer)
        bytes = pointer.encoded
        pastBytes.append(bytes)
        revision += 1
        for index in nodes.indices { nodes[index].outsideSince = nil }
        let last = offered.sequence
        offered = (try? Release(decoding: pointer.release.payload)) ?? offered
        if offered.sequence != last { statuses.begin() }
        stable = (try? Release(decoding: pointer.stable.payload)) ?? stable
        if pointer.progress.state == .done { finished.append(offered.sequence) }
        if pointer.progress.state == .aborted { aborted.insert(offered.sequence) }
    }

    private mutating func conduct(_ index: Int) {
        agenda.add(.conduct(index), at: now + .milliseconds(2000 + generator.below(3000)))
        if options.hasFaults, chance(3) { conductors[index] = FleetConductor(name: "another") }
        if options.hasFaults, chance(2) { return agenda.add(.conduct(index), at: delay(60_000)) }
        guard let pointer = found else { return restore() }
        let view = FleetConductor.View(
            pointer: pointer,
            revision: revision,
            nodes: statuses.living,
            acknowledgements: statuses.acknowledged
        )
        if case .write(let next, let expected) = conductors[index].step(view, at: now, date: TestFleet.date),
            expected == revision
        {
            write(next.document)
        } else if now >= options.quiet {
            restore()
        }
    }

    // MARK: Trouble

    private mutating func fault() {
        guard now < options.quiet else {
            for index in nodes.indices {
                (nodes[index].isDiskFull, nodes[index].clockError) = (false, 0)
            }
            return
        }
        agenda.add(.fault, at: delay(20_000 * severity))
        let index = generator.below(nodes.count)
        switch generator.below(5) {
        case 0: if nodes[index].process != nil { crash(index) }
        case 1: nodes[index].clockError = Int64(generator.below(631_152_000)) - 315_576_000
        case 2:
            // An operator makes room after a while: one that cannot write undoes every rollout.
            nodes[index].isDiskFull = true
            agenda.add(.room(index), at: delay(40_000))
        case 3: bytes = generator.pick(pastBytes)
        default: statuses.silence(index)
        }
    }

    private mutating func attack() {
        guard now < options.quiet else { return }
        agenda.add(.attack, at: delay(15_000))
        bytes = ForgedPointer.make(past: past, fleet, hasRollbackKey: options.hasRollbackKey, &generator)
        revision += 1
    }
}
