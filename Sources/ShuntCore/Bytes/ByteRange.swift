/// A half-open range of byte offsets into some buffer.
///
/// Eight bytes and trivial to copy: requests, captures and values are passed round as ranges so that nothing on the
/// hot path holds a reference or makes a copy.
@frozen
public struct ByteRange: Sendable, Hashable {
    /// The offset of the first byte.
    public var start: Int32
    /// The offset just past the last byte; never less than `start`.
    public var end: Int32

    /// Makes the range `start..<end`; an `end` before `start` results in the empty range at `start`.
    @inlinable public init(start: Int32, end: Int32) {
        self.start = start
        self.end = end < start ? start : end
    }

    /// Makes the range `start..<end` from integers that are known to fit a buffer of less than 2 GiB.
    @inlinable public init(_ start: Int, _ end: Int) {
        self.init(start: Int32(truncatingIfNeeded: start), end: Int32(truncatingIfNeeded: end))
    }

    /// The empty range at offset 0.
    @inlinable public static var empty: ByteRange { ByteRange(start: 0, end: 0) }

    /// The number of bytes.
    @inlinable public var count: Int { Int(end &- start) }

    /// True if there are no bytes.
    @inlinable public var isEmpty: Bool { end == start }

    /// The same range for bytes that begin `offset` further on.
    @inlinable @inline(__always)
    package func moved(by offset: Int32) -> ByteRange { ByteRange(start: start &+ offset, end: end &+ offset) }

    /// The same bytes as a range of `Int`, for subscripts.
    @inlinable public var indices: Range<Int> { unsafe Range(uncheckedBounds: (Int(start), Int(end))) }
}
