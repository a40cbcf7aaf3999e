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
        let gone = before.filter { after[$0.key] == nil }
        guard !gone.isEmpty else { return before }
        func meanings(_ bytes: [UInt8]?, _ name: String) -> [RuleLine.Meaning] {
            bytes.map { RuleLines($0, name).lines.map(\.meaning) } ?? []
        }
        var files = before
        let shared = before.keys.filter { after[$0] != nil }
        let came = after.filter { before[$0.key] == nil }
        let names = Dictionary(grouping: came.keys.sorted()) { meanings(came[$0], $0) }
        var last = ""
        for (name, bytes) in gone.sorted(by: { $0.key < $1.key }) {
            let found = names[meanings(bytes, name)]?
                .first { other in other > last && shared.allSatisfy { ($0 < name) == ($0 < other) } }
            guard let found else { continue }
            files[name] = nil
            files[found] = bytes
            last = found
        }
        return files
    }

    mutating func compare(_ name: String, old: [UInt8]?, new: [UInt8]?) {
        let before = old.map { RuleLines($0, name) } ?? RuleLines()
        changes.previousCount += before.lines.count
        guard old != new else { return }
        compare(before, new.map { RuleLines($0, name) } ?? RuleLines())
    }

    /// Compares two lists of directives; the directives in a block follow it.
    mutating func compare(_ old: RuleLines, _ new: RuleLines) {
        let (before, after) = (old.lines, new.lines)
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
        if let moved = Self.moved(from: (before, gone), to: (after, came), at: start) {
            let file = new.files[Int(after[moved].place.file)].name
            if !changes.reordered.contains(file) { changes.reordered.append(file) }
        }
        record(
            old.choosing(zip(middle.0, gone).lazy.filter { $0.1 }.map { $0.0 }),
            new.choosing(zip(middle.1, came).lazy.filter { $0.1 }.map { $0.0 })
        )
    }

    /// A directive that both lists have: its number in its list, and the directive around it.
    private struct Staying: Equatable {
        let index: Int32
        /// The number of the directive around it, counted among the directives that stay.
        let parent: Int32
        let meaning: RuleLine.Meaning

        static func == (one: Staying, other: Staying) -> Bool {
            one.meaning == other.meaning && one.parent == other.parent
        }
    }

    /// The number of the first directive of the second list that stays, and is elsewhere than in the first.
    private static func moved(
        from before: (lines: [RuleLine], own: [Bool]),
        to after: (lines: [RuleLine], own: [Bool]),
        at start: Int
    ) -> Int? {
        let earlier = staying(before.lines, without: before.own, at: start)
        let current = staying(after.lines, without: after.own, at: start)
        return zip(earlier, current).first { $0.0 != $0.1 }.map { Int($0.1.index) }
    }

    private static func staying(_ lines: [RuleLine], without own: [Bool], at start: Int) -> [Staying] {
        // For each directive its number among the directives that stay, or the number of the one around it that stays.
        var numbers = [Int32](repeating: -1, count: lines.count)
        var result: [Staying] = []
        result.reserveCapacity(lines.count)
        for (index, line) in lines.enumerated() {
            let outer = line.parent < 0 ? -1 : numbers[Int(line.parent)]
            if index >= start, index - start < own.count, own[index - start] {
                numbers[index] = outer
            } else {
                numbers[index] = Int32(clamping: result.count)
                result.append(Staying(index: Int32(clamping: index), parent: outer, meaning: line.meaning))
            }
        }
        return result
    }

    /// For each rule whether it is not among others.
    ///
    /// Of several equal rules, the later ones count as new.
    private static func own(_ rules: ArraySlice<RuleLine>, others: some Sequence<RuleLine.Meaning>) -> [Bool] {
        var counts: [RuleLine.Meaning: Int32] = [:]
        for meaning in others { counts[meaning, default: 0] &+= 1 }
        return rules.map { rule in
            guard let count = counts[rule.meaning], count > 0 else { return true }
            counts[rule.meaning] = count - 1
            return false
        }
    }

    private mutating func record(_ gone: RuleLines, _ came: RuleLines) {
        // For each keyword the first of its rules that came and is in no pair, and for each of these the next one.
        var first: [Int: Int32] = [:]
        var next = [Int32](repeating: -1, count: came.lines.count)
        for index in came.lines.indices.reversed() where !gone.lines.isEmpty {
            let keyword = came.lines[index].keyword
            next[index] = first[keyword] ?? -1
            first[keyword] = Int32(clamping: index)
        }
        var isPaired = [Bool](repeating: false, count: came.lines.count)
        for rule in gone.lines {
            if let index = first[rule.keyword].map({ Int($0) }), came.lines.indices.contains(index) {
                first[rule.keyword] = next[index]
                isPaired[index] = true
                changes.editedCount += 1
                if changes.edited.count < RuleChanges.listLimit {
                    let edit = RuleChanges.Edit(before: gone.rule(of: rule), after: came.rule(of: came.lines[index]))
                    changes.edited.append(edit)
                }
            } else {
                changes.removedCount += 1
                if changes.removed.count < RuleChanges.listLimit { changes.removed.append(gone.rule(of: rule)) }
            }
        }
        for (rule, isPaired) in zip(came.lines, isPaired) where !isPaired {
            changes.addedCount += 1
            if changes.added.count < RuleChanges.listLimit { changes.added.append(came.rule(of: rule)) }
        }
    }
}
