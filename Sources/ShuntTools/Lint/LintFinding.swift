package import Shunt

/// A request that shows what a check claims: the engine was asked with it.
package struct LintWitness: Sendable {
    package var request: RequestDescription
    package var decision: Decision
    /// The files that have to be named, and the decision with them.
    var named: (files: [String], decision: Decision)?

    /// The request with the files that it needs, and the decision about it, to be shown.
    package var shown: (request: RequestDescription, decision: Decision) {
        guard let named, named.decision.kind == .forward else { return (request, decision) }
        return (RequestDescription(request.request, files: named.files), named.decision)
    }

    /// The request and what was decided, for people.
    package var text: String { "\(shown.request) → \(ExampleText.decision(shown.decision))" }
}

/// A change of a file.
package struct LintEdit: Sendable, Hashable {
    /// The number of the file in the rule set.
    package var file: Int
    /// The bytes that go.
    package var range: Range<Int>
    /// The replacement text.
    package var text: String
}

/// A finding of a check in a rule set.
package struct LintFinding: Sendable {
    /// The severity, the id of the check as its code, the message and the place.
    package var diagnostic: Diagnostic
    package var basis: LintCheck.Basis
    /// The name of the rule that it is about, which survives moves of other rules.
    package var rule: String
    /// The words of that rule.
    package var ruleText: String
    package var remarks: [String] = []
    package var witnesses: [LintWitness] = []
    package var coveredBy: [SourceLocation] = []
    package var edits: [LintEdit] = []

    package var check: String { diagnostic.code }
}
