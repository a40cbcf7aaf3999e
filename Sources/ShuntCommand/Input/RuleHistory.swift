import Shunt
import ShuntTools

/// The decisions of the revisions of a rule set in a git repository about one request.
struct RuleHistory {
    /// A revision after which the outcome was another one, or whose rules do not load.
    struct Entry {
        var revision: String
        var date: String
        var author: String
        var subject: String
        /// The outcome from this revision on; nil where the rules do not load.
        var decision: Decision?
    }

    /// The most revisions that are read, from the newest on.
    static let limit = 1_000
    /// The most bytes of the list of revisions.
    private static let outputLimit = 16 << 20

    /// The changes, the newest first; the last is the oldest revision that was read.
    private(set) var entries: [Entry] = []
    private(set) var revisions = 0

    /// Reads the revisions up to `git:REVISION:PATH`; throws a `Problem` when there is no such history.
    init(_ side: String, _ request: RuleRequest, load: (String) throws -> LoadedRules) throws {
        let parts = side.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, parts[0] == "git", !parts[1].isEmpty, !parts[1].hasPrefix("-"), !parts[2].isEmpty else {
            throw Problem("a history needs git:REVISION:PATH, not \(side)")
        }
        let format = "--format=%H%x09%as%x09%an%x09%s"
        let command = ["git", "log", "--max-count=\(Self.limit)", format, parts[1], "--", parts[2]]
        let output = try RuleSide(text: side).output(of: command, limit: Self.outputLimit)
        var found: [Entry] = []
        for line in String(decoding: output, as: UTF8.self).split(separator: "\n").reversed() {
            let fields = line.split(separator: "\t", maxSplits: 3, omittingEmptySubsequences: false).map(String.init)
            guard fields.count == 4 else { continue }
            revisions += 1
            let rules = try? load("git:\(fields[0]):\(parts[2])")
            let decision = rules.map { Engine($0.ruleSet).decide(request) }
            if let last = found.last {
                switch (last.decision, decision) {
                case (nil, nil): continue
                case (let old?, let new?) where OutcomeChange(from: old, to: new) == nil: continue
                default: break
                }
            }
            found.append(
                Entry(revision: fields[0], date: fields[1], author: fields[2], subject: fields[3], decision: decision)
            )
        }
        entries = found.reversed()
    }

    var text: String {
        var lines: [String] = []
        for entry in entries {
            let outcome = entry.decision.map(OutcomeList.text) ?? "the rules do not load"
            lines.append("\(entry.date)  \(entry.revision.prefix(12))  \(outcome)")
            lines.append("    \(ShownBytes.text(entry.author)): \(ShownBytes.text(entry.subject))")
        }
        let count = entries.count - 1
        lines.append("\(count) change\(count == 1 ? "" : "s") in \(revisions) revision\(revisions == 1 ? "" : "s")")
        return lines.map { $0 + "\n" }.joined()
    }

    var json: [UInt8] {
        entries.flatMap { entry -> [UInt8] in
            let object: JSONObject = [
                "revision": entry.revision, "date": entry.date, "author": entry.author, "subject": entry.subject,
                "decision": entry.decision.map { DecisionJSON.object($0) },
            ]
            return object.line
        }
    }
}
