import ShuntCore

/// The walk through the automaton: exact components by hash, then the alternatives in order, with backtracking.
///
/// Each state is visited at most once for each position of the path: in a trie there is only one way to a state, and
/// states with several ways (`isJoin`) are remembered. So the work is bounded by the length of the path times the number
/// of states that are alive at each component, and by `RoutingLimits.returns` in any case.
///
/// Why the unsafe code is sound: indices of records come from records (see `FrozenArray`). There is at most one label and
/// one choice for each step from the root, and `depth` is checked against their capacity. Each way from the root is the
/// beginning of some pattern, so there are never more captures than a pattern has parameters.
extension RouteAutomaton {
    /// Finds a route for a path.
    func search(_ root: UInt32, _ path: PathBytes, _ request: SearchRequest, _ scratch: RouteScratch) -> SearchResult {
        guard traits.isSimple, request.isFirst else { return walk(root, path, request, scratch) }
        var result = SearchResult()
        let cell = searchTrie(
            root,
            path,
            from: request.start,
            to: request.end,
            methods: request.methods,
            captureCount: request.captureCount,
            allowed: &result.allowed,
            scratch
        )
        guard cell >= 0 else { return result }
        let terminal = cells.terminal(cell)
        scratch.capturesAreValues(Int(terminal.slotCount))
        result.route = Int32(truncatingIfNeeded: terminal.route)
        result.id = terminal.id
        result.level = 0
        return result
    }

