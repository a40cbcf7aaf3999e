package import ShuntCore
import ShuntRules

/// Something that `shunt lint` looks for.
package struct LintCheck: Sendable {
    /// What checks belong together by.
    package enum Group: String, Sendable, CaseIterable {
        /// What never happens, because of the order of the rules.
        case order
        /// Requests and clients that go in circles.
        case cycles
        /// Ways around rules, and answers that somebody else chooses.
        case security
        /// Regular expressions.
        case expressions
        /// What surprises people about nginx's directives.
        case nginx
        /// What has had its time.
        case upkeep
        /// Directives that only a server that answers itself looks at.
        case server
    }

    /// What stands behind a finding.
    package enum Basis: String, Sendable {
        /// An exact computation, for all requests.
        case proof
        /// A request, with which the engine was asked.
        case witness
        /// What is written; only for what needs no proof.
        case structure
    }

    /// The name of the check, for options, notes and reports.
    package let id: String
    package let group: Group
    package let severity: Diagnostic.Severity
    package let basis: Basis
    /// What it finds, in one line.
    package let summary: String
    /// Why that is worth knowing, and what to do.
    package let explanation: String
    /// Rules in which it finds something.
    package let example: String
    /// Whether it is made unless it is asked for.
    package let isUsual: Bool
    /// The program that the mistake is one in; nil for all.
    package let onlyFor: LintOptions.Target?
    let find: @Sendable (LintSubject) -> [LintFound]

    init(
        _ id: String,
        _ group: Group,
        _ severity: Diagnostic.Severity,
        _ basis: Basis,
        _ summary: String,
        explanation: String,
        example: String,
        isUsual: Bool = true,
        onlyFor: LintOptions.Target? = nil,
        find: @escaping @Sendable (LintSubject) -> [LintFound]
    ) {
        self.id = id
        self.group = group
        self.severity = severity
        self.basis = basis
        self.summary = summary
        self.explanation = explanation
        self.example = example
        self.isUsual = isUsual
        self.onlyFor = onlyFor
        self.find = find
    }
}

/// What a check found, before it is known which check it was.
struct LintFound {
    var position: SourcePosition
    var length = 0
    var message: String
    /// How to fix it.
    var advice: String?
    /// What else there is to say, on lines of their own.
    var remarks: [String] = []
    var witnesses: [LintWitness] = []
    var covers: [SourcePosition] = []
    /// Changes that fix it without changing any outcome.
    var edits: [LintEdit] = []
    /// What it is if not what the check says.
    var severity: Diagnostic.Severity?
    /// What stands behind it if not what the check says.
    var basis: LintCheck.Basis?

    init(_ position: SourcePosition, _ message: String, advice: String? = nil) {
        self.position = position
        self.message = message
        self.advice = advice
    }

    init(_ word: Word, _ message: String, advice: String? = nil) {
        self.init(word.position, message, advice: advice)
        length = Int(word.sourceLength)
    }

    /// The same with requests that show it.
    func shown(by witnesses: [LintWitness]) -> LintFound {
        var found = self
        found.witnesses += witnesses
        return found
    }

    /// The same with a request that shows it, which is named, too.
    func confirmed(by witness: LintWitness) -> LintFound {
        shown(by: [witness]).remarking("confirmed: \(witness.text)")
    }

    func remarking(_ remarks: String...) -> LintFound {
        var found = self
        found.remarks += remarks
        return found
    }
}
