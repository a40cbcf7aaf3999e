/// A part of the rules, which is told from others of its kind by its place among them.
///
/// Parts are equal if they are the same one of the same rules: parts of different models are not compared.
package protocol RulePart: Hashable, Comparable, Sendable {
    /// The rules that it is part of.
    var model: RuleModel { get }
    /// The number of parts of its kind before it.
    var order: Int { get }
}

extension RulePart {
    package static func == (left: Self, right: Self) -> Bool { left.order == right.order }

    package static func < (left: Self, right: Self) -> Bool { left.order < right.order }

    package func hash(into hasher: inout Hasher) { hasher.combine(order) }
}
