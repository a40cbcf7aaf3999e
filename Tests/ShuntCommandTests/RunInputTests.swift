import TestFolder
import Testing

@Suite("Input lines of shunt run")
struct RunInputTests {
    private let arguments = ["run", "--rules", "rules.conf", "--format", "json"]
    private let rules = ["rules.conf": "server { listen 80; location = /echo { return 302 /to/$arg_a; } }\n"]

    /// Lines that cannot be understood, and why.
    static let badLines: [(line: String, reason: String)] = [
        ("", "the line is empty"),
        ("/path", "the URL is malformed: the URL has no scheme"),
        ("{", "the line is not a JSON object: expected a name in quotes at column 2"),
        ("{}", "a request needs \"url\" or \"target\""),
        ("{\"url\": 7}", "\"url\" needs a string, not a number"),
        ("{\"url\": \"kl://a\"} x", "the line is not a JSON object: expected the end of the line at column 19"),
        ("{\"url\": \"kl://a\", \"url\": 1}", "the line is not a JSON object: a repeated name at column 19"),
        ("{\"url\": \"\\ud800\"}", "the line is not a JSON object: half of a surrogate pair at column 10"),
        ("{\"url\": \"kl://a\", \"target\": \"/\"}", "\"url\" and \"target\" exclude each other"),
        ("{\"url\": \"kl://a\", \"host\": \"b\"}", "\"host\" goes with \"target\", not with \"url\""),
        ("{\"url\": \"kl://a\", \"header\": {}}", "unknown member \"header\", did you mean \"headers\"?"),
        ("{\"url\": \"kl://a\", \"remote_adr\": \"\"}", "unknown member \"remote_adr\", did you mean \"remote_addr\"?"),
        ("{\"url\": \"kl://a\", \"headers\": 1}", "\"headers\" must be an object or an array of pairs, not a number"),
        ("{\"url\": \"kl://a\", \"headers\": [[\"A\"]]}", "an item of \"headers\" is not a pair of name and value"),
        ("{\"url\": \"kl://a\", \"headers\": {\"A\": true}}", "\"headers\" needs a string, not a boolean"),
        ("{\"url\": \"kl://a\", \"headers\": {\"\": \"b\"}}", "a header has no name"),
        ("{\"url\": \"kl://a\", \"input\": []}", "\"input\" must be an object, not an array"),
        ("{\"url\": \"kl://a\", \"input\": {\"v\": {}}}", "\"input\" needs a string, not an object"),
        ("{\"url\": \"kl://a\", \"remote_addr\": \"1.2.3\"}", "\"remote_addr\" is not an IP address: \"1.2.3\""),
        ("{\"url\": \"kl://a\", \"listen\": \"x:y\"}", "\"listen\" is neither an address nor a port: \"x:y\""),
        ("{\"url\": \"kl://a\", \"listen\": 70000}", "\"listen\" is neither an address nor a port: \"70000\""),
        (
            "{\"url\": \"kl://a\", \"time\": \"2026-13-01T00:00:00Z\"}",
            "\"time\" is not an ISO 8601 time: expected a month from 01 to 12 at byte 5, in \"2026-13-01T00:00:00Z\""
        ),
        ("{\"url\": \"kl://a\", \"latin1\": 1}", "\"latin1\" must be a boolean, not a number"),
        ("{\"url\": \"kl://\\u0100\", \"latin1\": true}", "\"url\" has a character that is not in Latin-1"),
    ]

    @Test("A line that cannot be understood is a fail with a reason, and the run continues")
    func badLines() throws {
        let folder = try TestFolder(rules)
        let input = Self.badLines.map { $0.line + "\n" }.joined() + "kl://good\n"
        let outcome = try folder.run(arguments, input: input)
        try #require(outcome.lines.count == Self.badLines.count + 1, "\(outcome.text)")
        for (line, (request, reason)) in zip(outcome.lines, Self.badLines) {
            let decision = try JSON(line)
            #expect(decision["decision"].string == "fail", "\(line)")
            #expect(decision["reason"].string == reason)
            #expect(decision["request"].string == request)
        }
        #expect(try JSON(outcome.lines.last ?? "")["decision"].string == "forward")
        #expect(outcome.status == 1)
    }

