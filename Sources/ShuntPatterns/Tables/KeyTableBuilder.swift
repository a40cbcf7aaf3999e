struct KeyTableBuilder {
    /// The most bytes that all keys together may have.
    static let maximumKeyBytes = 1 << 30
    static let maximumKeys = 1 << 27
    /// A key that had to read more slots than this makes the table choose a new hash seed, which no one can foresee:
    /// a list that was made to collide would cost quadratic time otherwise.
    private static let longestProbe = 128

    private(set) var keys: [UInt8] = []
    private(set) var ends: [UInt32] = []
    private(set) var slots = [UInt64](repeating: 0, count: 16)
    private(set) var seed: UInt64 = 0x2545_F491_4F6C_DD1D
    let caseless: Bool

    /// Key `index`, folded if the table is caseless.
    func key(_ index: Int) -> ArraySlice<UInt8> { keys[(index == 0 ? 0 : Int(ends[index - 1]))..<Int(ends[index])] }

    func hash(_ index: Int) -> UInt64 {
        let start = index == 0 ? 0 : Int(ends[index - 1])
        return ByteHash.hash(keys.span, from: start, to: Int(ends[index]), folding: false, seed: seed)
    }

    /// Frees the slots; nothing may be inserted afterwards.
    mutating func forgetSlots() { slots = [] }

    /// Changes all hashes; nothing may be inserted afterwards.
    mutating func changeSeed() {
        forgetSlots()
        seed = UInt64.random(in: 1...UInt64.max)
    }

    enum Insertion {
        /// The key is new and has this number.
        case added(Int)
        case existing(Int)
        case full
    }

    mutating func insert(_ key: Span<UInt8>) -> Insertion {
        let found = find(key)
        if found.index >= 0 { return .existing(found.index) }
        let index = ends.count
        guard index < Self.maximumKeys, key.count <= Self.maximumKeyBytes - keys.count else { return .full }
        for offset in key.indices { keys.append(caseless ? key[offset].folded : key[offset]) }
        ends.append(UInt32(keys.count))
        slots[found.position] = Self.slot(found.hash, index)
        if ends.count * 2 > slots.count { rebuild(slotCount: slots.count * 2) }
        if found.probes > Self.longestProbe {
            seed = UInt64.random(in: 1...UInt64.max)
            rebuild(slotCount: slots.count)
        }
        return .added(index)
    }

    private static func slot(_ hash: UInt64, _ index: Int) -> UInt64 {
        hash & 0xFFFF_FFFF_0000_0000 | UInt64(index + 1)
    }

    private func find(_ key: Span<UInt8>) -> (index: Int, position: Int, probes: Int, hash: UInt64) {
        let hash = ByteHash.hash(key, from: 0, to: key.count, folding: caseless, seed: seed)
        let mask = slots.count - 1
        var position = Int(truncatingIfNeeded: hash) & mask
        var probes = 0
        while slots[position] != 0 {
            let slot = slots[position]
            if slot >> 32 == hash >> 32 {
                let index = Int(slot & 0xFFFF_FFFF) - 1
                if equals(index, key) { return (index, position, probes, hash) }
            }
            position = (position + 1) & mask
            probes += 1
        }
        return (-1, position, probes, hash)
    }

    private func equals(_ index: Int, _ key: Span<UInt8>) -> Bool {
        let start = index == 0 ? 0 : Int(ends[index - 1])
        guard Int(ends[index]) - start == key.count else { return false }
        for offset in key.indices where (caseless ? key[offset].folded : key[offset]) != keys[start + offset] {
            return false
        }
        return true
    }

    private mutating func rebuild(slotCount: Int) {
        var slots = [UInt64](repeating: 0, count: slotCount)
        let mask = slotCount - 1
        let keys = self.keys
        let bytes = keys.span
        var start = 0
        for index in ends.indices {
            let end = Int(ends[index])
            let hash = ByteHash.hash(bytes, from: start, to: end, folding: false, seed: seed)
            var position = Int(truncatingIfNeeded: hash) & mask
            while slots[position] != 0 { position = (position + 1) & mask }
            slots[position] = Self.slot(hash, index)
            start = end
        }
        self.slots = slots
    }
}
