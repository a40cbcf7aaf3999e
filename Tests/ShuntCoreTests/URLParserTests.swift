import SeededRandom
import ShuntCore
import Testing

@Suite("URLs of any scheme")
struct URLParserTests {
    /// The parts in one line: `scheme|userinfo|host|port|path|query|fragment`, with `-` for a part that is absent.
    private func split(_ text: String) -> String {
        do {
            let url = try URLText(text)
            let port = url.parts.port.map { url.text($0) }
            return [url.scheme, url.userinfo, url.host, port, url.path, url.query, url.fragment]
                .map { $0 ?? "-" }.joined(separator: "|")
        } catch {
            return "\(error)"
        }
    }

    @Test(
        "Accepted",
        arguments: [
            ("kl://AModule/doSomething?x=1", "kl|-|AModule|-|/doSomething|x=1|-"),
            ("kl://例え.jp/路径", "kl|-|例え.jp|-|/路径|-|-"),
            ("https://xn--r8jz45g.jp/路径", "https|-|xn--r8jz45g.jp|-|/路径|-|-"),
            ("mailto:a@b", "mailto|-|-|-|a@b|-|-"),
            ("http://h", "http|-|h|-||-|-"),
            ("http://h?", "http|-|h|-|||-"),
            ("http://h#", "http|-|h|-||-|"),
            ("http://h?#", "http|-|h|-|||"),
            ("kl://", "kl|-||-||-|-"),
            ("kl:///p", "kl|-||-|/p|-|-"),
            ("x:", "x|-|-|-||-|-"),
            ("x:/", "x|-|-|-|/|-|-"),
            ("x:?q", "x|-|-|-||q|-"),
            ("x:#f", "x|-|-|-||-|f"),
            ("file:///etc/passwd", "file|-||-|/etc/passwd|-|-"),
            ("http://u:p@h:80/p?q#f", "http|u:p|h|80|/p|q|f"),
            ("http://@h/", "http||h|-|/|-|-"),
            ("kl://:@:/", "kl|:|||/|-|-"),
            ("http://h:/", "http|-|h||/|-|-"),
            ("http://h:65535", "http|-|h|65535||-|-"),
            ("http://h:000080/", "http|-|h|000080|/|-|-"),
            ("http://[::1]/", "http|-|[::1]|-|/|-|-"),
            ("http://[2001:db8::192.0.2.1]:8080?x", "http|-|[2001:db8::192.0.2.1]|8080||x|-"),
            ("http://[fe80::1%25en0]/", "http|-|[fe80::1%25en0]|-|/|-|-"),
            ("http://[v7.a:b]/", "http|-|[v7.a:b]|-|/|-|-"),
            ("a+b-c.1:x", "a+b-c.1|-|-|-|x|-|-"),
            ("HTTP://H/P", "HTTP|-|H|-|/P|-|-"),
            ("h://a/b?c?d#e?f#g", "h|-|a|-|/b|c?d|e?f#g"),
            ("h://a?b/c@d", "h|-|a|-||b/c@d|-"),
            ("h://a#b/c?d", "h|-|a|-||-|b/c?d"),
            ("h://a/b@c:d", "h|-|a|-|/b@c:d|-|-"),
            ("h:a//b", "h|-|-|-|a//b|-|-"),
            ("localhost:8080/x", "localhost|-|-|-|8080/x|-|-"),
            ("h://a%2Eb_c~!$&'()*+,;=/", "h|-|a%2Eb_c~!$&'()*+,;=|-|/|-|-"),
            ("h:///|\\^`{}<>\"%zz", "h|-||-|/|\\^`{}<>\"%zz|-|-"),
        ]
    )
    func accepted(text: String, parts: String) {
        #expect(split(text) == parts)
    }

