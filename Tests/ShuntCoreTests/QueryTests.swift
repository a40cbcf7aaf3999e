import ShuntCore
import Testing

@Suite("Queries and cookies")
struct QueryTests {
    private let arena = ByteArena()

    private func range(of text: String) -> ByteRange {
        arena.refilled(with: latin1(text), after: "ab=0&")
    }

    private func text(_ range: ByteRange?) -> String { range.map { latin1Text(arena.array($0)) } ?? "" }

    @Test(
        "Pairs",
        arguments: [
            ("", []), ("a=1&b", ["a=1", "b"]), ("a=&=b", ["a=", "=b"]), ("&&a&&", ["a"]), ("a=b=c", ["a=b=c"]),
            ("=", ["="]),
            ("&", []), ("a;b=1", ["a;b=1"]),
        ]
    )
    func pairs(query: String, expected: [String]) {
        var iterator = QueryIterator(range(of: query))
        var found: [String] = []
        while let pair = iterator.next(in: arena) {
            found.append(text(pair.name) + (pair.value.map { "=" + text($0) } ?? ""))
            #expect(!text(pair.name).contains("="))
        }
        #expect(found == expected)
        #expect(iterator.next(in: arena) == nil)
    }

    @Test(
        "$arg_ab, recorded from nginx 1.22.1",
        arguments: [
            ("ab=1", "1"),
            ("x=1&ab=2", "2"),
            ("ab", ""),
            ("ab&ab=1", "1"),
            ("AB=1", "1"),
            ("aB=1", "1"),
            ("ab=", ""),
            ("ab=1&ab=2", "1"),
            ("xab=1", ""),
            ("ab=a=b", "a=b"),
            ("ab==1", "=1"),
            ("=ab=1", ""),
            ("&ab=1", "1"),
            ("?ab=1", ""),
            ("ab=%41", "%41"),
            ("abab=1&ab=2", "2"),
            ("ab&", ""),
            ("a&b&ab=&", ""),
            ("xab=1&ab=3", "3"),
            (";ab=1", ""),
            ("", ""),
        ]
    )
    func arguments(query: String, expected: String) {
        for name in ["ab", "AB", "aB"] {
            let bytes = latin1(name)
            #expect(text(Query.argument(bytes.span, in: range(of: query), of: arena)) == expected)
        }
    }

    @Test(
        "$cookie_ab, recorded from nginx 1.22.1",
        arguments: [
            ("ab=1", "1"),
            ("x=1; ab=2", "2"),
            ("x=1;ab=2", "2"),
            ("x=1;   ab=2", "2"),
            ("ab", ""),
            ("ab;ab=1", ""),
            ("ab;x;ab=1", "1"),
            ("AB=1", "1"),
            ("ab=", ""),
            ("ab= 1", "1"),
            ("ab =1", "1"),
            ("ab  =  1  ;x", "1  "),
            ("ab=1 ;x", "1 "),
            ("xab=1", ""),
            ("ab=a=b", "a=b"),
            ("ab==1", "=1"),
            ("ab=\"q;r\"", "\"q"),
            ("abc=1; ab=2", "2"),
            ("ab:ab=1", ""),
            ("abab=1;ab=2", "2"),
            ("ab ;ab=1;ab=2", "2"),
            ("", ""),
        ]
    )
    func cookies(header: String, expected: String) {
        for name in ["ab", "AB"] {
            let bytes = latin1(name)
            #expect(text(Query.cookie(bytes.span, in: range(of: header), of: arena)) == expected)
        }
    }

    @Test("A cookie begins after a comma too, but its value runs to the semicolon, as in nginx 1.22")
    func commas() {
        let name = latin1("ab")
        #expect(text(Query.cookie(name.span, in: range(of: "x=1, ab=2"), of: arena)) == "2")
        #expect(text(Query.cookie(name.span, in: range(of: "ab=1, x=2"), of: arena)) == "1, x=2")
    }

    @Test("An empty value is distinguished from a missing one")
    func presence() {
        let name = latin1("ab")
        #expect(Query.argument(name.span, in: range(of: "ab="), of: arena)?.isEmpty == true)
        #expect(Query.argument(name.span, in: range(of: "ab"), of: arena) == nil)
        #expect(Query.cookie(name.span, in: range(of: "ab="), of: arena)?.isEmpty == true)
        let empty: [UInt8] = []
        #expect(Query.argument(empty.span, in: range(of: "=1"), of: arena) == nil)
        #expect(Query.cookie(empty.span, in: range(of: "=1"), of: arena) == nil)
    }
}
