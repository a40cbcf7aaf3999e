/// A buffer that values are appended to during one evaluation and that is emptied, not freed, before the next.
///
/// Everything a request brings and every value that is made from it lives in one arena, so a value is a `ByteRange`
/// and stays valid until `removeAll()`: captures survive the URL they were taken from. Growth is bounded by `limit`.
/// An append that would pass it appends nothing and sets `overflowed`, which the owner checks once per value.
/// Not thread safe: an arena belongs to one evaluation at a time.
///
/// Why the unsafe code is sound: `state` points to one initialised value that `deinit` frees. Its `base` is allocated with
/// `capacity` bytes, all of them initialised, and freed when it is replaced or in `deinit`; `count` never exceeds `capacity`, and
/// only bytes below `count` mean anything, every range being checked against it. The state is behind a constant pointer because each access to
/// a variable of a class costs a call to check for exclusive access; nothing here calls out while it changes the state.
///
/// It is for the engine alone: the type is public because the compiler moves only members of public types into the
/// functions of other modules that call them, and these are called for every byte.
@safe public final class ByteArena {
    @unsafe @usableFromInline struct State {
        @usableFromInline var base: UnsafeMutablePointer<UInt8>
        @usableFromInline var capacity: Int
        @usableFromInline var count: Int
        @usableFromInline var overflowed: Bool
    }

    @usableFromInline let state: UnsafeMutablePointer<State>

    /// The largest number of bytes the arena may hold.
    package let limit: Int

    /// Makes an empty arena of `capacity` bytes that grows up to `limit`.
    package init(capacity: Int = 4096, limit: Int = 1 << 20) {
        self.limit = max(1, min(limit, Int(Int32.max)))
        let capacity = max(1, min(capacity, self.limit))
        let base = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        unsafe base.initialize(repeating: 0, count: capacity)
        unsafe self.state = .allocate(capacity: 1)
        unsafe state.initialize(to: State(base: base, capacity: capacity, count: 0, overflowed: false))
    }

    deinit {
        unsafe state.pointee.base.deallocate()
        unsafe state.deallocate()
    }

    /// The number of bytes in use.
    @inlinable @inline(__always) package var count: Int { unsafe state.pointee.count }

    /// True if an append was refused since the last `removeAll()`.
    @inlinable package var overflowed: Bool { unsafe state.pointee.overflowed }

    /// Forgets every value, except for the first `kept` bytes, which must be there; the memory is kept.
    @inlinable package func removeAll(after kept: Int = 0) {
        truncate(to: kept)
        unsafe state.pointee.overflowed = false
    }

    /// Forgets what was appended after the arena had `newCount` bytes.
    @inlinable package func truncate(to newCount: Int) {
        precondition(newCount >= 0 && newCount <= count, "an arena shrinks only")
        unsafe state.pointee.count = newCount
    }

    /// The place where the next byte goes, for building a range that is closed with `range(from:)`.
    @inlinable @inline(__always) package var mark: Int { count }

    /// The bytes appended since `mark`.
    @inlinable @inline(__always) package func range(from mark: Int) -> ByteRange { ByteRange(mark, count) }

    /// Makes room for `extra` bytes; false when that would pass the limit.
    @inlinable @inline(__always) func reserve(_ extra: Int) -> Bool {
        unsafe extra <= state.pointee.capacity &- state.pointee.count || grow(by: extra)
    }

    /// Makes room for `extra` bytes, as far as the limit allows: appending them will not move what is there.
    package func makeRoom(_ extra: Int) { _ = reserve(extra) }

    /// The uncommon half of `reserve`, kept out of its callers.
    @usableFromInline @inline(never) func grow(by extra: Int) -> Bool {
        guard extra <= limit - count else {
            unsafe state.pointee.overflowed = true
            return false
        }
        let newCapacity = unsafe min(limit, max(state.pointee.capacity * 2, count + extra))
        let newBase = UnsafeMutablePointer<UInt8>.allocate(capacity: newCapacity)
        unsafe newBase.initialize(from: state.pointee.base, count: count)
        unsafe (newBase + count).initialize(repeating: 0, count: newCapacity - count)
        unsafe state.pointee.base.deallocate()
        unsafe state.pointee.base = newBase
        unsafe state.pointee.capacity = newCapacity
        return true
    }

    @inlinable @inline(__always) package func append(_ byte: UInt8) {
        guard reserve(1) else { return }
        unsafe state.pointee.base[state.pointee.count] = byte
        unsafe state.pointee.count &+= 1
    }

    /// Appends a copy of `bytes`, which must not be a view of this arena (growing would move it).
    @inlinable package func append(_ bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBufferPointer { source in
            guard let start = source.baseAddress, reserve(source.count) else { return }
            unsafe (state.pointee.base + state.pointee.count).update(from: start, count: source.count)
            unsafe state.pointee.count &+= source.count
        }
    }

