import ShuntCore
import Testing

@Suite("Hashes")
struct HashTests {
    @Test(
        "MurmurHash2, as split_clients computes it",
        arguments: [
            ("", 0), ("a", 2_456_313_694), ("abc", 324_500_635), ("abcd", 646_393_889), ("192.0.2.1", 3_369_748_723),
            ("hello world", 1_151_865_881),
        ] as [(String, UInt32)]
    )
    func murmur(text: String, hash: UInt32) {
        let bytes = Array(text.utf8)
        #expect(MurmurHash2.hash(bytes.span) == hash)
    }

    @Test(
        "Base64 for secure links",
        arguments: [
            ("", []), ("AA", [0]), ("AAA", [0, 0]), ("AAAA", [0, 0, 0]), ("_-8", [0xff, 0xef]),
            ("YWJj", [0x61, 0x62, 0x63]),
            ("YWI=", [0x61, 0x62]), ("YQ==", [0x61]), ("YQ=!*", [0x61]), ("=", []), ("YR", [0x61]), ("A", nil),
            ("A===", nil),
            ("AAAAA", nil), ("YW+j", nil), ("YW/j", nil), ("YW j", nil), ("\u{e9}", nil),
            ("zL-dqQ", [0xcc, 0xbf, 0x9d, 0xa9]),
        ] as [(String, [UInt8]?)]
    )
    func base64(text: String, bytes: [UInt8]?) {
        let input = latin1(text)
        #expect(Base64URL.decode(input.span) == bytes)
    }

    @Test(
        "Base64 with padding has one text for some bytes",
        arguments: [
            ("", []), ("Zg==", [0x66]), ("Zm8=", [0x66, 0x6f]), ("Zm9v", [0x66, 0x6f, 0x6f]), ("+/8=", [0xfb, 0xff]),
            ("Zh==", nil), ("Zm9=", nil), ("Zg=", nil), ("Zg", nil), ("Zg==Zg==", nil), ("====", nil), ("-_8=", nil),
            ("Z g=", nil),
        ] as [(String, [UInt8]?)]
    )
    func paddedBase64(text: String, bytes: [UInt8]?) {
        #expect(Base64.decode(Array(text.utf8)) == bytes)
        if let bytes { #expect(Base64.encode(bytes) == text) }
    }

    @Test("The stable hash never changes: lists and caches depend on it")
    func stableValues() {
        let values = [0, 1, 3, 4, 7, 8, 15, 16, 17, 32, 33, 100]
            .map { count -> UInt64 in
                let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7) }
                return StableHash.hash(bytes.span)
            }
        #expect(values == HashTests.recorded)
    }

    private static let recorded: [UInt64] = [
        0xf7b6_d73b_d08a_944b,
        0xb694_a294_327f_e431,
        0xf3e1_7a9f_f6cf_00a9,
        0x3497_83eb_09e9_0148,
        0xd142_1061_372b_bc66,
        0x5ec6_fd4b_0488_c0be,
        0x6fa6_1225_f362_9088,
        0x0b5e_5447_7d48_6b3e,
        0xcd40_c9dc_f3a3_d928,
        0xe3f1_325d_7930_427f,
        0xd454_8da2_2a26_efe7,
        0xd903_b0de_f347_9db7,
    ]

    @Test("Each byte, the length and the seed count")
    func sensitivity() {
        for count in 0...70 {
            let bytes = [UInt8](repeating: 0, count: count)
            let hash = StableHash.hash(bytes.span)
            #expect(StableHash.hash((bytes + [0]).span) != hash)
            #expect(StableHash.hash(bytes.span, seed: 1) != hash)
            for index in 0..<count {
                for bit in 0..<8 {
                    var changed = bytes
                    changed[index] = 1 << UInt8(bit)
                    #expect(StableHash.hash(changed.span) != hash, "byte \(index) of \(count)")
                }
            }
        }
    }

    @Test("Low bits and high bits of near keys are spread evenly")
    func distribution() {
        var low = [Int](repeating: 0, count: 256)
        var high = low
        for number in 0..<65_536 {
            let bytes = Array("host\(number).example.com".utf8)
            let hash = StableHash.hash(bytes.span)
            low[Int(hash & 255)] += 1
            high[Int(hash >> 56)] += 1
        }
        // 256 expected in each; the standard deviation is 16.
        #expect(low.allSatisfy { $0 > 160 && $0 < 352 })
        #expect(high.allSatisfy { $0 > 160 && $0 < 352 })
    }
}
