/// A part of the rules, which its place among others of its kind identifies.
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

/// A part that is an entry of one of the compiled tables.
protocol TablePart: RulePart {
    associatedtype Record: Sendable

    /// The entry.
    var record: Record { get }

    init(model: RuleModel, order: Int)
}

extension TablePart {
    init(_ model: RuleModel, _ index: TableIndex<Record>) { self.init(model: model, order: index.position) }

    init?(_ model: RuleModel, optional index: TableIndex<Record>) {
        guard !index.isNone else { return nil }
        self.init(model, index)
    }
}

extension RuleModel {
    /// The parts of a table, in its order.
    func parts<Part: TablePart>(of table: Table<Part.Record>) -> some RandomAccessCollection<Part> {
        table.indices.lazy.map { Part(model: self, order: $0) }
    }
}
