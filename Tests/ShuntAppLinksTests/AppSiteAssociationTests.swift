import Shunt
import ShuntAppLinks
import Testing

/// Apple's file: what is read, what is reported, and where.
@Suite struct AppSiteAssociationTests {
    static let whole = """
        {
          "applinks": {
            "defaults": {"caseSensitive": false},
            "substitutionVariables": {"food": ["burrito", "pi*", "?ushi"]},
            "details": [
              {
                "appIDs": ["ABCDE12345.com.example.app", "ABCDE12345.com.example.two"],
                "defaults": {"percentEncoded": true},
                "components": [
                  {"#": "web_only", "exclude": true, "comment": "stays"},
                  {"/": "/$(lang)_$(region)/$(food)/*", "caseSensitive": true},
                  {"/": "/help/*", "?": {"article": "????", "from": "?*"}},
                  {"/": "/caf\u{e9}", "percentEncoded": false},
                  {"?": "a=b*"}
                ]
              },
              {"appID": "ABCDE12345.com.example.old", "paths": ["NOT /old/private/*", "/old/*", "/exact?"]}
            ]
          },
          "webcredentials": {"apps": ["ABCDE12345.com.example.app"]},
          "appclips": {"apps": ["ABCDE12345.com.example.app.Clip"]},
          "activitycontinuation": {"apps": ["ABCDE12345.com.example.app"]}
        }
        """

