#if Gateway
/// The CRC-32 of zlib and nginx: that of ISO 3309, bits reversed.
struct Checksum {
    private var state: UInt32 = 0xffff_ffff

    var value: UInt32 { ~state }

    mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { state = Self.table[Int((state ^ UInt32(byte)) & 0xff)] ^ (state >> 8) }
    }

    private static let table: [UInt32] = (0..<256)
        .map { number in
            (0..<8).reduce(UInt32(number)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xedb8_8320 : value >> 1 }
        }
}
#endif
