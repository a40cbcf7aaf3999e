/// Makes states when they are asked for: sets of threads, in a context.
///
/// A state has all that matters of the bytes read so far. Number 0 accepts nothing any more, number 1 everything.
struct Explorer {
    static let dead: UInt32 = 0
    static let universal: UInt32 = 1

    let graph: PatternGraph
    let alphabet: Alphabet
    private let limits: AutomatonLimits
    private var steps: StepCounter

    private let letters: [LetterSet]
    private let wordLetters: LetterSet
    private let alwaysAccepting: [Bool]

    private var threads: ThreadTable
    private var contexts = ContextTable()
    private var states = SequenceTable()
    /// The place where the row of a state begins in `rows`; -1 until it is asked for.
    private var rowStarts: [Int] = []
    private var rows: [UInt32] = []
    private var acceptsEnd: [Bool] = []

    /// The time when each node was visited last.
    private var visits: [UInt32]
    private var visit: UInt32 = 0

    init(_ graph: PatternGraph, limits: AutomatonLimits) throws(AutomatonRefusal) {
        self.graph = graph
        self.limits = limits
        steps = StepCounter(limits)
        try steps.take(graph.nodes.count)
        alphabet = Alphabet(telling: graph.looksAtWords ? graph.sets + [.word] : graph.sets)
        let alphabet = alphabet
        letters = graph.sets.map { alphabet.letters(in: $0) }
        wordLetters = graph.looksAtWords ? alphabet.letters(in: .word) : LetterSet()
        alwaysAccepting = graph.alwaysAccepting()
        threads = ThreadTable(nodeCount: graph.nodes.count)
        visits = [UInt32](repeating: 0, count: graph.nodes.count)
        for sequence in [[], [UInt32.max]] {
            _ = states.insert(sequence)
            rowStarts.append(rows.count)
            rows += [UInt32](repeating: sequence.isEmpty ? Self.dead : Self.universal, count: alphabet.count)
            acceptsEnd.append(!sequence.isEmpty)
        }
    }

    /// The state before the first byte.
    mutating func initialState() throws(AutomatonRefusal) -> UInt32 {
        let context = try context(isStart: graph.looksAtStart, lastIsWord: false, graph.lookbehinds.map { [$0] })
        return try state([context, graph.initial])
    }

    /// The states after each letter, and whether the subject may end here.
    mutating func row(of state: UInt32) throws(AutomatonRefusal) -> (next: ArraySlice<UInt32>, acceptsEnd: Bool) {
        if rowStarts[Int(state)] < 0 { try makeRow(of: state) }
        let start = rowStarts[Int(state)]
        return (rows[start..<(start + alphabet.count)], acceptsEnd[Int(state)])
    }

    /// The number of a state: a context and the threads in it, ascending.
    private mutating func state(_ sequence: [UInt32]) throws(AutomatonRefusal) -> UInt32 {
        if sequence.count == 1 { return Self.dead }
        let (number, isNew) = states.insert(sequence)
        if isNew {
            if states.count > limits.states + 2 { throw .states(limits.states) }
            rowStarts.append(-1)
            acceptsEnd.append(false)
        }
        return number
    }

    // MARK: Rows

    private mutating func makeRow(of state: UInt32) throws(AutomatonRefusal) {
        let sequence = states[state]
        let context = sequence[sequence.startIndex]
        let ways = try ways(of: Array(sequence.dropFirst()), in: context, contexts.facts[Int(context)])
        if ways.isAccepting {
            rowStarts[Int(state)] = rowStarts[Int(Self.universal)]
            acceptsEnd[Int(state)] = true
            return
        }
        // Lookaheads inside have nothing to do with what is around them, so this ends.
        for way in ways.conditional {
            for obligation in threads.obligations(way.obliged) where rowStarts[Int(obligation / 2)] < 0 {
                try makeRow(of: obligation / 2)
            }
        }
        let following = try following(context)
        var targets = [[UInt32]](repeating: [], count: alphabet.count)
        for node in ways.nodes { try add(graph.nodes[Int(node)], to: &targets) }
        for way in ways.conditional { try add(way, to: &targets) }
        var row: [UInt32] = []
        row.reserveCapacity(alphabet.count)
        var last: (targets: [UInt32], context: UInt32, state: UInt32) = ([], 0, Self.dead)
        for letter in 0..<alphabet.count {
            if targets[letter] != last.targets || following[letter] != last.context {
                let next = try self.state(after: targets[letter], in: following[letter])
                last = (targets[letter], following[letter], next)
            }
            row.append(last.state)
        }
        acceptsEnd[Int(state)] = ways.conditional.contains { accepts($0) }
        rowStarts[Int(state)] = rows.count
        rows += row
    }

