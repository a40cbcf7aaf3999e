import Shunt

extension LintCheck {
    static let rewriteCycle = LintCheck(
        "rewrite-cycle",
        group: .cycles,
        severity: .error,
        basis: .witness
    ) { subject in
        let rules = failures(subject, FailureReason.rewriteCycle.text) { step, sighting in
            sighting.positions.count { $0 == step.position } > 1
                && subject.repeatedErrorPage(in: sighting) == nil && subject.failsWithFallbacks(sighting.request)
        }
        .map { position, witness in
            let isEnded = subject.tree.directive(at: position)?.arguments.last?.text == "break"
            return LintFound(
                position,
                "the path is changed until the request fails",
                advice: isEnded ? "lead to a path that this does not match" : "end the rewrite with break"
            )
            .confirmed(by: witness)
        }
        return rules + fallbacks(subject, unless: Set(rules.map(\.position)))
    }

    /// Each `try_files` whose last word comes to itself again where there is no file.
    private static func fallbacks(_ subject: LintSubject, unless rules: Set<SourcePosition>) -> [LintFound] {
        var known: Set<SourcePosition> = []
        let places =
            subject.model.locations.map { (RuleGoal.location($0), $0.settings) }
            + subject.model.servers.map { (RuleGoal.server($0), $0.settings) }
        return places.compactMap { goal, settings in
            guard let position = settings.tryFiles?.position, case .confirmed(let request) = subject.verdict(goal)
            else { return nil }
            var asked = request
            asked.files = []
            let sighting = subject.solver.ask(asked)
            guard sighting.decision.kind == .fail, sighting.decision.reason == FailureReason.rewriteCycle.text,
                let last = subject.tree.directive(at: position)?.arguments.last?.text,
                last.pathBeforeQuery.endsAsAsked
                    || last.hasPrefix("@") && sighting.positions.count(where: { $0 == position }) > 1,
                rules.isDisjoint(with: sighting.positions), subject.failsWithFallbacks(asked),
                known.insert(position).inserted
            else { return nil }
            return LintFound(
                position,
                "a path without a file ends with 500: the last word \(last.contains("$") ? "is a URI, which " : "")leads here again",
                advice: "write =404 after it"
            )
            .confirmed(by: LintWitness(request: asked, decision: sighting.decision))
        }
    }

    static let valueGrowth = LintCheck(
        "value-growth",
        group: .cycles,
        severity: .error,
        basis: .witness
    ) { subject in
        var known: Set<SourcePosition> = []
        return failures(subject, FailureReason.valueTooLong.text) { _, _ in true }
            .compactMap { _, witness in
                guard known.insert(witness.decision.position).inserted, witness.decision.position.isPlace else {
                    return nil
                }
                return LintFound(
                    witness.decision.position,
                    "the value grows until the request fails",
                    advice: "set it once"
                )
                .confirmed(by: witness)
            }
    }

    /// The rules whose example the engine does not decide for a reason.
    private static func failures(
        _ subject: LintSubject,
        _ reason: String,
        where isMeant: (RuleModel.Step, Sighting) -> Bool
    ) -> [(SourcePosition, LintWitness)] {
        subject.rules.compactMap { step in
            guard let sighting = subject.example(of: step), sighting.decision.kind == .fail,
                sighting.decision.reason == reason, isMeant(step, sighting)
            else { return nil }
            let witness = LintWitness(request: sighting.request, decision: sighting.decision)
            return (step.position, witness)
        }
    }

    static let variableCycle = LintCheck(
        "variable-cycle",
        group: .cycles,
        severity: .error,
        basis: .proof
    ) { subject in
        var uses: [String: (word: Word, names: Set<String>)] = [:]
        for (index, node) in subject.tree.nodes.enumerated() where node.name == "map" && node.arguments.count == 2 {
            var names = variables(node.arguments[0].text)
            for child in node.children where index >= 0 {
                for word in subject.tree.nodes[child].arguments { names.formUnion(variables(word.text)) }
            }
            uses[node.arguments[1].text.lowercased()] = (node.arguments[1], names)
        }
        var known: Set<String> = []
        return uses.keys.sorted()
            .compactMap { name in
                guard !known.contains(name), let way = circle(from: name, uses), let word = uses[name]?.word else {
                    return nil
                }
                known.formUnion(way)
                let text = (way + [name]).joined(separator: ", ")
                return LintFound(
                    word,
                    "\(name) is defined in terms of itself",
                    advice: "set one of them to a value without the others"
                )
                .remarking("proved: each depends on the next: \(text)")
            }
    }

