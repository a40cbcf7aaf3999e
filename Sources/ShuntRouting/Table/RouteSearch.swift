import ShuntCore

/// The walk through the automaton: exact components by hash, then the alternatives in order, with backtracking.
///
/// Each state is visited at most once for each position of the path: in a trie there is only one way to a state, and
/// states with several ways (`isJoin`) are remembered. So the work is bounded by the length of the path times the number
/// of states that are alive at each component, and by `RoutingLimits.returns` in any case.
///
/// It is written once and compiled twice: with `isPlain`, for the first route of a table whose automaton is a trie and
/// that reads paths in the plain way, which is most of them, there are no joins, levels, marks or folded letters to look
/// after, and the captures are the values. The tests hold both against a matcher that tries every route.
///
/// Why the unsafe code is sound: indices of records come from records (see `FrozenArray`). There is at most one label
/// and one choice for each step from the root, and `depth` is checked against their capacity, but for a trie, which is
/// not deeper than its longest pattern. Each way from the root is the beginning of some pattern, so there are never
/// more captures than a pattern has parameters.
extension RouteAutomaton {
    /// Finds a route for a path; whether a limit was reached is in the scratch.
    func search(_ root: UInt32, path: PathBytes, request: SearchRequest, scratch: RouteScratch) -> SearchResult {
        guard traits.isSimple, request.isFirst else {
            return walk(root, path: path, request: request, scratch: scratch, isPlain: false)
        }
        var result = walk(root, path: path, request: request, scratch: scratch, isPlain: true)
        if result.terminal >= 0 {
            let terminal = cells.terminal(result.terminal)
            scratch.capturesAreValues(Int(truncatingIfNeeded: terminal.slotCount))
            // There is one level only.
            result.level = 0
        }
        return result
    }

    /// Finds the first route for the path in `start..<end` of a simple automaton: its cell, or -1.
    @inline(__always) func searchPlain(
        _ root: UInt32,
        path: PathBytes,
        from start: Int,
        to end: Int,
        methods: UInt64,
        allowed: inout UInt64,
        scratch: RouteScratch
    ) -> Int {
        var request = SearchRequest()
        request.methods = methods
        request.start = start
        request.end = end
        let result = walk(root, path: path, request: request, scratch: scratch, isPlain: true)
        allowed = result.allowed
        return result.terminal
    }

