/// MurmurHash2, 32 bits, seed 0: the hash that nginx's `split_clients` takes shares from.
package enum MurmurHash2 {
    package static func hash(_ bytes: Span<UInt8>) -> UInt32 {
        let multiplier: UInt32 = 0x5bd1_e995
        var hash = UInt32(truncatingIfNeeded: bytes.count)
        var index = 0
        while bytes.count - index >= 4 {
            var word = UInt32(bytes[index]) | UInt32(bytes[index + 1]) &<< 8
            word |= UInt32(bytes[index + 2]) &<< 16 | UInt32(bytes[index + 3]) &<< 24
            word = word &* multiplier
            word ^= word &>> 24
            word = word &* multiplier
            hash = hash &* multiplier ^ word
            index += 4
        }
        if index < bytes.count {
            var shift: UInt32 = 0
            while index < bytes.count {
                hash ^= UInt32(bytes[index]) &<< shift
                shift += 8
                index += 1
            }
            hash = hash &* multiplier
        }
        hash ^= hash &>> 13
        hash = hash &* multiplier
        return hash ^ hash &>> 15
    }
}
