import ShuntRules

/// The matchers of rules on whole URLs.
struct RuleMatchers {
    private let program: Program
    /// A matcher for each expression on URLs as they are written.
    private var written: [ExpressionIndex: Int] = [:]

    init(_ program: Program) {
        self.program = program
        for (number, matcher) in program.tables.matchers.enumerated()
        where matcher.kind == .url && matcher.spelling == .written && written[matcher.pattern] == nil {
            written[matcher.pattern] = number
        }
    }

    /// The matcher of a rule; nil for rules that have none, as those for the hosts of a list.
    func matcher(of index: Int) -> Matcher? {
        let instruction = program.tables.instructions[index]
        let number: MatcherIndex
        switch instruction.operation {
        case .match, .degrade: number = MatcherIndex(instruction.a)
        case .renameHost: number = program.tables.renames[instruction.a].matcher
        case .block: number = program.tables.blocks[instruction.a].matcher
        case .rewriteURL:
            // A rewrite sees the URL as it is written; its own matcher is like that of any other expression.
            let pattern = program.tables.urlRewrites[instruction.a].pattern
            return written[pattern].map { program.tables.matchers[$0] }
        default: return nil
        }
        return number.isNone ? nil : program.tables.matchers[number]
    }
}
