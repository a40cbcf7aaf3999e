/// Builds the automaton of one or more namespaces: routes that begin alike share states, optional groups are edges that
/// skip steps, and a state is the set of the steps that may come next.
///
/// Without optional groups this is the trie of the patterns. With them it is that trie with its equal subtries shared,
/// so that `n` groups in a row make `n + 1` states rather than two to the power of `n`.
struct TableCompiler {
    struct Input {
        var program: RouteProgram
        var methods: UInt64
        var level: Int32
    }

    /// Two routes that end at one state, take a method in common and have the same level.
    struct Conflict: Hashable {
        var first: Int
        var second: Int
    }

    /// A state while it is made; its parts are ranges of the arrays below.
    struct State {
        var terminals = 0..<0
        var alternatives = 0..<0
        var edges = 0..<0
        var probes = 0
        var isJoin = false
        var highestLevel = Int32.min
    }

    let inputs: [Input]
    let labels: [RouteLabel]

    var states: [State] = []
    private(set) var edges: [EdgeRecord] = []
    private(set) var alternatives: [AlternativeRecord] = []
    private(set) var terminals: [Int] = []
    var pieces: [PieceRecord] = []
    var labelBytes: [UInt8] = []
    private(set) var conflicts: [Conflict] = []
    /// The expressions, by their number in records.
    var expressions: [[UInt8]] = []
    private(set) var hasJoins = false
    /// True if the table grew beyond its bound; the states that there are cannot be used then.
    private(set) var overflowed = false

    private var knownConflicts: Set<Conflict> = []
    var expressionNumbers: [[UInt8]: UInt32] = [:]
    /// The order of each label: 0 for exact ones, which need none; others by rank from 1.
    var order: [UInt32] = []
    /// The parts of alternative records that depend on the label only.
    var prototypes: [Int: AlternativeRecord] = [:]
    private let stateLimit: Int
    /// The labels of the routes without choices, one after the other, and where those of each route begin; -1 for a
    /// route with choices.
    private var plainLabels: [UInt32] = []
    private var plainStarts: [Int] = []

    init(inputs: [Input], labels: [RouteLabel]) {
        self.inputs = inputs
        self.labels = labels
        stateLimit = 4096 + RoutingLimits.statesPerStep * inputs.reduce(0) { $0 + $1.program.count + 1 }
        prepareLabels()
        plainStarts.reserveCapacity(inputs.count + 1)
        for input in inputs {
            plainStarts.append(input.program.hasChoices ? -1 : plainLabels.count)
            if input.program.hasChoices { continue }
            plainLabels += input.program.labels
            plainLabels.append(Self.endMark)
        }
    }

    /// The mark after the labels of a route.
    private static let endMark = UInt32.max

    /// A step of a route, packed so that sets of them are arrays of integers.
    private typealias Position = UInt64

    private static func position(_ route: Int, _ step: Int) -> Position { UInt64(route) << 8 | UInt64(step) }

    /// Adds the states for `routes`, and returns the first of them.
    mutating func addNamespace(_ routes: [Int]) -> UInt32 {
        var start: [Position] = []
        for route in routes {
            if plainStarts[route] >= 0 {
                start.append(Self.position(route, 0))
            } else {
                inputs[route].program.closure(from: 0) { start.append(Self.position(route, $0)) }
            }
        }
        var known: [[Position]: UInt32] = [:]
        var pending: [(state: UInt32, positions: [Position])] = []
        let root = addState()
        pending.append((root, start))
        while let (state, positions) = pending.popLast() {
            guard states.count <= stateLimit else {
                overflowed = true
                return root
            }
            expand(state, positions, known: &known, pending: &pending)
        }
        return root
    }

    private mutating func addState() -> UInt32 {
        states.append(State())
        return UInt32(states.count - 1)
    }

