import ShuntCore
import ShuntRouting

/// The places of an entry and of its `map`, `geo` or `split_clients`.
package struct TableEntry: Sendable, Hashable {
    var table: SourcePosition
    var position: SourcePosition
}

/// A receiver of the steps of an evaluation; this one ignores them.
///
/// Without a recorder nothing of this costs anything. With one, rules are tried one by one, so that it is called for
/// each, unless it wants to know only of rules that the index finds.
package class StepRecorder {
    /// True if rules are gone through one by one, so that those that an index passes over are recorded, too.
    let listsEveryRule: Bool

    package init(listsEveryRule: Bool = true) { self.listsEveryRule = listsEveryRule }

    func begin() {}

    func record(phase name: String, at position: SourcePosition, in evaluation: borrowing Evaluation) {}

    func record(server: ServerIndex, in evaluation: borrowing Evaluation) {}

    func record(location: LocationIndex, in evaluation: borrowing Evaluation) {}

    func record(rule pc: Int, result: Trace.Step.Result, in evaluation: borrowing Evaluation) {}

    func record(condition index: ConditionIndex, result: Bool, value: ByteRange, in evaluation: borrowing Evaluation) {}

    func record(
        share: Int?,
        hash: UInt32,
        of value: ByteRange,
        in split: SplitClients,
        in evaluation: borrowing Evaluation
    ) {}

    /// A `map` or `geo` has an entry for a text.
    func record(entry: TableEntry, for text: ByteRange, in evaluation: borrowing Evaluation) {}

    func record(match pattern: ExpressionIndex, on subject: ByteRange, in evaluation: borrowing Evaluation) {}

    func record(assignment pc: Int, value: ByteRange, in evaluation: borrowing Evaluation) {}

    func record(redirect path: ByteRange, in evaluation: borrowing Evaluation) {}

    func record(file path: ByteRange, found: Bool, in evaluation: borrowing Evaluation) {}

    func record(route: RouteLookup, in evaluation: borrowing Evaluation) {}

    func record(form: ByteRange, in evaluation: borrowing Evaluation) {}

    func record(note: String, at position: SourcePosition, in evaluation: borrowing Evaluation) {}

    func record(decision outcome: Outcome, in evaluation: borrowing Evaluation) {}

    /// An `allow` or `deny` is the first whose addresses have the client's among them.
    func record(access position: SourcePosition) {}
}
