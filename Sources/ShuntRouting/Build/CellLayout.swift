/// The place where each state of a compiler goes: along the ways from the roots, so that a state and the one after it
/// are often neighbours, and so that what one step reads of a state is in as few lines of the processor's cache as can
/// be.
struct CellLayout {
    private let compiler: TableCompiler
    private let identifiers: [RouteID]
    private var cells: [UInt32]
    /// The place where the label of each edge is, if it is long.
    private var labels: [UInt32]
    private(set) var count = 0

    /// Lays out the states that can be reached from `roots`.
    init(_ compiler: TableCompiler, roots: [UInt32], identifiers: [RouteID]) {
        self.compiler = compiler
        self.identifiers = identifiers
        cells = Array(repeating: UInt32.max, count: compiler.states.count)
        labels = Array(repeating: 0, count: compiler.edges.count)
        // A state, and the edge that leads to it; -1 without an edge.
        var pending = roots.reversed().map { (state: Int($0), edge: -1) }
        while let (number, edge) = pending.popLast() {
            let isNew = cells[number] == UInt32.max
            let length = edge >= 0 && compiler.edges[edge].hasLongLabel ? Int(compiler.edges[edge].length) : 0
            guard isNew || length > 0 else { continue }
            let state = compiler.states[number]
            let edges = state.edges.count
            let records = CellArena.cell * (1 + state.terminals.count + state.alternatives.count)
            if isNew { align(CellArena.words(length) + records + (edges == 1 ? CellArena.cell : 0)) }
            if length > 0 {
                labels[edge] = UInt32(truncatingIfNeeded: count)
                count += CellArena.words(length)
            }
            guard isNew else { continue }
            cells[number] = UInt32(truncatingIfNeeded: count)
            count += records + CellArena.cell * edges
            for edge in state.edges.reversed() where compiler.edges[edge].length != EdgeRecord.unused {
                pending.append((Int(compiler.edges[edge].target), edge))
            }
            for alternative in compiler.alternatives[state.alternatives].reversed() {
                pending.append((Int(alternative.target), -1))
            }
        }
    }

    /// Begins a new line if so many words fit into one but not into the rest of this one.
    private mutating func align(_ words: Int) {
        let rest = CellArena.line - count % CellArena.line
        if words <= CellArena.line, words > rest { count += rest }
    }

    /// The first cell of a state of the compiler.
    func cell(_ state: UInt32) -> UInt32 { cells[Int(state)] }

    /// Writes all cells and labels.
    func fill(_ arena: borrowing CellArena) {
        for (number, state) in compiler.states.enumerated() where cells[number] != UInt32.max {
            var cell = Int(cells[number])
            arena.initialize(
                cell,
                to: StateRecord(
                    terminalCount: UInt32(state.terminals.count),
                    alternativeCount: UInt32(state.alternatives.count),
                    edgeMask: UInt32(max(0, state.edges.count - 1)),
                    highestLevel: state.highestLevel,
                    probes: UInt16(min(state.probes, Int(UInt16.max))),
                    isJoin: state.isJoin ? 1 : 0
                )
            )
            cell += CellArena.cell
            for terminal in state.terminals {
                let route = compiler.terminals[terminal]
                arena.initialize(
                    cell,
                    to: TerminalRecord(
                        methods: compiler.inputs[route].methods,
                        route: UInt32(route),
                        level: compiler.inputs[route].level,
                        id: identifiers[route].rawValue,
                        slotCount: UInt16(compiler.inputs[route].program.slotCount),
                        hasChoices: compiler.inputs[route].program.hasChoices
                    )
                )
                cell += CellArena.cell
            }
            for var alternative in compiler.alternatives[state.alternatives] {
                alternative.target = cells[Int(alternative.target)]
                arena.initialize(cell, to: alternative)
                cell += CellArena.cell
            }
            for number in state.edges {
                var edge = compiler.edges[number]
                if edge.length != EdgeRecord.unused {
                    edge.target = cells[Int(edge.target)]
                    edge.labelWord = labels[number]
                    if edge.hasLongLabel, case .literal(let bytes) = compiler.labels[Int(edge.label)] {
                        arena.initialize(Int(edge.labelWord), toLabel: bytes)
                    }
                }
                arena.initialize(cell, to: edge)
                cell += CellArena.cell
            }
        }
    }
}