    @Test("Lines end in LF or CR LF, the last one need not, and a byte order mark is passed over")
    func lineEnds() throws {
        let folder = try TestFolder(rules)
        let outcome = try folder.run(arguments, input: [0xef, 0xbb, 0xbf] + Array("kl://a\r\nkl://b\nkl://c".utf8))
        #expect(try outcome.lines.map { try JSON($0)["request"].string } == ["kl://a", "kl://b", "kl://c"])
        #expect(outcome.status == 0)
    }

    @Test("No input has no output")
    func empty() throws {
        let outcome = try TestFolder(rules).run(arguments)
        #expect(outcome.output.isEmpty)
        #expect(outcome.status == 0)
    }

    @Test("A line over the limit is a fail with its start, and the next line is read as usual")
    func longLine() throws {
        let folder = try TestFolder(rules)
        let long = "kl://" + String(repeating: "a", count: 3 << 20)
        let outcome = try folder.run(arguments, input: "kl://a\n\(long)\nkl://b\n\(long)")
        let decisions = try outcome.lines.map { try JSON($0) }
        #expect(decisions.map { $0["decision"].string } == ["forward", "fail", "forward", "fail"])
        #expect(decisions.map { $0["request"].string?.utf8.count } == [6, 128, 6, 128])
        #expect(decisions[1]["reason"].string == "the line is longer than 1048576 bytes; this is its start")
        #expect(outcome.status == 1)
    }

    @Test("Bytes that are not UTF-8 are distinguished from those that are, and returned")
    func bytes() throws {
        let folder = try TestFolder(rules)
        let input = Array("http://a.test/echo?a=".utf8) + [0xe9, 0x0a] + Array("http://a.test/echo?a=é\n".utf8)
        let outcome = try folder.run(arguments, input: input)
        let decisions = try outcome.lines.map { try JSON($0) }
        try #require(decisions.count == 2)
        #expect(decisions.map { $0["url"].string } == ["http://a.test/to/é", "http://a.test/to/é"])
        #expect(decisions[0]["latin1"].strings == ["request", "url", "args"])
        #expect(!decisions[1]["latin1"].exists)
    }

    @Test("An object can have bytes that are not UTF-8 in its strings, as characters of Latin-1")
    func latin1() throws {
        let folder = try TestFolder(rules)
        let line = #"{"target": "/echo?a=\u00e9ÿ", "host": "a.test", "latin1": true}"#
        let decision = try JSON(folder.run(arguments, input: line).output)
        #expect(decision["url"].string == "http://a.test/to/éÿ")
        #expect(decision["latin1"].strings == ["url", "args"])
    }

    @Test("An object whose text is not UTF-8 is refused")
    func objectThatIsNotUTF8() throws {
        let folder = try TestFolder(rules)
        let outcome = try folder.run(arguments, input: Array("{\"url\": \"kl://".utf8) + [0xff] + Array("\"}".utf8))
        let decision = try JSON(outcome.output)
        #expect(decision["reason"].string == "the line is not a JSON object: the text is not UTF-8 at column 1")
        #expect(decision["latin1"].strings == ["request"])
    }

    @Test("Text shows control characters and stray bytes and does not obey them")
    func hostileBytes() throws {
        let folder = try TestFolder(rules)
        let input = Array("kl://a\u{1b}[2Jé".utf8) + [0xff] + Array("\u{202e}\n".utf8)
        let outcome = try folder.run(["run", "--rules", "rules.conf"], input: input)
        #expect(outcome.text.contains(#"kl://a\x1b[2Jé\xff\xe2\x80\xae"#), "\(outcome.text)")
        #expect(!outcome.output.contains(0x1b))
    }
}
