/// Numbers for sequences of numbers: equal ones get the same, new ones the next.
///
/// Iteration and hashing depend on nothing but what was put in, so that the same input has the same numbers.
struct SequenceTable {
    private var elements: [UInt32] = []
    private var ends: [Int] = []
    /// Numbers of sequences by their hash, plus one; 0 is free.
    ///
    /// A power of two, at most half of it in use.
    private var slots = [UInt32](repeating: 0, count: 64)

    var count: Int { ends.count }

    /// The number of `sequence`, and whether it is new.
    mutating func insert(_ sequence: [UInt32]) -> (number: UInt32, isNew: Bool) {
        let mask = slots.count - 1
        var slot = Self.hash(sequence) & mask
        while slots[slot] != 0 {
            let number = slots[slot] - 1
            if isEqual(Int(number), sequence) { return (number, false) }
            slot = (slot + 1) & mask
        }
        let number = UInt32(ends.count)
        elements.append(contentsOf: sequence)
        ends.append(elements.count)
        slots[slot] = number + 1
        if ends.count * 2 > slots.count { grow() }
        return (number, true)
    }

    /// The place where the elements of a sequence are.
    @inline(__always)
    private func range(_ number: Int) -> Range<Int> { (number == 0 ? 0 : ends[number - 1])..<ends[number] }

    subscript(number: UInt32) -> ArraySlice<UInt32> { elements[range(Int(number))] }

    private func isEqual(_ number: Int, _ sequence: [UInt32]) -> Bool {
        let range = range(number)
        guard range.count == sequence.count else { return false }
        for index in sequence.indices where elements[range.lowerBound + index] != sequence[index] { return false }
        return true
    }

    private static func hash(_ sequence: some Sequence<UInt32>) -> Int {
        var hash: UInt64 = 0x9E37_79B9_7F4A_7C15
        for element in sequence {
            hash = (hash ^ UInt64(element)) &* 0xFF51_AFD7_ED55_8CCD
            hash ^= hash >> 32
        }
        return Int(truncatingIfNeeded: hash & 0x7FFF_FFFF)
    }

    private mutating func grow() {
        slots = [UInt32](repeating: 0, count: slots.count * 2)
        let mask = slots.count - 1
        for number in ends.indices {
            var slot = Self.hash(elements[range(number)]) & mask
            while slots[slot] != 0 { slot = (slot + 1) & mask }
            slots[slot] = UInt32(number) + 1
        }
    }
}
