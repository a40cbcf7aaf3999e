import Shunt
import ShuntCore
import Testing

/// Comparisons with the clock read no text, and a trace reads it: both have the same result.
@Suite("Comparisons with the clock")
struct ClockComparisonTests {
    private static let moments = [
        "0000-01-01T00:00:00Z", "1969-12-31T23:59:59.999Z", "1970-01-01T00:00:00Z", "2026-11-22T23:59:59.4Z",
        "2026-11-23T00:00:00Z", "2026-11-23T00:00:00.0005Z", "2026-11-23T00:00:00.25Z", "2026-11-23T00:00:00.5Z",
        "2026-11-23T09:30:00Z", "2026-11-23T23:59:59.999999999Z", "9999-12-31T23:59:59Z",
    ]
    private static let tests: [String] =
        ["time", "time_iso8601", "time_local", "msec"]
        .flatMap { name in
            ["2026-11-23", "2026-11-23T00:00:00.25Z", "1970-01-01T00:00:00Z", "9999-12-31"]
                .map { "$\(name) OPERATOR \($0)" }
        } + ["$time_of_day OPERATOR 09:30", "$time_of_day OPERATOR 00:00", "$time_of_day OPERATOR 24:00"]

    @Test("A decision is that of its trace, at each moment and in each zone", arguments: ["Z", "+08:00", "-03:30"])
    func traces(_ zone: String) throws {
        var held = 0
        for test in Self.tests {
            for name in ["<", "<=", ">", ">="] {
                let test = test.replacing("OPERATOR", with: name)
                let engine = Engine(try RuleSet(text: "timezone \(zone); if (\(test)) { block ~ . 410; }"))
                for text in Self.moments {
                    var request = RuleRequest(url: "kl://a")
                    request.time = try Timestamp(text)
                    let decision = engine.decide(request)
                    #expect(decision == engine.explain(request).decision, "\(test) at \(text)")
                    if decision.kind == .block { held += 1 }
                }
            }
        }
        #expect(held > 200)
    }

    @Test("$date_gmt is the time in the form that nginx has for it")
    func dateGMT() throws {
        let engine = Engine(try RuleSet(text: "timezone +08:00; server { return 200 \"$date_gmt\"; }"))
        var request = RuleRequest(target: "/", host: "a.test")
        request.time = try Timestamp("2026-11-30T20:21:54Z")
        #expect(engine.decide(request).body == Array("Monday, 30-Nov-2026 20:21:54 GMT".utf8))
    }
}
