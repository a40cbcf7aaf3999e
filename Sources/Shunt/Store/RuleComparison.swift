import ShuntCore
import ShuntRules

/// Compares the rules of two sets, file by file.
///
/// This is not a minimal difference. What both ends have in common is set aside, rules with equal texts in the middle
/// are paired however they moved, and of what is left over the first rule of a directive that went is taken for the
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
        func placed(_ bytes: [UInt8]?) -> [PlacedLine] {
            bytes.map { Self.rules(of: $0, name).map { PlacedLine(line: $0, file: name) } } ?? []
        }
        let before = placed(old)
        changes.previousCount += before.count
        guard old != new else { return }
        compare(before, placed(new))
    }

    /// Compares two lists of directives; the directives in a block follow it.
    mutating func compare(_ before: [PlacedLine], _ after: [PlacedLine]) {
        var start = 0
        while start < before.count, start < after.count, before[start].meaning == after[start].meaning { start += 1 }
        var end = 0
        while end < before.count - start, end < after.count - start,
            before[before.count - 1 - end].meaning == after[after.count - 1 - end].meaning
        {
            end += 1
        }
        let middle = (before[start..<(before.count - end)], after[start..<(after.count - end)])
        let gone = Self.own(middle.0, others: middle.1.lazy.map(\.meaning))
        let shared = zip(middle.0, gone).lazy.filter { !$0.1 }.map { $0.0.meaning }
        let came = Self.own(middle.1, others: shared)
        let earlier = Self.staying(before, without: gone, at: start)
        let current = Self.staying(after, without: came, at: start)
        if let moved = zip(earlier, current).first(where: { $0.0 != $0.1 }) {
            let file = after[moved.1.index].file
            if !changes.reordered.contains(file) { changes.reordered.append(file) }
        }
        record(zip(middle.0, gone).filter { $0.1 }.map { $0.0 }, zip(middle.1, came).filter { $0.1 }.map { $0.0 })
    }

    /// A directive that both lists have: its number in its list, and the directive around it.
    private struct Staying: Equatable {
        let index: Int
        let meaning: String
        /// The number of the directive around it, counted among the directives that stay.
        let parent: Int

        static func == (one: Staying, other: Staying) -> Bool {
            one.meaning == other.meaning && one.parent == other.parent
        }
    }

    private static func staying(_ lines: [PlacedLine], without own: [Bool], at start: Int) -> [Staying] {
        // For each directive its number among the directives that stay, or the number of the one around it that stays.
        var numbers = [Int](repeating: -1, count: lines.count)
        var result: [Staying] = []
        for (index, placed) in lines.enumerated() {
            let outer = placed.line.parent < 0 ? -1 : numbers[Int(placed.line.parent)]
            if index >= start, index - start < own.count, own[index - start] {
                numbers[index] = outer
            } else {
                numbers[index] = result.count
                result.append(Staying(index: index, meaning: placed.meaning, parent: outer))
            }
        }
        return result
    }

    /// For each rule whether it is not among others.
    ///
    /// Of several equal rules, the later ones count as new.
    private static func own(_ rules: ArraySlice<PlacedLine>, others: some Sequence<String>) -> [Bool] {
        var counts: [String: Int] = [:]
        for text in others { counts[text, default: 0] += 1 }
        return rules.map { rule in
            guard let count = counts[rule.meaning], count > 0 else { return true }
            counts[rule.meaning] = count - 1
            return false
        }
    }

    private mutating func record(_ gone: [PlacedLine], _ came: [PlacedLine]) {
        // A file that is included twice has its rules at one place.
        let (gone, came) = (Self.once(gone), Self.once(came))
        var candidates: [Substring: [Int]] = [:]
        for index in came.indices.reversed() { candidates[came[index].line.keyword, default: []].append(index) }
        var isPaired = [Bool](repeating: false, count: came.count)
        for rule in gone {
            if let index = candidates[rule.line.keyword]?.popLast() {
                isPaired[index] = true
                changes.editedCount += 1
                if changes.edited.count < RuleChanges.listLimit {
                    changes.edited.append(RuleChanges.Edit(before: rule.rule, after: came[index].rule))
                }
            } else {
                changes.removedCount += 1
                if changes.removed.count < RuleChanges.listLimit { changes.removed.append(rule.rule) }
            }
        }
        for (index, rule) in came.enumerated() where !isPaired[index] {
            changes.addedCount += 1
            if changes.added.count < RuleChanges.listLimit { changes.added.append(rule.rule) }
        }
    }

    private static func once(_ lines: [PlacedLine]) -> [PlacedLine] {
        var places: Set<SourceLocation> = []
        return lines.filter { places.insert($0.rule.location).inserted }
    }

    private static func rules(of bytes: [UInt8], _ name: String) -> [DirectiveLine] {
        name.hasSuffix(".conf") ? DirectiveLine.directives(of: bytes) : DirectiveLine.lines(of: bytes)
    }
}

/// A directive with the name of its file.
struct PlacedLine {
    var line: DirectiveLine
    var file: String

    var meaning: String { line.meaning }

    var rule: RuleChanges.Rule {
        RuleChanges.Rule(
            text: line.text,
            location: SourceLocation(file: file, line: Int(line.line), column: Int(line.column))
        )
    }
}
