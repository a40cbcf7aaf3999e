/// The states of a frozen automaton in one block of memory, as cells of three words of eight bytes.
///
/// A state, and any cell, is named by the number of its first word. The block has one owner and no reference count, so that a read is one load.
///
/// Why the unsafe code is sound: the block is allocated, filled and never changed in `init`, and freed once in `deinit`.
/// Each cell was written as one of the four records, all plain bits without padding requirements beyond eight bytes, and
/// is read as that record: which it is follows from the counts in the state's own record. Numbers of states come from
/// edges and alternatives, which `CellLayout` points at first cells. Debug builds check the bounds.
@safe
struct CellArena: ~Copyable, @unchecked Sendable {
    /// The words of a cell.
    static let cell = 3
    private static let wordSize = 8

    private let base: UnsafeMutableRawPointer
    /// The number of words.
    let count: Int

    /// Copies the cells.
    init(_ layout: CellLayout) {
        count = layout.count
        unsafe base = .allocate(byteCount: max(1, layout.count) * Self.wordSize, alignment: 64)
        layout.fill(self)
    }

    deinit {
        unsafe base.deallocate()
    }

    /// Writes a record into a cell, while the arena is made.
    func initialize<Record: BitwiseCopyable>(_ cell: Int, to record: Record) {
        let size = Self.cell * Self.wordSize
        precondition(MemoryLayout<Record>.size <= size && cell >= 0 && cell < count, "cell outside the arena")
        unsafe base.storeBytes(of: record, toByteOffset: cell &* Self.wordSize, as: Record.self)
    }

    @inline(__always)
    private func load<Record: BitwiseCopyable>(_ cell: Int, as type: Record.Type) -> Record {
        assert(cell >= 0 && cell < count, "cell outside the arena")
        return unsafe base.load(fromByteOffset: cell &* Self.wordSize, as: type)
    }

    /// The state whose first cell is `number`.
    @inline(__always)
    func state(_ number: UInt32) -> StateRecord {
        load(Int(truncatingIfNeeded: number), as: StateRecord.self)
    }

    /// The cell of the first route of a state.
    @inline(__always)
    static func firstTerminal(_ number: UInt32) -> Int { Int(truncatingIfNeeded: number) &+ cell }

    /// The cell of its first alternative.
    @inline(__always)
    static func firstAlternative(_ number: UInt32, _ state: StateRecord) -> Int {
        firstTerminal(number) &+ Int(truncatingIfNeeded: state.terminalCount) &* cell
    }

    /// The cell of the first slot of its hash table.
    @inline(__always)
    static func firstEdge(_ number: UInt32, _ state: StateRecord) -> Int {
        firstAlternative(number, state) &+ Int(truncatingIfNeeded: state.alternativeCount) &* cell
    }

    /// The route in a cell.
    @inline(__always)
    func terminal(_ cell: Int) -> TerminalRecord { load(cell, as: TerminalRecord.self) }

    /// The alternative in a cell.
    @inline(__always)
    func alternative(_ cell: Int) -> AlternativeRecord { load(cell, as: AlternativeRecord.self) }

    /// The exact component in a cell.
    @inline(__always)
    func edge(_ cell: Int) -> EdgeRecord { load(cell, as: EdgeRecord.self) }
}

/// Where each state of a compiler goes: along the ways from the roots, so that a state and the one after it are often
/// neighbours.
struct CellLayout {
    private let compiler: TableCompiler
    private let identifiers: [RouteID]
    private var cells: [UInt32]
    /// The number of words.
    private(set) var count = 0

    /// Lays out the states that can be reached from `roots`.
    init(_ compiler: TableCompiler, roots: [UInt32], identifiers: [RouteID]) {
        self.compiler = compiler
        self.identifiers = identifiers
        cells = Array(repeating: UInt32.max, count: compiler.states.count)
        var pending = Array(roots.reversed())
        while let number = pending.popLast() {
            guard cells[Int(number)] == UInt32.max else { continue }
            let state = compiler.states[Int(number)]
            cells[Int(number)] = UInt32(truncatingIfNeeded: count)
            count += CellArena.cell * (1 + state.terminals.count + state.alternatives.count + state.edges.count)
            for edge in compiler.edges[state.edges].reversed() where edge.length != EdgeRecord.unused {
                pending.append(edge.target)
            }
            for alternative in compiler.alternatives[state.alternatives].reversed() {
                pending.append(alternative.target)
            }
        }
    }

    /// The first cell of a state of the compiler.
    func cell(_ state: UInt32) -> UInt32 { cells[Int(state)] }

    /// Writes all cells.
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
            for route in compiler.terminals[state.terminals] {
                let input = compiler.inputs[route]
                arena.initialize(
                    cell,
                    to: TerminalRecord(
                        methods: input.methods,
                        route: UInt32(route),
                        level: input.level,
                        id: identifiers[route].rawValue,
                        slotCount: UInt16(input.program.slotCount),
                        hasChoices: input.program.hasChoices
                    )
                )
                cell += CellArena.cell
            }
            for var alternative in compiler.alternatives[state.alternatives] {
                alternative.target = cells[Int(alternative.target)]
                arena.initialize(cell, to: alternative)
                cell += CellArena.cell
            }
            for var edge in compiler.edges[state.edges] {
                if edge.length != EdgeRecord.unused { edge.target = cells[Int(edge.target)] }
                arena.initialize(cell, to: edge)
                cell += CellArena.cell
            }
        }
    }
}