    private mutating func add(_ node: PatternGraph.Node, to targets: inout [[UInt32]]) throws(AutomatonRefusal) {
        var count = 0
        letters[Int(node.other)]
            .forEachLetter(below: alphabet.count) { letter in
                targets[letter].append(node.next)
                count += 1
            }
        try steps.take(count)
    }

    private mutating func add(_ way: Ways.Conditional, to targets: inout [[UInt32]]) throws(AutomatonRefusal) {
        let node = graph.nodes[Int(way.node)]
        var allowed = way.letters
        var next = PatternGraph.accept
        if node.kind == .byte {
            allowed.formIntersection(letters[Int(node.other)])
            next = node.next
        }
        if alwaysAccepting[Int(next)] { next = PatternGraph.accept }
        var reached: [Int] = []
        allowed.forEachLetter(below: alphabet.count) { reached.append($0) }
        let obligations = threads.obligations(way.obliged)
        try steps.take(reached.count * (1 + obligations.count))
        for letter in reached {
            guard let left = after(letter, obligations) else { continue }
            targets[letter].append(threads.thread(at: next, obliged: threads.number(of: left)))
        }
    }

    /// Returns the obligations that remain after a letter; nil if one of them cannot be met any more.
    private func after(_ letter: Int, _ obligations: ArraySlice<UInt32>) -> [UInt32]? {
        var left: [UInt32] = []
        for obligation in obligations {
            let next = rows[rowStarts[Int(obligation / 2)] + letter]
            let isNegated = obligation % 2 == 1
            if next == (isNegated ? Self.universal : Self.dead) { return nil }
            if next == (isNegated ? Self.dead : Self.universal) { continue }
            left.append(next * 2 + obligation % 2)
        }
        return left
    }

    /// Returns true if a way has a match if the subject ends here.
    private func accepts(_ way: Ways.Conditional) -> Bool {
        way.letters.hasEnd && graph.nodes[Int(way.node)].kind == .accept
            && threads.obligations(way.obliged).allSatisfy { acceptsEnd[Int($0 / 2)] != ($0 % 2 == 1) }
    }

    private mutating func state(after targets: [UInt32], in context: UInt32) throws(AutomatonRefusal) -> UInt32 {
        if targets.isEmpty { return Self.dead }
        var sequence = [context]
        sequence.reserveCapacity(targets.count + 1)
        let sorted = targets.count == 1 ? targets : threads.withoutCovered(targets.sorted())
        for thread in sorted {
            if Int(thread) < alwaysAccepting.count, alwaysAccepting[Int(thread)] { return Self.universal }
            if sequence.count == 1 || sequence[sequence.count - 1] != thread { sequence.append(thread) }
        }
        return try state(sequence)
    }

    // MARK: Contexts

    /// The number of a context; `nodes` are those of each lookbehind, ascending.
    private mutating func context(
        isStart: Bool,
        lastIsWord: Bool,
        _ nodes: [[UInt32]]
    ) throws(AutomatonRefusal) -> UInt32 {
        let (number, isNew) = contexts.number(isStart: isStart, lastIsWord: lastIsWord, nodes: nodes)
        guard isNew, !nodes.isEmpty else { return number }
        // A lookbehind may be in a later one.
        var facts = ContextTable.Facts(isStart: isStart, lastIsWord: lastIsWord)
        for list in nodes {
            let ways = try ways(of: list, in: number, facts)
            var matching = ways.isAccepting ? LetterSet.all : LetterSet()
            for way in ways.conditional where way.node == PatternGraph.accept { matching.formUnion(way.letters) }
            facts.behind.append(matching)
            facts.ways.append(ways)
        }
        contexts.setLookbehinds(of: number, facts.behind, facts.ways)
        return number
    }

