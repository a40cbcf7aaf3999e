import ShuntCore
import ShuntPatterns
import ShuntRules

/// The rules of one sequence that end it, each by what it takes: which of them take a subject is looked up, not tried.
struct EarlierRules {
    let sequence: ProgramOutline.Sequence
    /// For each instruction the last one before it that may change what is looked at; the one before the first for none.
    private var barriers: [Int] = []
    private let paths: MatchingExpressions
    private let urls: MatchingExpressions
    private var hosts = HostNameCovers()
    private var lists: [(rule: Int, hosts: HostTable)] = []
    /// Rules that decide without looking, by the last test around them.
    private var unconditional: [ProgramOutline.Guard?: [Int]] = [:]

    init(_ sequence: ProgramOutline.Sequence, outline: ProgramOutline, matchers: RuleMatchers) {
        self.sequence = sequence
        let program = outline.program
        var ownPaths: [(rule: Int, pattern: ExpressionIndex)] = []
        var ownURLs: [(rule: Int, pattern: ExpressionIndex)] = []
        var barrier = sequence.start - 1
        for index in sequence.start...min(sequence.end, program.tables.instructions.count - 1) {
            barriers.append(barrier)
            if Self.mayChange(index, outline) { barrier = index }
            guard outline.endsSequence(index) else { continue }
            let instruction = program.tables.instructions[index]
            switch instruction.operation {
            case .finish:
                let ways = outline.ways(to: index, limit: 2)
                if ways.count == 1, let tests = ways.first { unconditional[tests.last, default: []].append(index) }
            case .rewrite:
                if let pattern = GoalDrafts.pattern(of: index, program) { ownPaths.append((index, pattern)) }
            default:
                guard let matcher = matchers.matcher(of: index) else {
                    if instruction.operation == .block {
                        lists.append((index, program.tables.lists[program.tables.blocks[instruction.a].list]))
                    }
                    continue
                }
                switch matcher.kind {
                case .url: ownURLs.append((index, matcher.pattern))
                case .host: for name in matcher.names { hosts.add(program.tables.hostNames[name], rule: index) }
                }
            }
        }
        paths = MatchingExpressions(ownPaths, program)
        urls = MatchingExpressions(ownURLs, program)
    }

    /// The instructions before one that see what it sees.
    func range(before index: Int) -> Range<Int> {
        let barrier = barriers[index - sequence.start]
        return barrier + 1..<max(barrier + 1, index)
    }

    /// Rewrites that match a path.
    func taking(path: [UInt8], in range: Range<Int>) -> [Int] { paths.taking(path, in: range) }

    /// Rules whose expressions match a URL as it is.
    func taking(url: [UInt8], in range: Range<Int>) -> [Int] { urls.taking(url, in: range) }

    /// Rules with a name that takes a host.
    func taking(host: [UInt8], in range: Range<Int>) -> [Int] { hosts.taking(host, in: range) }

    func takingAll(of name: HostNamePattern, in range: Range<Int>) -> [Int] {
        hosts.takingAll(of: name, in: range)
            + lists.filter { range.contains($0.rule) && Self.takes($0.hosts, name) }.map(\.rule)
    }

    /// Returns true if a list takes all hosts that a name stands for: it is looked up, however many there are.
    private static func takes(_ list: HostTable, _ name: HostNamePattern) -> Bool {
        switch name.kind {
        case .exact: list.contains(name.literal.span)
        case .subdomains: list.covers(name.literal, itself: false, below: true)
        case .domain: list.covers(name.literal, itself: true, below: true)
        case .prefix: false
        }
    }

    /// Rules that decide without looking at anything, and stand in one of these tests; the last first.
    func deciding(within tests: Set<ProgramOutline.Guard>, in range: Range<Int>) -> [Int] {
        var found: [Int] = []
        for test in [nil] + tests.map(Optional.some) {
            guard let all = unconditional[test] else { continue }
            let own = all.reversed().lazy.filter(range.contains)
            found += own.prefix(MatchingExpressions.mostTaking)
        }
        return found.sorted(by: >)
    }

    /// Returns true if a rule may change what those after it look at.
    private static func mayChange(_ index: Int, _ outline: ProgramOutline) -> Bool {
        let program = outline.program
        let instruction = program.tables.instructions[index]
        switch instruction.operation {
        case .rewrite, .rewriteURL: return !outline.endsSequence(index)
        case .renameHost, .removeArguments: return true
        case .set, .decode, .encode: return program.tables.variables[instruction.a].source == .builtin
        default: return false
        }
    }
}
