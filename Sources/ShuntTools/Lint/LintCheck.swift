package import Shunt

/// Something that `shunt lint` looks for.
package struct LintCheck: Sendable {
    /// The subject that checks share.
    package enum Group: String, Sendable, CaseIterable {
        /// Rules that never apply, because of their order.
        case order
        /// Requests and clients that go in circles.
        case cycles
        /// Ways around rules, and answers that someone else chooses.
        case security
        /// Regular expressions.
        case expressions
        /// Surprises of nginx's directives.
        case nginx
        /// Rules that are out of date.
        case upkeep
        /// Directives that only a server that answers itself reads.
        case server
    }

    /// The basis of a finding.
    package enum Basis: String, Sendable {
        /// An exact computation, for all requests.
        case proof
        /// A request, with which the engine was asked.
        case witness
        /// The text of the rules; only for findings that need no proof.
        case structure
    }

    /// The name of the check, for options, notes and reports.
    package let id: String
    package let group: Group
    package let severity: Diagnostic.Severity
    package let basis: Basis
    /// True if it is made unless it is asked for.
    package let isUsual: Bool
    /// The program that the mistake is one in; nil for all.
    package let onlyFor: LintOptions.Target?
    let find: @Sendable (LintSubject) -> [LintFound]

    init(
        _ id: String,
        _ group: Group,
        severity: Diagnostic.Severity,
        basis: Basis,
        isUsual: Bool = true,
        onlyFor: LintOptions.Target? = nil,
        find: @escaping @Sendable (LintSubject) -> [LintFound]
    ) {
        self.id = id
        self.group = group
        self.severity = severity
        self.basis = basis
        self.isUsual = isUsual
        self.onlyFor = onlyFor
        self.find = find
    }
}

/// A finding, before the name of its check is added.
struct LintFound {
    var position: SourcePosition
    /// The rule, where the place is that of its note.
    var rule: SourcePosition?
    var length = 0
    var message: String
    /// The fix.
    var advice: String?
    /// Further remarks, each on a line.
    var remarks: [String] = []
    var witnesses: [LintWitness] = []
    var covers: [SourcePosition] = []
    /// Changes that fix it without changing any outcome.
    var edits: [LintEdit] = []
    /// The severity, if it is not the check's.
    var severity: Diagnostic.Severity?
    /// The basis, if it is not the check's.
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

    /// The same with a request that shows it, and the request or something else about it as a remark.
    func confirmed(by witness: LintWitness, _ claim: String? = nil) -> LintFound {
        var found = remarking("confirmed: \(claim ?? witness.text)")
        found.witnesses.append(witness)
        return found
    }

    /// The same with more remarks.
    func remarking(_ remarks: String...) -> LintFound {
        var found = self
        found.remarks += remarks
        return found
    }

    /// The same with rules that take the requests of its rule, and what is proved of them.
    func covered(by covers: [SourcePosition], _ proof: String) -> LintFound {
        var found = remarking("proved: \(proof)")
        found.covers = covers
        return found
    }

    /// The same with another severity than the check's, as far as a condition holds.
    func rated(_ severity: Diagnostic.Severity, if holds: Bool = true) -> LintFound {
        var found = self
        if holds { found.severity = severity }
        return found
    }

    /// The same with another basis than the check's.
    func based(on basis: LintCheck.Basis) -> LintFound {
        var found = self
        found.basis = basis
        return found
    }

    /// The same with changes that fix it.
    func fixed(by edits: [LintEdit]) -> LintFound {
        var found = self
        found.edits = edits
        return found
    }
}

extension [LintFound] {
    /// The findings that hold in each of the places where their file is included, among all places that were read.
    func holdingEverywhere(among places: [SourcePosition]) -> [LintFound] {
        guard !isEmpty else { return [] }
        let looked = Dictionary(places.map { ($0, 1) }, uniquingKeysWith: +)
        var counts: [SourcePosition: [String: Int]] = [:]
        for found in self { counts[found.position, default: [:]][found.message, default: 0] += 1 }
        return filter { counts[$0.position]?[$0.message] ?? 0 >= looked[$0.position] ?? 0 }
    }
}
