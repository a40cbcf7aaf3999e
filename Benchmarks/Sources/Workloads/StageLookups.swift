@_spi(Measurement) public import Shunt

/// A table of a rule set and what is looked up in it, without a request around it.
public struct StageLookups {
    /// The number of subjects.
    public let count: Int
    private let stage: LookupStage
    /// All subjects one after another, and where each is.
    private let bytes: [UInt8]
    private let subjects: [Range<Int>]

    /// Looks paths up in the rewrites of a rule set; nil where it has no run of them.
    public init?(_ ruleSet: RuleSet, paths: [String]) {
        guard let stage = LookupStage(rewritesOf: ruleSet) else { return nil }
        self.init(stage, paths)
    }

    /// Looks the hosts of URLs up in the list of a rule set; nil where it has none.
    public init?(_ ruleSet: RuleSet, hostsOf urls: [String]) {
        guard let stage = LookupStage(hostsOf: ruleSet) else { return nil }
        self.init(stage, urls.map { url in String(url.split(separator: "/")[1]) })
    }

    private init(_ stage: LookupStage, _ subjects: [String]) {
        self.stage = stage
        var bytes: [UInt8] = []
        self.subjects = subjects.map { subject in
            let start = bytes.count
            bytes += subject.utf8
            return start..<bytes.count
        }
        self.bytes = bytes
        count = subjects.count
    }

    /// Looks up subjects in turn.
    ///
    /// - Parameters:
    ///   - first: The number of lookups that were done before, so that rounds continue where the last one ended.
    ///   - count: The number of lookups.
    /// - Returns: The number of those that were found.
    @inline(never)
    public func run(from first: Int, count: Int) -> Int {
        let bytes = bytes.span
        var matches = 0
        var index = first % subjects.count
        for _ in 0..<count {
            if stage.matches(bytes.extracting(subjects[index])) { matches += 1 }
            index += 1
            if index == subjects.count { index = 0 }
        }
        return matches
    }
}
