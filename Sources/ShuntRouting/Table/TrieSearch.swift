import ShuntCore

/// The search for tables whose automaton is a plain trie and that read paths in the plain way, which is most of them.
///
/// It does what `RouteSearch` does for the first route of such a table, in half the time: there are no joins, levels,
/// marks or folded letters to look after, and the captures are the values. The tests hold the two against each other.
///
/// Why the unsafe code is sound: as for `RouteSearch`; the depth needs no check, because a trie is no deeper than its
/// longest pattern, for which the stacks have room.
extension RouteAutomaton {
    /// The cell of the first route for the path in `start..<end`, or -1; its values are the captures of the scratch.
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
    ) -> Int {
        let captures = unsafe scratch.captures
        let choices = unsafe scratch.choices
        var number = root
        var start = pathStart
        var captureCount = hostCaptures
        var choiceCount = 0
        var returns = 0

        while true {
            let state = cells.state(number)
            var alternative = 0
            var alternativeEnd = 0
            var stop = start
            while start < end, path[start] == UInt8(ascii: "/") { start &+= 1 }
            if start == end {
                var cell = accept(number, state, methods, &allowed)
                if cell < 0, state.alternativeCount > 0 {
                    cell = acceptTails(number, state, path, at: end, captureCount, methods, &allowed, scratch)
                }
                if cell >= 0 { return cell }
            } else {
                let component = path.component(at: start, end: end)
                stop = component.end
                alternative = CellArena.firstAlternative(number, state)
                alternativeEnd = alternative &+ Int(truncatingIfNeeded: state.alternativeCount) &* CellArena.cell
                if state.probes > 0 {
                    let found: Int
                    if component.escapes == 0 {
                        found = find(number, state, component, length: stop &- start, in: path, at: start)
                    } else {
                        found = findDecoded(number, state, ByteRange(start, stop), of: path, scratch)
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
                        number = cells.edge(found).target
                        start = stop
                        continue
                    }
                }
            }

            while true {
                if alternative == alternativeEnd {
                    guard choiceCount > 0 else {
                        scratch.returns = returns
                        return -1
                    }
                    returns &+= 1
                    if returns > RoutingLimits.returns {
                        scratch.exceeded = true
                        return -1
                    }
                    choiceCount &-= 1
                    let choice = unsafe choices[choiceCount]
                    alternative = Int(truncatingIfNeeded: choice.alternative)
                    alternativeEnd = Int(truncatingIfNeeded: choice.alternativeEnd)
                    start = Int(choice.start)
                    stop = Int(choice.end)
                    captureCount = Int(choice.captureCount)
                }
                let record = cells.alternative(alternative)
                alternative &+= CellArena.cell
                if record.kind == .plain {
                    unsafe captures[captureCount] = ByteRange(start, stop)
                } else if record.kind == .tail || record.kind == .tailPieces {
                    guard fits(tail: record, ByteRange(start, end), path, captureCount, false, scratch) else {
                        if scratch.exceeded { return -1 }
                        continue
                    }
                    let cell = accept(record.target, cells.state(record.target), methods, &allowed)
                    guard cell >= 0 else { continue }
                    return cell
                } else if !fits(record, ByteRange(start, stop), path, captureCount, false, scratch) {
                    if scratch.exceeded { return -1 }
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
                captureCount &+= Int(record.captureCount)
                number = record.target
                start = stop
                break
            }
        }
    }

    /// The cell of the first route of a state that takes one of the methods, or -1.
    @inline(__always)
    private func accept(_ number: UInt32, _ state: StateRecord, _ methods: UInt64, _ allowed: inout UInt64) -> Int {
        var cell = CellArena.firstTerminal(number)
        let last = cell &+ Int(truncatingIfNeeded: state.terminalCount) &* CellArena.cell
        while cell < last {
            let terminal = cells.terminal(cell)
            if terminal.methods & methods != 0 { return cell }
            allowed |= terminal.methods
            cell &+= CellArena.cell
        }
        return -1
    }

    /// The same for the tails of a state, which take nothing here.
    @inline(never)
    private func acceptTails(
        _ number: UInt32,
        _ state: StateRecord,
        _ path: PathBytes,
        at end: Int,
        _ captureCount: Int,
        _ methods: UInt64,
        _ allowed: inout UInt64,
        _ scratch: RouteScratch
    ) -> Int {
        let first = CellArena.firstAlternative(number, state)
        for index in 0..<Int(truncatingIfNeeded: state.alternativeCount) {
            let tail = cells.alternative(first &+ index &* CellArena.cell)
            guard tail.kind == .tail || tail.kind == .tailPieces,
                fits(tail: tail, ByteRange(end, end), path, captureCount, false, scratch)
            else {
                if scratch.exceeded { return -1 }
                continue
            }
            let found = accept(tail.target, cells.state(tail.target), methods, &allowed)
            if found >= 0 { return found }
        }
        return -1
    }
}
