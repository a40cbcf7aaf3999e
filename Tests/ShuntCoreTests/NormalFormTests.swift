import SeededRandom
import Testing

@testable import ShuntCore

@Suite("The normal form of URLs")
struct NormalFormTests {
    private func normalForm(_ text: String) -> String {
        String(decoding: NormalForm.of(Array(text.utf8), isWhole: true), as: UTF8.self)
    }

    /// Returns true if the text is in its normal form by the check of blocks.
    private func holds(_ text: String) throws -> Bool {
        let arena = ByteArena()
        // What is before and behind a URL must not matter.
        arena.append(Array("%//.A".utf8))
        let mark = arena.mark
        arena.append(Array(text.utf8))
        let range = arena.range(from: mark)
        arena.append(Array("%41//../A".utf8))
        return NormalForm.holds(range, try URLParser.split(range, in: arena).parts, in: arena)
    }

    static let table: [(written: String, normal: String)] = [
        ("HTTPS://WWW.Example.COM/private/", "https://www.example.com/private/"),
        ("https://www.example.com:443/private/", "https://www.example.com/private/"),
        ("https://www.example.com:0443/", "https://www.example.com/"),
        ("http://www.example.com:443/", "http://www.example.com:443/"),
        ("http://www.example.com:/", "http://www.example.com/"),
        ("http://www.example.com:080/", "http://www.example.com/"),
        ("https://u@www.example.com/", "https://www.example.com/"),
        ("https://u:p@www.example.com:8443/", "https://www.example.com:8443/"),
        ("https://www.example.com./private/", "https://www.example.com/private/"),
        ("https://www.example.com", "https://www.example.com/"),
        ("https://www.example.com?a", "https://www.example.com/?a"),
        ("https://h.example/%70rivate/", "https://h.example/private/"),
        ("https://h.example//private///x", "https://h.example/private/x"),
        ("https://h.example/x/../private/", "https://h.example/private/"),
        ("https://h.example/x/%2e%2E/private/", "https://h.example/private/"),
        ("https://h.example/x%2f..%2fprivate/", "https://h.example/private/"),
        ("https://h.example/../../private/./a/.", "https://h.example/private/a/"),
        ("https://h.example/a/b/..", "https://h.example/a/"),
        ("https://h.example/a/b//..", "https://h.example/a/"),
        ("https://h.example/x\\..\\private/", "https://h.example/private/"),
        ("https://h.example/.env/..a/...", "https://h.example/.env/..a/..."),
        ("https://h.example/%40a%28%3b", "https://h.example/@a(;"),
        ("https://h.example/%3f%23%25%22", "https://h.example/%3F%23%25%22"),
        ("https://h.example/caf\u{e9}/a b|", "https://h.example/caf%C3%A9/a%20b%7C"),
        ("https://h.example/%c3%a9%zz%", "https://h.example/%C3%A9%zz%"),
        (
            "https://h.example/?a=%70%2f%26&u=https://x/../y&l[]=1",
            "https://h.example/?a=p%2F%26&u=https://x/../y&l%5B%5D=1"
        ),
        ("https://h.example/#%70//A", "https://h.example/#%70//A"),
        ("https://[0:0::1]:443/", "https://[::1]/"),
        ("KL://Debug./x/../%41", "kl://Debug/A"),
        ("kl://u@De%62ug:/", "kl://Debug/"),
        ("kl://Pay", "kl://Pay"),
        ("kl://h:080/a\\b", "kl://h:80/a%5Cb"),
        ("mailto:a@b.example", "mailto:a@b.example"),
        ("x:a//../b", "x:a//../b"),
        ("kl:///a//b", "kl:///a/b"),
    ]

    @Test("Each spelling has its normal form, which is its own", arguments: table)
    func normalised(written: String, normal: String) throws {
        #expect(normalForm(written) == normal)
        #expect(normalForm(normal) == normal)
        if written != normal { #expect(try !holds(written)) }
    }

    @Test(
        "URLs of clients are mostly in their normal form",
        arguments: [
            "https://www.example.com/", "http://www.example.com:8080/a/b-c_d/e.html?x=1&y=%E4%BD%A0&z=a+b#Top",
            "https://www.example.com/.well-known/x~/a@b;c=1,2(3)!$&'*", "kl://AModule/doSomething?x=1", "kl://Pay",
            "x:a//../b",
            "https://www.example.com/?u=https://x/../y", "http://a.example/%2525%20", "mailto:a@b.example",
        ]
    )
    func usual(text: String) throws {
        #expect(try holds(text))
        #expect(normalForm(text) == text)
    }

    @Test("The check by blocks agrees with the normal form on random spellings", arguments: 1...8)
    func agree(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let pieces = [
            "/", "/", "/a", "/private", ".", "..", "%70", "%2e", "%2F", "%3f", "%C3", "%c3", "%", "%4", "~", "|", " ",
            "\\", "[",
            "\u{e9}", "?", "#", "&a=1", "@", ":", "+", "*", "segment-of-some-length", "<", "\"", "`", "A",
        ]
        var normal = 0
        for _ in 0..<20_000 {
            var text = random.pick([
                "https://", "http://", "HTTP://", "kl://", "KL://", "https://u@", "x:", "https://www.example.com",
            ])
            if text.hasSuffix("//") || text.hasSuffix("@") {
                text += random.pick(["www.example.com", "WWW.example.com", "h", "h.", "Pay", "[::1]"])
                text += random.pick(["", "", ":80", ":443", ":8080", ":", ":080"])
            }
            if random.chance(90) { text += "/" }
            for _ in 0..<random.below(8) { text += random.pick(pieces) }
            guard (try? URLText(text)) != nil else { continue }
            let form = normalForm(text)
            #expect(normalForm(form) == form, "\(text)")
            #expect((try? URLText(form)) != nil, "\(text)")
            guard try holds(text) else { continue }
            normal += 1
            #expect(form == text)
        }
        #expect(normal > 500)
    }

    @Test(
        "The beginning of a URL keeps what its rest may change",
        arguments: [
            ("https://www.Example.com", "https://www.example.com"),
            ("https://www.example.com:44", "https://www.example.com:44"),
            ("https://www.example.com:443/%70", "https://www.example.com/p"),
            ("https://h.example/a/.", "https://h.example/a/."),
            ("https://h.example/a/..", "https://h.example/a/.."),
            ("https://h.example/x/../a//", "https://h.example/a/"),
            ("https://h.example/a/../?a=%70", "https://h.example/?a=p"),
            ("https:/", "https:/"),
            ("KL://Debug", "kl://Debug"),
        ]
    )
    func beginnings(written: String, normal: String) {
        #expect(String(decoding: NormalForm.of(Array(written.utf8), isWhole: false), as: UTF8.self) == normal)
    }
}
