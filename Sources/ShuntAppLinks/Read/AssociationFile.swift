import Shunt

/// An association file that is being read, and what was found to be wrong with it.
final class AssociationFile {
    private let file: RuleFile
    private(set) var diagnostics: [Diagnostic] = []

    init(name: String, bytes: [UInt8]) { file = RuleFile(name: name, bytes: bytes) }

    var count: Int { file.bytes.count }

    /// Reads the JSON; nil if it is invalid, which is reported.
    func json() -> PlacedJSON? {
        do throws(JSONError) {
            return try JSONReader.readPlaced(file.bytes)
        } catch {
            report(.error(.json), error.problem, at: error.offset..<error.offset)
            return nil
        }
    }

    func location(_ place: Range<Int>) -> SourceLocation { file.location(of: place.lowerBound) }

    func report(_ kind: Diagnostic.Kind, _ message: String, at place: Range<Int>, suggestion: String? = nil) {
        let start = file.place(of: place.lowerBound)
        diagnostics.append(file.diagnostic(kind, message, at: start, length: place.count, suggestion: suggestion))
    }

    /// Reports a mistake in a pattern, if there is one.
    func report(_ mistake: PatternMistake?, at place: Range<Int>) {
        guard let mistake else { return }
        report(.warning(mistake.code), mistake.message, at: place, suggestion: mistake.advice)
    }

    func errors(of code: DiagnosticCode) -> Int { diagnostics.count { $0.severity == .error && $0.has(code) } }

    // MARK: Parts

    /// The members of an object; nil for all else, which is reported with `code`.
    func object(
        _ value: PlacedJSON,
        what: String,
        members known: [String],
        harmless: [String] = [],
        code: DiagnosticCode? = nil
    ) -> [PlacedJSON.Member]? {
        guard let members = value.members else {
            report(.error(code ?? .wrongType), "\(what) is an object, not \(value.kind)", at: value.place)
            return nil
        }
        for member in members where !known.contains(member.name) {
            let meant = Suggestion.meant(by: member.name, among: known)
            report(
                Diagnostic.Kind(meant == nil || harmless.contains(member.name) ? .warning : .error, .unknownMember),
                "\(what) has no member \"\(member.name)\"" + (meant == nil ? "; devices ignore it" : ""),
                at: member.place,
                suggestion: meant
                    ?? "there are: \(known.filter { !$0.isEmpty }.joined(separator: ", "))"
            )
        }
        return members
    }

    /// The strings of a list; what is not a string is reported and left out.
    func strings(_ value: PlacedJSON, _ what: String) -> [(text: String, place: Range<Int>)] {
        guard let items = value.items else {
            let message = "\(what) is a list of strings, not \(value.kind)"
            report(.error(.wrongType), message, at: value.place, suggestion: value.text.map { "write [\"\($0)\"]" })
            return []
        }
        var result: [(text: String, place: Range<Int>)] = []
        for item in items {
            if let text = string(item, "an item of \(what)") { result.append((text, item.place)) }
        }
        return result
    }

    func string(_ value: PlacedJSON, _ what: String) -> String? {
        if let text = value.text { return text }
        report(.error(.wrongType), "\(what) is a string, not \(value.kind)", at: value.place)
        return nil
    }

    func flag(_ value: PlacedJSON, what: String, code: DiagnosticCode = .wrongType) -> Bool? {
        if case .boolean(let flag) = value.content { return flag }
        let advice = value.text == "true" || value.text == "false" ? "leave the quotes out" : nil
        report(.error(code), "\(what) is true or false, not \(value.kind)", at: value.place, suggestion: advice)
        return nil
    }
}
