/// Memory that is filled once and then only read: the tables of which a route table is made.
///
/// It has one owner and no reference count, so that a read is one load.
///
/// Why the unsafe code is sound: `base` has room for `count` elements, at least one; all of them are initialized in
/// `init`, never changed, and freed once in `deinit`. Elements are plain bits. Every index that a lookup uses was
/// written into a table when it was built and lies inside the table it refers to (`RouteTableBuilder` makes them all);
/// debug builds check each of them.
@safe struct FrozenArray<Element: BitwiseCopyable & Sendable>: ~Copyable, @unchecked Sendable {
    private let base: UnsafeMutablePointer<Element>
    let count: Int

    init(_ elements: [Element]) {
        count = elements.count
        unsafe base = .allocate(capacity: max(1, elements.count))
        unsafe elements.withUnsafeBufferPointer { source in
            guard let start = source.baseAddress else { return }
            unsafe base.initialize(from: start, count: source.count)
        }
    }

    deinit { unsafe base.deallocate() }

    @inline(__always) subscript(_ index: Int) -> Element {
        assert(index >= 0 && index < count, "index outside a table")
        return unsafe base[index]
    }

    @inline(__always) subscript(_ index: UInt32) -> Element { self[Int(truncatingIfNeeded: index)] }
}
