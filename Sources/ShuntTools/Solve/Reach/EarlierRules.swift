import ShuntPatterns
import ShuntRules

/// The rules of one sequence that end it, each by what it takes: which of them take a subject is looked up, not tried.
struct EarlierRules {
    let sequence: RuleModel.Sequence
    /// For each step the first one from which on nothing changes what it reads.
    private var starts: [RuleModel.Step] = []
    private let paths: MatchingExpressions<RuleModel.Step>
    private let urls: MatchingExpressions<RuleModel.Step>
    private var hosts = HostNameCovers()
    private var lists: [(rule: RuleModel.Step, hosts: HostTable)] = []
    /// Rules that decide without looking, by the last test around them.
    private var unconditional: [RuleModel.Guard?: [RuleModel.Step]] = [:]

    init(_ sequence: RuleModel.Sequence, matchers: RuleMatchers) {
        self.sequence = sequence
        var ownPaths: [(rule: RuleModel.Step, expression: RuleModel.Expression)] = []
        var ownURLs: [(rule: RuleModel.Step, expression: RuleModel.Expression)] = []
        var start = sequence.start
        for step in sequence.steps {
            starts.append(start)
            if Self.mayChange(step), let next = step.next { start = next }
            guard step.endsSequence else { continue }
            switch step.action {
            case .answer:
                let ways = step.ways(limit: 2)
                if ways.count == 1, let tests = ways.first { unconditional[tests.last, default: []].append(step) }
            case .rewrite(let rule): ownPaths.append((step, rule.expression))
            case .block(let block) where block.matcher == nil:
                if let hosts = block.hosts { lists.append((step, hosts)) }
            default:
                guard let matcher = matchers.matcher(of: step) else { continue }
                if let expression = matcher.expression { ownURLs.append((step, expression)) }
                for name in matcher.hostNames { hosts.add(name, rule: step) }
            }
        }
        starts.append(start)
        paths = MatchingExpressions(ownPaths)
        urls = MatchingExpressions(ownURLs)
    }

    /// The steps before one that see what it sees.
    func range(before step: RuleModel.Step) -> Range<RuleModel.Step> {
        let start = starts[step.order - sequence.start.order]
        return start..<max(start, step)
    }

    /// Rewrites that match a path.
    func taking(path: [UInt8], in range: Range<RuleModel.Step>) -> [RuleModel.Step] { paths.taking(path, in: range) }

    /// Rules whose expressions match a URL unchanged.
    func taking(url: [UInt8], in range: Range<RuleModel.Step>) -> [RuleModel.Step] { urls.taking(url, in: range) }

    /// Rules with a name that takes a host.
    func taking(host: [UInt8], in range: Range<RuleModel.Step>) -> [RuleModel.Step] { hosts.taking(host, in: range) }

    func takingAll(of name: HostNamePattern, in range: Range<RuleModel.Step>) -> [RuleModel.Step] {
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

    /// Rules that decide without reading anything, and are in one of these tests; the last first.
    func deciding(within tests: Set<RuleModel.Guard>, in range: Range<RuleModel.Step>) -> [RuleModel.Step] {
        var found: [RuleModel.Step] = []
        for test in [nil] + tests.map(Optional.some) {
            guard let all = unconditional[test] else { continue }
            let own = all.reversed().lazy.filter(range.contains)
            found += own.prefix(CoverSearch.mostTaking)
        }
        return found.sorted(by: >)
    }

    /// Returns true if a rule may change what those after it read.
    static func mayChange(_ step: RuleModel.Step) -> Bool {
        switch step.operation {
        case .rewrite, .rewriteURL: !step.endsSequence
        case .renameHost, .removeArguments: true
        default: step.assigned?.builtin != nil
        }
    }
}
