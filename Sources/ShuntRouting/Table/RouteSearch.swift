import ShuntCore

/// What a search looks for.
struct SearchRequest {
    /// The methods of which a route must take one.
    var methods: UInt64 = UInt64.max
    /// Routes of a higher level are passed over.
    var ceiling = Int32.max
    /// How many routes of exactly that level are passed over too.
    var skip: Int32 = 0
    /// Whether values that do not fit their constraint pass, to find out why a path does not match.
    var isLenient = false
    /// Where the path begins.
    var start = 0
    /// Where it ends.
    var end = 0
    /// Where the routed fragment begins; past every path when there is none.
    var fragmentStart = Int.max
    /// Where it ends.
    var fragmentEnd = 0
    /// How many values of the host are in the scratch already.
    var captureCount = 0
}

/// What a search found.
struct SearchResult {
    var route: Int32 = -1
    var level: Int32 = Int32.min
    var ordinal: Int32 = 0
    /// The methods of routes that match but for the method.
    var allowed: UInt64 = 0
}

/// The walk through the automaton: exact components by hash, then the alternatives in order, with backtracking.
///
/// Each state is visited at most once for each position of the path: in a trie there is only one way to a state, and
/// states with several ways (`isJoin`) are remembered. So the work is bounded by the length of the path times the number
/// of states that are alive at each component, and by `RoutingLimits.visitedStates` in any case.
///
/// Why the unsafe code is sound: the stacks of the scratch are written below their capacity, which is checked where
/// they grow.
extension RouteAutomaton {
    func search(_ root: UInt32, _ path: PathBytes, _ request: SearchRequest, _ scratch: RouteScratch) -> SearchResult {
        let traits = traits
        let captures = unsafe scratch.captures
        let labels = unsafe scratch.labels
        let choices = unsafe scratch.choices
        var result = SearchResult()
        var skip = request.skip
        var state = root
        var position = request.start
        var segmentStart = request.start
        var end = request.end
        var captureCount = request.captureCount
        var depth = 0
        var choiceCount = 0
        var visited = 0
        var start = 0
        var stop = 0
        var alternative: UInt32 = 0
        var alternativeEnd: UInt32 = 0
        var resumes = false
        if traits.hasJoins { scratch.forgetJoins() }

        walk: while true {
            descend: do {
                if resumes {
                    resumes = false
                    break descend
                }
                let record = states[state]
                visited &+= 1
                alternative = record.alternativeBase
                alternativeEnd = alternative &+ record.alternativeCount
                if visited > RoutingLimits.visitedStates || depth >= RouteScratch.depthCapacity {
                    scratch.exceeded = true
                    return result
                }
                if traits.hasLevels, record.highestLevel <= result.level {
                    alternativeEnd = alternative
                    break descend
                }
                if record.isJoin != 0, !scratch.visit(state, at: position) {
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
                    let hasSlash = traits.trailingSlashCounts && position < end && position > segmentStart
                    let next = finish(
                        record,
                        request: request,
                        hasSlash: hasSlash,
                        isRoot: position == segmentStart,
                        inFragment: position >= request.fragmentStart,
                        path: path,
                        at: end,
                        depth: depth,
                        captureCount: captureCount,
                        skip: &skip,
                        result: &result,
                        scratch: scratch
                    )
                    if next >= 0 {
                        unsafe labels[depth] = edges[next].label
                        depth &+= 1
                        state = edges[next].target
                        if edges[next].length == EdgeRecord.fragment {
                            position = request.fragmentStart
                            segmentStart = position
                            end = request.fragmentEnd
                        } else {
                            position = end
                        }
                        continue walk
                    }
                    if result.route >= 0, !traits.hasLevels { return result }
                    alternativeEnd = alternative
                    break descend
                }

                // An exact component.
                var component = PathBytes.Component(end: start)
                if path[start] != UInt8(ascii: "/") { component = path.component(at: start, end: end) }
                stop = component.end
                if record.probes > 0 {
                    let edge: Int
                    if component.escapes == 0, !traits.foldsCase {
                        edge = find(record, component, length: stop &- start, in: path, at: start)
                    } else {
                        edge = findDecoded(record, ByteRange(start, stop), of: path, scratch)
                    }
                    if edge >= 0 {
                        if alternative != alternativeEnd {
                            unsafe choices[choiceCount] = RouteScratch.Choice(
                                alternative: alternative,
                                alternativeEnd: alternativeEnd,
                                start: Int32(truncatingIfNeeded: start),
                                end: Int32(truncatingIfNeeded: stop),
                                captureCount: Int32(truncatingIfNeeded: captureCount),
                                depth: Int32(truncatingIfNeeded: depth)
                            )
                            choiceCount &+= 1
                        }
                        unsafe labels[depth] = edges[edge].label
                        depth &+= 1
                        state = edges[edge].target
                        position = stop
                        continue walk
                    }
                }
            }

            while alternative < alternativeEnd {
                let record = alternatives[alternative]
                alternative &+= 1
                if captureCount &+ Int(record.captureCount) > RouteScratch.captureCapacity {
                    scratch.exceeded = true
                    return result
                }
                if record.kind == .plain {
                    unsafe captures[captureCount] = ByteRange(start, stop)
                } else if record.kind == .tail || record.kind == .tailPieces {
                    // A tail is the last step of its pattern, so the state after it has routes and nothing else.
                    guard end == request.fragmentEnd || request.fragmentStart == Int.max,
                        fits(tail: record, ByteRange(start, end), path, captureCount, request.isLenient, scratch)
                    else { continue }
                    unsafe labels[depth] = record.label
                    accept(
                        states[record.target],
                        request: request,
                        depth: depth &+ 1,
                        captureCount: captureCount &+ Int(record.captureCount),
                        skip: &skip,
                        result: &result,
                        scratch: scratch
                    )
                    if result.route >= 0, !traits.hasLevels { return result }
                    continue
                } else if !fits(record, ByteRange(start, stop), path, captureCount, request.isLenient, scratch) {
                    continue
                }
                if alternative != alternativeEnd {
                    unsafe choices[choiceCount] = RouteScratch.Choice(
                        alternative: alternative,
                        alternativeEnd: alternativeEnd,
                        start: Int32(truncatingIfNeeded: start),
                        end: Int32(truncatingIfNeeded: stop),
                        captureCount: Int32(truncatingIfNeeded: captureCount),
                        depth: Int32(truncatingIfNeeded: depth)
                    )
                    choiceCount &+= 1
                }
                captureCount &+= Int(record.captureCount)
                unsafe labels[depth] = record.label
                depth &+= 1
                state = record.target
                position = stop
                continue walk
            }

            guard choiceCount > 0 else { return result }
            choiceCount &-= 1
            let choice = unsafe choices[choiceCount]
            alternative = choice.alternative
            alternativeEnd = choice.alternativeEnd
            start = Int(choice.start)
            stop = Int(choice.end)
            captureCount = Int(choice.captureCount)
            depth = Int(choice.depth)
            let inFragment = start >= request.fragmentStart
            end = inFragment ? request.fragmentEnd : request.end
            segmentStart = inFragment ? request.fragmentStart : request.start
            resumes = true
        }
    }

