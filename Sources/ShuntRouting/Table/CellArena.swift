import ShuntCore

/// The states of a frozen automaton in one block of memory, as cells of three words of eight bytes, and before a state the bytes
/// of the component that leads to it, if they are more than eight.
///
/// A state, and any cell, is named by the number of its first word. The block has one owner and no reference count, so that
/// a read is one load.
///
/// Why the unsafe code is sound: the block is allocated, zeroed, filled and never changed in `init`, and freed once in
/// `deinit`. Each cell was written as one of the four records, all plain bits without padding requirements beyond eight
/// bytes, and is read as that record: which it is follows from the counts in the state's own record. Numbers of states
/// come from edges and alternatives, which the builder points at first cells; those of labels come from edges too, and
/// their bytes were written whole. Debug builds check the bounds.
@safe struct CellArena: ~Copyable, @unchecked Sendable {
    static let cell = 3
    /// The words of a line of the processor's cache.
    static let line = 8
    private static let wordSize = 8

    private let base: UnsafeMutableRawPointer
    let count: Int

    /// Makes an arena of so many words, all of them zero until `fill` has written the cells and labels.
    init(count: Int, fill: (borrowing CellArena) -> Void) {
        self.count = count
        let size = max(1, count) * Self.wordSize
        unsafe base = TableMemory.allocate(byteCount: size)
        unsafe base.initializeMemory(as: UInt8.self, repeating: 0, count: size)
        fill(self)
    }

    deinit { unsafe base.deallocate() }

    /// The words that so many bytes take.
    static func words(_ bytes: Int) -> Int { (bytes + 7) / 8 }

    /// Writes a record into a cell, while the arena is made.
    func initialize<Record: BitwiseCopyable>(_ cell: Int, to record: Record) {
        let size = Self.cell * Self.wordSize
        precondition(MemoryLayout<Record>.size <= size && cell >= 0 && cell < count, "cell outside the arena")
        unsafe base.storeBytes(of: record, toByteOffset: cell &* Self.wordSize, as: Record.self)
    }

    /// Writes the bytes of a label, while the arena is made.
    func initialize(_ word: Int, toLabel bytes: [UInt8]) {
        precondition(word >= 0 && word + Self.words(bytes.count) <= count, "label outside the arena")
        for (offset, byte) in bytes.enumerated() {
            unsafe base.storeBytes(of: byte, toByteOffset: word &* Self.wordSize &+ offset, as: UInt8.self)
        }
    }

    /// The bytes of an edge that has more than eight.
    @inline(__always) func label(_ edge: EdgeRecord) -> UnsafePointer<UInt8> {
        assert(Int(edge.labelWord) + Self.words(Int(edge.length)) <= count, "label outside the arena")
        let start = unsafe base + Int(truncatingIfNeeded: edge.labelWord) &* Self.wordSize
        return unsafe UnsafePointer(start.assumingMemoryBound(to: UInt8.self))
    }

    /// A copy of the bytes of an edge that stands for a component.
    func bytes(_ edge: EdgeRecord) -> [UInt8] {
        guard edge.hasLongLabel else {
            return (0..<edge.length).map { UInt8(truncatingIfNeeded: edge.key >> UInt64(8 * $0)) }
        }
        let label = unsafe label(edge)
        return (0..<Int(edge.length)).map { unsafe label[$0] }
    }

    @inline(__always) private func load<Record: BitwiseCopyable>(_ cell: Int, as type: Record.Type) -> Record {
        assert(cell >= 0 && cell < count, "cell outside the arena")
        return unsafe base.load(fromByteOffset: cell &* Self.wordSize, as: type)
    }

    @inline(__always)
    func state(_ number: UInt32) -> StateRecord { load(Int(truncatingIfNeeded: number), as: StateRecord.self) }

    /// The cell of the first route of a state.
    @inline(__always) static func firstTerminal(_ number: UInt32) -> Int { Int(truncatingIfNeeded: number) &+ cell }

    @inline(__always) static func firstAlternative(_ number: UInt32, _ state: StateRecord) -> Int {
        firstTerminal(number) &+ Int(truncatingIfNeeded: state.terminalCount) &* cell
    }

    /// The cells of the alternatives of a state; its hash table begins where they end.
    @inline(__always) func alternatives(_ number: UInt32) -> (first: Int, end: Int) {
        let first =
            Self.firstTerminal(number) &+ Int(truncatingIfNeeded: state(number).terminalCount) &* Self.cell
        return (first, first &+ Int(truncatingIfNeeded: state(number).alternativeCount) &* Self.cell)
    }

    /// The cell of the first slot of its hash table.
    @inline(__always) static func firstEdge(_ number: UInt32, _ state: StateRecord) -> Int {
        firstAlternative(number, state) &+ Int(truncatingIfNeeded: state.alternativeCount) &* cell
    }

    @inline(__always) func terminal(_ cell: Int) -> TerminalRecord { load(cell, as: TerminalRecord.self) }

    @inline(__always) func alternative(_ cell: Int) -> AlternativeRecord { load(cell, as: AlternativeRecord.self) }

    @inline(__always) func edge(_ cell: Int) -> EdgeRecord { load(cell, as: EdgeRecord.self) }
}
