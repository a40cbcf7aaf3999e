#if Gateway
import Shunt
import ShuntPatterns

/// One expression, tried on one text as rules try it.
enum ExpressionTrial {
    /// Returns whether an expression matches, and the groups that took part, as JSON.
    ///
    /// - Parameters:
    ///   - expression: The expression, in PCRE2's syntax.
    ///   - subject: The text.
    ///   - caseless: True to match letters without regard to case.
    /// - Returns: `matches` with `groups`, each with its `number`, `name`, `text` and `range` in bytes; or `problem`.
    static func report(_ expression: [UInt8], on subject: [UInt8], caseless: Bool) -> [UInt8] {
        let pattern: RegularExpression
        do throws(PatternError) {
            pattern = try RegularExpression(expression, caseless: caseless)
        } catch {
            return (["problem": error.message, "offset": error.offset] as JSONObject).line
        }
        let scratch = MatchScratch()
        var report: JSONObject =
            switch pattern.match(subject.span, scratch: scratch) {
            case .matched: ["matches": true, "groups": groups(of: pattern, subject, scratch)]
            case .noMatch: ["matches": false]
            case .limitExceeded: ["problem": "the match takes too many steps: a request with this text fails with 500"]
            }
        if let slowness = pattern.slowness { report = report.adding(["slowness": slowness]) }
        return report.line
    }

    private static func groups(
        of pattern: RegularExpression,
        _ subject: [UInt8],
        _ scratch: MatchScratch
    ) -> [JSONObject] {
        (0...pattern.captureCount)
            .compactMap { number in
                guard let range = scratch.capture(number) else { return nil }
                let (start, end) = (Int(range.start), Int(range.end))
                return [
                    "number": number,
                    "name": pattern.captureNames.first { $0.number == number }
                        .map { String(decoding: $0.name, as: UTF8.self) },
                    "text": String(decoding: subject[start..<end], as: UTF8.self),
                    "range": [start, end],
                ]
            }
    }
}
#endif