    /// The slot of the edge for a component, or -1.
    @inline(__always)
    private func find(
        _ record: StateRecord,
        _ component: PathBytes.Component,
        length: Int,
        in path: PathBytes,
        at start: Int
    ) -> Int {
        let mask = Int(record.edgeMask)
        let base = Int(record.edgeBase)
        var slot = TableCompiler.slot(component.hash, mask: mask)
        var probes = record.probes
        repeat {
            let edge = edges[base &+ slot]
            if edge.key == component.key, Int(edge.length) == length,
                unsafe length <= 8
                    || path.matchesTail(of: labelBytes.start + Int(edge.offset), at: start, length: length)
            {
                return base &+ slot
            }
            if edge.length == EdgeRecord.unused { return -1 }
            slot = (slot &+ 1) & mask
            probes &-= 1
        } while probes > 0
        return -1
    }

    /// The same for a component that has escapes or whose letters are folded.
    @inline(never)
    private func findDecoded(
        _ record: StateRecord,
        _ range: ByteRange,
        of path: PathBytes,
        _ scratch: RouteScratch
    ) -> Int {
        let count = scratch.decode(range, of: path, foldsCase: traits.foldsCase)
        let bytes = unsafe PathBytes(UnsafePointer(scratch.decoded), count: count)
        return find(record, bytes.whole(0, count), length: count, in: bytes, at: 0)
    }

