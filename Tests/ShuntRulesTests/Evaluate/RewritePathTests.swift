import ShuntCore
import Testing

@testable import ShuntRules

/// The paths of rewrites, and which of them are made of what is next to the rule.
@Suite struct RewritePathTests {
    @Test("A rule and its path lie in one line of cache")
    func size() { #expect(MemoryLayout<RewriteRecord>.stride == 64) }

    private static let thirty = "/" + String(repeating: "t", count: 29)

    @Test(
        "The path that a rewrite makes",
        arguments: [
            ("/s", true, "/s"),
            ("/s/$1", true, "/s/a"),
            ("/s/$1$3", true, "/s/ac"),
            ("/s/$2/$1", true, "/s//a"),
            ("/s/$3-$1", true, "/s/c-a"),
            ("/s/$1$2$3", false, "/s/ac"),
            ("/s/$1/$2/$3", false, "/s/a//c"),
            ("/s/$1--$3", false, "/s/a--c"),
            ("/s/$1/$3/", false, "/s/a/c/"),
            ("/s/$1.html", false, "/s/a.html"),
            ("/s/$1/", false, "/s/a/"),
            ("/s/$1$uri", false, "/s/a/x/ac"),
            ("/s/$1/$uri", false, "/s/a//x/ac"),
            ("$1/s", false, "a/s"),
            ("/s/${host}$1", false, "/s/ha"),
            (thirty + "$1.$3", true, thirty + "a.c"),
            (thirty + "t$1.$3", false, thirty + "ta.c"),
            ("/s/$1?x=$3", true, "/s/a"),
        ]
    )
    func path(replacement: String, isBesideTheRule: Bool, expected: String) throws {
        for others in [0, 3] {
            let rules = (0..<others).map { "rewrite ^/other\($0)/(.*)$ /o/$1 last;" }
            let program = try RuleSet(
                text: """
                    server {
                        \(rules.joined(separator: "\n"))
                        rewrite ^/x/(a)(b?)(c)$ "\(replacement)" break;
                    }
                    """
            )
            .program
            #expect((program.rewrites[others].text != nil) == isBesideTheRule)
            for isLinear in [false, true] {
                var options = EvaluationOptions()
                options.isLinear = isLinear
                var evaluation = Evaluation(program, options: options)
                evaluation.evaluate(RuleRequest(url: "http://h/x/ac"))
                #expect(String(decoding: evaluation.arena.array(evaluation.server.uri), as: UTF8.self) == expected)
            }
        }
    }
}
