package import Shunt

/// Looks a rule set over: makes the checks, and leaves out what notes of the files allow.
package struct LintRun {
    /// The findings, in the order of the files.
    package private(set) var findings: [LintFinding] = []
    /// The number of rules, and of how many it is known whether they are reached.
    package private(set) var ruleCount = 0
    package private(set) var judgedCount = 0
    /// The rules of which that is not known, each with the reason.
    package private(set) var unproved: [(rule: SourceLocation, reason: String)] = []
    /// The number of directives and steps visited on behalf of others.
    package private(set) var work = 0
    /// The number of findings that notes allow.
    package private(set) var allowedCount = 0

    /// Looks over a rule set that was loaded.
    package init(_ ruleSet: RuleSet, _ options: LintOptions) {
        let subject = LintSubject(ruleSet, options)
        let hasServerFile = !subject.tree.children(of: -1, named: "http").isEmpty
        let checks = LintCheck.all.filter { options.includes($0, in: hasServerFile) }
        var names = RuleNames(subject)
        var found: [LintFinding] = []
        for check in checks {
            // A file that several servers include has one finding for them all.
            var places: [SourcePosition: Set<String>] = [:]
            for one in check.find(subject) where places[one.position, default: []].insert(one.message).inserted {
                found.append(Self.finding(one, check: check, subject: subject, in: &names))
            }
        }
        found = LoadFindings(subject, options).findings(besides: found, &names) + found
        var allowances = LintAllowances(subject)
        findings = found.filter { !allowances.take($0, subject) }
        allowedCount = found.count - findings.count
        let made = Set(checks.map(\.id))
        for (id, one) in allowances.problems(subject, made) {
            guard let check = checks.first(where: { $0.id == id }) else { continue }
            findings.append(Self.finding(one, check: check, subject: subject, in: &names))
        }
        findings.sort { Self.isBefore($0.diagnostic, $1.diagnostic) }
        ruleCount = subject.rules.count
        work = subject.work
        let known = Set(subject.rules.map(\.position))
        judgedCount = subject.asked.subtracting(subject.unproved.keys).intersection(known).count
        unproved = subject.unproved
            .compactMap { position, reason in
                subject.model.location(of: position).map { ($0, reason) }
            }
            .sorted { ($0.0.file, $0.0.line, $0.0.column) < ($1.0.file, $1.0.line, $1.0.column) }
    }

    private static func isBefore(_ one: Diagnostic, _ other: Diagnostic) -> Bool {
        let (first, second) = (one.location, other.location)
        return (first.file, first.line, first.column, one.code, one.message)
            < (second.file, second.line, second.column, other.code, other.message)
    }

    private static func finding(
        _ found: LintFound,
        check: LintCheck,
        subject: LintSubject,
        in names: inout RuleNames
    ) -> LintFinding {
        let position = found.position
        let severity = found.severity ?? check.severity
        let node = subject.tree.node(at: found.rule ?? position)
        var length = found.length
        if length == 0, let node { length = Int(subject.tree.nodes[node].directive.name.sourceLength) }
        let (kind, place) = (Diagnostic.Kind(severity, .related), (position.line, position.column))
        var diagnostic =
            subject.ruleSet.file(Int(position.file))?
            .diagnostic(kind, found.message, at: place, length: length, suggestion: found.advice)
            ?? Diagnostic(kind, found.message, at: .whole(""))
        diagnostic.code = check.id
        return LintFinding(
            diagnostic: diagnostic,
            basis: found.basis ?? check.basis,
            rule: node.map { names.name(of: $0) } ?? "",
            ruleText: node.map { names.words(of: $0) } ?? "",
            remarks: found.remarks,
            witnesses: found.witnesses,
            coveredBy: found.covers.compactMap { subject.model.location(of: $0) },
            edits: found.edits
        )
    }
}

/// Names of rules that survive moves in their file and changes of other rules: of the file, the text, and the number among equal ones.
struct RuleNames {
    private let subject: LintSubject
    private var numbers: [Int: Int] = [:]

    init(_ subject: LintSubject) { self.subject = subject }

    mutating func name(of node: Int) -> String {
        if numbers.isEmpty { count() }
        var hash = ContentHash()
        hash.update(Array("\(text(node))\0\(numbers[node] ?? 0)".utf8))
        return String(hash.hexadecimal.prefix(12))
    }

    /// Numbers equal directives, in the order of their file.
    private mutating func count() {
        var counts: [String: Int] = [:]
        let nodes = subject.tree.nodes
        let order = nodes.indices.sorted {
            let (one, other) = (nodes[$0].position, nodes[$1].position)
            return (one.file, one.line, one.column) < (other.file, other.line, other.column)
        }
        for node in order {
            numbers[node] = counts[text(node), default: 0]
            counts[text(node), default: 0] += 1
        }
    }

    private func text(_ node: Int) -> String {
        let file = subject.ruleSet.file(Int(subject.tree.nodes[node].position.file))?.name ?? ""
        return file + "\0" + words(of: node)
    }

    /// The words of a directive, with a space between them.
    func words(of node: Int) -> String {
        let node = subject.tree.nodes[node]
        return ([node.directive.name] + node.arguments).map(\.text).joined(separator: " ")
    }
}