    @inline(__always) private func walk(
        _ root: UInt32,
        path: PathBytes,
        request: SearchRequest,
        scratch: RouteScratch,
        isPlain: Bool
    ) -> SearchResult {
        let traits = traits
        let hasLevels = !isPlain && traits.hasLevels
        let isLenient = !isPlain && request.isLenient
        let captures = unsafe scratch.captures
        let labels = unsafe scratch.labels
        let choices = unsafe scratch.choices
        var result = SearchResult()
        var skip = request.skip
        var number = root
        var position = request.start
        var segmentStart = request.start
        var end = request.end
        var captureCount = request.captureCount
        var depth = 0
        var choiceCount = 0
        var returns = 0
        if !isPlain, traits.hasJoins { scratch.forgetJoins() }

        walk: while true {
            var alternative = 0
            var alternativeEnd = 0
            var start = position
            var stop = position
            descend: do {
                if !isPlain {
                    if depth >= RouteScratch.depthCapacity {
                        scratch.exceeded = true
                        return result
                    }
                    let isOutranked = hasLevels && cells.state(number).highestLevel <= result.level
                    if isOutranked || (cells.state(number).isJoin != 0 && !scratch.visit(number, at: position)) {
                        break descend
                    }
                }

                // The separators before the next component.
                if start < end, path[start] == UInt8(ascii: "/") {
                    start &+= 1
                    if isPlain || !traits.keepsEmptyComponents {
                        while start < end, path[start] == UInt8(ascii: "/") { start &+= 1 }
                    }
                }
                if start == end {
                    let hasSlash = !isPlain && position < end && position > segmentStart
                    if !isPlain {
                        let inFragment = position >= request.fragmentStart
                        let next = mark(number, request, hasSlash: hasSlash, inFragment: inFragment)
                        if next >= 0 {
                            let edge = cells.edge(next)
                            unsafe labels[depth] = edge.label
                            depth &+= 1
                            number = edge.target
                            position = end
                            if edge.length == EdgeRecord.fragment {
                                position = request.fragmentStart
                                segmentStart = position
                                end = request.fragmentEnd
                            }
                            continue walk
                        }
                        if next == Self.noEnd { break descend }
                    }
                    let slashCounts = !isPlain && traits.trailingSlashCounts
                    if !(slashCounts && hasSlash) {
                        accept(
                            number,
                            request: request,
                            depth: depth,
                            captureCount: captureCount,
                            in: &skip,
                            result: &result,
                            scratch: scratch,
                            isPlain: isPlain
                        )
                        if result.terminal >= 0, !hasLevels { return result }
                    }
                    // Of what else may come next, only a tail takes nothing.
                    if cells.state(number).alternativeCount > 0, !slashCounts || hasSlash || position == segmentStart {
                        (alternative, alternativeEnd) = tails(number)
                    }
                    stop = end
                    break descend
                }

                var component = PathBytes.Component(end: start)
                if isPlain || path[start] != UInt8(ascii: "/") { component = path.component(at: start, end: end) }
                stop = component.end
                (alternative, alternativeEnd) = cells.alternatives(number)
                guard cells.state(number).probes > 0 else { break descend }
                var found = -1
                if isPlain {
                    // No label has a `%`, so that what is found undecoded is found.
                    found = find(number, component, length: stop &- start, in: path, at: start)
                    if found < 0, path.hasEscapes(component, from: start) {
                        found = findDecoded(number, range: ByteRange(start, stop), of: path, scratch: scratch)
                    }
                } else if traits.foldsCase || path.hasEscapes(component, from: start) {
                    found = findDecoded(number, range: ByteRange(start, stop), of: path, scratch: scratch)
                } else {
                    found = find(number, component, length: stop &- start, in: path, at: start)
                }
                guard found >= 0 else { break descend }
                if alternative != alternativeEnd {
                    unsafe choices[choiceCount] = RouteScratch.Choice(
                        alternative,
                        alternativeEnd: alternativeEnd,
                        start: start,
                        end: stop,
                        captureCount: captureCount,
                        depth: depth
                    )
                    choiceCount &+= 1
                }
                let edge = cells.edge(found)
                if !isPlain {
                    unsafe labels[depth] = edge.label
                    depth &+= 1
                }
                number = edge.target
                position = stop
                continue walk
            }

            while true {
                if alternative == alternativeEnd {
                    guard choiceCount > 0 else {
                        scratch.returns = returns
                        return result
                    }
                    returns &+= 1
                    if returns > RoutingLimits.returns {
                        scratch.exceeded = true
                        return result
                    }
                    choiceCount &-= 1
                    let choice = unsafe choices[choiceCount]
                    alternative = Int(truncatingIfNeeded: choice.alternative)
                    alternativeEnd = Int(truncatingIfNeeded: choice.alternativeEnd)
                    start = Int(choice.start)
                    stop = Int(choice.end)
                    captureCount = Int(choice.captureCount)
                    depth = Int(choice.depth)
                    if !isPlain {
                        let inFragment = start >= request.fragmentStart
                        end = inFragment ? request.fragmentEnd : request.end
                        segmentStart = inFragment ? request.fragmentStart : request.start
                    }
                }
                let record = cells.alternative(alternative)
                alternative &+= CellArena.cell
                if record.kind == .plain {
                    unsafe captures[captureCount] = ByteRange(start, stop)
                } else if record.isTail {
                    // A tail is the last step of its pattern, so the state after it has routes and nothing else.
                    if !isPlain, end != request.fragmentEnd, request.fragmentStart != Int.max { continue }
                    guard
                        fits(
                            tail: record,
                            range: ByteRange(start, end),
                            path: path,
                            capture: captureCount,
                            isLenient: isLenient,
                            scratch: scratch
                        )
                    else {
                        if scratch.exceeded { return result }
                        continue
                    }
                    if !isPlain { unsafe labels[depth] = record.label }
                    accept(
                        record.target,
                        request: request,
                        depth: depth &+ 1,
                        captureCount: captureCount &+ Int(record.captureCount),
                        in: &skip,
                        result: &result,
                        scratch: scratch,
                        isPlain: isPlain
                    )
                    if result.terminal >= 0, !hasLevels { return result }
                    continue
                } else if !fits(
                    record,
                    range: ByteRange(start, stop),
                    path: path,
                    capture: captureCount,
                    isLenient: isLenient,
                    scratch: scratch
                ) {
                    if scratch.exceeded { return result }
                    continue
                }
                if alternative != alternativeEnd {
                    unsafe choices[choiceCount] = RouteScratch.Choice(
                        alternative,
                        alternativeEnd: alternativeEnd,
                        start: start,
                        end: stop,
                        captureCount: captureCount,
                        depth: depth
                    )
                    choiceCount &+= 1
                }
                captureCount &+= Int(record.captureCount)
                if !isPlain {
                    unsafe labels[depth] = record.label
                    depth &+= 1
                }
                number = record.target
                position = stop
                continue walk
            }
        }
    }

    /// The cells of a state's tails, which are its last alternatives.
    @inline(never) private func tails(_ number: UInt32) -> (first: Int, end: Int) {
        var (first, end) = cells.alternatives(number)
        while first < end, !cells.alternative(first).isTail { first &+= CellArena.cell }
        return (first, end)
    }

    /// The slot of the edge for a component, or -1.
    @inline(__always) func find(
        _ number: UInt32,
        _ component: PathBytes.Component,
        length: Int,
        in path: PathBytes,
        at start: Int
    ) -> Int {
        let mask = Int(truncatingIfNeeded: cells.state(number).edgeMask)
        let base = cells.alternatives(number).end
        var slot = StateRecord.slot(component.hash, mask: mask)
        var probes = cells.state(number).probes
        repeat {
            let edge = cells.edge(base &+ slot &* CellArena.cell)
            if edge.key == component.key, Int(edge.length) == length,
                unsafe length <= 8 || path.matches(cells.label(edge), at: start, length: length)
            {
                return base &+ slot &* CellArena.cell
            }
            if edge.length == EdgeRecord.unused { return -1 }
            slot = (slot &+ 1) & mask
            probes &-= 1
        } while probes > 0
        return -1
    }

    /// The same for a component that has escapes or whose letters are folded.
    @inline(never)
    func findDecoded(_ number: UInt32, range: ByteRange, of path: PathBytes, scratch: RouteScratch) -> Int {
        let count = scratch.decode(range, of: path, foldsCase: traits.foldsCase)
        let bytes = unsafe PathBytes(UnsafePointer(scratch.decoded), count: count)
        return find(number, bytes.whole(0, count), length: count, in: bytes, at: 0)
    }
}