    private func walk(
        _ root: UInt32,
        _ path: PathBytes,
        _ request: SearchRequest,
        _ scratch: RouteScratch
    ) -> SearchResult {
        let traits = traits
        let hasLevels = traits.hasLevels
        let captures = unsafe scratch.captures
        let labels = unsafe scratch.labels
        let choices = unsafe scratch.choices
        var result = SearchResult()
        var skip = request.skip
        var state = cells.state(root)
        var stateNumber = root
        var position = request.start
        var segmentStart = request.start
        var end = request.end
        var captureCount = request.captureCount
        var depth = 0
        var choiceCount = 0
        var returns = 0
        var start = 0
        var stop = 0
        var alternative = 0
        var alternativeEnd = 0
        if traits.hasJoins { scratch.forgetJoins() }

        walk: while true {
            alternative = CellArena.firstAlternative(stateNumber, state)
            alternativeEnd = alternative &+ Int(state.alternativeCount) &* CellArena.cell
            if depth >= RouteScratch.depthCapacity {
                scratch.exceeded = true
                return result
            }
            descend: do {
                let isOutranked = hasLevels && state.highestLevel <= result.level
                if isOutranked || (state.isJoin != 0 && !scratch.visit(stateNumber, at: position)) {
                    alternativeEnd = alternative
                    break descend
                }

                // The separators before the next component.
                start = position
                if !traits.keepsEmptyComponents {
                    while start < end, path[start] == UInt8(ascii: "/") { start &+= 1 }
                } else if start < end, path[start] == UInt8(ascii: "/") {
                    start &+= 1
                }
                if start == end {
                    let next = mark(
                        stateNumber,
                        state,
                        request,
                        hasSlash: position < end && position > segmentStart,
                        inFragment: position >= request.fragmentStart
                    )
                    if next >= 0 {
                        let edge = cells.edge(next)
                        unsafe labels[depth] = edge.label
                        depth &+= 1
                        stateNumber = edge.target
                        state = cells.state(edge.target)
                        position = end
                        if edge.length == EdgeRecord.fragment {
                            position = request.fragmentStart
                            segmentStart = position
                            end = request.fragmentEnd
                        }
                        continue walk
                    }
                    if next == Self.noEnd {
                        alternativeEnd = alternative
                        break descend
                    }
                    let hasSlash = traits.trailingSlashCounts && position < end && position > segmentStart
                    if !hasSlash {
                        accept(
                            stateNumber,
                            state,
                            request,
                            depth: depth,
                            captureCount: captureCount,
                            skip: &skip,
                            result: &result,
                            scratch
                        )
                        if result.route >= 0, !hasLevels { return result }
                    }
                    if state.alternativeCount > 0,
                        hasSlash || !traits.trailingSlashCounts || position == segmentStart
                    {
                        finishTails(
                            stateNumber,
                            state,
                            request,
                            path,
                            at: end,
                            depth: depth,
                            captureCount: captureCount,
                            skip: &skip,
                            result: &result,
                            scratch
                        )
                        if result.route >= 0, !hasLevels { return result }
                    }
                    alternativeEnd = alternative
                    break descend
                }

                // An exact component.
                var component = PathBytes.Component(end: start)
                if path[start] != UInt8(ascii: "/") { component = path.component(at: start, end: end) }
                stop = component.end
                if state.probes > 0 {
                    let found: Int
                    if component.escapes == 0, !traits.foldsCase {
                        found = find(stateNumber, state, component, length: stop &- start, in: path, at: start)
                    } else {
                        found = findDecoded(stateNumber, state, ByteRange(start, stop), of: path, scratch)
                    }
                    if found >= 0 {
                        if alternative != alternativeEnd {
                            unsafe choices[choiceCount] = RouteScratch.Choice(
                                alternative,
                                alternativeEnd,
                                start,
                                stop,
                                captureCount,
                                depth
                            )
                            choiceCount &+= 1
                        }
                        let edge = cells.edge(found)
                        unsafe labels[depth] = edge.label
                        stateNumber = edge.target
                        depth &+= 1
                        state = cells.state(edge.target)
                        position = stop
                        continue walk
                    }
                }
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
                    alternative = Int(choice.alternative)
                    alternativeEnd = Int(choice.alternativeEnd)
                    start = Int(choice.start)
                    stop = Int(choice.end)
                    captureCount = Int(choice.captureCount)
                    depth = Int(choice.depth)
                    let inFragment = start >= request.fragmentStart
                    end = inFragment ? request.fragmentEnd : request.end
                    segmentStart = inFragment ? request.fragmentStart : request.start
                }
                let record = cells.alternative(alternative)
                alternative &+= CellArena.cell
                if record.kind == .plain {
                    unsafe captures[captureCount] = ByteRange(start, stop)
                } else if record.kind == .tail || record.kind == .tailPieces {
                    // A tail is the last step of its pattern, so the state after it has routes and nothing else.
                    guard end == request.fragmentEnd || request.fragmentStart == Int.max,
                        fits(tail: record, ByteRange(start, end), path, captureCount, request.isLenient, scratch)
                    else {
                        if scratch.exceeded { return result }
                        continue
                    }
                    unsafe labels[depth] = record.label
                    accept(
                        record.target,
                        cells.state(record.target),
                        request,
                        depth: depth &+ 1,
                        captureCount: captureCount &+ Int(record.captureCount),
                        skip: &skip,
                        result: &result,
                        scratch
                    )
                    if result.route >= 0, !hasLevels { return result }
                    continue
                } else if !fits(record, ByteRange(start, stop), path, captureCount, request.isLenient, scratch) {
                    if scratch.exceeded { return result }
                    continue
                }
                if alternative != alternativeEnd {
                    unsafe choices[choiceCount] = RouteScratch.Choice(
                        alternative,
                        alternativeEnd,
                        start,
                        stop,
                        captureCount,
                        depth
                    )
                    choiceCount &+= 1
                }
                captureCount &+= Int(record.captureCount)
                unsafe labels[depth] = record.label
                stateNumber = record.target
                depth &+= 1
                state = cells.state(record.target)
                position = stop
                continue walk
            }
        }
    }

    /// The slot of the edge for a component, or -1.
    @inline(__always)
    func find(
        _ number: UInt32,
        _ record: StateRecord,
        _ component: PathBytes.Component,
        length: Int,
        in path: PathBytes,
        at start: Int
    ) -> Int {
        let mask = Int(record.edgeMask)
        let base = CellArena.firstEdge(number, record)
        var slot = TableCompiler.slot(component.hash, mask: mask)
        var probes = record.probes
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
    func findDecoded(
        _ number: UInt32,
        _ record: StateRecord,
        _ range: ByteRange,
        of path: PathBytes,
        _ scratch: RouteScratch
    ) -> Int {
        let count = scratch.decode(range, of: path, foldsCase: traits.foldsCase)
        let bytes = unsafe PathBytes(UnsafePointer(scratch.decoded), count: count)
        return find(number, record, bytes.whole(0, count), length: count, in: bytes, at: 0)
    }

    /// Takes the first of a state's routes that the request allows and that is better than what was found before.
    @inline(__always)
    func accept(
        _ number: UInt32,
        _ record: StateRecord,
        _ request: SearchRequest,
        depth: Int,
        captureCount: Int,
        skip: inout Int32,
        result: inout SearchResult,
        _ scratch: RouteScratch
    ) {
        var index = CellArena.firstTerminal(number)
        let last = index &+ Int(record.terminalCount) &* CellArena.cell
        while index < last {
            let terminal = cells.terminal(index)
            index &+= CellArena.cell
            guard terminal.methods & request.methods != 0 else {
                result.allowed |= terminal.methods
                continue
            }
            if terminal.level > request.ceiling { continue }
            if terminal.level == request.ceiling, skip > 0 {
                skip &-= 1
                continue
            }
            if terminal.level <= result.level { return }
            result.ordinal = terminal.level == request.ceiling ? request.skip : 0
            result.route = Int32(truncatingIfNeeded: terminal.route)
            result.level = terminal.level
            result.id = terminal.id
            bind(terminal, depth: depth, captureCount: captureCount, scratch: scratch)
            return
        }
    }
}
