extension RouteAutomaton {
    /// Takes the first of a state's routes that the request allows and that is better than what was found before.
    @inline(__always) func accept(
        _ number: UInt32,
        request: SearchRequest,
        depth: Int,
        captureCount: Int,
        in skip: inout Int32,
        result: inout SearchResult,
        scratch: RouteScratch,
        isPlain: Bool
    ) {
        var next = CellArena.firstTerminal(number)
        let last = next &+ Int(truncatingIfNeeded: cells.state(number).terminalCount) &* CellArena.cell
        while next < last {
            let cell = next
            next &+= CellArena.cell
            let methods = cells.terminal(cell).methods
            guard methods & request.methods != 0 else {
                result.allowed |= methods
                continue
            }
            if isPlain {
                result.terminal = cell
                return
            }
            let terminal = cells.terminal(cell)
            if terminal.level > request.ceiling { continue }
            if terminal.level == request.ceiling, skip > 0 {
                skip &-= 1
                continue
            }
            if terminal.level <= result.level { return }
            result.ordinal = terminal.level == request.ceiling ? request.skip : 0
            result.terminal = cell
            result.level = terminal.level
            bind(terminal, depth: depth, captureCount: captureCount, scratch: scratch)
            return
        }
    }
}
