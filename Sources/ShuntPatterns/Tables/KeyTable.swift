/// An immutable map from byte strings to numbers of 32 bits.
///
/// One flat table of slots, each half a fingerprint and half the place of a record; a record is the value, the length and
/// the bytes of the key, which are compared on every hit, so an answer is exact. A look-up costs about one cache line for
/// a miss and two for a hit, and allocates nothing. Memory: 14 to 22 bytes a key, and its text.
struct KeyTable: ~Copyable, Sendable {
    private let slots: FrozenBuffer<UInt64>
    private let records: FrozenBuffer<UInt8>
    private let mask: Int
    private let seed: UInt64
    private let caseless: Bool
    let count: Int

    /// In a record, the value comes first, then the length in two bytes or, for a longer key, this and four bytes.
    private static let longKey: UInt64 = 0xFFFF

    /// Gives key `n` of the builder the value `values[n]`.
    init(_ builder: borrowing KeyTableBuilder, values: [UInt32]) {
        var records: [UInt8] = []
        records.reserveCapacity(builder.keys.count + 6 * values.count + 8)
        var places: [UInt64] = []
        places.reserveCapacity(values.count)
        for (index, value) in values.enumerated() {
            places.append(UInt64(records.count + 1))
            let key = builder.key(index)
            Self.append(UInt64(value), 4, to: &records)
            if key.count < Int(Self.longKey) {
                Self.append(UInt64(key.count), 2, to: &records)
            } else {
                Self.append(Self.longKey, 2, to: &records)
                Self.append(UInt64(key.count), 4, to: &records)
            }
            records += key
        }
        records += [UInt8](repeating: 0, count: 8)
        self.records = FrozenBuffer(records)
        slots = FrozenBuffer(
            builder.slots.map { $0 == 0 ? 0 : $0 & 0xFFFF_FFFF_0000_0000 | places[Int($0 & 0xFFFF_FFFF) - 1] }
        )
        mask = builder.slots.count - 1
        seed = builder.seed
        caseless = builder.caseless
        count = values.count
    }

    private static func append(_ number: UInt64, _ count: Int, to records: inout [UInt8]) {
        for index in 0..<count { records.append(UInt8(truncatingIfNeeded: number >> UInt64(8 * index))) }
    }

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
        var position = Int(truncatingIfNeeded: hash) & mask
        while true {
            let slot = slots[position]
            if slot == 0 { return nil }
            if slot >> 32 == hash >> 32 {
                let record = Int(slot & 0xFFFF_FFFF) &- 1
                if equals(record, subject, from: start, to: end, folding: folding) {
                    return UInt32(truncatingIfNeeded: records.word(at: record))
                }
            }
            position = (position &+ 1) & mask
        }
    }

    @inline(__always)
    private func equals(_ record: Int, _ subject: Span<UInt8>, from start: Int, to end: Int, folding: Bool) -> Bool {
        var length = Int(records.word(at: record) >> 32 & 0xFFFF)
        var place = record &+ 6
        if length == Int(Self.longKey) {
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
