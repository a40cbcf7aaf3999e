import ShuntCore
import Testing

@Suite("Percent-encoding")
struct PercentCodingTests {
    private let arena = ByteArena()

    private func range(of bytes: [UInt8]) -> ByteRange {
        arena.refilled(with: bytes, after: "x%41")
    }

    /// The bytes that stay as they are under `append`.
    private func kept(by append: (ByteRange, ByteArena) -> Void) -> String {
        var result = ""
        for byte in UInt8.min...UInt8.max {
            let source = range(of: [byte])
            let mark = arena.mark
            append(source, arena)
            let output = latin1Text(arena.array(arena.range(from: mark)))
            if output == latin1Text([byte]) {
                result += output
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                #expect(output == "%" + (digits.utf8.count < 2 ? "0" : "") + digits)
            }
        }
        return result
    }

    @Test("nginx's two tables")
    func tables() {
        let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
        let digits = "0123456789"
        #expect(
            kept { PercentCoding.appendEscapedArguments($0, to: $1) }
                == "!$'()*,-./\(digits):=@\(letters)[]_\(letters.lowercased())~"
        )
        #expect(
            kept { PercentCoding.appendEscapedURI($0, to: $1) }
                == "!$&'()*+,-./\(digits):;=@\(letters)[]_\(letters.lowercased())~"
        )
    }

    @Test("Runs are copied whole")
    func runs() {
        let source = range(of: latin1("ab cd%\u{e9}"))
        let mark = arena.mark
        PercentCoding.appendEscapedArguments(source, to: arena)
        #expect(latin1Text(arena.array(arena.range(from: mark))) == "ab%20cd%25%E9")
    }

    @Test("Control bytes, and only they, are taken out of headers")
    func controls() {
        let clean = range(of: latin1("a b%\u{e9}?"))
        #expect(PercentCoding.escapingControls(clean, in: arena) == clean)
        let dirty = range(of: latin1("a\r\n\u{0}b\u{7f}\u{80}\tc"))
        let result = PercentCoding.escapingControls(dirty, in: arena)
        #expect(latin1Text(arena.array(result)) == "a%0D%0A%00b%7F\u{80}%09c")
    }

    @Test(
        "Escapes in redirects, recorded from nginx 1.22.1",
        arguments: [
            ("/a", "/a"),
            ("/%41", "/A"),
            ("/%7e", "/~"),
            ("/%7f", "/%7f"),
            ("/%7E", "/~"),
            ("/%20", "/%20"),
            ("/%25", "/%25"),
            ("/%2525", "/%2525"),
            ("/%26", "/&"),
            ("/%2f", "//"),
            ("/%3f%41", "/?%41"),
            ("/a?%41", "/a?%41"),
            ("/%3f%3f", "/?%3f"),
            ("/%", "/"),
            ("/%4", "/"),
            ("/%4z%41", "/A"),
            ("/%z%41", "/zA"),
            ("/%%41", "/%41"),
            ("/%%%41", "/%A"),
            ("/%4%41", "/41"),
            ("/%?%41", "/?A"),
            ("/%4?%41", "/A"),
            ("/%80", "/%80"),
            ("/%00", "/%00"),
            ("/%e4%be", "/%e4%be"),
            ("/%2541", "/%2541"),
            ("#%41", "#A"),
            ("/a%", "/a"),
            ("/%41%", "/A"),
            ("/%41%4", "/A"),
            ("/%3F?", "/??"),
            ("/%25%3f%26", "/%25?%26"),
            ("/%24%25%26", "/%24%25&"),
            ("", ""),
        ]
    )
    func redirects(text: String, expected: String) {
        let result = PercentCoding.unescapingRedirect(range(of: latin1(text)), in: arena)
        #expect(latin1Text(arena.array(result)) == expected)
    }

    @Test("A redirect without escapes before its query is not copied")
    func redirectNoCopy() {
        let source = range(of: latin1("/abc?%41"))
        #expect(PercentCoding.unescapingRedirect(source, in: arena) == source)
    }

    @Test("Encoding by part of a URL")
    func components() {
        let text = latin1("a/b?c=d&e+f;g #%\u{e9}:@[|")
        let expected: [(URLComponent, String)] = [
            (.pathSegment, "a%2Fb%3Fc=d&e+f;g%20%23%25%E9:@%5B%7C"),
            (.path, "a/b%3Fc=d&e+f;g%20%23%25%E9:@%5B%7C"),
            (.queryValue, "a/b?c%3Dd%26e%2Bf%3Bg%20%23%25%E9:@%5B%7C"),
            (.query, "a/b?c=d&e+f;g%20%23%25%E9:@%5B%7C"),
            (.fragment, "a/b?c=d&e+f;g%20%23%25%E9:@%5B%7C"),
        ]
        for (component, result) in expected {
            #expect(latin1Text(URLComponentCoding.encode(text.span, for: component)) == result)
        }
    }

    @Test("Decoding undoes encoding for every byte")
    func roundTrip() {
        let all = Array(UInt8.min...UInt8.max)
        for component in [URLComponent.pathSegment, .path, .queryValue, .query, .fragment] {
            let encoded = URLComponentCoding.encode(all.span, for: component)
            #expect(URLComponentCoding.decode(encoded.span) == all)
        }
        let value = URLComponentCoding.encode(all.span, for: .queryValue)
        #expect(URLComponentCoding.decode(value.span, plusIsSpace: true) == all)
    }

    @Test(
        "Decoding",
        arguments: [
            ("", ""), ("a+b", "a+b"), ("%2b%2B", "++"), ("%2541", "%41"), ("%", nil), ("%4", nil), ("%4g", nil),
            ("a%zz", nil),
            ("%00", "\u{0}"),
        ] as [(String, String?)]
    )
    func decoding(text: String, expected: String?) {
        let bytes = latin1(text)
        #expect(URLComponentCoding.decode(bytes.span).map(latin1Text) == expected)
    }

    @Test("Plus as space")
    func plus() {
        let bytes = latin1("a+b%2B")
        #expect(URLComponentCoding.decode(bytes.span, plusIsSpace: true).map(latin1Text) == "a b+")
    }
}
