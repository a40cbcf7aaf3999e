import Foundation
import Measurement

/// The results of a run, which are written as JSON, and read as the baseline of a later run.
struct Results: Codable {
    /// One contestant on one kind of URLs.
    struct Entry: Codable {
        /// The name of the workload, such as `mixed`.
        var workload: String
        /// The number of rules.
        var rules: Int
        /// The kind of URLs, such as `miss-near`.
        var urls: String
        /// The contestant.
        var contestant: String
        /// Nanoseconds of processor time for one lookup; for servers above their own cost without rules.
        var nanoseconds: Statistics
        /// The ratio to the cost of the first contestant of the race, round by round.
        var timesFirst: Double?
        /// The share of lookups that matched a rule.
        var matches: Double

        var key: String { "\(workload) \(rules) \(urls) \(contestant)" }
    }

    /// Rules that were loaded in a separate process.
    struct Load: Codable {
        var workload: String
        var rules: Int
        /// Processor time, the median of the runs.
        var seconds: Double
        /// Allocated after loading, and not before.
        var liveBytes: Int
        /// The most memory while loading, above that before.
        var peakBytes: Int

        var key: String { "\(workload) \(rules)" }
    }

    /// A goal of the project, and whether this run meets it.
    struct Goal: Codable {
        var name: String
        var value: Double
        var bound: Double
        /// True if the value has to be at most the bound; else at least.
        var isUpperBound: Bool

        var isMet: Bool { isUpperBound ? value <= bound : value >= bound }
    }

    /// The time a contestant took to compile the rules.
    struct Compilation: Codable {
        var workload: String
        var rules: Int
        var contestant: String
        var seconds: Double
        var bytes: Int?
    }

    var date = ISO8601DateFormatter().string(from: Date())
    var machine = Machine()
    var versions: [String: String] = [:]
    var isQuick = false
    var entries: [Entry] = []
    var compilations: [Compilation] = []
    var loads: [Load] = []
    var goals: [Goal] = []
    /// The number of real rules, 0 without.
    var realRules = 0
    /// The contestants that did not take part, with the reasons.
    var skipped: [String] = []

    /// The measurements of a contestant.
    func entry(_ workload: String, _ rules: Int, _ urls: String, _ contestant: String = "Shunt") -> Entry? {
        entries.first {
            $0.workload == workload && $0.rules == rules && $0.urls == urls && $0.contestant == contestant
        }
    }

    /// The median of a contestant, in nanoseconds.
    func median(_ workload: String, _ rules: Int, _ urls: String, _ contestant: String = "Shunt") -> Double? {
        entry(workload, rules, urls, contestant)?.nanoseconds.median
    }

    /// Reads the results of an earlier run.
    static func read(_ path: String) throws -> Results {
        try JSONDecoder().decode(Results.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
    }

    /// Writes the results as JSON.
    func write(to path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf",
            negativeInfinity: "-inf",
            nan: "nan"
        )
        try encoder.encode(self).write(to: URL(fileURLWithPath: path))
    }
}
