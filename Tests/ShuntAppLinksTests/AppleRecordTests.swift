import Shunt
import ShuntAppLinks
import Testing

/// The answers of Apple's own tool, `swcutil` of macOS 27, to one component and one URL each.
///
/// The facts are those of the public record in `conformance/oracle` of the repository sergii-ziborov/blazingly-aasa.
@Suite struct AppleRecordTests {
    private static func matches(_ component: String, _ target: String) throws -> Bool {
        try opens(
            "{\"applinks\":{\"details\":[{\"appIDs\":[\"ABCDE12345.a\"],\"components\":[\(component)]}]}}",
            target
        )
    }

    private static func opens(_ file: String, _ target: String) throws -> Bool {
        let read = try AppSiteAssociation.tolerant(reading: Array(file.utf8), named: "file")
        return try read.explain("https://example.com\(target)")[0].outcome == .opens
    }

    @Test(
        "Paths: slashes at the ends, the first slash, wildcards, escapes",
        arguments: [
            ("/buy/*", ["/buy", "/buy/", "/buy/42", "/buy//", "/buy/42/x"], ["/buyer", "/bu"]),
            ("/a/b/*", ["/a/b"], []),
            ("/buy*", ["/buy"], []),
            ("/a/*/c", [], ["/a/c"]),
            ("/buy", ["/buy", "/buy/"], []),
            ("/buy/", ["/buy", "/buy//"], []),
            ("/a/b/", ["/a/b"], []),
            ("/", ["/", ""], []),
            ("abc", ["/abc"], ["/abcd", "/xabc"]),
            ("buy/*", ["/buy/42"], []),
            ("abc/*", ["/abc"], []),
            ("*abc", ["/xabc"], []),
            ("//abc", ["/abc"], []),
            ("a/b", ["/a/b"], []),
            ("/id/????", ["/id/4815"], ["/id/481"]),
            ("/a/?*", ["/a/b"], ["/a/"]),
            ("/a%20b", ["/a%20b"], []),
            ("/a b", [], ["/a%20b"]),
            ("/a/b", [], ["/a%2Fb"]),
            ("/caf%C3%A9", [], ["/caf%c3%a9"]),
            ("/caf\u{e9}", [], ["/caf%C3%A9"]),
            ("/$(region)/home", ["/GB/home"], ["/UK/home"]),
            ("/$(lang)_$(region)/pizza/", ["/en_US/pizza/"], ["/qq_ZZ/pizza/", "/en_US/tacos/"]),
            ("/id/$(digit)", ["/id/7"], ["/id/x"]),
            ("/id/$(alpha)", ["/id/q"], ["/id/7"]),
            ("/id/$(upper)", ["/id/Q"], ["/id/q"]),
            ("/id/$(lower)", ["/id/q"], ["/id/Q"]),
            ("/id/$(alnum)", ["/id/7"], ["/id/-"]),
            ("/id/$(xdigit)", ["/id/f"], ["/id/g"]),
        ] as [(String, [String], [String])]
    )
    func paths(pattern: String, takes: [String], refuses: [String]) throws {
        for target in takes { #expect(try Self.matches("{\"/\":\"\(pattern)\"}", target), "\(target)") }
        for target in refuses { #expect(try !Self.matches("{\"/\":\"\(pattern)\"}", target), "\(target)") }
    }

    @Test(
        "Queries, fragments, case and escapes",
        arguments: [
            (##"{"/":"abc","?":"def","#":"*"}"##, ["/abc?def"], ["/abc", "?def"]),
            (#"{"?":{"b":"*"}}"#, ["/x?a=1", "/x"], []),
            (#"{"?":{"b":"?*"}}"#, [], ["/x?a=1"]),
            (#"{"?":{"b":""}}"#, ["/x?a=1"], []),
            (#"{"?":{"b":"1"}}"#, [], ["/x?a=1"]),
            (#"{"?":{"a":"1","b":"*"}}"#, ["/x?a=1"], []),
            (#"{"?":{"id":"42"}}"#, [], ["/x?id=42&id=7", "/x?id=7&id=42", "/x?id=7&id=42&id=9"]),
            (#"{"?":{"id":"7"}}"#, ["/x?id=7&id=7"], []),
            (#"{"?":{"id":"*"}}"#, ["/x?id=7&id=42"], []),
            (#"{"?":{"id":"?*"}}"#, ["/x?id=7&id=42"], []),
            (#"{"?":{"id":""}}"#, [], ["/x?id=7&id=42"]),
            (#"{"?":{"id":"7,42"}}"#, [], ["/x?id=7&id=42"]),
            (#"{"?":{"flag":true}}"#, ["/x?flag=1", "/x?other=1"], []),
            (#"{"?":{"n":null}}"#, ["/x?n=5"], []),
            (#"{"?":{"a":"1","flag":true}}"#, ["/x?a=2", "/x?a=1"], []),
            (#"{"?":{"a":["1"]}}"#, ["/x?a=2"], []),
            (#"{"?":"a=1"}"#, ["/x?a=1"], ["/x?a=1&b=2", "/x"]),
            (#"{"?":"*"}"#, ["/x"], []),
            (#"{"?":"?*"}"#, [], ["/x"]),
            (#"{"?":""}"#, ["/x"], []),
            (##"{"#":"*"}"##, ["/x"], []),
            (##"{"#":"?*"}"##, [], ["/x"]),
            (##"{"#":""}"##, ["/x"], []),
            (#"{"/":"/a b","percentEncoded":false}"#, ["/a%20b"], []),
            (#"{"/":"/a%20b","percentEncoded":false}"#, [], ["/a%20b"]),
            (#"{"/":"/a/b","percentEncoded":false}"#, ["/a%2Fb"], []),
            (#"{"/":"/id/$(upper)","caseSensitive":false}"#, ["/id/q"], []),
            (#"{"/":"/foo/*","totallyUnknownKey":"x"}"#, ["/foo/1"], ["/bar"]),
            (#"{}"#, ["/anything"], []),
        ] as [(String, [String], [String])]
    )
    func components(component: String, takes: [String], refuses: [String]) throws {
        for target in takes { #expect(try Self.matches(component, target), "\(target)") }
        for target in refuses { #expect(try !Self.matches(component, target), "\(target)") }
    }

    @Test(
        "Defaults of the file and of an entry, and the oldest form",
        arguments: [
            (
                ##"{"applinks":{"defaults":{"/":"/foo/*"},"details":[{"appIDs":["ABCDE12345.a"],"components":[{"#":"*"}]}]}}"##,
                "/bar", false
            ),
            (
                ##"{"applinks":{"defaults":{"/":"/foo/*"},"details":[{"appIDs":["ABCDE12345.a"],"components":[{"#":"*"}]}]}}"##,
                "/foo/1", true
            ),
            (
                ##"{"applinks":{"details":[{"appIDs":["ABCDE12345.a"],"defaults":{"/":"/foo/*"},"components":[{"#":"*"}]}]}}"##,
                "/bar", false
            ),
            (
                ##"{"applinks":{"defaults":{"exclude":true},"details":[{"appIDs":["ABCDE12345.a"],"components":[{"#":"*"}]}]}}"##,
                "/bar", false
            ),
            (
                ##"{"applinks":{"defaults":{"?":{"id":"??"}},"details":[{"appIDs":["ABCDE12345.a"],"components":[{"#":"*"}]}]}}"##,
                "/bar?id=7", false
            ),
            (
                #"{"applinks":{"defaults":{"caseSensitive":false},"details":[{"appIDs":["ABCDE12345.a"],"components":[{"/":"/foo"}]}]}}"#,
                "/FOO", true
            ),
            (#"{"applinks":{"apps":[],"details":{"ABCDE12345.a":{"paths":["/wwdc/news/"]}}}}"#, "/wwdc/news/", true),
            (
                #"{"applinks":{"details":[{"appID":"ABCDE12345.a","paths":["NOT /wwdc/internal/*","/wwdc/*"]}]}}"#,
                "/wwdc/internal/notes", false
            ),
            (
                #"{"applinks":{"details":[{"appID":"ABCDE12345.a","paths":["NOT /wwdc/internal/*","/wwdc/*"]}]}}"#,
                "/wwdc/2015", true
            ),
        ]
    )
    func files(file: String, target: String, opens: Bool) throws { #expect(try Self.opens(file, target) == opens) }

    @Test("A wrong identifier is an error, and explanations read past it")
    func tolerance() throws {
        let file = Array(#"{"applinks":{"details":[{"appIDs":["TEAM_ID.a"],"components":[{"/":"/x"}]}]}}"#.utf8)
        #expect(throws: AppLinksError.self) { try AppSiteAssociation(reading: file) }
        let read = try AppSiteAssociation.tolerant(reading: file, named: "file")
        #expect(read.warnings.map(\.code) == ["app-identifier"])
        let misspelt = Array(#"{"applinks":{"details":[{"appIDs":["ABCDE12345.a"],"components":[{"/":7}]}]}}"#.utf8)
        #expect(throws: AppLinksError.self) { try AppSiteAssociation.tolerant(reading: misspelt, named: "file") }
    }
}
