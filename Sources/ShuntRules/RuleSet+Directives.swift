import ShuntCore

extension RuleSet {
    /// The directives of all files, with what an `include` names in its place; files that nothing includes come one after another.
    ///
    /// A directive that several files include stands there as often.
    package func directives() -> [Directive] {
        var reader = IncludedDirectives(files)
        return reader.directives()
    }
}

/// Reads files that were loaded before once more, for tools.
private struct IncludedDirectives {
    private let files: [RuleFile]
    private let budget = WordBudget(RuleLimits.words)
    private var included: Set<Int> = []
    private var open: [Int] = []

    init(_ files: [RuleFile]) {
        self.files = files
    }

    mutating func directives() -> [Directive] {
        let all = files.indices.map { ($0, directives(of: $0)) }
        return all.filter { !included.contains($0.0) }.flatMap(\.1)
    }

    private mutating func directives(of index: Int) -> [Directive] {
        guard !open.contains(index), open.count < RuleLimits.includeDepth else { return [] }
        open.append(index)
        defer { open.removeLast() }
        let number = Int32(truncatingIfNeeded: index)
        var parser = Parser(file: files[index], index: number, startingAt: 0, nesting: 0, budget: budget)
        parser.parse { path, _ in
            var found: [Directive] = []
            for other in files.indices where names(other, path.text) {
                included.insert(other)
                found += directives(of: other)
            }
            return found
        }
        return parser.directives
    }

    /// Whether an `include` of a path reads a file: it has the path, or the path behind the directory of the rules.
    private func names(_ index: Int, _ path: String) -> Bool {
        let name = files[index].name
        if name == path { return true }
        let wanted = path.split(separator: "/").filter { $0 != "." }.count
        let components = name.split(separator: "/")
        guard !path.hasPrefix("/"), components.count >= wanted, wanted > 0 else { return false }
        return IncludePattern.matches(path: components.suffix(wanted).joined(separator: "/"), path)
    }
}