    private mutating func expand(
        _ state: UInt32,
        _ positions: [Position],
        known: inout [[Position]: UInt32],
        pending: inout [(state: UInt32, positions: [Position])]
    ) {
        var routesAtEnd: [Int] = []
        // Label order and number above, index of the position and form below: sorting groups equal labels.
        var moves: [(key: UInt64, next: Position)] = []
        for position in positions {
            let route = Int(position >> 8)
            let step = Int(position & 0xff)
            if plainStarts[route] >= 0 {
                let label = plainLabels[plainStarts[route] + step]
                if label == Self.endMark {
                    routesAtEnd.append(route)
                } else {
                    moves.append((UInt64(order[Int(label)]) << 32 | UInt64(label), position + 1))
                }
                continue
            }
            let program = inputs[route].program
            guard step < program.steps.count else {
                routesAtEnd.append(route)
                continue
            }
            guard case .take(let forms) = program.steps[step] else { continue }
            for form in forms {
                let key = UInt64(order[Int(form.label)]) << 32 | UInt64(form.label)
                moves.append((key, Self.position(route, step + 1)))
            }
        }
        addTerminals(routesAtEnd, to: state)
        guard !moves.isEmpty else { return }
        moves.sort { $0.key < $1.key }
        var exact: [(label: Int, target: UInt32)] = []
        var others: [(label: Int, target: UInt32)] = []
        var index = 0
        while index < moves.count {
            let key = moves[index].key
            var next: [Position] = []
            var isShared = false
            while index < moves.count, moves[index].key == key {
                let position = moves[index].next
                let route = Int(position >> 8)
                if plainStarts[route] < 0 {
                    isShared = true
                    inputs[route].program.closure(from: Int(position & 0xff)) { next.append(Self.position(route, $0)) }
                } else {
                    next.append(position)
                }
                index += 1
            }
            let target: UInt32
            if isShared {
                let set = Array(Set(next)).sorted()
                if let existing = known[set] {
                    target = existing
                    states[Int(existing)].isJoin = true
                    hasJoins = true
                } else {
                    target = addState()
                    known[set] = target
                    pending.append((target, set))
                }
            } else {
                target = addState()
                pending.append((target, next))
            }
            let label = Int(key & 0xffff_ffff)
            if key >> 32 == 0 { exact.append((label, target)) } else { others.append((label, target)) }
        }
        addEdges(exact, to: Int(state))
        let firstAlternative = alternatives.count
        for (label, target) in others {
            var record = prototypes[label] ?? AlternativeRecord()
            record.target = target
            alternatives.append(record)
        }
        states[Int(state)].alternatives = firstAlternative..<alternatives.count
    }

    /// Sets the routes that end at the state: the highest level first, then routes that name their methods.
    private mutating func addTerminals(_ routes: [Int], to state: UInt32) {
        guard !routes.isEmpty else { return }
        let sorted = routes.sorted { first, second in
            let (one, two) = (inputs[first], inputs[second])
            if one.level != two.level { return one.level > two.level }
            let isAny = (one.methods == UInt64.max, two.methods == UInt64.max)
            if isAny.0 != isAny.1 { return isAny.1 }
            return first < second
        }
        for (index, second) in sorted.enumerated() {
            // Routes of one level are neighbours, so looking back ends at the first with another.
            for first in sorted[..<index].reversed() {
                guard inputs[first].level == inputs[second].level else { break }
                let isAny = (inputs[first].methods == UInt64.max, inputs[second].methods == UInt64.max)
                guard isAny.0 == isAny.1, inputs[first].methods & inputs[second].methods != 0 else { continue }
                let conflict = Conflict(first: min(first, second), second: max(first, second))
                if knownConflicts.insert(conflict).inserted { conflicts.append(conflict) }
                break
            }
        }
        states[Int(state)].terminals = terminals.count..<(terminals.count + sorted.count)
        terminals += sorted
    }

    /// Makes the state's hash table: half as many slots again as entries, or more; a single entry needs one.
    private mutating func addEdges(_ exact: [(label: Int, target: UInt32)], to state: Int) {
        guard !exact.isEmpty else { return }
        var size = 1
        if exact.count > 1 { while size < exact.count + exact.count / 2 { size *= 2 } }
        let base = edges.count
        edges.append(contentsOf: repeatElement(EdgeRecord(), count: size))
        var longest = 1
        for (label, target) in exact {
            let (record, hash) = edge(for: label, to: target)
            var slot = StateRecord.slot(hash, mask: size - 1)
            var probes = 1
            while edges[base + slot].length != EdgeRecord.unused {
                slot = (slot + 1) & (size - 1)
                probes += 1
            }
            edges[base + slot] = record
            longest = max(longest, probes)
        }
        states[state].edges = base..<edges.count
        states[state].probes = longest
    }

    private func edge(for label: Int, to target: UInt32) -> (EdgeRecord, hash: UInt64) {
        var record = EdgeRecord(target: target, label: UInt32(label))
        switch labels[label] {
        case .literal(let bytes):
            let (key, hash) = PathBytes.Component.ofLabel(bytes)
            record.key = key
            record.length = UInt32(bytes.count)
            return (record, hash)
        case .fragment: record.length = EdgeRecord.fragment
        case .trailingSlash: record.length = EdgeRecord.trailingSlash
        case .component, .tail: break
        }
        record.key = UInt64(record.length)
        return (record, PathBytes.mix(0, record.key))
    }

    /// The record for a label that is not exact, without the state that follows.
    func alternative(forLabel label: UInt32) -> AlternativeRecord { prototypes[Int(label)] ?? AlternativeRecord() }
}
