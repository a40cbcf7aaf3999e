#if Command
import Shunt

/// Reports inputs of requests that no rule reads, each once: their names are probably not what was meant.
struct UnknownInputs {
    /// The most names that are reported.
    private static let limit = 20

    private let declared: [String]
    private let known: Set<String>
    private var told: Set<String> = []

    init(_ ruleSet: RuleSet) {
        declared = ruleSet.inputNames
        known = Set(declared + ruleSet.variableNames)
    }

    /// Warns of those among the inputs of a request that are not known and were not reported before.
    mutating func warn(of inputs: [String: [UInt8]]) {
        guard !inputs.isEmpty, told.count < Self.limit else { return }
        for name in inputs.keys.sorted() where !known.contains(name) && told.insert(name).inserted {
            let meant = Suggestion.closest(to: name, among: declared).map { ", did you mean \"\($0)\"?" } ?? ""
            Failure.report("shunt: warning: the rules have no input \(RequestFields.quoted(name))\(meant)")
        }
    }
}
#endif
