import ShuntCore

/// The search for tables whose automaton is a plain trie and that read paths in the plain way, which is most of them.
///
/// It does what `RouteSearch` does for the first route of such a table, in half the time: there are no joins, levels,
/// marks or folded letters to look after, and the captures are the values. The tests hold the two against each other.
///
/// Why the unsafe code is sound: as for `RouteSearch`; the depth needs no check, because a trie is no deeper than its
/// longest pattern, for which the stacks have room.
extension RouteAutomaton {
    /// The index of the first route for the path in `start..<end`, or -1; its values are the captures of the scratch.
    @inline(__always)
    func searchTrie(
        _ root: UInt32,
        _ path: PathBytes,
        from pathStart: Int,
        to end: Int,
        methods: UInt64,
        captureCount hostCaptures: Int,
        allowed: inout UInt64,
        _ scratch: RouteScratch
    ) -> Int32 {
        let captures = unsafe scratch.captures
        let choices = unsafe scratch.choices
        let states = unsafe states.start
        let edges = unsafe edges.start
        let alternatives = unsafe alternatives.start
        var state = unsafe states + Int(root)
        var start = pathStart
        var captureCount = hostCaptures
        var choiceCount = 0
        var returns = 0

        while true {
            var alternative: UInt32 = 0
            var alternativeEnd: UInt32 = 0
            var stop = start
            while start < end, path[start] == UInt8(ascii: "/") { start &+= 1 }
            if start == end {
                var route = unsafe accept(state, methods, &allowed)
                if route < 0, unsafe state.pointee.alternativeCount > 0 {
                    route = unsafe acceptTails(state, path, at: end, captureCount, methods, &allowed, scratch)
                }
                if route >= 0 {
                    scratch.capturesAreValues(Int(routes[Int(route)].slotCount))
                    return route
                }
            } else {
                let component = path.component(at: start, end: end)
                stop = component.end
                unsafe alternative = state.pointee.alternativeBase
                unsafe alternativeEnd = alternative &+ state.pointee.alternativeCount
                if unsafe state.pointee.probes > 0 {
                    let found: Int
                    if component.escapes == 0 {
                        found = unsafe find(state.pointee, component, length: stop &- start, in: path, at: start)
                    } else {
                        found = unsafe findDecoded(state.pointee, ByteRange(start, stop), of: path, scratch)
                    }
                    if found >= 0 {
                        if alternative != alternativeEnd {
                            unsafe choices[choiceCount] = RouteScratch.Choice(
                                alternative,
                                alternativeEnd,
                                start,
                                stop,
                                captureCount,
                                0
                            )
                            choiceCount &+= 1
                        }
                        unsafe state = states + Int(edges[found].target)
                        start = stop
                        continue
                    }
                }
            }

            while true {
                if alternative == alternativeEnd {
                    guard choiceCount > 0 else { return -1 }
                    returns &+= 1
                    if returns > RoutingLimits.returns {
                        scratch.exceeded = true
                        return -1
                    }
                    choiceCount &-= 1
                    let choice = unsafe choices[choiceCount]
                    alternative = choice.alternative
                    alternativeEnd = choice.alternativeEnd
                    start = Int(choice.start)
                    stop = Int(choice.end)
                    captureCount = Int(choice.captureCount)
                }
                let record = unsafe alternatives + Int(alternative)
                alternative &+= 1
                if unsafe record.pointee.kind == .plain {
                    unsafe captures[captureCount] = ByteRange(start, stop)
                } else if unsafe record.pointee.kind == .tail || record.pointee.kind == .tailPieces {
                    guard unsafe fits(tail: record.pointee, ByteRange(start, end), path, captureCount, false, scratch)
                    else { continue }
                    let route = unsafe accept(states + Int(record.pointee.target), methods, &allowed)
                    guard route >= 0 else { continue }
                    scratch.capturesAreValues(Int(routes[Int(route)].slotCount))
                    return route
                } else if unsafe !fits(record.pointee, ByteRange(start, stop), path, captureCount, false, scratch) {
                    continue
                }
                if alternative != alternativeEnd {
                    unsafe choices[choiceCount] = RouteScratch.Choice(
                        alternative,
                        alternativeEnd,
                        start,
                        stop,
                        captureCount,
                        0
                    )
                    choiceCount &+= 1
                }
                unsafe captureCount &+= Int(record.pointee.captureCount)
                unsafe state = states + Int(record.pointee.target)
                start = stop
                break
            }
        }
    }

    /// The first route of a state that takes one of the methods, or -1.
    @inline(__always)
    private func accept(_ state: UnsafePointer<StateRecord>, _ methods: UInt64, _ allowed: inout UInt64) -> Int32 {
        var index = unsafe Int(state.pointee.terminalBase)
        let last = unsafe index &+ Int(state.pointee.terminalCount)
        while index < last {
            let terminal = terminals[index]
            if terminal.methods & methods != 0 { return Int32(truncatingIfNeeded: terminal.route) }
            allowed |= terminal.methods
            index &+= 1
        }
        return -1
    }

    /// The same for the tails of a state, which take nothing here.
    @inline(never)
    private func acceptTails(
        _ state: UnsafePointer<StateRecord>,
        _ path: PathBytes,
        at end: Int,
        _ captureCount: Int,
        _ methods: UInt64,
        _ allowed: inout UInt64,
        _ scratch: RouteScratch
    ) -> Int32 {
        for offset in 0..<(unsafe state.pointee.alternativeCount) {
            let tail = unsafe alternatives[state.pointee.alternativeBase &+ offset]
            guard tail.kind == .tail || tail.kind == .tailPieces,
                fits(tail: tail, ByteRange(end, end), path, captureCount, false, scratch)
            else { continue }
            let route = unsafe accept(states.start + Int(tail.target), methods, &allowed)
            if route >= 0 { return route }
        }
        return -1
    }
}
