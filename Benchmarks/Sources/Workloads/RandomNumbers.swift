/// A sequence of numbers that looks random and is the same on every machine (SplitMix64).
public struct RandomNumbers: RandomNumberGenerator {
    private var state: UInt64

    /// Starts a sequence.
    public init(seed: UInt64) {
        state = seed
    }

    /// The next number.
    public mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    /// The next number below a limit.
    public mutating func below(_ limit: Int) -> Int {
        Int(truncatingIfNeeded: next() % UInt64(max(1, limit)))
    }

    /// One of some words.
    mutating func word(of words: [String]) -> String {
        words[below(words.count)]
    }

    /// A word of lower-case letters and digits.
    mutating func letters(_ count: Int) -> String {
        let all = Array("abcdefghijklmnopqrstuvwxyz0123456789".utf8)
        return String(decoding: (0..<count).map { _ in all[below(all.count)] }, as: UTF8.self)
    }
}
