import ShuntCore

/// The share of the rules that a release may change, in percent of the rules in use.
public struct ChangeBudget: Sendable, Hashable {
    /// The most rules that go.
    public var removedPercent: Int
    /// The most rules that come.
    public var addedPercent: Int
    /// The most rules that are edited.
    public var editedPercent: Int

    /// Makes a budget.
    public init(removedPercent: Int = 10, addedPercent: Int = 50, editedPercent: Int = 20) {
        self.removedPercent = removedPercent
        self.addedPercent = addedPercent
        self.editedPercent = editedPercent
    }

    /// Returns the limit that a change exceeds, in words; nil for none.
    ///
    /// A handful is always allowed: a set of five rules could not be edited otherwise.
    public func excess(removed: Int, added: Int, edited: Int, of total: Int) -> String? {
        for (count, percent, what) in [
            (removed, removedPercent, "removed"), (added, addedPercent, "added"), (edited, editedPercent, "edited"),
        ] where count > Self.alwaysAllowed && count > total * percent / 100 {
            return "\(count) of \(total) rules are \(what), and the budget is \(percent) %"
        }
        return nil
    }

    /// So many rules may always change.
    public static let alwaysAllowed = 5

    var object: JSONObject {
        ["removed_percent": removedPercent, "added_percent": addedPercent, "edited_percent": editedPercent]
    }

    init(_ fields: DocumentFields) throws(DocumentError) {
        removedPercent = try fields.integer("removed_percent", in: 0...100)
        addedPercent = try fields.integer("added_percent", in: 0...1_000_000)
        editedPercent = try fields.integer("edited_percent", in: 0...100)
    }
}
