import ShuntCore

/// Makes the graph of an expression (Thompson's construction), from its end to its start.
struct PatternGraphBuilder {
    private var graph = PatternGraph()
    private var setNumbers: [ByteSet: UInt32] = [:]
    /// The place where the content of each lookahead begins, and the number of each lookbehind: copies share them.
    private var lookaheads: [PatternNode: UInt32] = [:]
    private var lookbehinds: [PatternNode: UInt32] = [:]
    private var lookbehindDepth = 0
    /// The way through a final LF to the end of the subject, once it is there.
    private var finalLineFeed: UInt32?
    private let limits: AutomatonLimits

    private init(_ limits: AutomatonLimits) { self.limits = limits }

    /// The graph of `pattern`: of the subjects in which it is found.
    static func graph(of pattern: PatternNode, limits: AutomatonLimits) throws(AutomatonRefusal) -> PatternGraph {
        var builder = PatternGraphBuilder(limits)
        _ = try builder.add(.accept)
        let resolved = try AtomicParts.resolved(pattern, limits: limits)
        let start = try builder.build(resolved, then: PatternGraph.accept)
        let isAnchored = beginsAtStart(pattern)
        if !isAnchored, MisledSearch.mayMiss(pattern) { throw .misledSearch }
        builder.graph.initial = isAnchored ? start : try builder.searching(start)
        return builder.graph
    }

    private mutating func add(
        _ kind: PatternGraph.Kind,
        next: UInt32 = 0,
        other: UInt32 = 0
    ) throws(AutomatonRefusal) -> UInt32 {
        if graph.nodes.count >= limits.nodes { throw .nodes(limits.nodes) }
        graph.nodes.append(PatternGraph.Node(kind: kind, next: next, other: other))
        return UInt32(graph.nodes.count - 1)
    }

    private mutating func add(_ set: ByteSet, then next: UInt32) throws(AutomatonRefusal) -> UInt32 {
        if let number = setNumbers[set] { return try add(.byte, next: next, other: number) }
        let number = UInt32(graph.sets.count)
        setNumbers[set] = number
        graph.sets.append(set)
        return try add(.byte, next: next, other: number)
    }

    /// A node that leads to `start` at every byte.
    private mutating func searching(_ start: UInt32) throws(AutomatonRefusal) -> UInt32 {
        let loop = try add(.split, other: start)
        graph.nodes[Int(loop)].next = try add(ByteSet.all, then: loop)
        return loop
    }

    private mutating func build(_ node: PatternNode, then next: UInt32) throws(AutomatonRefusal) -> UInt32 {
        switch node {
        case .literal(let bytes, let caseless):
            var current = next
            for byte in bytes.reversed() {
                let set = ByteSet(byte...byte)
                current = try add(caseless ? set.closedUnderCase : set, then: current)
            }
            return current
        case .set(let set): return try add(set, then: next)
        case .matchStart: return next
        case .start:
            graph.looksAtStart = true
            return try add(.start, next: next)
        case .end: return try buildEnd(then: next)
        case .absoluteEnd: return try add(.end, next: next)
        case .wordBoundary(let negated):
            graph.looksAtWords = true
            return try add(negated ? .notWordBoundary : .wordBoundary, next: next)
        case .lookaround(let inner, true, let negated):
            let start = try lookahead(inner)
            return try add(negated ? .notAhead : .ahead, next: next, other: start)
        case .lookaround(let inner, false, let negated):
            let number = try lookbehind(inner)
            return try add(negated ? .notBehind : .behind, next: next, other: number)
        case .sequence(let nodes):
            var current = next
            for node in nodes.reversed() { current = try build(node, then: current) }
            return current
        case .choice(let branches):
            var current: UInt32?
            for branch in branches.reversed() {
                let start = try build(branch, then: next)
                if let later = current {
                    current = try add(.split, next: start, other: later)
                } else {
                    current = start
                }
            }
            return current ?? next
        case .repeated(let inner, let minimum, let maximum, _):
            return try buildRepeated(inner, minimum: minimum, maximum: maximum, then: next)
        case .capture(let inner, _): return try build(inner, then: next)
        case .backreference(let number): throw .backreference(number)
        case .lineBreak: throw .lineBreak
        case .atomic: throw .atomic
        }
    }

    /// `$`: at the end, or where one LF and then the end is ahead.
    private mutating func buildEnd(then next: UInt32) throws(AutomatonRefusal) -> UInt32 {
        if lookbehindDepth > 0 { throw .lookaheadInLookbehind }
        let lineFeed: UInt32
        if let finalLineFeed {
            lineFeed = finalLineFeed
        } else {
            let end = try add(.end, next: PatternGraph.accept)
            lineFeed = try add(ByteSet(10...10), then: end)
            finalLineFeed = lineFeed
        }
        let ahead = try add(.ahead, next: next, other: lineFeed)
        let end = try add(.end, next: next)
        return try add(.split, next: end, other: ahead)
    }

    private mutating func lookahead(_ inner: PatternNode) throws(AutomatonRefusal) -> UInt32 {
        if lookbehindDepth > 0 { throw .lookaheadInLookbehind }
        if let start = lookaheads[inner] { return start }
        let start = try build(inner, then: PatternGraph.accept)
        lookaheads[inner] = start
        return start
    }

    private mutating func lookbehind(_ inner: PatternNode) throws(AutomatonRefusal) -> UInt32 {
        if let number = lookbehinds[inner] { return number }
        lookbehindDepth += 1
        defer { lookbehindDepth -= 1 }
        let start = try build(inner, then: PatternGraph.accept)
        graph.lookbehinds.append(try searching(start))
        let number = UInt32(graph.lookbehinds.count - 1)
        lookbehinds[inner] = number
        return number
    }

    private mutating func buildRepeated(
        _ inner: PatternNode,
        minimum: Int,
        maximum: Int?,
        then next: UInt32
    ) throws(AutomatonRefusal) -> UInt32 {
        var current = next
        if let maximum {
            for _ in 0..<max(0, maximum - minimum) {
                let start = try build(inner, then: current)
                current = try add(.split, next: start, other: next)
            }
        } else {
            current = try add(.split, other: next)
            let start = try build(inner, then: current)
            graph.nodes[Int(current)].next = start
        }
        for _ in 0..<minimum {
            let start = try build(inner, then: current)
            // What takes no node takes no copy.
            if start == current { break }
            current = start
        }
        return current
    }

    /// Returns true if a match can begin at the start of the subject only.
    private static func beginsAtStart(_ node: PatternNode) -> Bool {
        switch node {
        case .start: true
        case .sequence(let nodes): nodes.first.map(beginsAtStart) ?? false
        case .choice(let branches): branches.allSatisfy(beginsAtStart)
        case .capture(let inner, _), .atomic(let inner): beginsAtStart(inner)
        case .repeated(let inner, let minimum, _, _): minimum > 0 && beginsAtStart(inner)
        default: false
        }
    }
}
