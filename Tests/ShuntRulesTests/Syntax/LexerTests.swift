import ShuntCore
import Testing

@testable import ShuntRules

/// Words as nginx 1.22.1 cuts them; the rows were compared with what the real one does.
@Suite struct LexerTests {
    /// The words of the first directive, each with a mark for quotes.
    private func words(_ text: String) -> [String] {
        let source = RuleFiles.load(text: text)
        #expect(source.errorCount == 0, "\(source.diagnostics.map(\.message))")
        guard let first = source.directives.first else { return [] }
        return ([first.name] + first.arguments).map { ($0.isQuoted ? "q:" : "") + $0.text }
    }

    static let rows: [(String, [String])] = [
        ("set $a b;", ["set", "$a", "b"]),
        ("a b#c;", ["a", "b#c"]),
        ("a #b\n c;", ["a", "c"]),
        ("a b#c;#d", ["a", "b#c"]),
        (#"a b"c"d;"#, ["a", #"b"c"d"#]),
        (#"a it's;"#, ["a", "it's"]),
        (#"a "b c" 'd;e';"#, ["a", "q:b c", "q:d;e"]),
        (#"a "" '';"#, ["a", "q:", "q:"]),
        ("a \"b\nc\";", ["a", "q:b\nc"]),
        (#"a "b\"c" 'd\'e';"#, ["a", #"q:b"c"#, "q:d'e"]),
        (#"a \"b\" c;"#, ["a", #""b""#, "c"]),
        (#"a b\\c "d\\e";"#, ["a", #"b\c"#, #"q:d\e"#]),
        (#"a x\ty\nz\rw;"#, ["a", "x\ty\nz\rw"]),
        (#"a ^/x\.y\d+$;"#, ["a", #"^/x\.y\d+$"#]),
        (#"a b\;c;"#, ["a", #"b\;c"#]),
        (#"a b\ c;"#, ["a", #"b\ c"#]),
        (#"a b\{c;"#, ["a", #"b\{c"#]),
        (#"a \$uri;"#, ["a", #"\$uri"#]),
        (##"a \#b;"##, ["a", ##"\#b"##]),
        (#"a "\d\q";"#, ["a", #"q:\d\q"#]),
        ("a ${b}c $d${e};", ["a", "${b}c", "$d${e}"]),
        ("a b${{c;", ["a", "b${{c"]),
        ("a ^/b} c};", ["a", "^/b}", "c}"]),
        ("a b\r\n c\t;", ["a", "b", "c"]),
        ("a)b (c) ;", ["a)b", "(c)"]),
        (#"if ($x ~ "re") { }"#, ["if", "($x", "~", "q:re", ")"]),
        (#"if ($x = 'a')b{ }"#, ["if", "($x", "=", "q:a", ")b"]),
        ("a b{}", ["a", "b"]),
        ("a b;c d;", ["a", "b"]),
        ("\"a\" b;", ["q:a", "b"]),
        ("é ü;", ["é", "ü"]),
        ("a 'b'{}", ["a", "q:b"]),
        ("a 'b';", ["a", "q:b"]),
    ]

    @Test(arguments: rows)
    func cutsWords(text: String, expected: [String]) {
        #expect(words(text) == expected)
    }

    @Test func keepsBytesThatAreNotUTF8() {
        var files = InMemoryFileSystem()
        files.set("/x.conf", .file(Array("return 200 \"".utf8) + [0xff, 0x80] + Array("\";".utf8)))
        let source = RuleFiles.load("/x.conf", from: files)
        #expect(source.directives.first?.arguments.last?.bytes == [0xff, 0x80])
        #expect(source.errorCount == 0)
    }

    @Test func knowsWhereWordsAre() {
        let source = RuleFiles.load(text: "a b;\n  cd 'e\nf' g { h; }\n")
        let second = source.directives[1]
        let places = ([second.name] + second.arguments + [second.block?.first?.name].compactMap(\.self))
            .map {
                "\($0.position.line):\($0.position.column)+\($0.sourceLength)"
            }
        #expect(places == ["2:3+2", "2:6+5", "3:4+1", "3:8+1"])
    }

    static let places: [(String, Int, Int32)] = [
        // word, offset in its bytes, column in the file
        ("abc", 0, 1), ("abc", 2, 3), ("abc", 3, 4), ("abc", 9, 4), ("'abc'", 0, 2), ("'abc'", 3, 5),
        (#""a\"b""#, 1, 3), (#""a\"b""#, 2, 5), (#"\\.x"#, 1, 3), (#"\.x"#, 1, 2), (#"a\tb"#, 2, 4),
    ]

    @Test(arguments: places)
    func findsBytesOfWordsInTheFile(word: String, offset: Int, column: Int32) {
        let source = RuleFiles.load(text: word + " ;")
        #expect(source.position(ofByte: offset, in: source.directives[0].name).column == column)
    }
}
