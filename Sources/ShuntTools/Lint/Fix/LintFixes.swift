package import Shunt

/// Changes rule files as findings propose, as far as that changes no outcome.
///
/// What comes out is loaded, with its tests, and asked with requests for each rule that changed, in both sets. Unless nothing is decided
/// otherwise, nothing is changed.
package struct LintFixes {
    /// The reason why nothing is changed.
    package enum Problem: Error {
        /// The changed rules do not load.
        case load([Diagnostic])
        /// A request is decided otherwise.
        case outcome(String)
    }

    /// The files that change, by their real paths: what they will have.
    package private(set) var files: [String: [UInt8]] = [:]
    /// The fixed findings, in the order of the fixes.
    package private(set) var fixed: [LintFinding] = []

    private let base: any FileSystem
    /// A fix may leave something else to fix after it, such as a map that nothing reads any more.
    private let maximumRounds = 8

    /// Finds out what can be changed; if it throws, nothing may be changed.
    package init(
        _ path: String,
        from base: any FileSystem,
        _ options: LintOptions,
        load: (String, any FileSystem) throws(RuleSetError) -> LoadedRules
    ) throws(Problem) {
        self.base = base
        let first: LoadedRules
        do throws(RuleSetError) { first = try load(path, base) } catch { throw .load(error.diagnostics) }
        var current = first
        for _ in 0..<maximumRounds {
            let findings = LintRun(current.ruleSet, options).findings.filter { !$0.edits.isEmpty }
            guard !findings.isEmpty, apply(findings, to: current.ruleSet) else { break }
            let overlay = files.reduce(base) { OverlayFileSystem(base: $0, path: $1.key, content: $1.value) }
            do throws(RuleSetError) { current = try load(path, overlay) } catch { throw .load(error.diagnostics) }
        }
        guard !files.isEmpty else { return }
        let structure = StructureDifference.between(first.archive, current.archive)
        let search = WitnessSearch(for: structure, from: first, to: current, asOf: options.asOf, limits: options.limits)
        var difference = RuleDifference(from: first.ruleSet, to: current.ruleSet, asOf: options.asOf)
        for request in search.requests { difference.compare(request) }
        if let group = difference.groups().first, let request = group.requests.first {
            let part = group.to == group.from ? " with another \(group.change.rawValue)" : ""
            throw .outcome("\(request.request) would be \(group.to)\(part) and is \(group.from)")
        }
    }

    /// Makes the changes of findings that do not touch each other; false if no file is changed.
    private mutating func apply(_ findings: [LintFinding], to ruleSet: RuleSet) -> Bool {
        var taken: [Int: [Range<Int>]] = [:]
        var edits: [Int: [LintEdit]] = [:]
        for finding in findings {
            let isApart = finding.edits.allSatisfy { edit in
                !(taken[edit.file] ?? []).contains { $0.overlaps(edit.range) || $0 == edit.range }
            }
            guard isApart else { continue }
            for edit in finding.edits {
                taken[edit.file, default: []].append(edit.range)
                edits[edit.file, default: []].append(edit)
            }
            fixed.append(finding)
        }
        var isChanged = false
        for (number, edits) in edits {
            guard let file = ruleSet.file(number), let path = try? base.realPath(file.name) else { continue }
            var bytes = file.bytes
            for edit in edits.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
                bytes.replaceSubrange(edit.range, with: Array(edit.text.utf8))
            }
            if bytes != file.bytes { isChanged = true }
            files[path] = bytes
        }
        return isChanged
    }
}
