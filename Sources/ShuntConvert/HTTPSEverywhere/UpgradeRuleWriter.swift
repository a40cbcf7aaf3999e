/// Writes rule sets of HTTPS Everywhere as rule files.
///
/// Each rule set becomes a `match host` with its rules, and its exclusions as an `if` around them. `last` keeps the
/// first rule that matches from being followed by another; the extension goes on after a rule that leaves the URL as
/// it is, but no rule of its own does. Rule sets stand in the order in which the extension looks hosts up; one whose
/// targets belong to several steps stands in each.
struct UpgradeRuleWriter {
    /// A rule file.
    struct File: Hashable {
        var name: String
        var text: String
    }

    /// The number of rule sets in one file.
    static let ruleSetsPerFile = 1_000

    /// The rule sets that could not be converted, with the reasons.
    private(set) var problems: [String] = []
    private var usesDollar = false

    /// The rule files for `ruleSets`, in the order of their names.
    mutating func files(for ruleSets: [UpgradeRuleSet]) -> [File] {
        var steps: [Target.Step: [String]] = [:]
        for ruleSet in ruleSets {
            do throws(ConversionError) {
                for (step, block) in try blocks(for: ruleSet) { steps[step, default: []].append(block) }
            } catch {
                problems.append("\(ruleSet.file): \(error)")
            }
        }
        var files: [File] = []
        let exact = steps.removeValue(forKey: .exact) ?? []
        let wildcards = steps.sorted { $0.key < $1.key }.flatMap(\.value)
        for (prefix, blocks) in [("10-names", exact), ("20-wildcards", wildcards)] {
            for start in stride(from: 0, to: blocks.count, by: Self.ruleSetsPerFile) {
                let number = String(start / Self.ruleSetsPerFile + 101).dropFirst()
                let chunk = blocks[start..<min(start + Self.ruleSetsPerFile, blocks.count)]
                files.append(File(name: "\(prefix)-\(number).conf", text: chunk.joined(separator: "\n")))
            }
        }
        if usesDollar {
            let text = "# A dollar sign, which cannot be written in a replacement.\ngeo $dollar { default \"$\"; }\n"
            files.insert(File(name: "00-dollar.conf", text: text), at: 0)
        }
        return files
    }

    /// The blocks of one rule set, each with the step at which its hosts are looked up.
    private mutating func blocks(
        for ruleSet: UpgradeRuleSet
    ) throws(ConversionError) -> [(Target.Step, String)] {
        var names: [Target.Step: [String]] = [:]
        for text in ruleSet.targets {
            let target = try Target(text)
            names[target.step, default: []].append(RuleWord.quoting(target.matcherName))
        }
        var lines: [String] = []
        for rule in ruleSet.rules {
            let converted = try UpgradeRule(rule)
            if converted.usesDollar { usesDollar = true }
            let words = [converted.expression, converted.replacement].map { RuleWord.quoting($0) }
            lines.append("rewrite_url \(words.joined(separator: " ")) last;")
        }
        guard !lines.isEmpty else { throw ConversionError("there are no rules") }
        if !ruleSet.exclusions.isEmpty {
            let tests = ruleSet.exclusions.map { "$url !~ \(RuleWord.quoting($0, always: true))" }
            let condition = tests.joined(separator: "\n        && ")
            lines = ["if (\(condition)) {"] + lines.map { "    " + $0 } + ["}"]
        }
        let body = lines.map { "    " + $0 + "\n" }.joined()
        return names.sorted { $0.key < $1.key }
            .map { step, names in
                let comment = ruleSet.file.unicodeScalars.map { $0.value < 0x20 ? "?" : String($0) }.joined()
                return (step, "# \(comment)\nmatch host \(Self.list(names)) {\n\(body)}\n")
            }
    }

    /// The names, on several lines where they are many.
    private static func list(_ names: [String]) -> String {
        var lines = [""]
        for name in names {
            if let last = lines.last, !last.isEmpty, last.utf8.count + name.utf8.count > 96 { lines.append("") }
            lines[lines.count - 1] += (lines[lines.count - 1].isEmpty ? "" : " ") + name
        }
        return lines.joined(separator: "\n    ")
    }
}
