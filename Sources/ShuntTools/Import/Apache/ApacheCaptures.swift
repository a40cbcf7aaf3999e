/// The strings of the rule language that stand for captures.
struct ApacheCaptures {
    /// The beginning of what stands for a group of the rule.
    var prefix = "$path_"
    /// The number that is added to the numbers of these groups.
    var shift = 0
    /// The name of the groups of the last condition; nil without any.
    var condition: String?

    /// The string for a group of the rule.
    func group(_ number: Int) -> String { "\(prefix)\(number + shift)" }
}
