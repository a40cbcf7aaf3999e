import ShuntCore

/// A block of memory that is filled once and then only read: the parts of which the frozen tables are made.
///
/// It has one owner and no reference count, so reading it costs a bounds check and a load.
///
/// Why the unsafe code is sound: `base` is allocated with room for `count` elements, all of them initialized in `init`
/// and never changed; the memory is freed once, in `deinit`; every index is checked. Elements are plain bits, so they
/// need no destruction, and constant memory may be shared between threads.
@safe struct FrozenBuffer<Element: BitwiseCopyable & Sendable>: ~Copyable, @unchecked Sendable {
    private let base: UnsafeMutablePointer<Element>
    let count: Int

    init(_ elements: [Element]) {
        count = elements.count
        unsafe base = Self.allocate(elements.count)
        unsafe elements.withUnsafeBufferPointer { source in
            guard let start = source.baseAddress else { return }
            unsafe base.initialize(from: start, count: source.count)
        }
    }

    /// Makes `count` elements that are all `element` and lets `fill` change them.
    init(repeating element: Element, count: Int, _ fill: (inout MutableSpan<Element>) -> Void) {
        let memory = unsafe Self.allocate(count)
        unsafe memory.initialize(repeating: element, count: count)
        let elements = unsafe UnsafeMutableBufferPointer(start: memory, count: count)
        var span = unsafe elements.mutableSpan
        fill(&span)
        unsafe base = memory
        self.count = count
    }

    private static func allocate(_ count: Int) -> UnsafeMutablePointer<Element> {
        let memory = unsafe TableMemory.allocate(byteCount: count * MemoryLayout<Element>.stride)
        return unsafe memory.bindMemory(to: Element.self, capacity: max(1, count))
    }

    deinit { unsafe base.deallocate() }

    @inline(__always) subscript(_ index: Int) -> Element {
        precondition(UInt(bitPattern: index) < UInt(bitPattern: count), "index outside the table")
        return unsafe base[index]
    }

    @inline(__always) subscript(_ index: UInt32) -> Element { self[Int(index)] }

    var byteCount: Int { count * MemoryLayout<Element>.stride }
}

extension FrozenBuffer<UInt8> {
    /// The eight bytes at `index`, the first of them lowest; all of them must be inside the buffer.
    @inline(__always) func word(at index: Int) -> UInt64 {
        precondition(index >= 0 && index <= count &- 8, "index outside the table")
        return unsafe UInt64(littleEndian: UnsafeRawPointer(base + index).loadUnaligned(as: UInt64.self))
    }
}
