import SeededRandom
import ShuntCore
import Testing

@Suite("Internet addresses")
struct InternetAddressTests {
    @Test(
        "Texts and their normal form (RFC 5952)",
        arguments: [
            ("0.0.0.0", "0.0.0.0"), ("255.255.255.255", "255.255.255.255"), ("192.0.2.1", "192.0.2.1"),
            ("::", "::"), ("::1", "::1"), ("1::", "1::"), ("0:0:0:0:0:0:0:0", "::"), ("0:0:0:0:0:0:0:1", "::1"),
            ("2001:DB8:0:0:8:800:200C:417A", "2001:db8::8:800:200c:417a"),
            ("2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"),
            ("2001:0:0:1:0:0:0:1", "2001:0:0:1::1"), ("2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"),
            ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"), ("::2:3:4:5:6:7:8", "0:2:3:4:5:6:7:8"), ("1::8", "1::8"),
            ("1:2::7:8", "1:2::7:8"), ("fe80::0204:61ff:fe9d:f156", "fe80::204:61ff:fe9d:f156"),
            ("::ffff:192.0.2.1", "::ffff:192.0.2.1"), ("::FFFF:c000:201", "::ffff:192.0.2.1"),
            ("::192.0.2.1", "::c000:201"),
            ("1:2:3:4:5:6:1.2.3.4", "1:2:3:4:5:6:102:304"), ("64:ff9b::1.2.3.4", "64:ff9b::102:304"),
            ("1:0:0:0:0:0:0:0", "1::"), ("0:0:1::", "0:0:1::"),
            (
                "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
                "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"
            ), ("1:2:3:4::8", "1:2:3:4::8"), ("1:2:3:4:5::8", "1:2:3:4:5::8"),
        ]
    )
    func accepted(text: String, normal: String) {
        let address = InternetAddress(text)
        #expect(address?.description == normal)
        #expect(InternetAddress(normal) == address)
    }

    @Test(
        "Refused",
        arguments: [
            "", "1", "1.2.3", "1.2.3.4.5", "1.2.3.256", "01.2.3.4", "1.2.3.00", "1..2.3", ".1.2.3", "1.2.3.",
            "1.2.3.4 ", " 1.2.3.4",
            "1.2.3.a", "-1.2.3.4", "1.2.3.4294967297", ":", ":::", "1:", ":1", "::1:", "1::2::3", "1:2:3:4:5:6:7",
            "1:2:3:4:5:6:7:8:9",
            "1:2:3:4:5:6:7:8::", "1:2:3:4::5:6:7:8", "12345::", "g::", "::1.2.3", "::1.2.3.4:5", "1.2.3.4::",
            "1:2:3:4:5:6:7:1.2.3.4",
            "::01.2.3.4", "[::1]", "::1%en0", "::1/64", "1:2:3:4:5:1.2.3.4", "::.1.2.3",
        ]
    )
    func refused(text: String) {
        #expect(InternetAddress(text) == nil)
    }

    @Test("Values")
    func values() {
        #expect(InternetAddress("1.2.3.4") == .v4(0x0102_0304))
        #expect(InternetAddress("1:2:3:4:5:6:7:8") == .v6(high: 0x0001_0002_0003_0004, low: 0x0005_0006_0007_0008))
        #expect(InternetAddress("::ffff:1.2.3.4")?.unmapped == .v4(0x0102_0304))
        #expect(InternetAddress("::1.2.3.4")?.unmapped == InternetAddress("::1.2.3.4"))
        #expect(InternetAddress("1.2.3.4")?.networkBytes == [1, 2, 3, 4])
        #expect(
            InternetAddress("102:304:506:708:90a:b0c:d0e:f10")?.networkBytes == Array(UInt8(1)...16)
        )
    }

    @Test("Every address survives being written and read")
    func roundTrip() {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<5_000 {
            // Groups that are often zero, so that every place for `::` occurs.
            var halves: [UInt64] = [0, 0]
            for index in 0..<8 where Bool.random(using: &generator) {
                halves[index / 4] |= UInt64.random(in: 0...0xffff, using: &generator) << UInt64(16 * (index % 4))
            }
            let address = InternetAddress.v6(high: halves[0], low: halves[1])
            #expect(InternetAddress(address.description) == address, "\(address)")
        }
    }
}

@Suite("Blocks of addresses")
struct AddressNetworkTests {
    private func network(_ text: String) -> (network: AddressNetwork, hadHostBits: Bool)? {
        let bytes = Array(text.utf8)
        return AddressNetwork.parse(bytes.span)
    }

    private func addressRange(_ text: String) -> AddressRange? {
        let bytes = Array(text.utf8)
        return AddressRange(parsing: bytes.span)
    }

