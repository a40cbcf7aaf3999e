import SeededRandom

/// Damages texts: takes bytes out, doubles parts, puts in what means something, and joins two texts.
struct InputMutator {
    private var random: SeededGenerator

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    private static let tokens = [
        "{", "}", ";", "\"", "'", "$", "${", "\\", "#", "\n", "\r", "\t", "\0", " ", "(", ")", "[", "]", "*", "?", "~",
        "^", "%",
        "%2f", "%00", "%0d%0a", "//", "/../", "@", ":", "::", "&", "=", "!", "\u{202e}", "\u{e4}", "$1", "$uri",
        "(?<a>", "{2,",
        "if", "location", "server", "map", "include", "65536", "-1", "0x7f", "xn--", "||", "@@", "0.0.0.0 ",
    ]

    mutating func mutated(_ samples: [String]) -> [UInt8] {
        var bytes = Array(samples[random.below(samples.count)].utf8)
        for _ in 0..<random.below(8) {
            let place = random.below(bytes.count + 1)
            let end = min(bytes.count, place + random.below(24))
            switch random.below(7) {
            case 0: bytes.removeSubrange(place..<end)
            case 1: bytes.insert(contentsOf: bytes[place..<end], at: place)
            case 2, 3: bytes.insert(contentsOf: Array(Self.tokens[random.below(Self.tokens.count)].utf8), at: place)
            case 4: if place < bytes.count { bytes[place] = UInt8(truncatingIfNeeded: random.below(256)) }
            case 5: if place < bytes.count { bytes[place] ^= 1 << UInt8(random.below(8)) }
            default:
                let other = Array(samples[random.below(samples.count)].utf8)
                bytes = Array(bytes[..<place]) + other.suffix(random.below(other.count + 1))
            }
        }
        return bytes
    }
}