    /// The context after each letter.
    private mutating func following(_ context: UInt32) throws(AutomatonRefusal) -> [UInt32] {
        let facts = contexts.facts[Int(context)]
        if !facts.following.isEmpty { return facts.following }
        var nodes = [[[UInt32]]](repeating: [], count: alphabet.count)
        for ways in facts.ways {
            var targets = [[UInt32]](repeating: [], count: alphabet.count)
            for node in ways.nodes { try add(graph.nodes[Int(node)], to: &targets) }
            for way in ways.conditional where way.node != PatternGraph.accept { try add(way, to: &targets) }
            for letter in 0..<alphabet.count {
                var list: [UInt32] = []
                for node in targets[letter].sorted() where list.last != node { list.append(node) }
                nodes[letter].append(list)
            }
        }
        var isWord = [Bool](repeating: false, count: alphabet.count)
        wordLetters.forEachLetter(below: alphabet.count) { isWord[$0] = true }
        var following: [UInt32] = []
        for letter in 0..<alphabet.count {
            following.append(try self.context(isStart: false, lastIsWord: isWord[letter], nodes[letter]))
        }
        contexts.setFollowing(of: context, following)
        return following
    }

    // MARK: Ways

    /// The place where threads go from a place, in a context.
    private mutating func ways(
        of list: [UInt32],
        in context: UInt32,
        _ facts: ContextTable.Facts
    ) throws(AutomatonRefusal) -> Ways {
        var result = Ways()
        visit += 1
        var stack: [UInt32] = []
        var conditional: [Ways.Conditional] = []
        for thread in list {
            let (node, obliged) = threads.parts(of: thread)
            if obliged == 0 {
                stack.append(node)
            } else {
                conditional.append(Ways.Conditional(node: node, letters: .all, obliged: obliged))
            }
        }
        while let number = stack.popLast() {
            if visits[Int(number)] == visit { continue }
            visits[Int(number)] = visit
            try steps.take()
            let node = graph.nodes[Int(number)]
            switch node.kind {
            case .byte: result.nodes.append(number)
            case .accept: result.isAccepting = true
            case .split:
                stack.append(node.next)
                stack.append(node.other)
            case .start: if facts.isStart { stack.append(node.next) }
            default: conditional.append(Ways.Conditional(node: number, letters: .all, obliged: 0))
            }
        }
        if conditional.isEmpty { return result }
        var seen: Set<Ways.Conditional> = []
        while let way = conditional.popLast() {
            // Nodes that were reached without a condition and continue without one need no second visit.
            let node = graph.nodes[Int(way.node)]
            if visits[Int(way.node)] == visit, way.obliged != 0 || way.letters != .all { continue }
            guard !way.letters.isEmpty, seen.insert(way).inserted else { continue }
            try steps.take()
            if node.kind == .byte || node.kind == .accept {
                result.conditional.append(way)
            } else {
                try follow(way, node: node, in: context, facts: facts, to: &conditional)
            }
        }
        return result
    }

    /// Continues from a node that takes no byte.
    private mutating func follow(
        _ way: Ways.Conditional,
        node: PatternGraph.Node,
        in context: UInt32,
        facts: ContextTable.Facts,
        to stack: inout [Ways.Conditional]
    ) throws(AutomatonRefusal) {
        var next = way
        next.node = node.next
        switch node.kind {
        case .split:
            stack.append(next)
            next.node = node.other
        case .start: if !facts.isStart { return }
        case .end: next.letters.formIntersection(.end)
        case .wordBoundary, .notWordBoundary:
            // After a word byte a boundary is before anything else, and the other way round.
            let isWordWanted = facts.lastIsWord == (node.kind == .notWordBoundary)
            next.letters.formIntersection(isWordWanted ? wordLetters : wordLetters.inverted)
        case .behind: next.letters.formIntersection(facts.behind[Int(node.other)])
        case .notBehind: next.letters.formIntersection(facts.behind[Int(node.other)].inverted)
        case .ahead, .notAhead:
            let inner = try state([context, node.other])
            let obligation = inner * 2 + (node.kind == .notAhead ? 1 : 0)
            next.obliged = threads.number(of: way.obliged, adding: obligation)
        case .byte, .accept: return
        }
        stack.append(next)
    }
}