    @Test(
        "Reading",
        arguments: [
            ("10.0.0.0/8", "10.0.0.0/8", false), ("10.1.2.3/8", "10.0.0.0/8", true), ("10.1.2.3", "10.1.2.3/32", false),
            ("10.1.2.3/32", "10.1.2.3/32", false), ("0.0.0.0/0", "0.0.0.0/0", false), ("1.2.3.4/0", "0.0.0.0/0", true),
            ("::/0", "::/0", false), ("::1", "::1/128", false), ("2001:db8::1/32", "2001:db8::/32", true),
            ("2001:db8:1:2:3::/64", "2001:db8:1:2::/64", true),
            ("2001:db8::8000:0:0:0/65", "2001:db8:0:0:8000::/65", false),
            ("1.2.3.4/08", "1.0.0.0/8", true),
        ]
    )
    func reading(text: String, normal: String, hadHostBits: Bool) {
        #expect(network(text)?.network.description == normal)
        #expect(network(text)?.hadHostBits == hadHostBits)
    }

    @Test(
        "Refused",
        arguments: [
            "", "/", "/8", "10.0.0.0/", "10.0.0.0/33", "::/129", "10.0.0.0/-1", "10/8", "10.0.0.0/8/8", "10.0.0.0/a",
            "1.2.3.4/0008",
        ]
    )
    func refused(text: String) {
        #expect(network(text) == nil)
    }

    @Test(
        "Containing",
        arguments: [
            ("10.0.0.0/8", "10.255.255.255", true), ("10.0.0.0/8", "11.0.0.0", false),
            ("10.0.0.0/8", "9.255.255.255", false),
            ("0.0.0.0/0", "255.255.255.255", true), ("0.0.0.0/0", "::1", false), ("::/0", "1.2.3.4", false),
            ("1.2.3.4/31", "1.2.3.5", true), ("1.2.3.4/31", "1.2.3.6", false), ("1.2.3.4", "1.2.3.4", true),
            ("10.0.0.0/8", "::ffff:10.1.2.3", true), ("::ffff:0:0/96", "::ffff:10.1.2.3", false),
            ("::/0", "ffff::", true),
            ("2001:db8::/32", "2001:db8:ffff::1", true), ("2001:db8::/32", "2001:db9::", false),
            ("2001:db8::/64", "2001:db8::ffff:0:0:1", true), ("2001:db8::/65", "2001:db8::8000:0:0:0", false),
            ("2001:db8::/63", "2001:db8:0:1::", true), ("::1", "::1", true), ("::1", "::2", false),
        ]
    )
    func containing(text: String, address: String, isMember: Bool) throws {
        let member = try #require(InternetAddress(address))
        let block = try #require(network(text)).network
        #expect(block.contains(member) == isMember)
        #expect(block.range.contains(member) == isMember)
    }

    @Test("A network and the range of its addresses hold the same addresses")
    func networkAndRange() {
        var generator = SeededGenerator(seed: 4)
        for _ in 0..<3_000 {
            let high = generator.next()
            let low = generator.next()
            let length = Int.random(in: 0...128, using: &generator)
            let block = AddressNetwork(.v6(high: high, low: low), prefixLength: length)
            #expect(block.contains(block.range.first) && block.contains(block.range.last))
            let bit = Int.random(in: 0..<128, using: &generator)
            let flipped = InternetAddress.v6(
                high: bit < 64 ? high ^ 1 << UInt64(63 - bit) : high,
                low: bit < 64 ? low : low ^ 1 << UInt64(127 - bit)
            )
            #expect(block.contains(flipped) == (bit >= length))
            #expect(block.range.contains(flipped) == (bit >= length))
        }
        #expect(AddressNetwork(.v4(1), prefixLength: 99).prefixLength == 32)
        #expect(AddressNetwork(.v4(1), prefixLength: -1).base == .v4(0))
    }

    @Test(
        "Ranges",
        arguments: [
            ("1.2.3.4-1.2.3.6", "1.2.3.5", true), ("1.2.3.4-1.2.3.6", "1.2.3.4", true),
            ("1.2.3.4-1.2.3.6", "1.2.3.6", true),
            ("1.2.3.4-1.2.3.6", "1.2.3.7", false), ("1.2.3.4-1.2.3.6", "1.2.3.3", false),
            ("1.2.3.4-1.2.3.4", "1.2.3.4", true),
            ("1.2.3.4-1.2.3.6", "::ffff:1.2.3.5", true), ("0.0.0.0-255.255.255.255", "::1", false),
            ("::1-::3", "::2", true),
            ("::1-1::", "0:ffff::", true), ("::1-1::", "1::1", false),
        ]
    )
    func ranges(text: String, address: String, isMember: Bool) throws {
        let range = try #require(addressRange(text))
        let member = try #require(InternetAddress(address))
        #expect(range.contains(member) == isMember)
        #expect(range.description == text)
    }

    @Test(
        "Refused ranges",
        arguments: ["", "-", "1.2.3.4", "1.2.3.4-", "-1.2.3.4", "1.2.3.5-1.2.3.4", "1.2.3.4-::1", "::2-::1", "a-b"]
    )
    func refusedRanges(text: String) {
        #expect(addressRange(text) == nil)
    }
}
