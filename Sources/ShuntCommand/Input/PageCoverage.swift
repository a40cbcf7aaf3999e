#if Gateway && Command
import Shunt
import ShuntAnalysis

/// The coverage of rules by their tests, for the page.
enum PageCoverage {
    /// The most places without a test that are listed.
    private static let limit = 1_000

    /// Makes the tests that the rules bring along, and those beside them.
    ///
    /// - Returns: A JSON object; with the member `problem` where the rules or their tests cannot be read.
    static func bytes(_ path: String, trusting trusted: [String], ignoringUnknownDirectives: Bool) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        do throws(RuleSetError) {
            let ruleSet = try RuleSet(
                collectingTestsAt: path,
                trusting: trusted,
                ignoringUnknownDirectives: ignoringUnknownDirectives
            )
            var sources = TestSources(ruleSet, host: nil)
            sources.addBeside(path)
            if let problem = sources.problems.first {
                writer.member("problem", "\(problem.location): \(problem.message)")
            }
            var options = RuleTests.Options()
            options.time = Timestamp.now()
            options.collectsCoverage = true
            write(RuleTests(ruleSet, sources.cases, options: options).run(), to: &writer)
        } catch {
            writer.member("problem", "the rules do not load")
        }
        writer.endObject()
        writer.newline()
        return writer.bytes
    }

    private static func write(_ report: TestReport, to writer: inout JSONWriter) {
        let items = report.coverage?.items ?? []
        writer.member("tests", report.outcomes.count)
        writer.member("failed", report.count(.failed))
        writer.member("targets", items.count)
        writer.member("reached", items.count { $0.isCovered })
        writer.name("missing")
        writer.array { writer in
            for item in items.filter({ !$0.isCovered }).prefix(limit) {
                writer.object { writer in
                    writer.member("rule", item.location.description)
                    writer.member("kind", item.kind.rawValue)
                    writer.member("text", item.part.map { "\(item.text): \($0)" } ?? item.text)
                }
            }
        }
    }
}
#endif
