@_spi(Measurement) import Shunt

/// The rewrites of a rule set and paths for them, looked up without a request around them.
public final class IndexLookups {
    /// The number of paths.
    public let count: Int
    private let stage: RewriteStage
    private let paths: [[UInt8]]

    /// Makes lookups; nil where the rules have no run of rewrites.
    public init?(ruleSet: RuleSet, paths: [String]) {
        guard let stage = RewriteStage(ruleSet) else { return nil }
        self.stage = stage
        self.paths = paths.map { Array($0.utf8) }
        count = paths.count
    }

    /// Looks up paths in turn.
    ///
    /// - Parameters:
    ///   - first: The number of lookups that were done before, so that rounds go on where the last one ended.
    ///   - count: The number of lookups.
    /// - Returns: The number of paths that a rule matched.
    @inline(never)
    public func run(from first: Int, count: Int) -> Int {
        var matches = 0
        var index = first % paths.count
        for _ in 0..<count {
            if stage.firstMatch(paths[index].span) != nil { matches += 1 }
            index += 1
            if index == paths.count { index = 0 }
        }
        return matches
    }
}
