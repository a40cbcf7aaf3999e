import Shunt
import Testing

@Suite("The bytes of a last-known-good copy")
struct LastKnownGoodFormatTests {
    static let copy = LastKnownGoodFormat(
        sequence: 7,
        date: Timestamp(seconds: 1_700_000_000),
        source: "rules",
        contentHash: "00ff",
        archive: RuleArchive(
            path: "rules",
            entries: [
                "rules": .directory,
                "rules/a.conf": .file(Array("set $a \"\u{1F600}\";\n".utf8)),
                "rules/b.conf": .link("/rules/a.conf"),
                "rules/empty.conf": .file([]),
            ],
            trustedDirectories: ["/shared"]
        )
    )

    @Test func areReadAsTheyWereWritten() throws {
        #expect(try LastKnownGoodFormat(decoding: Self.copy.encoded()) == Self.copy)
    }

    @Test func areRefusedWhenCutAnywhere() {
        let bytes = Self.copy.encoded()
        for length in 0..<bytes.count {
            #expect(throws: LastKnownGoodFormat.DecodingError.self, "\(length) bytes") {
                try LastKnownGoodFormat(decoding: Array(bytes[..<length]))
            }
        }
        #expect(throws: LastKnownGoodFormat.DecodingError.self) { try LastKnownGoodFormat(decoding: bytes + [0]) }
    }

    @Test func areRefusedWhenAnyBitIsFlipped() {
        var bytes = Self.copy.encoded()
        for index in bytes.indices {
            for bit in 0..<8 {
                bytes[index] ^= 1 << bit
                if (try? LastKnownGoodFormat(decoding: bytes)) != nil { Issue.record("bit \(bit) of byte \(index)") }
                bytes[index] ^= 1 << bit
            }
        }
    }

    /// Lengths and counts that are wrong under a right checksum: nothing traps, nothing is allocated for them.
    @Test func areRefusedWhenTheyContradictThemselves() {
        let bytes = Self.copy.encoded()
        var accepted = 0
        for offset in stride(from: 24, to: bytes.count - 64, by: 1) {
            for value: UInt64 in [0, 1, 0xff, 0x7fff_ffff_ffff_ffff, .max] {
                var changed = bytes
                for byte in 0..<8 where offset + byte < bytes.count - 64 {
                    changed[offset + byte] = UInt8(truncatingIfNeeded: value >> (56 - 8 * UInt64(byte)))
                }
                var hash = ContentHash()
                hash.update(Array(changed.dropLast(64)))
                changed.replaceSubrange((changed.count - 64)..., with: Array(hash.hexadecimal.utf8))
                if (try? LastKnownGoodFormat(decoding: changed)) != nil { accepted += 1 }
            }
        }
        // Texts may be anything; lengths may not.
        #expect(accepted > 0 && accepted < 5 * bytes.count)
    }
}