    @Test("All of the format is read, and written unchanged")
    func reads() throws {
        let file = try AppSiteAssociation(reading: Array(Self.whole.utf8))
        #expect(file.warnings.isEmpty)
        #expect(file.details.map(\.appIDs.count) == [2, 1])
        #expect(file.details.map(\.isLegacy) == [false, true])
        #expect(file.details[0].components[2].query == .items(["article": "????", "from": "?*"]))
        #expect(
            file.details[0].components[0].location
                == SourceLocation(file: "apple-app-site-association", line: 10, column: 11)
        )
        #expect(file.defaults.isCaseSensitive == false && file.defaults.path == nil)
        #expect(file.substitutionVariables["food"]?.count == 3)
        #expect((file.webCredentials + file.appClips + file.activityContinuation).count == 3)
        let again = try AppSiteAssociation(reading: file.json())
        #expect(again.json() == file.json())
        #expect(again.details[1].components.map(\.text) == file.details[1].components.map(\.text))
    }

    @Test(
        "The first component that matches decides",
        arguments: [
            ("https://example.com/x#web_only", "no 10", "-"),
            ("https://example.com/en_US/burrito/1", "11", "-"),
            ("https://example.com/EN_us/burrito/1", "-", "-"),
            ("https://example.com/de_DE/pizza/", "11", "-"),
            ("https://example.com/qq_ZZ/pizza/", "-", "-"),
            ("https://example.com/en_US/sushi/x", "11", "-"),
            ("https://example.com/en_US/bread/x", "-", "-"),
            ("https://example.com/help/me?article=1234&from=mail&more=1", "12", "-"),
            ("https://example.com/HELP/me?article=1234&from=mail", "12", "-"),
            ("https://example.com/help/me?article=1234", "-", "-"),
            ("https://example.com/help/me?article=1234&article=5&from=a", "-", "-"),
            ("https://example.com/caf%C3%A9", "13", "-"),
            ("https://example.com/caf\u{e9}", "13", "-"),
            ("https://example.com/any?a=bcd", "14", "-"),
            ("https://example.com/old/a", "-", "17"),
            ("https://example.com/old/private/a", "-", "no 17"),
            ("https://example.com/exactly", "-", "-"),
            ("https://example.com/exact1", "-", "17"),
            ("https://example.com", "-", "-"),
            ("ftp://example.com/old/a", "-", "-"),
            ("demo://old/a", "-", "-"),
        ]
    )
    func explains(url: String, first: String, old: String) throws {
        let answers = try AppSiteAssociation(reading: Array(Self.whole.utf8)).explain(url)
        #expect(answers.map(\.app.count) == [26, 26, 26])
        let texts = answers.map { answer in
            (answer.outcome == .excluded ? "no " : "") + (answer.component?.location.map { "\($0.line)" } ?? "-")
        }
        #expect(texts == [first, first, old])
    }

    @Test(
        "Mistakes are reported with their place and what to do",
        arguments: [
            ("{", "1:2: error: expected a name in quotes"),
            ("[]", "1:1: error: the file is an object, not an array"),
            ("{}", "1:1: warning: the file has no entries"),
            ("{\"applink\": {}}", "1:2: error: the file has no member \"applink\" = did you mean \"applinks\"?"),
            ("{\"other\": {}}", "1:2: warning: the file has no member \"other\"; devices ignore it"),
            ("{\"applinks\": {}}", "1:14: error: \"applinks\" has no \"details\""),
            ("{\"applinks\": {\"details\": {}}}", "1:26: error: \"details\" is a list of objects, not an object"),
            (
                "{\"webcredentials\": {\"apps\": \"A\"}}",
                "1:29: error: \"apps\" is a list of strings, not a string = write [\"A\"]"
            ),
            (
                "{\"webcredentials\": {\"apps\": [\"com.example.app\"]}}",
                "1:30: error: \"com.example.app\" is not an identifier of an app"
            ),
            ("{\"webcredentials\": {\"apps\": []}}", "1:29: warning: \"webcredentials\" has no apps"),
            ("{\"webcredentials\": {}}", "1:2: error: \"webcredentials\" has no \"apps\""),
        ]
    )
    func reports(text: String, expected: String) { #expect(Self.problems(text).first?.hasPrefix(expected) == true) }

    @Test("Entries, variables and the size are looked over; everything is reported at once")
    func everythingAtOnce() throws {
        let text = """
            {"applinks": {
              "apps": ["x"],
              "substitutionVariables": {"lang": ["a"], "unused": ["$(x)"], "none": []},
              "details": [
                {"appID": "ABCDE12345.a", "appIDs": ["ABCDE12345.b"], "components": [{"/": "/$(none)"}]},
                {"appIDs": ["ABCDE12345.b"]},
                {"components": [{}]},
                {"appIDs": ["abcde12345.b"], "paths": ["not /a", "b"]}
              ]
            }}
            """
        #expect(
            Self.problems(text).map { $0.split(separator: " = ")[0] }
                == [
                    "2:11: warning: \"apps\" of \"applinks\" has an entry, and devices expect none",
                    "3:29: error: \"lang\" is a variable of every file",
                    "3:44: warning: no pattern has \"$(unused)\"",
                    "3:55: error: a value has no variables itself",
                    "3:64: warning: \"none\" has no values, so nothing matches",
                    "5:15: warning: \"appIDs\" is there, so devices may ignore \"appID\"",
                    "6:5: error: the entry has no \"components\"",
                    "6:17: warning: \"ABCDE12345.b\" has an entry already, on line 5",
                    "7:5: error: the entry has no \"appIDs\"",
                    "8:17: error: \"abcde12345.b\" is not an identifier of an app",
                    "8:44: warning: only \"NOT \" excludes",
                ]
                .map { Substring($0) }.sorted { Self.place($0) < Self.place($1) }
        )
        let large = "{\"webcredentials\": {\"apps\": [\"ABCDE12345.a\"]}}" + String(repeating: " ", count: 128 << 10)
        #expect(
            Self.problems(large) == [
                "1:1: error: the file has 131118 bytes, and devices read 131072 = match more with wildcards and variables"
            ]
        )
    }

    private static func place(_ text: Substring) -> [Int].SubSequence.Element {
        let parts = text.split(separator: ":").prefix(2).compactMap { Int($0) }
        return parts[0] * 1_000 + parts[1]
    }

    /// The problems that are reported: place, severity, message, suggestion.
    static func problems(_ text: String) -> [String] {
        do throws(AppLinksError) {
            return try AppSiteAssociation(reading: Array(text.utf8)).warnings.map(Self.text)
        } catch {
            return error.diagnostics.map(Self.text)
        }
    }

    static func text(_ problem: Diagnostic) -> String {
        "\(problem.location.line):\(problem.location.column): \(problem.severity): \(problem.message)"
            + (problem.suggestion.map { " = \($0)" } ?? "")
    }

    @Test(
        "Components that nothing reaches are found, with the one that is before them",
        arguments: [
            (
                ["/help/*", "NOT /help/website/*"], "no URL gets here, since the one on line 1 takes all of them first",
                "move it before line 1"
            ),
            (["/help/*", "/help"], "", ""), (["/help/", "/help"], "", ""),
            (
                ["/help/*", "NOT /help"], "no URL gets here, since the one on line 1 takes all of them first",
                "move it before line 1"
            ),
            (
                ["/help/*", "/h*", "/help"], "no URL gets here, since the one on line 2 takes all of them first",
                "leave it out"
            ),
            (["/a/*", "/b/*", "/a/*"], "the one on line 1 is the same, so no URL gets here", "leave one out"),
            (
                ["*.html", "/x/*.html"], "no URL gets here, since the one on line 1 takes all of them first",
                "leave it out"
            ),
            (["/a?", "/a???*", "/ab*"], "", ""),
            (
                ["/a", "/a?*", "/a*"], "no URL gets here, since those on lines 1 to 2 take all of them first",
                "move it before line 1"
            ),
            (["/a/?*", "/a/*"], "", ""),
            (["/$(digit)", "/7"], "no URL gets here, since the one on line 1 takes all of them first", "leave it out"),
            (["/$(lang)", "/qq"], "", ""),
        ] as [([String], String, String)]
    )
    func unreachable(paths: [String], message: String, advice: String) {
        let components = paths.map { path in
            path.hasPrefix("NOT ")
                ? "{\"/\": \"\(path.dropFirst(4))\", \"exclude\": true}" : "{\"/\": \"\(path)\"}"
        }
        let text = "{\"applinks\":{\"details\":[{\"appIDs\":[\"ABCDE12345.a\"],\"components\":["
        let found = Self.problems("\(text)\(components.joined(separator: ",\n"))]}]}}")
        #expect(found == (message.isEmpty ? [] : ["\(paths.count):1: warning: \(message) = \(advice)"]))
    }

    @Test("Conditions on query and fragment are a part of what a component takes")
    func unreachableQueries() {
        let problems: (String) -> Int = { components in
            Self.problems(
                "{\"applinks\":{\"details\":[{\"appIDs\":[\"ABCDE12345.a\"],\"components\":[\(components)]}]}}"
            )
            .count
        }
        #expect(problems("{\"?\": {\"x\": \"1\"}}, {\"/\": \"/q\", \"?\": {\"x\": \"1\", \"y\": \"2\"}}") == 1)
        #expect(problems("{\"?\": {\"x\": \"1\"}}, {\"/\": \"/q\"}") == 0)
        #expect(problems("{\"?\": {\"x\": \"*\"}}, {\"/\": \"/q\"}") == 1)
        #expect(problems("{\"/\": \"*\"}, {\"#\": \"x\"}") == 1)
        #expect(problems("{\"#\": \"x\"}, {\"/\": \"*\"}") == 0)
        #expect(problems("{\"#\": \"a*\"}, {\"/\": \"/q\", \"#\": \"ab\"}") == 1)
        #expect(problems("{\"#\": \"ab\"}, {\"/\": \"/q\", \"#\": \"a*\"}") == 0)
        #expect(problems("{\"/\": \"/A\", \"caseSensitive\": false}, {\"/\": \"/a\"}") == 1)
        #expect(problems("{\"/\": \"/a\"}, {\"/\": \"/A\", \"caseSensitive\": false}") == 0)
        #expect(problems("{\"/\": \"/a\", \"percentEncoded\": false}, {\"/\": \"/a\"}") == 0)
    }

    @Test("Both forms of an entry are checked, and what is empty is named")
    func forms() {
        let entry: (String) -> [String] = { Self.problems("{\"applinks\": {\"details\": \($0)}}") }
        let app = "\"appIDs\": [\"ABCDE12345.a\"]"
        #expect(entry("[]") == ["1:26: warning: \"details\" is empty: no app opens a URL"])
        #expect(
            entry("[{\"appIDs\": [], \"paths\": [\"/x\"]}]") == [
                "1:38: warning: \"appIDs\" is empty: no app opens these URLs"
            ]
        )
        #expect(
            entry("[{\(app), \"paths\": [\"NOT/x\", 7], \"components\": [{\"/\": \"/x\"}]}]")
                == [
                    "1:66: warning: \"NOT\" excludes only with a blank after it = write \"NOT /x\"",
                    "1:75: error: an item of \"paths\" is a string, not a number",
                ]
        )
        #expect(
            entry("{\"ABCDE12345.a\": {\"paths\": [\"/x\"]}}")
                == [
                    "1:26: warning: an object by app is the oldest form of \"details\" = write [{\"appIDs\": […], \"components\": […]}]"
                ]
        )
        #expect(
            entry("[{\(app), \"components\": [{\"/\": \"NOT /x\"}]}]")
                == [
                    "1:77: warning: \"NOT\" excludes in \"paths\" alone = write \"/\": \"/x\", \"exclude\": true"
                ]
        )
        let variables =
            "{\"applinks\": {\"substitutionVariables\": {\"food\": [\"caf\u{e9}\"]}, \"details\": [{\(app), \"components\": [{\"/\": \"/$(food)\"}]}]}}"
        #expect(
            Self.problems(variables) == [
                "1:50: warning: URLs are compared encoded, and \"\u{e9}\" is \"%C3%A9\" there = write it encoded, or \"percentEncoded\": false"
            ]
        )
        let values = variables.replacing("caf\u{e9}", with: "a|b").replacing("/$(food)", with: "/$(food)/$(digit)")
        #expect(
            Self.problems(values) == [
                "1:50: warning: \"|\" is a text, not an alternative = write a value for each"
            ]
        )
        let old = ["NOT  /a", "!/a", "-/b", "/h i", "/100%"]
        let found = entry("[{\(app), \"paths\": [\"\(old.joined(separator: "\", \""))\"]}]")
        #expect(
            found.map { $0.split(separator: " = ").last ?? "" }
                == [
                    "write \"NOT /a\"", "write \"NOT /a\"", "write \"NOT /b\"", "write it encoded",
                    "write \"%25\" for a percent sign",
                ]
        )
        #expect(Self.problems("{\"authsrv\": {\"apps\": [\"ABCDE12345.a\"]}}").isEmpty)
    }

    @Test(
        "Patterns: wildcards and variables",
        arguments: [
            ("*", ["", "a", "/a/b"], []),
            ("?", ["a", "/"], ["", "ab"]),
            ("/?*", ["/a", "/a/b"], ["/", "a"]),
            ("/a*c?e", ["/acde", "/abcxe", "/accce"], ["/ace", "/abcde/"]),
            ("/**/x", ["//x", "/a/b/x"], ["/x"]),
            ("$(digit)$(xdigit)", ["1f", "9A"], ["f1", "1g", "1"]),
            ("$(alpha)$(upper)$(lower)$(alnum)", ["aBc1", "ABcd"], ["abc1", "1Bc1", "aBC1", "aBc-"]),
            ("$x", ["$x"], ["x"]),
        ] as [(String, [String], [String])]
    )
    func patterns(pattern: String, takes: [String], refuses: [String]) throws {
        var file = AppSiteAssociation()
        file.details = [.init(appIDs: ["ABCDE12345.a"], components: [AppLinkComponent(fragment: pattern)])]
        for text in takes { #expect(try file.explain("https://a.test/#\(text)")[0].outcome == .opens, "\(text)") }
        for text in refuses { #expect(try file.explain("https://a.test/#\(text)")[0].outcome == .unmatched, "\(text)") }
    }

    @Test("A pattern of many wildcards takes no more than the product of the lengths")
    func manyWildcards() throws {
        var file = AppSiteAssociation()
        let pattern = String(repeating: "*a", count: 200) + "b"
        file.details = [.init(appIDs: ["ABCDE12345.a"], components: [AppLinkComponent(path: pattern)])]
        let url = "https://a.test/" + String(repeating: "a", count: 2_000)
        #expect(try file.explain(url)[0].outcome == .unmatched)
    }
}
