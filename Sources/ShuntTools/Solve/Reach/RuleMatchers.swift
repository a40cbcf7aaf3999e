import ShuntRules

/// The matchers of rules on whole URLs.
struct RuleMatchers {
    /// A matcher for each expression on URLs as they are written.
    private var written: [RuleModel.Expression: RuleModel.URLMatcher] = [:]

    init(_ model: RuleModel) {
        for matcher in model.matchers where matcher.spelling == .written {
            guard let expression = matcher.expression, written[expression] == nil else { continue }
            written[expression] = matcher
        }
    }

    /// The matcher of a rule; nil for rules that have none, as those for the hosts of a list.
    func matcher(of step: RuleModel.Step) -> RuleModel.URLMatcher? {
        // A rewrite sees the URL as it is written; its own matcher is like that of any other expression.
        if let rewrite = step.urlRewrite { return written[rewrite.expression] }
        return step.matcher
    }
}
