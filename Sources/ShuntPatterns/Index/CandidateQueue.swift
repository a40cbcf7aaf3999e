/// The patterns that may match one subject, taken out in the order of the patterns.
///
/// A heap of stretches of ascending pattern numbers. Its memory is kept from one look-up to the next and grows only when
/// a subject contains more of the index's literals than any before it.
///
/// Not thread safe: it is part of a scratch.
///
/// Why the unsafe code is sound: `heap` is allocated for `capacity` stretches and freed once, in `deinit`; stretches are
/// plain bits. All indices are below `count`, which never exceeds `capacity`: `add` makes room first, and sifting stays
/// between the root and `count`.
@safe final class CandidateQueue {
    private struct Stretch: BitwiseCopyable {
        var pattern: Int32
        /// The place where in the postings the next pattern of this stretch is.
        var next: UInt32
        var end: UInt32
    }

    private var heap: UnsafeMutablePointer<Stretch>
    private var capacity = 64
    private var count = 0

    init() { unsafe heap = .allocate(capacity: 64) }

    deinit { unsafe heap.deallocate() }

    /// The lowest pattern number; nil when there is none.
    @inline(__always) var first: Int32? { count == 0 ? nil : unsafe heap[0].pattern }

    @inline(__always) func removeAll() { count = 0 }

    /// Adds the pattern numbers `postings[start..<end]`, of which there is at least one, that are in `patterns`.
    @inline(__always)
    func add(_ postings: borrowing FrozenBuffer<Int32>, start: UInt32, end: UInt32, patterns: Range<Int32>) {
        var low = start
        var pattern = postings[start]
        if pattern < patterns.lowerBound {
            low = Self.search(postings, low: start &+ 1, high: end, pattern: patterns.lowerBound)
            if low == end { return }
            pattern = postings[low]
        }
        guard pattern < patterns.upperBound else { return }
        push(Stretch(pattern: pattern, next: low &+ 1, end: end))
    }

    @inline(__always) func add(_ pattern: Int32) { push(Stretch(pattern: pattern, next: 0, end: 0)) }

    /// The first place of `postings[low..<high]` whose pattern number is at least `pattern`.
    @inline(never) private static func search(
        _ postings: borrowing FrozenBuffer<Int32>,
        low: UInt32,
        high: UInt32,
        pattern: Int32
    ) -> UInt32 {
        var low = low
        var high = high
        while low < high {
            let middle = low &+ (high &- low) / 2
            if postings[middle] < pattern { low = middle &+ 1 } else { high = middle }
        }
        return low
    }

    private func push(_ stretch: Stretch) {
        if count == capacity { grow() }
        var index = count
        count = index &+ 1
        while index > 0 {
            let parent = (index &- 1) / 2
            if unsafe heap[parent].pattern <= stretch.pattern { break }
            unsafe heap[index] = heap[parent]
            index = parent
        }
        unsafe heap[index] = stretch
    }

    private func grow() {
        let larger = UnsafeMutablePointer<Stretch>.allocate(capacity: capacity * 2)
        unsafe larger.initialize(from: heap, count: count)
        unsafe heap.deallocate()
        unsafe heap = larger
        capacity *= 2
    }

    /// Takes the lowest pattern number out, everywhere it occurs.
    func removeFirst(_ postings: borrowing FrozenBuffer<Int32>) {
        guard let pattern = first else { return }
        while count > 0, unsafe heap[0].pattern == pattern {
            var top = unsafe heap[0]
            if top.next < top.end {
                top.pattern = postings[top.next]
                top.next &+= 1
            } else {
                count &-= 1
                if count == 0 { return }
                top = unsafe heap[count]
            }
            siftDown(top)
        }
    }

    /// Puts `stretch` where the root was.
    private func siftDown(_ stretch: Stretch) {
        var index = 0
        while true {
            var child = 2 &* index &+ 1
            if child >= count { break }
            if child &+ 1 < count, unsafe heap[child &+ 1].pattern < heap[child].pattern { child &+= 1 }
            if unsafe stretch.pattern <= heap[child].pattern { break }
            unsafe heap[index] = heap[child]
            index = child
        }
        unsafe heap[index] = stretch
    }
}