    /// Appends a copy of `bytes`, which is not a call where there are sixteen to 64 of them, as in most targets.
    @inlinable @inline(__always) package func append(_ bytes: [UInt8]) {
        let count = bytes.count
        if count >= 16, unsafe count <= min(64, state.pointee.capacity &- state.pointee.count) {
            unsafe bytes.withUnsafeBufferPointer { bytes in
                guard let start = bytes.baseAddress else { return }
                unsafe copyEnds(from: start, count: count)
            }
        } else {
            appendMore(bytes)
        }
    }

    @usableFromInline @inline(never) func appendMore(_ bytes: [UInt8]) { append(bytes.span) }

    /// Appends sixteen to 64 bytes: the first sixteen or 32 and as many at the end, which may overlap.
    ///
    /// Sound: there is room for `count` bytes, and both ends are within them, in the source and here.
    @unsafe @inlinable @inline(__always) func copyEnds(from source: UnsafePointer<UInt8>, count: Int) {
        let last = count &- MemoryLayout<SIMD16<UInt8>>.size
        let head = unsafe UnsafeRawPointer(source).loadUnaligned(as: SIMD16<UInt8>.self)
        let tail = unsafe UnsafeRawPointer(source + last).loadUnaligned(as: SIMD16<UInt8>.self)
        let target = unsafe UnsafeMutableRawPointer(state.pointee.base + state.pointee.count)
        if count > 32 {
            let second = unsafe UnsafeRawPointer(source + 16).loadUnaligned(as: SIMD16<UInt8>.self)
            let third = unsafe UnsafeRawPointer(source + (last &- 16)).loadUnaligned(as: SIMD16<UInt8>.self)
            unsafe target.storeBytes(of: second, toByteOffset: 16, as: SIMD16<UInt8>.self)
            unsafe target.storeBytes(of: third, toByteOffset: last &- 16, as: SIMD16<UInt8>.self)
        }
        unsafe target.storeBytes(of: head, as: SIMD16<UInt8>.self)
        unsafe target.storeBytes(of: tail, toByteOffset: last, as: SIMD16<UInt8>.self)
        unsafe state.pointee.count &+= count
    }

    @inlinable package func append(_ text: StaticString) {
        let count = text.utf8CodeUnitCount
        guard reserve(count) else { return }
        // Sound: the text has so many bytes, and there is room for them.
        unsafe (state.pointee.base + state.pointee.count).update(from: text.utf8Start, count: count)
        unsafe state.pointee.count &+= count
    }

    /// Appends a copy of a part of `bytes`; where a block of bytes follows the start of it, short parts are copied at once.
    ///
    /// Sound: `range` is within `bytes`, and so is the block that begins with it.
    @inlinable @inline(__always) package func append(_ bytes: [UInt8], _ range: ByteRange) {
        let isInside = range.start >= 0 && range.start <= range.end && Int(range.end) <= bytes.count
        if isInside, Self.block <= bytes.count &- Int(range.start), hasRoomForBlock(of: range.count) {
            unsafe bytes.withUnsafeBufferPointer { bytes in
                guard let start = bytes.baseAddress else { return }
                unsafe copyBlock(from: start + Int(range.start), count: range.count)
            }
        } else {
            appendMore(bytes, range)
        }
    }

    /// Appends the first `count` bytes of a block, all of which is stored: `hasRoomForBlock` makes that sound.
    @inlinable @inline(__always) package func append(_ block: SIMD32<UInt8>, count: Int) {
        guard count >= 0, hasRoomForBlock(of: count) else { return appendMore(block, count: count) }
        unsafe UnsafeMutableRawPointer(state.pointee.base + state.pointee.count)
            .storeBytes(of: block, as: SIMD32<UInt8>.self)
        unsafe state.pointee.count &+= count
    }

    @usableFromInline @inline(never)
    func appendMore(_ block: SIMD32<UInt8>, count: Int) { for index in 0..<count { append(block[index]) } }

    @usableFromInline @inline(never)
    func appendMore(_ bytes: [UInt8], _ range: ByteRange) { append(bytes.span.extracting(range.indices)) }

    /// Appends a copy of bytes that the arena already holds.
    @inlinable @inline(__always) package func append(copyOf range: ByteRange) {
        check(range)
        if hasRoomForBlock(of: range.count) {
            unsafe copyBlock(from: state.pointee.base + Int(range.start), count: range.count)
        } else {
            appendMore(copyOf: range)
        }
    }

    /// The bytes that are copied at once where a value is short.
    @inlinable package static var block: Int { 32 }

