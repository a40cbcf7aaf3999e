/// An immutable map from byte strings to numbers of 32 bits.
///
/// Groups of eight slots, each half a fingerprint and half the place of a record; a record is the value, the length and
/// the bytes of the key, which are compared on every hit, so an answer is exact. A look-up costs one cache line for a miss
/// and two for a hit, and allocates nothing. Memory: 14 to 22 bytes a key, and its text.
struct KeyTable: ~Copyable, Sendable {
    private let slots: FrozenBuffer<UInt64>
    private let records: FrozenBuffer<UInt8>
    private let mask: Int
    private let seed: UInt64
    private let caseless: Bool
    let count: Int

    /// In a record, the value comes first, then the length in two bytes or, for a longer key, this and four bytes.
    private static let longKey = 0xFFFF
    private static let groupSize = 8

    /// Gives key `n` of the builder the value `values[n]`.
    init(_ builder: consuming KeyTableBuilder, values: [UInt32]) {
        // What is not needed any more is freed before the next block is allocated: tables may be large.
        builder.forgetSlots()
        var size = 8
        for index in values.indices {
            let length = builder.key(index).count
            size += 6 + (length < Self.longKey ? 0 : 4) + length
        }
        records = FrozenBuffer(repeating: 0, count: size) { records in
            var place = 0
            for (index, value) in values.enumerated() {
                let key = builder.key(index)
                Self.write(UInt64(value), 4, to: &records, at: &place)
                if key.count < Self.longKey {
                    Self.write(UInt64(key.count), 2, to: &records, at: &place)
                } else {
                    Self.write(UInt64(Self.longKey), 2, to: &records, at: &place)
                    Self.write(UInt64(key.count), 4, to: &records, at: &place)
                }
                for byte in key {
                    records[place] = byte
                    place += 1
                }
            }
        }
        seed = builder.seed
        caseless = builder.caseless
        count = values.count
        var slotCount = Self.groupSize
        while slotCount * 3 < values.count * 5 { slotCount *= 2 }
        mask = slotCount - 1
        slots = FrozenBuffer(repeating: 0, count: slotCount) { slots in
            var place = 1
            for index in values.indices {
                let key = builder.key(index)
                let hash = builder.hash(index)
                var position = Self.group(hash, slotCount - 1)
                while slots[position] != 0 { position = (position + 1) & (slotCount - 1) }
                slots[position] = Self.fingerprint(hash) << 32 | UInt64(place)
                place += 6 + (key.count < Self.longKey ? 0 : 4) + key.count
            }
        }
    }

    private static func write(_ number: UInt64, _ count: Int, to bytes: inout MutableSpan<UInt8>, at place: inout Int) {
        for index in 0..<count { bytes[place + index] = UInt8(truncatingIfNeeded: number >> UInt64(8 * index)) }
        place += count
    }

    /// The first slot of the group in which a key is looked for first.
    @inline(__always)
    private static func group(_ hash: UInt64, _ mask: Int) -> Int {
        Int(truncatingIfNeeded: hash) & mask & ~(groupSize &- 1)
    }

    /// What a slot has in its upper half; never 0, which is that of an empty slot.
    @inline(__always)
    private static func fingerprint(_ hash: UInt64) -> UInt64 { hash &>> 32 | 1 }

    /// The memory this takes, in bytes.
    var byteCount: Int { slots.byteCount + records.byteCount }

    /// The value of the key that equals `subject[start..<end]`; nil when there is none.
    @inline(__always)
    func value(of subject: Span<UInt8>, from start: Int, to end: Int) -> UInt32? {
        caseless
            ? value(of: subject, from: start, to: end, folding: true)
            : value(of: subject, from: start, to: end, folding: false)
    }

    @inline(__always)
    private func value(of subject: Span<UInt8>, from start: Int, to end: Int, folding: Bool) -> UInt32? {
        let hash = ByteHash.hash(subject, from: start, to: end, folding: folding, seed: seed)
        let fingerprint = Self.fingerprint(hash)
        var group = Self.group(hash, mask)
        while true {
            var lanes = slots.lanes(at: group, upper: fingerprint)
            while lanes != 0 {
                let slot = slots[group &+ lanes.trailingZeroBitCount]
                let record = Int(slot & 0xFFFF_FFFF) &- 1
                if equals(record, subject, from: start, to: end, folding: folding) {
                    return UInt32(truncatingIfNeeded: records.word(at: record))
                }
                lanes &= lanes &- 1
            }
            // A group fills from its first slot, and what does not fit it is in the next.
            if slots[group &+ Self.groupSize &- 1] == 0 { return nil }
            group = (group &+ Self.groupSize) & mask
        }
    }

    @inline(__always)
    private func equals(_ record: Int, _ subject: Span<UInt8>, from start: Int, to end: Int, folding: Bool) -> Bool {
        var length = Int(records.word(at: record) >> 32 & 0xFFFF)
        var place = record &+ 6
        if length == Self.longKey {
            length = Int(records.word(at: place) & 0xFFFF_FFFF)
            place &+= 4
        }
        guard length == end &- start else { return false }
        var offset = 0
        while offset < length {
            let word = subject.word(at: start &+ offset, end: end)
            let different = (folding ? word.folded : word) ^ records.word(at: place &+ offset)
            if different & UInt64.lowBytes(min(8, length &- offset)) != 0 { return false }
            offset &+= 8
        }
        return true
    }
}
