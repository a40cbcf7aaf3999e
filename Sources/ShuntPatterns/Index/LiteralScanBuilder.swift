/// Chooses the windows by which a `LiteralScan` knows its literals.
struct LiteralScanBuilder {
    private let bytes: [UInt8]
    private let starts: [Int]
    /// The length from which a literal has windows of eight bytes.
    private var longLength: Int
    /// The strides that are tried, the widest first.
    private let strides: [Int]

    init(bytes: [UInt8], starts: [Int]) {
        self.bytes = bytes
        self.starts = starts
        // Eight where that leaves a stride of at least four.
        longLength = 11
        // With more windows of many literals more subjects would look like one of them.
        let isSmall = starts.count <= Self.smallCount
        strides = isSmall ? Array((1...8).reversed()) : [4, 2, 1]
        guard isSmall else { return }
        // One walk through the subject instead of two, where it takes no more looks.
        let apart = (looks(width: 8, longLength: 11), looks(width: 4, longLength: 11))
        if apart.0 > 0, apart.1 > 0, looks(width: 4, longLength: .max) < apart.0 + apart.1 { longLength = .max }
    }

    /// The most literals that are few.
    private static let smallCount = 128

    private func length(_ literal: Int) -> Int { starts[literal + 1] - starts[literal] }

    private func width(_ literal: Int, longLength: Int) -> Int {
        switch length(literal) {
        case longLength...: 8
        case 4...: 4
        default: 2
        }
    }

    private func literals(width: Int, longLength: Int) -> [Int] {
        (0..<max(0, starts.count - 1)).filter { self.width($0, longLength: longLength) == width }
    }

    /// The distance between two looks: as many windows fit the shortest literal as the stride is wide.
    private func stride(_ literals: [Int], width: Int) -> Int {
        let shortest = literals.map(length).min() ?? width
        return strides.first { $0 <= shortest - width + 1 } ?? 1
    }

    /// The number of reads of each byte of a subject; 0 where no literal has this width.
    private func looks(width: Int, longLength: Int) -> Double {
        let literals = literals(width: width, longLength: longLength)
        return literals.isEmpty ? 0 : 1 / Double(stride(literals, width: width))
    }

    private func window(_ literal: Int, at offset: Int, width: Int) -> UInt64 {
        var window: UInt64 = 0
        for index in (0..<width).reversed() { window = window << 8 | UInt64(bytes[starts[literal] + offset + index]) }
        return LiteralScan.marked(window, width: width)
    }

    /// The tier of the literals that have this width; nil when there are none.
    func tier(width: Int) -> LiteralScan.Tier? {
        let literals = literals(width: width, longLength: longLength)
        if literals.isEmpty { return nil }
        let stride = stride(literals, width: width)
        var entries: [(hash: UInt64, posting: LiteralScan.Posting)] = []
        entries.reserveCapacity(literals.count * stride)
        let counts = WindowCounts(literals.map(length).reduce(0, +))
        for literal in literals {
            for offset in 0...(length(literal) - width) { counts.add(window(literal, at: offset, width: width)) }
        }
        for literal in literals {
            let first = rarest(literal, width: width, stride: stride, counts)
            for offset in first..<(first + stride) {
                let posting = LiteralScan.Posting(literal: UInt32(literal), offset: UInt32(offset))
                entries.append((LiteralScan.Tier.hash(window(literal, at: offset, width: width)), posting))
            }
        }
        return Self.freeze(&entries, width: width, stride: stride)
    }

    /// The first offset of the consecutive windows that the fewest literals have.
    private func rarest(_ literal: Int, width: Int, stride: Int, _ counts: WindowCounts) -> Int {
        var best = 0
        var bestCount = UInt32.max
        for first in 0...(length(literal) - width - stride + 1) {
            var most: UInt32 = 0
            for offset in first..<(first + stride) {
                most = max(most, counts.count(window(literal, at: offset, width: width)))
            }
            if most < bestCount {
                best = first
                bestCount = most
            }
        }
        return best
    }

    private static func freeze(
        _ entries: inout [(hash: UInt64, posting: LiteralScan.Posting)],
        width: Int,
        stride: Int
    ) -> LiteralScan.Tier {
        entries.sort { ($0.hash, $0.posting.literal) < ($1.hash, $1.posting.literal) }
        // Sixteen bits a window keep wrong hits near 2 %; more than 2^22 bits would leave the nearer caches.
        var wordBits: UInt64 = 4
        while wordBits < 16, 64 << wordBits < entries.count * 16 { wordBits += 1 }
        let bitmapShift = 64 - wordBits
        var bitmap = [UInt64](repeating: 0, count: 1 << wordBits)
        var slotCount = 2
        while slotCount < entries.count * 2 { slotCount *= 2 }
        var slots = [UInt64](repeating: 0, count: slotCount)
        var postings: [LiteralScan.Posting] = []
        postings.reserveCapacity(entries.count)
        for (index, entry) in entries.enumerated() {
            var posting = entry.posting
            // Windows with the same upper half share a slot's stretch, or the second would never be found.
            if index + 1 == entries.count || entries[index + 1].hash >> 32 != entry.hash >> 32 {
                posting.offset |= LiteralScan.Tier.lastFlag
            }
            postings.append(posting)
            bitmap[Int(entry.hash >> bitmapShift)] |= LiteralScan.Tier.bits(entry.hash)
        }
        for (index, entry) in entries.enumerated() {
            if index > 0, entries[index - 1].hash >> 32 == entry.hash >> 32 { continue }
            var position = Int(entry.hash >> 32) & (slotCount - 1)
            while slots[position] != 0 { position = (position + 1) & (slotCount - 1) }
            slots[position] = entry.hash & ~0xFFFF_FFFF | UInt64(index + 1)
        }
        return LiteralScan.Tier(
            width: width,
            stride: stride,
            bitmap: bitmap,
            bitmapShift: bitmapShift,
            slots: slots,
            postings: postings
        )
    }
}

/// Counts how often windows occur, roughly: different windows may share a counter.
private final class WindowCounts {
    private var counters: [UInt32]
    private let mask: Int

    init(_ expected: Int) {
        var size = 64
        while size < expected * 2, size < 1 << 22 { size *= 2 }
        counters = [UInt32](repeating: 0, count: size)
        mask = size - 1
    }

    func add(_ window: UInt64) { counters[place(of: window)] &+= 1 }

    func count(_ window: UInt64) -> UInt32 { counters[place(of: window)] }

    private func place(of window: UInt64) -> Int { Int(truncatingIfNeeded: LiteralScan.Tier.hash(window) >> 32) & mask }
}
