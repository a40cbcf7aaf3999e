import ShuntPatterns
import ShuntRules

/// The index of the longest run of rewrites of a rule set, by itself: which rule matches a path first, and its captures.
///
/// For measurements next to other libraries that look for the first of many regular expressions: nothing reads a
/// request before it or makes a decision after it. It is not a part of the interface. Not thread safe.
@_spi(Measurement)
public final class RewriteStage {
    private let index: PatternIndex
    private let scratch = MatchScratch()

    /// Makes a stage of the rules of an engine; nil where no rewrites follow each other.
    public init?(_ ruleSet: RuleSet) {
        let runs = ruleSet.program.chains.filter { $0.subject == .path }.compactMap(\.patterns)
        guard let longest = runs.max(by: { $0.count < $1.count }) else { return nil }
        index = longest
    }

    /// The number of rules.
    public var count: Int { index.count }

    /// The number of the first rule that matches; its captures are found too.
    public func firstMatch(_ path: Span<UInt8>) -> Int? {
        guard case .match(let rule) = index.firstMatch(path, from: 0, to: index.count, scratch: scratch) else {
            return nil
        }
        return rule
    }
}
