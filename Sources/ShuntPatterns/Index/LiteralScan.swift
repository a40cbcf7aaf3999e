/// Finds which of many literals occur in a subject, wherever they are.
///
/// Each literal is known by the windows of eight or four (or two) bytes that begin at some consecutive offsets of it.
/// Because it has as many windows as the stride is wide, it is enough to read every fourth or so place of the subject,
/// and each look is one hash and one word of a small bitmap, independent of the one before. Only where two bits are set
/// is the window looked up and the literal compared. Subject and literals count without ASCII case.
final class LiteralScan: Sendable {
    /// One window of one literal.
    struct Posting: BitwiseCopyable, Sendable {
        var literal: UInt32
        /// The distance from the beginning of the literal to the window.
        var offset: UInt32
    }

    /// The place where a literal's bytes are, and the entry of the patterns that need it.
    private struct Literal: BitwiseCopyable, Sendable {
        var start: UInt32
        var length: UInt32
        var entry: Int32
    }

    final class Tier: Sendable {
        let width: Int
        let stride: Int
        let bitmap: FrozenBuffer<UInt64>
        let bitmapShift: UInt64
        /// Open addressing: the upper half of a window's hash, then where its postings start, plus one.
        ///
        /// The stretch ends where a posting's `offset` has `lastFlag`. Two windows may look alike here, so literals are compared.
        let slots: FrozenBuffer<UInt64>
        let postings: FrozenBuffer<Posting>

        init(width: Int, stride: Int, bitmap: [UInt64], bitmapShift: UInt64, slots: [UInt64], postings: [Posting]) {
            self.width = width
            self.stride = stride
            self.bitmap = FrozenBuffer(bitmap)
            self.bitmapShift = bitmapShift
            self.slots = FrozenBuffer(slots)
            self.postings = FrozenBuffer(postings)
        }

        static let lastFlag: UInt32 = 1 << 31

        @inline(__always)
        static func hash(_ window: UInt64) -> UInt64 { (window ^ window >> 29) &* 0x9FB2_1C65_1E98_DF25 }

        /// The bits of one word of the bitmap that are set for a window; only the upper half of its hash is good.
        @inline(__always) static func bits(_ hash: UInt64) -> UInt64 { 1 &<< (hash &>> 32) | 1 &<< (hash &>> 38) }
    }

    /// Nil where no literal has this width.
    private let eight: Tier?
    private let four: Tier?
    private let two: Tier?
    private let bytes: FrozenBuffer<UInt8>
    private let literals: FrozenBuffer<Literal>

    /// Indexes the literals `bytes[starts[n]..<starts[n + 1]]`, each of at least two bytes, with what is kept with each.
    init(bytes: [UInt8], starts: [Int], entries: [Int32]) {
        let builder = LiteralScanBuilder(bytes: bytes, starts: starts)
        eight = builder.tier(width: 8)
        four = builder.tier(width: 4)
        two = builder.tier(width: 2)
        self.bytes = FrozenBuffer(bytes)
        literals = FrozenBuffer(
            zip(zip(starts, starts.dropFirst()), entries)
                .map { Literal(start: UInt32($0.0), length: UInt32($0.1 - $0.0), entry: $1) }
        )
    }

    /// The place where the patterns of the literals that occur go.
    struct Target {
        let lists: PatternLists
        let patterns: Range<Int32>
        let queue: CandidateQueue
    }

    /// Adds the patterns of each literal that occurs; more than once when it occurs more than once.
    func scan(_ subject: Span<UInt8>, into target: Target) {
        if let eight { scan(eight, width: 8, subject: subject, target: target) }
        if let four { scan(four, width: 4, subject: subject, target: target) }
        if let two { scan(two, width: 2, subject: subject, target: target) }
    }

    @inline(__always) private func scan(_ tier: Tier, width: Int, subject: Span<UInt8>, target: Target) {
        let stride = tier.stride
        let shift = tier.bitmapShift
        var position = 0
        let last = subject.count &- width
        while position <= last {
            let window = Self.window(subject, at: position, width: width)
            let hash = Tier.hash(window)
            let bits = Tier.bits(hash)
            if tier.bitmap[Int(truncatingIfNeeded: hash &>> shift)] & bits == bits {
                find(window, tier: tier, subject: subject, at: position, target: target)
            }
            position &+= stride
        }
    }

    /// The bytes of a window, each with the bit that letters of one case have: few others look alike then, and literals are
    /// compared.
    @inline(__always) static func marked(_ window: UInt64, width: Int) -> UInt64 {
        window | 0x2020_2020_2020_2020 &>> UInt64(truncatingIfNeeded: 64 &- 8 &* width)
    }

    @inline(__always) private static func window(_ subject: Span<UInt8>, at position: Int, width: Int) -> UInt64 {
        switch width {
        case 8: marked(subject.word(at: position), width: 8)
        case 4: marked(subject.halfWord(at: position), width: 4)
        default: marked(subject.quarterWord(at: position), width: 2)
        }
    }

    @inline(never)
    private func find(_ window: UInt64, tier: Tier, subject: Span<UInt8>, at place: Int, target: Target) {
        let mask = tier.slots.count &- 1
        let hash = Tier.hash(window)
        var position = Int(truncatingIfNeeded: hash >> 32) & mask
        var slot = tier.slots[position]
        while slot >> 32 != hash >> 32 {
            if slot == 0 { return }
            position = (position &+ 1) & mask
            slot = tier.slots[position]
        }
        guard slot != 0 else { return }
        var index = UInt32(truncatingIfNeeded: slot) &- 1
        while true {
            let posting = tier.postings[index]
            let start = place &- Int(posting.offset & ~Tier.lastFlag)
            let literal = literals[posting.literal]
            if occurs(literal, subject, at: start) {
                target.lists.add(literal.entry, target.patterns, to: target.queue)
            }
            if posting.offset & Tier.lastFlag != 0 { return }
            index &+= 1
        }
    }

    private func occurs(_ literal: Literal, _ subject: Span<UInt8>, at start: Int) -> Bool {
        let literalStart = Int(literal.start)
        let length = Int(literal.length)
        guard start >= 0, length <= subject.count &- start else { return false }
        var offset = 0
        while offset &+ 8 <= length {
            if subject.word(at: start &+ offset).folded != bytes.word(at: literalStart &+ offset) { return false }
            offset &+= 8
        }
        while offset < length {
            if subject[start &+ offset].folded != bytes[literalStart &+ offset] { return false }
            offset &+= 1
        }
        return true
    }
}