    /// Returns true if `count` bytes can be appended as a block.
    @inlinable @inline(__always) func hasRoomForBlock(of count: Int) -> Bool {
        unsafe count <= Self.block && Self.block <= state.pointee.capacity &- state.pointee.count
    }

    /// Appends `count` bytes of a block.
    ///
    /// Sound: `hasRoomForBlock` was true, so that the block is within the capacity. `source` has a block of initialised bytes: it is a
    /// constant with so many, or begins below `count`. What is written after the `count` bytes means nothing there, and
    /// both halves are read before either is written, for they may overlap.
    @unsafe @inlinable @inline(__always) func copyBlock(from source: UnsafePointer<UInt8>, count: Int) {
        let half = MemoryLayout<SIMD16<UInt8>>.size
        let first = unsafe UnsafeRawPointer(source).loadUnaligned(as: SIMD16<UInt8>.self)
        let second = unsafe UnsafeRawPointer(source + half).loadUnaligned(as: SIMD16<UInt8>.self)
        let target = unsafe UnsafeMutableRawPointer(state.pointee.base + state.pointee.count)
        unsafe target.storeBytes(of: first, as: SIMD16<UInt8>.self)
        unsafe target.storeBytes(of: second, toByteOffset: half, as: SIMD16<UInt8>.self)
        unsafe state.pointee.count &+= count
    }

    @usableFromInline @inline(never) func appendMore(copyOf range: ByteRange) {
        guard !range.isEmpty, reserve(range.count) else { return }
        let base = unsafe state.pointee.base
        unsafe (base + count).update(from: base + Int(range.start), count: range.count)
        unsafe state.pointee.count &+= range.count
    }

    /// Calls `body` with a view of `range`; the view must not outlive the call and nothing may be appended meanwhile.
    @inlinable @inline(__always) package func withBytes<Result, Failure: Error>(
        _ range: ByteRange,
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        check(range)
        let bytes = unsafe UnsafeBufferPointer(start: state.pointee.base + Int(range.start), count: range.count)
        return try unsafe body(bytes.span)
    }

    /// The bytes that `withPaddedBytes` shows after a range.
    @inlinable package static var padding: Int { 32 }

    /// Calls `body` with a view of `range` and of `padding` bytes after it, so that blocks of bytes can be read up to
    /// the end of the range; nil where there is no room for so many.
    ///
    /// What is in them is of other values, or zero. The conditions are those of `withBytes`.
    ///
    /// Sound: `range` ends at `count` or before, and the bytes from there on that the view reaches are set here; they are not
    /// counted, and the next append overwrites them.
    @inlinable @inline(__always)
    package func withPaddedBytes<Result>(_ range: ByteRange, _ body: (Span<UInt8>) -> Result?) -> Result? {
        check(range)
        guard unsafe Self.padding <= state.pointee.capacity &- state.pointee.count else { return nil }
        unsafe (state.pointee.base + state.pointee.count).update(repeating: 0, count: Self.padding)
        let bytes = unsafe UnsafeBufferPointer(
            start: state.pointee.base + Int(range.start),
            count: range.count &+ Self.padding
        )
        return unsafe body(bytes.span)
    }

    /// Returns true if the bytes of `range` are those of `other`; no call for eight to sixteen, as in most host names.
    ///
    /// Sound: the first eight bytes and the last eight, which may overlap, are within both.
    @inlinable @inline(__always) package func holds(_ other: [UInt8], at range: ByteRange) -> Bool {
        check(range)
        let count = range.count
        guard count == other.count else { return false }
        guard count >= 8, count <= 16 else { return holds(other.span, at: range) }
        let mine = unsafe UnsafeRawPointer(state.pointee.base + Int(range.start))
        let last = count &- 8
        return unsafe other.withUnsafeBytes { bytes in
            unsafe mine.loadUnaligned(as: UInt64.self) == bytes.loadUnaligned(as: UInt64.self)
                && mine.loadUnaligned(fromByteOffset: last, as: UInt64.self)
                    == bytes.loadUnaligned(fromByteOffset: last, as: UInt64.self)
        }
    }

    /// Returns true if the bytes of `range` are those of `other`.
    @usableFromInline @inline(never) package func holds(_ other: Span<UInt8>, at range: ByteRange) -> Bool {
        withBytes(range) { EightBytes.areEqual($0, other) }
    }

    @inlinable @inline(__always) package subscript(offset: Int32) -> UInt8 {
        precondition(offset >= 0 && Int(offset) < count, "offset outside the arena")
        return unsafe state.pointee.base[Int(offset)]
    }

    package func array(_ range: ByteRange) -> [UInt8] {
        withBytes(range) { bytes in
            unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) }
        }
    }

    @inlinable @inline(__always) func check(_ range: ByteRange) {
        precondition(range.start >= 0 && range.start <= range.end && Int(range.end) <= count, "range outside the arena")
    }
}
