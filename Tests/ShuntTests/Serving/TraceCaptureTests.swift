import Shunt
import Testing

/// The places of captures in a trace.
@Suite struct TraceCaptureTests {
    private func steps(_ rules: String, _ url: String) throws -> [Trace.Step] {
        let (_, trace) = Engine(try RuleSet(text: rules)).explain(RuleRequest(url: url))
        return trace.steps.filter { !$0.captures.isEmpty }
    }

    /// Each capture that is in the subject, cut out of it.
    private func found(_ step: Trace.Step) throws -> [String?] {
        let subject = Array(try #require(step.subject).utf8)
        #expect(step.captureRanges.count == step.captures.count)
        return step.captureRanges.map { $0.map { String(decoding: subject[$0], as: UTF8.self) } }
    }

    @Test("Each capture of a rule has its place, also where its text occurs twice")
    func rules() throws {
        let rewrite = try #require(
            try steps("server { rewrite ^/(a+)/(a+)/(é)$ /$2 break; }", "http://h/aa/aa/é").first
        )
        #expect(rewrite.captures == ["aa", "aa", "é"])
        #expect(try found(rewrite) == ["aa", "aa", "é"])
        #expect(rewrite.captureRanges[0] == 1..<3)
        #expect(rewrite.captureRanges[1] == 4..<6)
    }

    @Test("A test shows its value in a separate text, with the captures in it")
    func conditions() throws {
        let rules = "server { if ($arg_v ~ ^(\\d+)\\.(\\d+)) { return 302 /$1/$2; } }"
        let test = try #require(try steps(rules, "http://h/?v=10.20").first)
        #expect(test.subject == "$arg_v = \"10.20\"")
        #expect(try found(test) == ["10", "20"])
    }

    @Test("Captures of another text than the one that is shown have no place in it")
    func elsewhere() throws {
        let rules = "server { if ($arg_v ~ (x+)) { set $a 1; } if ($uri ~ ^/) { rewrite ^/b /c break; } }"
        for step in try steps(rules, "http://h/b?v=xx") where step.subject?.contains("xx") != true {
            #expect(step.captureRanges.allSatisfy { $0 == nil })
        }
    }

    @Test("A capture that ends within a character has no place in the text")
    func withinCharacters() throws {
        let step = try #require(try steps("server { rewrite ^/(.)(.*)$ /c break; }", "http://h/\u{e9}t").first)
        #expect(try found(step) == [nil, nil])
    }
}
