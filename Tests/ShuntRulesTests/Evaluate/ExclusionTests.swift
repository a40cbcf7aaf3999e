import ShuntCore
import Testing

@testable import ShuntRules

/// Tests of one `if` that are looked up at once have the same result as one after another.
@Suite struct ExclusionTests {
    private static let urls = ["kl://a/x", "kl://b/x", "kl://c/yy", "kl://d/x", "kl://e/x", "kl://zz/x"]

    @Test(
        "The one of many tests that excludes a URL",
        arguments: [
            ("$url !~ ^kl://(a) && $url !~ ^kl://(b) && $url !~ ^kl://(c)/(y+) && $url !~ ^kl://(d)", true),
            ("$url ~ ^kl://(a) || $url ~ ^kl://(b) || $url ~ ^kl://(c)/(y+) || $url ~ ^kl://(d) || $url ~ e", true),
            ("!($url ~ ^kl://(a) || $url ~ ^kl://(b) || $url ~ ^kl://(c)/(y+) || $url ~ ^kl://(d))", true),
            ("$url ~ x && $url !~ //(a) && $url !~ //(b) && $url !~ //(?<n>c) && $url !~ //(d) && $url ~ l", true),
            ("$url !~ //(a) && $url !~ //(b) && $host !~ ^(c) && $url !~ //(d)", false),
            ("$url !~ //(a) && $url !~ //(b) && $url ~ //(c) && $url !~ //(d) && $url !~ //(e)", false),
            ("$host !~ (a) && $host !~ (b) && $host !~ (c) && $host !~ (d)", true),
            ("$steady !~ (a) && $steady !~ (b) && $steady !~ (c) && $steady !~ ^$", true),
            ("$unsteady !~ (b) && $unsteady !~ (a) && $unsteady !~ (c) && $unsteady !~ ^$", false),
        ]
    )
    func excludes(condition: String, isIndexed: Bool) throws {
        let program = try RuleSet(
            text: """
                map $1 $steady { default $1; ~a(.*) x$1; }
                map $1 $unsteady { volatile; default $1; ~a(.*) x$1; }
                rewrite_url ^kl://(.*)/(.*) kl://$1/$2;
                set $n 0;
                if (\(condition)) { set $seen "in $1 $2 $n"; } else { set $seen "out $1 $2 $n"; }
                rewrite_url ^ "kl://h/$seen" last;
                """
        )
        .program
        #expect(program.tables.chains.contains { $0.subject == .exclusion } == isIndexed)
        var seen: Set<String> = []
        for url in Self.urls {
            let texts = [false, true]
                .map { isLinear in
                    var options = EvaluationOptions()
                    options.isLinear = isLinear
                    var evaluation = Evaluation(program, options: options)
                    evaluation.evaluate(RuleRequest(url: url))
                    return String(decoding: evaluation.arena.array(evaluation.url.range), as: UTF8.self)
                }
            #expect(texts[0] == texts[1], "\(url)")
            seen.insert(texts[0])
        }
        #expect(seen.count > 1)
    }
}
