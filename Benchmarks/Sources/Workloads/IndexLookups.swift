@_spi(Measurement) public import Shunt

/// The rewrites of a rule set and paths for them, looked up without a request around them.
public struct IndexLookups {
    /// The number of paths.
    public let count: Int
    private let stage: RewriteStage
    /// All paths one after another, and where each is.
    private let bytes: [UInt8]
    private let paths: [Range<Int>]

    /// Makes lookups; nil where the rules have no run of rewrites.
    public init?(ruleSet: RuleSet, paths: [String]) {
        guard let stage = RewriteStage(ruleSet) else { return nil }
        self.stage = stage
        var bytes: [UInt8] = []
        self.paths = paths.map { path in
            let start = bytes.count
            bytes += path.utf8
            return start..<bytes.count
        }
        self.bytes = bytes
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
        let bytes = bytes.span
        var matches = 0
        var index = first % paths.count
        for _ in 0..<count {
            if stage.firstMatch(bytes.extracting(paths[index])) != nil { matches += 1 }
            index += 1
            if index == paths.count { index = 0 }
        }
        return matches
    }
}
