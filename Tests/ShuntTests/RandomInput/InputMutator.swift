/// Damages texts: takes bytes out, doubles parts, puts in what means something, and joins two texts.
struct InputMutator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    private mutating func below(_ bound: Int) -> Int {
        // SplitMix64, so that a seed gives the same texts everywhere.
        state &+= 0x9e37_79b9_7f4a_7c15
        var value = state
        value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
        value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
        return Int((value ^ (value >> 31)) % UInt64(max(1, bound)))
    }

    private static let tokens = [
        "{", "}", ";", "\"", "'", "$", "${", "\\", "#", "\n", "\r", "\t", "\0", " ", "(", ")", "[", "]", "*", "?", "~",
        "^", "%",
        "%2f", "%00", "%0d%0a", "//", "/../", "@", ":", "::", "&", "=", "!", "\u{202e}", "\u{e4}", "$1", "$uri",
        "(?<a>", "{2,",
        "if", "location", "server", "map", "include", "65536", "-1", "0x7f", "xn--", "||", "@@", "0.0.0.0 ",
    ]

    mutating func mutated(_ samples: [String]) -> [UInt8] {
        var bytes = Array(samples[below(samples.count)].utf8)
        for _ in 0..<below(8) {
            let place = below(bytes.count + 1)
            let end = min(bytes.count, place + below(24))
            switch below(7) {
            case 0: bytes.removeSubrange(place..<end)
            case 1: bytes.insert(contentsOf: bytes[place..<end], at: place)
            case 2, 3: bytes.insert(contentsOf: Array(Self.tokens[below(Self.tokens.count)].utf8), at: place)
            case 4: if place < bytes.count { bytes[place] = UInt8(truncatingIfNeeded: below(256)) }
            case 5: if place < bytes.count { bytes[place] ^= 1 << UInt8(below(8)) }
            default:
                let other = Array(samples[below(samples.count)].utf8)
                bytes = Array(bytes[..<place]) + other.suffix(below(other.count + 1))
            }
        }
        return bytes
    }
}
