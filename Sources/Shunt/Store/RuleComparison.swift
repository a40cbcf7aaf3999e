import ShuntCore
import ShuntRules

/// Compares the rules of two sets, file by file.
///
/// This is no minimal difference. What both ends have in common is set aside, rules with equal texts in the middle are
/// paired however they moved, and of what is left over the first rule of a directive that went is taken for the
/// first of the same directive that came. That is linear, and right for the edits that people make.
struct RuleComparison {
    var changes = RuleChanges()

    /// The contents of an archive's files by path.
    static func files(of archive: RuleArchive) -> [String: [UInt8]] {
        archive.entries.compactMapValues { entry in
            if case .file(let bytes) = entry { bytes } else { nil }
        }
    }

    /// The files of the old set; a file that was only renamed has its new name.
    ///
    /// A name that moves a file past another one is another order, and no renaming.
    static func renamed(_ before: [String: [UInt8]], as after: [String: [UInt8]]) -> [String: [UInt8]] {
        var files = before
        let shared = before.keys.filter { after[$0] != nil }
        let came = after.filter { before[$0.key] == nil }
        let names = Dictionary(grouping: came.keys.sorted()) { rules(of: came[$0] ?? [], $0).map(\.text) }
        var last = ""
        for (name, bytes) in before.sorted(by: { $0.key < $1.key }) where after[name] == nil {
            let found = names[rules(of: bytes, name).map(\.text)]?
                .first { other in other > last && shared.allSatisfy { ($0 < name) == ($0 < other) } }
            guard let found else { continue }
            files[name] = nil
            files[found] = bytes
            last = found
        }
        return files
    }

    mutating func compare(_ name: String, old: [UInt8]?, new: [UInt8]?) {
        let before = old.map { Self.rules(of: $0, name) } ?? []
        changes.previousCount += before.count
        guard old != new else { return }
        let after = new.map { Self.rules(of: $0, name) } ?? []
        var start = 0
        while start < before.count, start < after.count, before[start].text == after[start].text { start += 1 }
        var end = 0
        while end < before.count - start, end < after.count - start,
            before[before.count - 1 - end].text == after[after.count - 1 - end].text
        {
            end += 1
        }
        compare(name, before: before[start..<(before.count - end)], after: after[start..<(after.count - end)])
    }

    private mutating func compare(_ name: String, before: ArraySlice<DirectiveLine>, after: ArraySlice<DirectiveLine>) {
        let (staying, gone) = Self.apart(before, others: after.map(\.text))
        let (stayed, came) = Self.apart(after, others: staying)
        if staying != stayed { changes.reordered.append(name) }
        record(name, gone: gone, came: came)
    }

    /// The texts of rules that are among others, and the rules that are not.
    ///
    /// Of several equal rules, the later ones count as new.
    private static func apart(_ rules: ArraySlice<DirectiveLine>, others: [String]) -> (
        shared: [String], own: [DirectiveLine]
    ) {
        var counts: [String: Int] = [:]
        for text in others { counts[text, default: 0] += 1 }
        var shared: [String] = []
        var own: [DirectiveLine] = []
        for rule in rules {
            if let count = counts[rule.text], count > 0 {
                counts[rule.text] = count - 1
                shared.append(rule.text)
            } else {
                own.append(rule)
            }
        }
        return (shared, own)
    }

    private mutating func record(_ name: String, gone: [DirectiveLine], came: [DirectiveLine]) {
        var candidates: [Substring: [Int]] = [:]
        for index in came.indices.reversed() { candidates[came[index].keyword, default: []].append(index) }
        var isPaired = [Bool](repeating: false, count: came.count)
        for rule in gone {
            let old = Self.rule(rule, name)
            if let index = candidates[rule.keyword]?.popLast() {
                isPaired[index] = true
                changes.editedCount += 1
                if changes.edited.count < RuleChanges.listLimit {
                    changes.edited.append(RuleChanges.Edit(before: old, after: Self.rule(came[index], name)))
                }
            } else {
                changes.removedCount += 1
                if changes.removed.count < RuleChanges.listLimit { changes.removed.append(old) }
            }
        }
        for (index, rule) in came.enumerated() where !isPaired[index] {
            changes.addedCount += 1
            if changes.added.count < RuleChanges.listLimit { changes.added.append(Self.rule(rule, name)) }
        }
    }

    private static func rule(_ line: DirectiveLine, _ name: String) -> RuleChanges.Rule {
        let location = SourceLocation(file: name, line: Int(line.line), column: Int(line.column))
        return RuleChanges.Rule(text: line.text, location: location)
    }

    private static func rules(of bytes: [UInt8], _ name: String) -> [DirectiveLine] {
        name.hasSuffix(".conf") ? DirectiveLine.directives(of: bytes) : DirectiveLine.lines(of: bytes)
    }
}
