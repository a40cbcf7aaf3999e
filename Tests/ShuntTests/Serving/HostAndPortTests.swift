import Testing

@testable import Shunt

@Suite("A host and a port")
struct HostAndPortTests {
    @Test(
        arguments: [
            ("a", "a"), ("A.Example.COM", "a.example.com"), ("a.", "a"), ("a:", "a"), ("a:80", "a"), ("a:080", "a"),
            ("a:8080", "a:8080"), ("a.:81", "a:81"), ("a_b-c~d", "a_b-c~d"), ("1.2.3.4:0", "1.2.3.4:0"),
            ("[::1]", "[::1]"), ("[0:0::1]:80", "[::1]"), ("[2001:DB8::1]:8443", "[2001:db8::1]:8443"),
            ("a:65535", "a:65535"),
        ]
    )
    func isRead(_ text: String, _ expected: String) throws {
        #expect(HostAndPort(Array(text.utf8).span, usualPort: 80)?.description == expected)
    }

    @Test(
        arguments: [
            "", ".", "..", ":", ":80", ".a", "a..b", "a..", "a b", " a", "a#", "a?", "a/", "a@b", "a\\b", "a,b", "a%41",
            "a:b", "a:1:2", "a:65536", "a:-1", "a:+1", "a: 1", "[", "[]", "[::1", "[::1]a", "[::1]:x", "[1.2.3.4]",
            "[::1%25eth0]", "a[::1]", "é", "a\u{0}", "a\u{7f}", "*", "a*",
        ]
    )
    func isRefused(_ text: String) {
        #expect(HostAndPort(Array(text.utf8).span, usualPort: 80) == nil)
    }

    @Test("No byte but those of names gets into a host")
    func everyByte() {
        for byte in UInt8.min...UInt8.max {
            let isOfName = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_~.".utf8.contains(byte)
            let read = HostAndPort([0x61, byte, 0x61].span, usualPort: 80)
            #expect((read != nil) == isOfName, "\(byte)")
        }
    }
}
