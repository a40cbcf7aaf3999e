#if Gateway
import Logging
import Shunt

/// Inputs that headers are to set and that no rule reads: their names are probably not what was meant, and every
/// request would be decided by the default.
enum UnknownInputHeaders {
    static func warn(_ given: [GatewayOptions.InputHeader], ruleSet: RuleSet, logger: Logger) {
        let inputs = ruleSet.inputNames
        let known = Set(inputs + ruleSet.variableNames)
        for input in given where !known.contains(input.variable) {
            let meant = Suggestion.closest(to: input.variable, among: inputs).map { ", did you mean \"\($0)\"?" } ?? ""
            logger.warning("the rules have no input \"\(input.variable)\"\(meant)")
        }
    }
}
#endif
