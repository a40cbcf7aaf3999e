/// A buffer that values are appended to during one evaluation and that is emptied, not freed, before the next.
///
/// Everything a request brings and every value that is made from it lives in one arena, so a value is a `ByteRange`
/// and stays valid until `removeAll()`: captures survive the URL they were taken from. Growth is bounded by `limit`.
/// An append that would pass it appends nothing and sets `overflowed`, which the owner checks once per value.
///
/// Not thread safe: an arena belongs to one evaluation at a time.
///
/// Why the unsafe code is sound: `base` is allocated with `capacity` bytes and freed once, in `deinit`; `count` never
/// exceeds `capacity`, and only bytes below `count` are read, every range being checked against it.
@safe
package final class ByteArena {
    @usableFromInline var base: UnsafeMutablePointer<UInt8>
    @usableFromInline var capacity: Int

    /// The number of bytes in use.
    @usableFromInline package internal(set) var count: Int = 0

    /// The largest number of bytes the arena may hold.
    package let limit: Int

    /// Whether an append was refused since the last `removeAll()`.
    @usableFromInline package internal(set) var overflowed = false

    /// Makes an empty arena of `capacity` bytes that grows up to `limit`.
    package init(capacity: Int = 4096, limit: Int = 1 << 20) {
        self.limit = max(1, min(limit, Int(Int32.max)))
        self.capacity = max(1, min(capacity, self.limit))
        unsafe self.base = .allocate(capacity: self.capacity)
    }

    deinit {
        unsafe base.deallocate()
    }

    /// Forgets every value; the memory is kept.
    package func removeAll() {
        count = 0
        overflowed = false
    }

    /// Forgets what was appended after the arena had `newCount` bytes.
    package func truncate(to newCount: Int) {
        precondition(newCount >= 0 && newCount <= count, "an arena shrinks only")
        count = newCount
    }

    /// Where the next byte goes, for building a range that is closed with `range(from:)`.
    @inlinable
    package var mark: Int { count }

    /// The bytes appended since `mark`.
    @inlinable
    package func range(from mark: Int) -> ByteRange { ByteRange(mark, count) }

    /// Makes room for `extra` bytes; false when that would pass the limit.
    @inlinable
    @inline(__always)
    func reserve(_ extra: Int) -> Bool {
        extra <= capacity - count || grow(by: extra)
    }

    /// The uncommon half of `reserve`, kept out of its callers.
    @usableFromInline
    func grow(by extra: Int) -> Bool {
        guard extra <= limit - count else {
            overflowed = true
            return false
        }
        let newCapacity = min(limit, max(capacity * 2, count + extra))
        let newBase = UnsafeMutablePointer<UInt8>.allocate(capacity: newCapacity)
        unsafe newBase.initialize(from: base, count: count)
        unsafe base.deallocate()
        unsafe base = newBase
        capacity = newCapacity
        return true
    }

    /// Appends one byte.
    @inlinable
    package func append(_ byte: UInt8) {
        guard reserve(1) else { return }
        unsafe base[count] = byte
        count += 1
    }

    /// Appends a copy of `bytes`, which must not be a view of this arena (growing would move it).
    @inlinable
    package func append(_ bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBufferPointer { source in
            guard let start = source.baseAddress, reserve(source.count) else { return }
            unsafe (base + count).update(from: start, count: source.count)
            count += source.count
        }
    }

    /// Appends a copy of `bytes`.
    package func append(_ bytes: [UInt8]) {
        append(bytes.span)
    }

    /// Appends a copy of a part of `bytes`.
    package func append(_ bytes: [UInt8], _ range: ByteRange) {
        append(bytes.span.extracting(range.indices))
    }

    /// Appends a copy of bytes that the arena already holds.
    @inlinable
    package func append(copyOf range: ByteRange) {
        check(range)
        guard !range.isEmpty, reserve(range.count) else { return }
        unsafe (base + count).update(from: base + Int(range.start), count: range.count)
        count += range.count
    }

    /// Gives `body` a view of `range`; the view must not outlive the call and nothing may be appended meanwhile.
    @inlinable
    @inline(__always)
    package func withBytes<Result, Failure: Error>(
        _ range: ByteRange,
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        check(range)
        let bytes = unsafe UnsafeBufferPointer(start: base + Int(range.start), count: range.count)
        return try unsafe body(bytes.span)
    }

    /// The byte at `offset`.
    @inlinable
    package subscript(offset: Int32) -> UInt8 {
        precondition(offset >= 0 && Int(offset) < count, "offset outside the arena")
        return unsafe base[Int(offset)]
    }

    /// A copy of the bytes of `range`.
    package func array(_ range: ByteRange) -> [UInt8] {
        withBytes(range) { bytes in
            unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) }
        }
    }

    @inlinable
    @inline(__always)
    func check(_ range: ByteRange) {
        precondition(range.start >= 0 && range.start <= range.end && Int(range.end) <= count, "range outside the arena")
    }
}