    @Test(
        "Refused",
        arguments: [
            ("", URLSyntaxError.empty),
            ("/path", .missingScheme),
            ("//host/path", .missingScheme),
            ("?q", .missingScheme),
            ("#f", .missingScheme),
            ("path", .missingScheme),
            (":x", .missingScheme),
            ("1a:x", .invalidScheme(offset: 0)),
            ("+a:x", .invalidScheme(offset: 0)),
            ("a_b:x", .invalidScheme(offset: 1)),
            ("é:x", .invalidScheme(offset: 0)),
            (" http://h", .space(offset: 0)),
            ("http://h /", .space(offset: 8)),
            ("http://h/\n", .controlByte(offset: 9)),
            ("http://h/\u{7f}", .controlByte(offset: 9)),
            ("http://h?\u{0}", .controlByte(offset: 9)),
            ("ht\ttp://h", .controlByte(offset: 2)),
            ("http://a@b@c/", .invalidUserinfo(offset: 10)),
            ("http://a\\@b/", .invalidUserinfo(offset: 8)),
            ("http://a%2@b/", .invalidUserinfo(offset: 8)),
            ("http://[@b/", .invalidUserinfo(offset: 7)),
            ("http://a\\b/", .invalidHost(offset: 8)),
            ("http://a<b/", .invalidHost(offset: 8)),
            ("http://a%zz/", .invalidHost(offset: 8)),
            ("http://a%2", .invalidHost(offset: 8)),
            ("http://a]/", .invalidHost(offset: 8)),
            ("http://a[/", .invalidHost(offset: 8)),
            ("http://[::1", .invalidHost(offset: 7)),
            ("http://[", .invalidHost(offset: 7)),
            ("http://[]/", .invalidHost(offset: 7)),
            ("http://[/]", .invalidHost(offset: 7)),
            ("http://[1.2.3.4]/", .invalidHost(offset: 8)),
            ("http://[::1::]/", .invalidHost(offset: 8)),
            ("http://[::1]a/", .invalidHost(offset: 12)),
            ("http://[::1%en0]/", .invalidHost(offset: 11)),
            ("http://[::1%25]/", .invalidHost(offset: 11)),
            ("http://[v.x]/", .invalidHost(offset: 8)),
            ("http://[v1.]/", .invalidHost(offset: 8)),
            ("http:h/", .missingAuthority(offset: 5)),
            ("http:/h/", .missingAuthority(offset: 5)),
            ("https:h", .missingAuthority(offset: 6)),
            ("HtTp:\\\\h\\", .missingAuthority(offset: 5)),
            ("http:///h/", .emptyHost(offset: 7)),
            ("https:////h/", .emptyHost(offset: 8)),
            ("http://", .emptyHost(offset: 7)),
            ("http://?q", .emptyHost(offset: 7)),
            ("http://u@/", .emptyHost(offset: 9)),
            ("http://:80/", .emptyHost(offset: 7)),
            ("http://evil。com/", .nonASCIIHost(offset: 11)),
            ("http://ⓔvil.com/", .nonASCIIHost(offset: 7)),
            ("HTTPS://例え.jp:81/", .nonASCIIHost(offset: 8)),
            ("http://evil%2ecom/", .encodedHost(offset: 11)),
            ("http://127.1/", .numericHost(offset: 7)),
            ("http://0x7f.0.0.1/", .numericHost(offset: 7)),
            ("http://0X7F.1./", .numericHost(offset: 7)),
            ("http://2130706433/", .numericHost(offset: 7)),
            ("http://0177.0.0.1/", .numericHost(offset: 7)),
            ("http://127.0.0.01/", .numericHost(offset: 7)),
            ("http://256.0.0.1:80/", .numericHost(offset: 7)),
            ("http://1.2.3.4.5/", .numericHost(offset: 7)),
            ("http://a.b.0x/", .numericHost(offset: 7)),
            ("http://a.b.09/", .numericHost(offset: 7)),
            ("http://h:65536/", .invalidPort(offset: 9)),
            ("http://h:99999999999999999999999/", .invalidPort(offset: 9)),
            ("http://h:8a/", .invalidPort(offset: 10)),
            ("http://h:-1/", .invalidPort(offset: 9)),
            ("http://h:1:2/", .invalidPort(offset: 10)),
            ("http://::1/", .invalidPort(offset: 8)),
        ]
    )
    func refused(text: String, error: URLSyntaxError) {
        #expect(throws: error) { try URLText(text) }
        #expect(split(text) == error.description)
    }

    @Test(
        "Hosts of the web that look like numbers, and those of other schemes, are taken",
        arguments: [
            "http://127.0.0.1/", "http://255.255.255.255.:80/", "http://0.0.0.0", "http://1a/", "http://0xg/",
            "http://a.b1/",
            "http://1.example", "http://1-2/", "http://a.0x1g/", "kl://127.1/", "kl:h", "kl:///h", "kl://evil%2ecom/",
            "httpx:h", "ftp://2130706433/", "http://face/", "http://a.cafe./",
        ]
    )
    func takenHosts(text: String) throws {
        #expect(throws: Never.self) { try URLText(text) }
    }

    @Test("Names of the web have at most 253 bytes, and 63 a label; a last dot does not count")
    func longNames() throws {
        let label = String(repeating: "a", count: 63)
        let name = [label, label, label, String(repeating: "a", count: 61)].joined(separator: ".")
        for text in ["https://\(name)/", "https://\(name).", "http://u@\(name):80/x", "kl://\(name)a\(name)/"] {
            #expect(throws: Never.self) { try URLText(text) }
        }
        #expect(throws: URLSyntaxError.longHost(offset: 8)) { try URLText("https://\(name)a/") }
        #expect(throws: URLSyntaxError.longHost(offset: 8)) { try URLText("https://a\(label).b/") }
        #expect(throws: URLSyntaxError.longHost(offset: 10)) { try URLText("https://b.a\(label)/") }
        #expect(throws: URLSyntaxError.longHost(offset: 9)) { try URLText("http://~.\(label)a.b/") }
    }

