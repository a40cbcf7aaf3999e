import ShuntPatterns
import ShuntRules

/// A single table of a rule set: which rewrite matches a path first, with its captures, or whether a list has a host.
///
/// For measurements next to other libraries that do nothing else: nothing reads a request before it or makes a decision
/// after it. It is not a part of the interface. Not thread safe.
@_spi(Measurement)
public final class LookupStage {
    private enum Table {
        case rewrites(PatternIndex)
        case hosts(HostTable)
    }

    private let table: Table
    private let scratch = MatchScratch()

    /// The longest run of rewrites; nil where no rewrites follow each other.
    public init?(rewritesOf ruleSet: RuleSet) {
        guard let longest = ruleSet.longestRewriteRun else { return nil }
        table = .rewrites(longest)
    }

    /// The longest list of hosts; nil where there is none.
    public init?(hostsOf ruleSet: RuleSet) {
        guard let longest = ruleSet.longestHostList else { return nil }
        table = .hosts(longest)
    }

    /// Returns true if a rule matches a path, whose captures are found then too, or a list has a host in lower case.
    public func matches(_ subject: Span<UInt8>) -> Bool {
        switch table {
        case .rewrites(let index):
            scratch.renew()
            guard case .match = index.firstMatch(subject, from: 0, to: index.count, scratch: scratch) else {
                return false
            }
            return true
        case .hosts(let hosts): return hosts.contains(subject)
        }
    }
}
