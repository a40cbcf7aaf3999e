/// The literals that a subject must contain for a pattern to match it: one of several branches, and of a branch all its
/// lists.
///
/// All strings are without ASCII capitals, and hold for a subject whose capitals were made small. A pattern that is not
/// understood, or of which some branch has no usable literal, has no branches but a reason.
struct LiteralAnalysis {
    /// One alternative of the whole pattern.
    struct Branch {
        /// The subject begins with one of these; nil when nothing is known.
        var prefixes: [[UInt8]]?
        /// The subject, or the subject without one final LF, ends with one of these; nil when nothing is known.
        var suffixes: [[UInt8]]?
        /// The lists, of each of which one literal is in the subject.
        var required: [[[UInt8]]] = []
    }

    private(set) var branches: [Branch] = []
    /// The reason why the pattern has to be tried on every subject; nil when it has branches.
    private(set) var reason: String?

    /// A branch of a pattern with more alternatives than this is not read on its own.
    static let mostBranches = 512
    /// The shortest literal worth looking for when it may be anywhere.
    static let shortestInnerLiteral = 2

    init(_ expression: RegularExpression) {
        let pattern: PatternNode
        do throws(NotUnderstood) {
            pattern = try PatternParser.parse(expression.pattern, caseless: expression.caseless)
        } catch {
            self.init(reason: "\(error.what) at offset \(error.offset) is not followed by the index")
            return
        }
        self.init(pattern)
    }

    private init(reason: String) { self.reason = reason }

    init(_ pattern: PatternNode) {
        for node in Self.alternatives(pattern) {
            let branch = Branch(LiteralFacts(node))
            if let reason = branch.reason {
                self.reason = reason
                branches = []
                return
            }
            branches.append(branch)
        }
    }

    /// The alternatives of a pattern that is one choice, perhaps inside groups.
    private static func alternatives(_ node: PatternNode) -> [PatternNode] {
        switch node {
        case .choice(let branches) where branches.count <= mostBranches: branches
        case .capture(let inner, _), .atomic(let inner): alternatives(inner)
        default: [node]
        }
    }
}

extension LiteralAnalysis.Branch {
    init(_ facts: LiteralFacts) {
        if facts.startsAtStart, LiteralFacts.shortest(facts.prefixes) > 0 {
            prefixes = Self.withoutCovered(facts.prefixes)
        }
        if facts.endsAtEnd, LiteralFacts.shortest(facts.suffixes) > 0 {
            if facts.suffixes.count == 1 {
                suffixes = facts.suffixes
            } else {
                let reversed = facts.suffixes.map { [UInt8]($0.reversed()) }
                suffixes = Self.withoutCovered(reversed).map { [UInt8]($0.reversed()) }
            }
        }
        for list in facts.required { require(list) }
        if let exact = facts.exact { require(exact) }
    }

    private mutating func require(_ list: [[UInt8]]) {
        guard LiteralFacts.shortest(list) >= LiteralAnalysis.shortestInnerLiteral else { return }
        let minimal = Self.withoutCovered(list)
        if minimal == prefixes || Self.same(list, suffixes) || required.contains(minimal) { return }
        required.append(minimal)
    }

    private static func same(_ list: [[UInt8]], _ other: [[UInt8]]?) -> Bool {
        guard let other, list.count == other.count else { return false }
        return list == other || Set(list) == Set(other)
    }

    /// The strings that do not begin with another of them.
    private static func withoutCovered(_ strings: [[UInt8]]) -> [[UInt8]] {
        guard strings.count > 1 else { return strings }
        var kept: [[UInt8]] = []
        for string in strings.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            if let last = kept.last, string.starts(with: last) { continue }
            kept.append(string)
        }
        return kept
    }

    /// The reason why the branch is of no use to the index; nil when it is of use.
    var reason: String? {
        if !required.isEmpty { return nil }
        if let suffixes, suffixes.allSatisfy({ $0.count >= 2 || $0 != [UInt8(ascii: "/")] }) { return nil }
        guard let prefixes else {
            return suffixes == nil
                ? "no fixed text in every match" : "no fixed text but \"/\" at the end"
        }
        if prefixes.contains([UInt8(ascii: "/")]) { return "no fixed text but \"/\" at the start" }
        return nil
    }
}
