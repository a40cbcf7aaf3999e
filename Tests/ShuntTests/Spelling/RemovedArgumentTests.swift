import Shunt
import Testing

@Suite("Arguments that are taken out, decoded and encoded")
struct RemovedArgumentTests {
    private func text(_ decision: Decision) -> String {
        decision.url
            ?? "\(decision.kind) \(decision.status ?? 0)"
    }

    private func decide(_ rules: String, _ request: RuleRequest) throws -> String {
        let ruleSet = try RuleSet(text: rules)
        var options = Engine.Options()
        options.isLinear = true
        let decision = Engine(ruleSet).decide(request)
        #expect(Engine(ruleSet, options: options).decide(request) == decision)
        #expect(Engine(ruleSet).explain(request).decision == decision)
        return text(decision)
    }

    @Test(
        "The rest keeps its order and its form",
        arguments: [
            ("?a=1", ""), ("?a", ""), ("?a=", ""), ("?a=1&b=2", "?b=2"), ("?b=2&a=1", "?b=2"),
            ("?b=2&a=1&c=3", "?b=2&c=3"),
            ("?a&a=&b&a", "?b"), ("?b=a=1", "?b=a=1"), ("?A=1", "?A=1"), ("?%61=1", "?%61=1"), ("?aa=1", "?aa=1"),
            ("?", "?"),
            ("", ""), ("?b=%20+&&a=1", "?b=%20+&"), ("?a=1&&b", "?&b"), ("?=a", "?=a"), ("#a=1", "#a=1"),
            ("?a=1#f?a=1", "#f?a=1"),
            ("?x1=1&b&x22", "?b"), ("?x=1&b&1x2", "?x=1&b&1x2"), ("?b?a=1&a", "?b?a=1"),
        ]
    )
    func removed(query: String, left: String) throws {
        let rules = "remove_args a ~x[0-9]+ ~none;"
        for origin in ["https://h.example/p", "kl://Pay/p", "kl:p"] {
            #expect(try decide(rules, RuleRequest(url: origin + query)) == origin + left)
        }
        guard !query.contains("#"), !query.hasSuffix("?") else { return }
        let served = try decide(
            "server { location / { \(rules) } }",
            RuleRequest(target: "/p" + query, host: "h.example")
        )
        #expect(served == "http://h.example/p" + left)
    }

    @Test("A URL without such arguments is not touched: no rule is named")
    func untouched() throws {
        let engine = Engine(try RuleSet(text: "remove_args a;"))
        #expect(engine.decide(RuleRequest(url: "https://h.example/?b")).rule == nil)
        #expect(engine.decide(RuleRequest(url: "https://h.example/?a")).rule?.line == 1)
    }

    @Test(
        "Values are decoded once and encoded whole",
        arguments: [
            ("%41%2525", "A%25", "%2541%252525"), ("%zz%", "%zz%", "%25zz%25"), ("a+b", "a+b", "a%2Bb"),
            ("%00", "", "%2500"),
            ("x%7f", "", "x%257f"), ("%C3%A9/", "\u{e9}/", "%25C3%25A9%2F"), ("", "", ""),
            ("a-._~9", "a-._~9", "a-._~9"),
        ]
    )
    func coded(value: String, decoded: String, encoded: String) throws {
        for (directive, expected) in [("decode", decoded), ("encode", encoded)] {
            let inURLs = "\(directive) $v $arg_v; rewrite_url ^kl: x:$v break;"
            #expect(try decide(inURLs, RuleRequest(url: "kl://h/?v=\(value)")) == "x:" + expected)
            let engine = Engine(try RuleSet(text: "server { \(directive) $v $arg_v; return 200 <$v>; }"))
            let decision = engine.decide(RuleRequest(target: "/?v=\(value)", host: "h"))
            #expect(decision.body == Array("<\(expected)>".utf8))
        }
    }

    @Test(
        "Mistakes are reported",
        arguments: [
            ("remove_args ~(a;", "invalid regular expression: missing closing parenthesis", 15),
            ("remove_args ~a)(b;", "invalid regular expression: unmatched closing parenthesis", 15),
            ("remove_args a b a;", "\"a\" is named twice", 17),
            ("remove_args $a;", "\"$a\" is not the name of an argument: there is a \"$\" in it", 13),
            ("decode target $arg_a;", "invalid variable name \"target\"", 8),
            ("decode $request_uri $arg_a;", "$request_uri is a variable of the request and cannot be set", 8),
            ("encode $a abc;", "\"abc\" is the same for every request", 11),
        ]
    )
    func mistakes(rules: String, message: String, column: Int) {
        let diagnostics: [Diagnostic]
        do throws(RuleSetError) {
            diagnostics = try RuleSet(text: rules).diagnostics
        } catch {
            diagnostics = error.diagnostics
        }
        #expect(diagnostics.first?.message == message)
        #expect(diagnostics.first?.location.column == column)
    }
}
