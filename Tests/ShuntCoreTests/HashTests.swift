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
}
