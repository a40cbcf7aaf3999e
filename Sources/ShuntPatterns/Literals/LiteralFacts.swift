/// The facts about every match of a part of a pattern, with ASCII capitals made small.
///
/// Each list of strings is an alternative: one of them is there. A list with the empty string is not a fact.
struct LiteralFacts {
    /// All texts that it can match, where they are few; a superset of them is as good.
    var exact: [[UInt8]]?
    var prefixes: [[UInt8]]
    var suffixes: [[UInt8]]
    /// Lists of which each has a member somewhere in the match.
    var required: [[[UInt8]]]
    /// True if a match begins where the subject begins.
    var startsAtStart = false
    /// True if a match ends where the subject ends, or before its final LF.
    var endsAtEnd = false

    /// Lists grow by combination up to this many strings.
    static let mostStrings = 64
    /// A list that grows by one string at its front or back only may be this long.
    static let mostStringsOfOneList = 2048
    /// The most bytes of all strings of one list.
    static let mostBytes = 32 * 1024
    /// The longest string; what is longer is cut where that is still true.
    static let longestString = 240
    /// A class of at most this many bytes counts as a list of one-byte strings.
    static let largestClass = 4

    static let nothing = LiteralFacts(exact: nil, prefixes: [[]], suffixes: [[]], required: [])
    static let emptyMatch = LiteralFacts(exact: [[]])

    init(exact: [[UInt8]]?, prefixes: [[UInt8]], suffixes: [[UInt8]], required: [[[UInt8]]]) {
        self.exact = exact
        self.prefixes = prefixes
        self.suffixes = suffixes
        self.required = required
    }

    init(exact: [[UInt8]]) { self.init(exact: exact, prefixes: exact, suffixes: exact, required: []) }

    /// The facts of a whole pattern or of one of its parts.
    init(_ node: PatternNode) {
        switch node {
        case .choice(let branches): self.init(choice: branches)
        case .repeated(let inner, let minimum, let maximum, _):
            self.init(repeating: inner, minimum: minimum, maximum: maximum)
        default:
            var run = LiteralRun()
            run.append(node)
            self = run.finish()
        }
    }

    private init(choice branches: [PatternNode]) {
        let facts = branches.map { LiteralFacts($0) }
        var exact: [[UInt8]]? = []
        var prefixes: [[UInt8]] = []
        var suffixes: [[UInt8]] = []
        for fact in facts {
            if let known = fact.exact, exact != nil { exact?.append(contentsOf: known) } else { exact = nil }
            prefixes += fact.prefixes
            suffixes += fact.suffixes
        }
        if let known = exact, !Self.isAcceptable(known) { exact = nil }
        if !Self.isAcceptable(prefixes) { prefixes = [[]] }
        if !Self.isAcceptable(suffixes) { suffixes = [[]] }
        self.init(exact: exact.map(Self.unique), prefixes: prefixes, suffixes: suffixes, required: [])
        if exact == nil, let list = Self.requiredOfAll(facts) { required = [list] }
        startsAtStart = facts.allSatisfy(\.startsAtStart)
        endsAtEnd = facts.allSatisfy(\.endsAtEnd)
    }

    /// One list for a choice, of the best list of each branch; nil when a branch has none.
    private static func requiredOfAll(_ facts: [LiteralFacts]) -> [[UInt8]]? {
        var strings: [[UInt8]] = []
        for fact in facts {
            let lists = fact.required + [fact.exact ?? fact.prefixes]
            let best = lists.max { shortest($0) < shortest($1) }
            guard let best, shortest(best) > 0 else { return nil }
            strings += best
        }
        return isAcceptable(strings) ? unique(strings) : nil
    }

    private init(repeating inner: PatternNode, minimum: Int, maximum: Int?) {
        guard maximum != 0 else {
            self = .emptyMatch
            return
        }
        let facts = LiteralFacts(inner)
        if minimum == 0 {
            guard let exact = facts.exact, maximum == 1 || exact == [[]] else {
                self = .nothing
                return
            }
            self.init(exact: Self.unique(exact + [[]]))
            return
        }
        // The first copies, then the rest of them unless these were all.
        let copies = facts.exact == nil ? 1 : min(minimum, 4)
        var run = LiteralRun()
        for _ in 0..<copies { run.append(facts) }
        self = run.finish()
        if maximum != copies, facts.exact != [[]] {
            if let exact, Self.shortest(exact) > 0 { required.append(exact) }
            exact = nil
        }
    }

    // MARK: Lists of strings

    static func shortest(_ strings: [[UInt8]]) -> Int {
        var shortest = Int.max
        for string in strings { shortest = min(shortest, string.count) }
        return strings.isEmpty ? 0 : shortest
    }

    static func isAcceptable(_ strings: [[UInt8]]) -> Bool {
        var total = 0
        for string in strings { total += string.count }
        return strings.count <= mostStringsOfOneList && total <= mostBytes
    }

    static func unique(_ strings: [[UInt8]]) -> [[UInt8]] {
        if strings.count < 2 { return strings }
        if strings.count <= 8 {
            var kept: [[UInt8]] = []
            kept.reserveCapacity(strings.count)
            for string in strings where !kept.contains(string) { kept.append(string) }
            return kept
        }
        var seen: Set<[UInt8]> = []
        return strings.filter { seen.insert($0).inserted }
    }

    /// Each string of `left` followed by each of `right`; nil when that would be too much.
    static func joined(_ left: [[UInt8]], _ right: [[UInt8]]) -> [[UInt8]]? {
        guard left.count == 1 || right.count == 1 || left.count * right.count <= mostStrings else { return nil }
        if right.count == 1, right[0].isEmpty { return left }
        if left.count == 1, left[0].isEmpty { return right }
        var result: [[UInt8]] = []
        result.reserveCapacity(left.count * right.count)
        for head in left {
            for tail in right {
                guard head.count + tail.count <= longestString else { return nil }
                result.append(head + tail)
            }
        }
        return isAcceptable(result) ? result : nil
    }
}
