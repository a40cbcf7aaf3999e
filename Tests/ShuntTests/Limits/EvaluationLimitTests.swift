import Shunt
import Testing

/// Requests that reach a limit fail with 500 and the name of the limit.
@Suite struct EvaluationLimitTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var rules: String
        var target: String
        var reason: String

        var testDescription: String { name }
    }

    private static func chain(_ levels: Int, _ source: (String) -> String, _ options: String) -> String {
        (0..<levels).map { "map \"\(source("$a\($0 + 1)"))\" $a\($0) { \(options) }" }.joined(separator: "\n")
            + "\nmap $uri $a\(levels) { \(options) }\n"
    }

    private static let slow = "/" + String(repeating: "a", count: 60) + "b"

    static let cases = [
        Case(
            name: "maps that are computed each time, three times on each level",
            rules: chain(20, { "\($0)\($0)\($0)" }, "volatile; default \"\";") + "server { return 200 \"$a0\"; }",
            target: "/",
            reason: "the variables of the request take more than 50000 steps"
        ),
        Case(
            name: "the same in an if",
            rules: chain(20, { "\($0)\($0)\($0)" }, "volatile; default \"\";")
                + "server { if ($a0 = x) { return 403; } }",
            target: "/",
            reason: "the variables of the request take more than 50000 steps"
        ),
        Case(
            name: "a long value that is looked at again and again",
            rules: chain(9, { "\($0)\($0)\($0)" }, "volatile; default $request_uri;")
                + "server { if ($a0 = x) { return 403; } }",
            target: "/" + String(repeating: "a", count: 60_000),
            reason: "the values of the request are longer than 4194304 bytes"
        ),
        Case(
            name: "maps that refer to each other on more levels than may be",
            rules: chain(120, { $0 }, "default $uri;") + "server { if ($a0 = x) { return 403; } }",
            target: "/",
            reason: "variables refer to variables more than 100 levels deep"
        ),
        Case(
            name: "an expression of a map",
            rules: "map $uri $b { default 0; ~^/(a|aa)+$ 1; } server { if ($b) { return 403; } return 200 ok; }",
            target: slow,
            reason: "a regular expression reached its match limit"
        ),
        Case(
            name: "an expression of a location, which no error page takes",
            rules: "server { error_page 500 =200 /ok; location = /ok { return 200 ok; } location ~ ^/(a|aa)+$ { } }",
            target: slow,
            reason: "a regular expression reached its match limit"
        ),
        Case(
            name: "an expression of a route",
            rules: "route /:code((?:a|aa)+) code; route /:any any;",
            target: slow,
            reason: "a limit was reached before it was known which route comes first"
        ),
    ]

    @Test("Requests that reach a limit fail with 500", arguments: cases)
    func fails(_ limit: Case) throws {
        for isLinear in [false, true] {
            var options = Engine.Options()
            options.isLinear = isLinear
            let engine = Engine(try RuleSet(text: limit.rules), options: options)
            let decision = engine.decide(RuleRequest(target: limit.target, host: "a.test"))
            #expect(decision.kind == .fail)
            #expect(decision.status == 500)
            #expect(decision.reason == limit.reason)
            // The next request has its own limits.
            #expect(engine.decide(RuleRequest(target: "bad", host: "a.test")).status == 400)
        }
    }

    @Test("Requests below the limits are decided")
    func decides() throws {
        let rules =
            Self.chain(8, { "\($0)\($0)\($0)" }, "volatile; default x;")
            + Self.chain(90, { $0 }, "default $uri;").replacing("$a", with: "$b")
            + "server { if ($a0 = x) { return 200 $b0; } }"
        let decision = Engine(try RuleSet(text: rules)).decide(RuleRequest(target: "/p", host: "a.test"))
        #expect(decision.status == 200)
        #expect(decision.body == Array("/p".utf8))
    }
}
