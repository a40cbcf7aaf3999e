import ShuntCore
import Testing

@Suite("Hosts")
struct HostNameTests {
    private let arena = ByteArena()

    private func range(of text: String) -> ByteRange {
        arena.refilled(with: latin1(text), after: "Host: ")
    }

    /// `Host` header and `$host`, or nil for 400, recorded from nginx 1.22.1.
    private static let headers: [(String, String?)] = [
        ("h", "h"),
        ("H.Example", "h.example"),
        ("h.", "h"),
        ("h..", nil),
        (".", nil),
        ("..", nil),
        (".h", ".h"),
        (".h.", ".h"),
        ("a..b", nil),
        ("h:80", "h"),
        ("h:", "h"),
        ("H:80", "h"),
        (":80", nil),
        ("h.:80", "h"),
        ("h:80.", "h"),
        ("h.:80.", "h."),
        ("h.:8.0", "h."),
        ("h:a..b", nil),
        ("h:a/b", nil),
        ("a:b", "a"),
        ("a:b:c", "a"),
        ("a_b@c%41,d", "a_b@c%41,d"),
        ("a/b", nil),
        ("/", nil),
        ("a\\b", "a\\b"),
        ("a b", nil),
        ("h: 80", nil),
        ("a\u{09}b", nil),
        ("a\u{7f}b", nil),
        ("\u{e9}.\u{ff}", "\u{e9}.\u{ff}"),
        ("\u{c3}\u{89}", "\u{c3}\u{89}"),
        ("[::1]", "[::1]"),
        ("[::1]:80", "[::1]"),
        ("[A:B]", "[a:b]"),
        ("[::1", "[::1"),
        ("[]", "[]"),
        ("[", "["),
        ("]", "]"),
        ("]:", "]"),
        ("[a]b", "[a]"),
        ("[a].", "[a]"),
        ("[a.]", "[a.]"),
        ("[.]", "[.]"),
        ("[..]", nil),
        ("[::1]..", nil),
        ("[a]:b:C", "[a]"),
        ("a[b:c", "a[b"),
        ("[/]", nil),
        ("..:80", nil),
        ("-", "-"),
        ("*", "*"),
        ("a\"b", "a\"b"),
        ("#", "#"),
        ("?", "?"),
        ("", nil),
    ]

    @Test("Host headers, as nginx 1.22 reads them")
    func headers() {
        for (header, expected) in HostNameTests.headers {
            let value = range(of: header)
            let host = try? HostName.normalise(value, in: arena)
            #expect(host.map { latin1Text(arena.array($0)) } == expected, "\(header)")
        }
    }

    @Test("A host in lower case is not copied")
    func noCopy() throws {
        let value = range(of: "a.b.:80")
        let count = arena.count
        #expect(try HostName.normalise(value, in: arena) == ByteRange(6, 9))
        #expect(arena.count == count)
    }

    @Test("Reasons")
    func reasons() {
        for (text, error) in [
            ("", HostNameError.empty), (".", .empty), (":80", .empty), ("a..b", .adjacentDots(offset: 2)),
            ("a/b", .invalidByte(offset: 1)), ("a b", .invalidByte(offset: 1)),
        ] {
            #expect(throws: error) { try HostName.normalise(range(of: text), in: arena) }
            #expect(!error.description.isEmpty)
        }
        let full = ByteArena(capacity: 4, limit: 4)
        full.append(latin1("AB"))
        full.append(latin1("cd"))
        #expect(throws: HostNameError.noRoom) { try HostName.normalise(ByteRange(0, 4), in: full) }
        #expect(throws: HostNameError.noRoom) { try HostName.normaliseURLHost(ByteRange(0, 4), in: full) }
    }

    @Test(
        "Hosts of URLs",
        arguments: [
            ("", ""), ("h", "h"), ("H", "h"), ("h.", "h"), (".", "."), ("a%2eb", "a.b"), ("A%42c", "abc"),
            ("%E4%be%8b", "\u{e4}\u{be}\u{8b}"), ("a%2e", "a"), ("[FE80::1%25EN0]", "[fe80::1%25en0]"),
            ("a%2fb", nil), ("a%00", nil), ("a%20", nil), ("a%25", nil), ("%40a", nil), ("a%3a80", nil), ("%5Ba", nil),
        ] as [(String, String?)]
    )
    func urlHosts(text: String, expected: String?) {
        let host = try? HostName.normaliseURLHost(range(of: text), in: arena)
        #expect(host.map { latin1Text(arena.array($0)) } == expected)
    }

    @Test(
        "Splitting",
        arguments: [
            ("h", "h", nil), ("h:80", "h", "80"), ("h:", "h", ""), (":80", "", "80"), ("[::1]", "[::1]", nil),
            ("[::1]:80", "[::1]", "80"), ("[::1", "[::1", nil), ("", "", nil), ("a:b:c", "a", "b:c"),
            ("a]:1", "a]", "1"),
        ] as [(String, String, String?)]
    )
    func splitting(text: String, host: String, port: String?) {
        let parts = HostName.split(range(of: text), in: arena)
        #expect(latin1Text(arena.array(parts.host)) == host)
        #expect(parts.port.map { latin1Text(arena.array($0)) } == port)
    }
}