    private static func variables(_ text: String) -> Set<String> {
        Set(
            text.lowercased().split(separator: "$", omittingEmptySubsequences: false).dropFirst()
                .map { "$" + $0.drop { $0 == "{" }.prefix { $0.isLetter || $0.isNumber || $0 == "_" } }
        )
    }

    private static func circle(from start: String, _ uses: [String: (word: Word, names: Set<String>)]) -> [String]? {
        var open = [[start]]
        var seen: Set<String> = []
        while let way = open.popLast() {
            guard let last = way.last, let names = uses[last]?.names else { continue }
            if names.contains(start) { return way }
            for name in names.sorted() where seen.insert(name).inserted { open.append(way + [name]) }
        }
        return nil
    }

    static let renameCycle = LintCheck(
        "rename-cycle",
        group: .cycles,
        severity: .warning,
        basis: .witness
    ) { subject in
        subject.rules.compactMap { rule in
            guard rule.operation == .renameHost, let sighting = subject.example(of: rule),
                let after = sighting.decision.url,
                let host = HostOfURL(after)?.host, HostOfURL(subject.url(of: sighting.request.request))?.host == host
            else { return nil }
            let renames = zip(sighting.steps, sighting.positions)
                .filter { step, position in
                    step.kind == .rule && RuleSolver.applied(step)
                        && subject.model.rule(at: position)?.operation == .renameHost
                }
            guard renames.count > 1, renames.first?.1 == rule.position else { return nil }
            let witness = LintWitness(request: sighting.request, decision: sighting.decision)
            let last = renames.last.map { subject.shown($0.1) } ?? ""
            return LintFound(
                rule.position,
                "\(last) reverts this rename",
                advice: "remove one of the two, or put the other first"
            )
            .confirmed(by: witness)
        }
    }
}

extension LintSubject {
    /// Returns true if a request fails although the files exist that the rules name, such as the page that every path
    /// without a file gets.
    func failsWithFallbacks(_ description: RequestDescription) -> Bool {
        let names = namesOfFiles
        guard !names.isEmpty else { return true }
        let request = solver.served(description.request)
        let files = RecordingFiles()
        for path in description.files { files.add(path) }
        for _ in 0..<8 {
            var options = Engine.Options()
            options.fileSystem = files
            guard Engine(ruleSet, options: options).decide(request).kind == .fail else { return false }
            guard let path = files.missing.first(where: { file in names.contains { file.hasSuffix($0) } }) else {
                break
            }
            files.add(path)
        }
        return true
    }

    /// The last parts, each with its slash, of the paths that rules name: what a client sends is no part of them.
    private var namesOfFiles: Set<String> {
        var words = ["try_files", "rewrite", "set", "if", "error_page"]
            .flatMap { tree.named[$0] ?? [] }
            .flatMap { tree.nodes[$0].arguments }
        for map in tree.named["map"] ?? [] { words += tree.nodes[map].children.flatMap { tree.nodes[$0].arguments } }
        let names = words.compactMap { word -> String? in
            let path = word.text.pathBeforeQuery.replacing(")", with: "")
            guard !path.contains(/\$\{?(?:uri|document_uri|request_uri|request_filename)/),
                let slash = path.lastIndex(of: "/"), !path[slash...].contains("$")
            else { return nil }
            return String(path.hasSuffix("/") ? path[...] : path[slash...])
        }
        return Set(names)
    }
}

extension String {
    /// The text before its query.
    fileprivate var pathBeforeQuery: String {
        String(prefix { $0 != "?" }).replacing(/\$\{?(?:is_args|args|query_string)\}?/, with: "")
    }

    /// True if the last part of a path is of what a client sends, so that the file need not exist.
    fileprivate var endsAsAsked: Bool {
        let path = hasSuffix("/") ? dropLast() : self[...]
        let last = path[(path.lastIndex(of: "/") ?? path.startIndex)...]
        return last.contains(/\$\{?(?:uri|document_uri|request_uri|request_filename|[0-9])/)
    }
}
