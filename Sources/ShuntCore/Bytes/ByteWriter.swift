/// Writes values one after another into memory that is made at its full size, with one allocation.
///
/// Why the unsafe code is sound: `base` has room for `capacity` bytes while the writer exists, which its creator
/// sees to, and nothing is written after them.
///
/// It is for the engine alone, and public for the reason that `ByteArena` is.
@safe public struct ByteWriter: ~Copyable {
    @usableFromInline let base: UnsafeMutablePointer<UInt8>
    @usableFromInline let capacity: Int
    /// The number of bytes that were written.
    @usableFromInline package private(set) var count = 0

    /// Makes a writer for the room of `capacity` bytes at `base`, which is there for as long as the writer.
    @unsafe @inlinable package init(base: UnsafeMutablePointer<UInt8>, capacity: Int) {
        unsafe self.base = base
        self.capacity = capacity
    }

    /// Writes bytes, and returns where they are.
    @inlinable @discardableResult package mutating func append(_ bytes: Span<UInt8>) -> ByteRange {
        let start = count
        precondition(bytes.count <= capacity &- start, "more bytes than there is room for")
        unsafe bytes.withUnsafeBufferPointer { source in
            guard let first = source.baseAddress else { return }
            unsafe (base + start).initialize(from: first, count: source.count)
        }
        count = start &+ bytes.count
        return ByteRange(start, count)
    }

    /// Writes the bytes of an array, and returns where they are.
    @inlinable @discardableResult package mutating func append(_ bytes: [UInt8]) -> ByteRange { append(bytes.span) }

    /// Writes a value of an arena, and returns where it is.
    ///
    /// Sixteen to 64 bytes, as in most URLs, are copied without a call.
    @inlinable @inline(__always) package mutating func append(_ range: ByteRange, of arena: ByteArena) -> ByteRange {
        let size = range.count
        guard size >= 16, size <= min(64, capacity &- count) else { return appendMore(range, of: arena) }
        arena.withBytes(range) { bytes in
            unsafe bytes.withUnsafeBytes { source in
                if let start = source.baseAddress { unsafe copyEnds(from: start, size) }
            }
        }
        let start = count
        count = start &+ size
        return ByteRange(start, count)
    }

    @usableFromInline @inline(never) mutating func appendMore(_ range: ByteRange, of arena: ByteArena) -> ByteRange {
        arena.withBytes(range) { append($0) }
    }

    /// Copies sixteen to 64 bytes: the first sixteen or 32 and as many at the end, which may overlap.
    ///
    /// Sound: both ends are within them, in the source and here, where there is room for so many.
    @unsafe @inlinable @inline(__always) func copyEnds(from source: UnsafeRawPointer, _ size: Int) {
        let target = unsafe UnsafeMutableRawPointer(base + count)
        let last = size &- MemoryLayout<SIMD16<UInt8>>.size
        if size > 32 {
            let second = unsafe source.loadUnaligned(fromByteOffset: 16, as: SIMD16<UInt8>.self)
            let third = unsafe source.loadUnaligned(fromByteOffset: last &- 16, as: SIMD16<UInt8>.self)
            unsafe target.storeBytes(of: second, toByteOffset: 16, as: SIMD16<UInt8>.self)
            unsafe target.storeBytes(of: third, toByteOffset: last &- 16, as: SIMD16<UInt8>.self)
        }
        let head = unsafe source.loadUnaligned(as: SIMD16<UInt8>.self)
        let tail = unsafe source.loadUnaligned(fromByteOffset: last, as: SIMD16<UInt8>.self)
        unsafe target.storeBytes(of: head, as: SIMD16<UInt8>.self)
        unsafe target.storeBytes(of: tail, toByteOffset: last, as: SIMD16<UInt8>.self)
    }

    /// Writes a text, and returns where it is.
    @inlinable package mutating func append(_ text: String) -> ByteRange {
        var text = text
        return text.withUTF8 { unsafe append($0.span) }
    }

    /// Writes a number as four bytes, the lowest first.
    @inlinable package mutating func append(_ number: Int32) {
        precondition(MemoryLayout<Int32>.size <= capacity &- count, "more bytes than there is room for")
        unsafe UnsafeMutableRawPointer(base + count).storeBytes(of: number.littleEndian, as: Int32.self)
        count &+= MemoryLayout<Int32>.size
    }
}
