public import Shunt

/// The effect of a rule: the requests that would get another outcome without it.
public struct RuleImpact: Sendable {
    /// The rule's place.
    public let rule: SourceLocation
    /// The rule as it is written.
    public let text: String
    /// The rules compared with the same without this one.
    public private(set) var difference: RuleDifference
    private let examples: [RequestDescription]

    /// The number of requests that are built for a rule.
    private static let exampleCount = 5

    /// Removes rules, one at a time.
    ///
    /// - Parameters:
    ///   - rules: The rule set.
    ///   - compile: Compiles the set with another content of one file, as for mutations.
    ///   - asOf: The time of requests that have none.
    ///   - isMeant: True for the rules in question.
    /// - Returns: One for each rule that can be taken out so that the others still load.
    public static func impacts(
        in rules: RuleSet,
        compile: MutationRun.Compile,
        asOf: Timestamp,
        where isMeant: (SourceLocation) -> Bool
    ) -> [RuleImpact] {
        var options = ExampleSearch.Options()
        options.hits = exampleCount
        let search = ExampleSearch(rules, options: options, asOf: asOf)
        let examples = Dictionary(search.examples(where: isMeant).map { ($0.rule, $0.hits.map(\.request)) }) { one, _ in
            one
        }
        return MutationMaker.mutations(of: rules).map(\.mutation)
            .filter { $0.kind == .removed && isMeant($0.rule) }
            .compactMap { removal in
                guard let file = rules.file(removal.file) else { return nil }
                var content = file.bytes
                content.replaceSubrange(removal.range, with: removal.replacement)
                guard let without = try? compile(file.name, content) else { return nil }
                return RuleImpact(
                    rule: removal.rule,
                    text: rules.text(at: removal.position),
                    difference: RuleDifference(from: rules, to: without, asOf: asOf),
                    examples: examples[removal.rule] ?? []
                )
            }
    }

    /// Compares a request.
    public mutating func compare(_ request: RequestDescription) { difference.compare(request) }

    /// Compares requests that are generated for the rule.
    public mutating func compareExamples() { for request in examples { difference.compare(request) } }
}
