import SeededRandom
import Shunt
import Testing

/// Rules on whole URLs that an index passes over together, with the tests between them, decide as they do one by one.
@Suite("Rules that are passed over together")
struct QuietRulesTests {
    /// Runs of rules with tests between them, of which many match one URL.
    private static let rules: String = {
        var lines = ["input $version 0;", "input $device;", "split_clients $device $share { 50% a; * b; }"]
        lines += ["rename_host old.test new.test;", "rename_host ~^m(\\d+)\\.test$ s$1.test;", "set $seen 0;"]
        for number in 0..<12 {
            lines.append("if ($version < 3.\(number).0) {")
            lines.append("    rewrite_url ^(https?://[^/]+)/part\(number)/(.*)$ $1/part\(number + 1)/$2;")
            lines.append("    degrade ^~ kl://Page\(number)/ https://m.test/\(number);")
            lines.append("} else if ($share = a && $seen = 0) {")
            lines.append("    if ($version != 4.\(number)) { block ~ /part\(number)/x; }")
            lines.append("} else {")
            lines.append(
                "    match host *.new.test s\(number).test { set $seen \(number); rewrite_url /step(\\d+) /part$1/x; }"
            )
            lines.append("}")
            lines.append("block = https://new.test/part\(number)/stop 4\(10 + number);")
            lines.append("if ($url ~ /skip\(number)/) { break; }")
            lines.append("match ~ \(number)$ { remove_args a\(number); }")
        }
        return lines.joined(separator: "\n")
    }()

    @Test("They decide as they do one by one, and as a trace shows", arguments: 1...6)
    func agreement(seed: UInt64) throws {
        let rules = try RuleSet(text: Self.rules)
        var options = Engine.Options()
        options.isLinear = true
        let (engine, linear) = (Engine(rules), Engine(rules, options: options))
        var generator = SeededGenerator(seed: seed)
        func pick(_ choices: [String]) -> String { choices.randomElement(using: &generator) ?? "" }
        var kinds = Set<Decision.Kind>()
        for _ in 0..<600 {
            let scheme = pick(["https://", "http://", "kl://", "HTTPS://"])
            let host = pick(["old.test", "new.test", "a.new.test", "m3.test", "s4.test", "Page\(seed)", "n%65w.test"])
            var url = scheme + host
            for _ in 0..<Int.random(in: 0...3, using: &generator) {
                let number = Int.random(in: 0...12, using: &generator)
                url += pick([
                    "/part\(number)", "/skip\(number)", "/step\(number)", "/x", "/stop", "/%70art\(number)", "",
                ])
            }
            url += pick(["", "/", "/x", "/stop", "?a1=1&a2=2", "?b=\(seed)"])
            var request = RuleRequest(url: url)
            request.inputs = [
                "version": pick(["0", "3.1", "3.5.0", "3.10.0-beta", "4.2", "9.9.9"]),
                "device": pick(["", "a", "b", "c"]),
            ]
            let decision = engine.decide(request)
            #expect(decision == linear.decide(request), "\(url) \(request.inputs)")
            #expect(decision == engine.explain(request).decision, "\(url) \(request.inputs)")
            kinds.insert(decision.kind)
        }
        #expect(kinds.count >= 3)
    }
}
