import ShuntRules

/// What rules on whole URLs apply to.
struct RuleMatchers {
    private let program: Program
    /// A matcher for each expression on URLs as they are written.
    private var written: [Int32: Int] = [:]

    init(_ program: Program) {
        self.program = program
        for (number, matcher) in program.matchers.enumerated()
        where matcher.kind == .url && matcher.spelling == .written && written[matcher.pattern] == nil {
            written[matcher.pattern] = number
        }
    }

    /// The matcher of a rule; nil for rules that have none, as those for the hosts of a list.
    func matcher(of index: Int) -> Matcher? {
        let instruction = program.instructions[index]
        let number: Int32
        switch instruction.operation {
        case .match, .degrade: number = instruction.a
        case .renameHost: number = program.renames[Int(instruction.a)].matcher
        case .block: number = program.blocks[Int(instruction.a)].matcher
        case .rewriteURL:
            // A rewrite sees the URL as it is written; its own matcher is like that of any other expression.
            let pattern = program.urlRewrites[Int(instruction.a)].pattern
            return written[pattern].map { program.matchers[$0] }
        default: return nil
        }
        return number < 0 ? nil : program.matchers[Int(number)]
    }
}
