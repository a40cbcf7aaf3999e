import ShuntCore
import Testing

@testable import ShuntRules

/// A URL that only got another beginning has the parts that the parser finds.
@Suite struct URLBeginningTests {
    private static let urls = [
        "http://a.test/", "http://a.test", "http://a.test/p/q", "http://a.test/p?q=/r#f", "http://a.test?q",
        "http://a.test#f",
        "http://a.test/p#f?q", "http://u:w@a.test:8080/p?q", "HTTP://A.test/p", "http://a.test/http://a.test/p",
        "http://a.test//p",
        "https://a.test/p", "kl://a.test/p?q", "kl:p?q#f", "http://www.a.test/p?q", "http://[::1]/p",
        "http://1.2.3.4/p?q#f",
    ]

    @Test(
        "The parts after a rewrite",
        arguments: [
            "^http:(.*) https:$1", "^https?:(.*) http:$1", "^http:(.*)p https:$1", "^.*?:(.*) kl:$1",
            "^http://a\\.test(/.*) https://b.test/x$1", "^http://a\\.test/(.*) https://b.test/$1",
            "^http://(?:www\\.)?a\\.test/(.*) https://b.test/$1", "^http://a\\.test(.*) https://b.test/$1",
            "^http://a\\.test(.*) https://b.test$1", "^http://a\\.test/(.*) https://b.test:81/$1",
            "^http://a\\.test/(.*) https://u@b.test/$1", "^http://a\\.test/(.*) https://b.test/?u=$1",
            "^http://a\\.test/(.*) https://b.test/#$1", "^http://a\\.test/(.*) kl://B.test/$1",
            "^http://a\\.test/(.*) kl:b/$1", "^http://a\\.test/[^?#]*(.*) https://b.test/$1",
            "^http://a\\.test/[^?#]*.(.*) https://b.test/$1", "^http://a\\.test/(p).* https://b.test/$1",
            "^(.*)$ http://b.test/$1", "^http://(.*)$ http://b.test/$1", "^http://a\\.test/(.*) https://1.2.3.4/$1",
            "^http://a\\.test/(.*) https://1.2.3/$1", "^http://a\\.test/(x)?.* https://b.test/$1",
        ]
    )
    func parts(rewrite: String) throws {
        let words = rewrite.split(separator: " ").map(String.init)
        let program = try RuleSet(text: "rewrite_url \"\(words[0])\" \"\(words[1])\";").program
        for url in Self.urls {
            var linear = EvaluationOptions()
            linear.isLinear = true
            let (found, expected) = (
                Self.state(of: url, program, EvaluationOptions()), Self.state(of: url, program, linear)
            )
            #expect(found == expected, "\(url)")
        }
    }

    @Test("The longest URL cannot get longer")
    func longest() throws {
        let program = try RuleSet(text: "rewrite_url ^http:(.*) https:$1;").program
        for length in [URLParser.maximumLength - 1, URLParser.maximumLength] {
            let url = "http://a.test/" + String(repeating: "p", count: length - 14)
            let state = Self.state(of: url, program, EvaluationOptions())
            #expect(state.hasPrefix("forward") == (length < URLParser.maximumLength), "\(length)")
        }
    }

    /// The URL and its parts as the URL phase leaves them.
    private static func state(of url: String, _ program: Program, _ options: EvaluationOptions) -> String {
        var evaluation = Evaluation(program, options: options)
        evaluation.evaluate(RuleRequest(url: url))
        let state = evaluation.url
        let start = state.range.start
        let parts = evaluation.outcome.action == .forward ? "\(state.parts.shifted(by: 0 &- start))" : ""
        return "\(evaluation.outcome.action) \(evaluation.outcome.reason) \(state.isWeb) \(state.isChanged) \(parts) "
            + String(decoding: evaluation.arena.array(state.range).prefix(100), as: UTF8.self)
    }
}
