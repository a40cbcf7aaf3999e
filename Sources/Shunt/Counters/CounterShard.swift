import Synchronization

/// The counters of one thread: two words a rule.
///
/// The memory is one block that is made by the first count. Every access to it goes through `read` and `count`, which
/// check the index against the number of cells, and the cells are atomic; so the unsafe pointer is sound. The shard owns one
/// reference to the block, which is stored once and released in `deinit`: who uses the block holds the shard meanwhile.
/// (`AtomicLazyReference` would look its type up at run time for each count.)
@safe final class CounterShard: Sendable {
    private let size: Int
    private let cells = unsafe Atomic<Unmanaged<Cells>?>(nil)

    init(count: Int) { size = count }

    deinit {
        unsafe cells.load(ordering: .acquiring)?.release()
    }

    func count(_ index: Int, at seconds: Int64) {
        let cells = unsafe cells.load(ordering: .acquiring) ?? firstCells()
        unsafe cells._withUnsafeGuaranteedRef { $0.count(index, at: seconds) }
    }

    func read(_ index: Int) -> (hits: UInt64, last: Int64) {
        guard let cells = unsafe cells.load(ordering: .acquiring) else { return (0, 0) }
        return unsafe cells._withUnsafeGuaranteedRef { $0.read(index) }
    }

    @inline(never)
    private func firstCells() -> Unmanaged<Cells> {
        let made = unsafe Unmanaged.passRetained(Cells(count: size))
        let stored = unsafe cells.compareExchange(expected: nil, desired: made, ordering: .acquiringAndReleasing)
        guard let other = unsafe stored.original else { return unsafe made }
        unsafe made.release()
        return unsafe other
    }

    static var bytesPerRule: Int { MemoryLayout<Cell>.stride }

    private struct Cell: ~Copyable {
        let hits = Atomic<UInt64>(0)
        let last = Atomic<Int64>(0)
    }

    /// Owns the block.
    ///
    /// `@unchecked` because of the pointer, which never changes; what it points to is atomic.
    @safe private final class Cells: @unchecked Sendable {
        private let start: UnsafeMutablePointer<Cell>
        private let size: Int

        init(count: Int) {
            size = count
            unsafe start = .allocate(capacity: max(1, count))
            for index in 0..<count { unsafe (start + index).initialize(to: Cell()) }
        }

        deinit {
            unsafe start.deinitialize(count: size)
            unsafe start.deallocate()
        }

        func count(_ index: Int, at seconds: Int64) {
            guard index >= 0, index < size else { return }
            unsafe start[index].hits.wrappingAdd(1, ordering: .relaxed)
            unsafe start[index].last.store(seconds, ordering: .relaxed)
        }

        func read(_ index: Int) -> (hits: UInt64, last: Int64) {
            guard index >= 0, index < size else { return (0, 0) }
            return unsafe (start[index].hits.load(ordering: .relaxed), start[index].last.load(ordering: .relaxed))
        }
    }
}
