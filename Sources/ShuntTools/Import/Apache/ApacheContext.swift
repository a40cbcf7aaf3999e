/// The place of a rule, and the effects of rules before it.
struct ApacheContext {
    /// The folder as a path, with its slashes; nil for the configuration of a server.
    var folder: String?
    /// The beginning of paths that are relative.
    var base = "/"
    /// The variables of the environment by their names in capitals, and the texts that they have.
    var environment: [String: [ApacheText.Part]] = [:]
    /// Such variables that a rule before sets for every path but the empty one.
    var belowEnvironment: [String: [ApacheText.Part]] = [:]
    /// The maps of the server.
    var maps = ApacheMaps(tables: ApacheTables())
    /// True if a rule before may have changed the path and continued.
    var hasChangedPath = false
    /// True if a target that begins with a capture of a condition is a whole one.
    var takesWholeCaptures = false

    /// Keeps the values of variables that a rule sets for every path.
    mutating func keepConstants(of rule: ImportedRule, pattern: String) {
        guard rule.tests.isEmpty, case .set = rule.action, pattern == "." || ImportedExpression.isAny(pattern) else {
            return
        }
        for set in rule.sets where set.name.hasPrefix("env_") && !set.value.isEmpty && !set.value.contains("$") {
            for name in environment.keys where ApacheText.environmentVariable(name) == "$\(set.name)" {
                belowEnvironment[name] = [.text(set.value)]
            }
        }
    }

    /// The place of a rule with an expression, which may be tried on no empty path.
    func below(_ pattern: String) -> Self {
        var result = self
        let isBelow = !hasChangedPath && !pattern.hasPrefix("!") && !ImportedExpression.matches(pattern, "")
        if isBelow { result.environment.merge(belowEnvironment) { $1 } }
        return result
    }
}
