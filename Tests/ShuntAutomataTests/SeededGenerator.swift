/// A random number generator with a fixed seed, so that every run draws the same cases.
struct SeededGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        // SplitMix64 (Steele, Lea and Flood 2014).
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }

    mutating func below(_ bound: Int) -> Int {
        Int(next() % UInt64(max(1, bound)))
    }

    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[below(elements.count)]
    }

    mutating func chance(_ percent: Int) -> Bool {
        below(100) < percent
    }

    /// At most `length` bytes of `alphabet`.
    mutating func bytes(_ alphabet: [UInt8], upTo length: Int) -> [UInt8] {
        (0..<below(length + 1)).map { _ in pick(alphabet) }
    }
}
