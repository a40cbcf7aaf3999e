/// A host that a rule set is for, and how specific it is.
///
/// The extension looks a host up in steps: first the name itself, then the name with each label in turn replaced by
/// `*`, then `*.` with ever fewer labels after it. The first rule set that changes the URL wins, so the steps decide
/// which of several rule sets that is.
struct Target: Hashable {
    /// One step of the look-up.
    struct Step: Hashable, Comparable {
        /// The number of labels besides the `*`; all of a name without one.
        var labels: Int
        /// The place where the `*` is: a larger number is tried later among targets with as many labels.
        var place: Int

        static let exact = Step(labels: .max, place: 0)

        static func < (left: Step, right: Step) -> Bool {
            left.labels != right.labels ? left.labels > right.labels : left.place < right.place
        }
    }

    let text: String
    let step: Step

    init(_ text: String) throws(ConversionError) {
        self.text = text
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        let stars = labels.indices.filter { labels[$0] == "*" }
        guard labels.allSatisfy({ !$0.isEmpty && ($0 == "*" || !$0.contains("*")) }), stars.count <= 1,
            text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7f })
        else { throw ConversionError("the target \"\(text)\" is not a host name or wildcard") }
        step = stars.first.map { Step(labels: labels.count - 1, place: $0) } ?? .exact
    }

    /// The name in a `host` matcher.
    ///
    /// `*.` at the start means the same there. Anywhere else a `*` of the extension is exactly one label, which takes a
    /// regular expression.
    var matcherName: String {
        guard step != .exact, step.place > 0 else { return text }
        let parts = text.split(separator: ".").map { $0 == "*" ? "[^.]+" : RuleWord.escapingExpression(String($0)) }
        return "~^" + parts.joined(separator: "\\.") + "$"
    }
}