    /// What may happen at the end of the path: routes that end there, the mark of a trailing slash or of a fragment,
    /// whose edge is returned, and tails without any component.
    @inline(__always)
    private func finish(
        _ record: StateRecord,
        request: SearchRequest,
        hasSlash: Bool,
        isRoot: Bool,
        inFragment: Bool,
        path: PathBytes,
        at end: Int,
        depth: Int,
        captureCount: Int,
        skip: inout Int32,
        result: inout SearchResult,
        scratch: RouteScratch
    ) -> Int {
        if request.fragmentStart != Int.max, !inFragment {
            return mark(record, EdgeRecord.fragment)
        }
        if hasSlash {
            let edge = mark(record, EdgeRecord.trailingSlash)
            if edge >= 0 { return edge }
        } else {
            accept(
                record,
                request: request,
                depth: depth,
                captureCount: captureCount,
                skip: &skip,
                result: &result,
                scratch: scratch
            )
            if result.route >= 0, !traits.hasLevels { return -1 }
            if traits.trailingSlashCounts, !isRoot { return -1 }
        }
        finishTails(
            record,
            request: request,
            path: path,
            at: end,
            depth: depth,
            captureCount: captureCount,
            skip: &skip,
            result: &result,
            scratch: scratch
        )
        return -1
    }

    private func finishTails(
        _ record: StateRecord,
        request: SearchRequest,
        path: PathBytes,
        at end: Int,
        depth: Int,
        captureCount: Int,
        skip: inout Int32,
        result: inout SearchResult,
        scratch: RouteScratch
    ) {
        for index in record.alternativeBase..<(record.alternativeBase &+ record.alternativeCount) {
            let tail = alternatives[index]
            guard tail.kind == .tail || tail.kind == .tailPieces,
                captureCount &+ Int(tail.captureCount) <= RouteScratch.captureCapacity,
                fits(tail: tail, ByteRange(end, end), path, captureCount, request.isLenient, scratch)
            else { continue }
            unsafe scratch.labels[depth] = tail.label
            accept(
                states[tail.target],
                request: request,
                depth: depth &+ 1,
                captureCount: captureCount &+ Int(tail.captureCount),
                skip: &skip,
                result: &result,
                scratch: scratch
            )
            if result.route >= 0, !traits.hasLevels { return }
        }
    }

    /// The slot of the edge for a mark, or -1.
    private func mark(_ record: StateRecord, _ length: UInt32) -> Int {
        guard record.probes > 0 else { return -1 }
        let key = UInt64(length)
        let mask = Int(record.edgeMask)
        var slot = TableCompiler.slot(PathBytes.mix(0, key), mask: mask)
        for _ in 0..<record.probes {
            let index = Int(record.edgeBase) &+ slot
            if edges[index].length == length { return index }
            slot = (slot &+ 1) & mask
        }
        return -1
    }

    /// Takes the first of a state's routes that the request allows and that is better than what was found before.
    @inline(__always)
    private func accept(
        _ record: StateRecord,
        request: SearchRequest,
        depth: Int,
        captureCount: Int,
        skip: inout Int32,
        result: inout SearchResult,
        scratch: RouteScratch
    ) {
        var index = record.terminalBase
        let last = index &+ record.terminalCount
        while index < last {
            let terminal = terminals[index]
            index &+= 1
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
            result.route = Int32(truncatingIfNeeded: terminal.route)
            result.level = terminal.level
            result.ordinal = terminal.level == request.ceiling ? request.skip : 0
            bind(routes[terminal.route], depth: depth, captureCount: captureCount, scratch: scratch)
            return
        }
    }
}