    @Test("The limit")
    func limit() throws {
        let longest = [UInt8]("x:".utf8) + [UInt8](repeating: 0x61, count: URLParser.maximumLength - 2)
        #expect(try URLText(longest).parts.path.count == URLParser.maximumLength - 2)
        #expect(throws: URLSyntaxError.tooLong(limit: 65_536)) { try URLText(longest + [0x61]) }
    }

    @Test("Every kind of byte is found at any alignment")
    func alignment() throws {
        for count in 0...20 {
            let padding = String(repeating: "x", count: count)
            #expect(split("s://h/\(padding)?\(padding)#\(padding)") == "s|-|h|-|/\(padding)|\(padding)|\(padding)")
            #expect(split("s:\(padding)#\(padding)?") == "s|-|-|-|\(padding)|-|\(padding)?")
            for part in ["/", "/?", "/#"] {
                let start = "s://h" + part + padding
                let offset = Int32(start.utf8.count)
                #expect(throws: Never.self) { try URLText(start + " " + padding) }
                #expect(throws: URLSyntaxError.controlByte(offset: offset)) { try URLText(start + "\u{7f}" + padding) }
                #expect(throws: URLSyntaxError.controlByte(offset: offset)) { try URLText(start + "\u{1}" + padding) }
            }
        }
    }

    @Test("Raw bytes that are not UTF-8")
    func rawBytes() throws {
        let url = try URLText([UInt8]("a://".utf8) + [0xff, 0x2f, 0x80, 0x3f, 0xfe])
        #expect(url.parts.host == ByteRange(4, 5))
        #expect(url.parts.path == ByteRange(5, 7))
        #expect(url.parts.query == ByteRange(8, 9))
    }

    @Test("In an arena the parts are ranges of the arena")
    func inArena() throws {
        let arena = ByteArena()
        arena.append(Array("junk".utf8))
        let mark = arena.mark
        arena.append(Array("http://u@h:1/p?q#f".utf8))
        let parts = try URLParser.split(arena.range(from: mark), in: arena).parts
        let all = [parts.scheme, parts.userinfo, parts.host, parts.port, parts.path, parts.query, parts.fragment]
        #expect(
            all.map { $0.map { String(decoding: arena.array($0), as: UTF8.self) } } == [
                "http", "u", "h", "1", "/p", "q", "f",
            ]
        )
        #expect(parts.authority.map { String(decoding: arena.array($0), as: UTF8.self) } == "u@h:1")
        #expect(parts.portNumber == 1)
        #expect(throws: URLSyntaxError.empty) { try URLParser.split(.empty, in: arena) }
    }

    @Test("Accepted URLs can be put together again from their parts")
    func reassembly() throws {
        var generator = SeededGenerator(seed: 1)
        let alphabet = Array("ab:/?#@[]%21.:-\\é".utf8)
        var accepted = 0
        for _ in 0..<20_000 {
            var bytes = Array("s:".utf8)
            if Bool.random(using: &generator) { bytes += Array("//".utf8) }
            for _ in 0..<Int.random(in: 0...12, using: &generator) {
                bytes.append(alphabet[Int.random(in: 0..<alphabet.count, using: &generator)])
            }
            guard let url = try? URLText(bytes) else { continue }
            accepted += 1
            var text = Array(bytes[url.parts.scheme.indices]) + [UInt8(ascii: ":")]
            if let host = url.parts.host {
                text += Array("//".utf8)
                if let userinfo = url.parts.userinfo { text += bytes[userinfo.indices] + [UInt8(ascii: "@")] }
                text += bytes[host.indices]
                if let port = url.parts.port { text += [UInt8(ascii: ":")] + bytes[port.indices] }
            }
            text += bytes[url.parts.path.indices]
            if let query = url.parts.query { text += [UInt8(ascii: "?")] + bytes[query.indices] }
            if let fragment = url.parts.fragment { text += [UInt8(ascii: "#")] + bytes[fragment.indices] }
            #expect(text == bytes)
        }
        #expect(accepted > 5_000)
    }

    @Test("Values compare by their bytes")
    func values() throws {
        #expect(try URLText("a:b") == URLText(Array("a:b".utf8)))
        #expect(try URLText("a:b") != URLText("A:b"))
        #expect(try Set([URLText("a:b"), URLText("a:b")]).count == 1)
        #expect(try URLText("a:b").description == "a:b")
        #expect(try URLText("a://b:81").port == 81)
        #expect(try URLText("a:b").text(ByteRange(0, 99)) == "")
    }
}
