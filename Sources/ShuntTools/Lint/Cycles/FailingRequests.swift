import Shunt

extension LintSubject {
    func rewriteCycle() -> [LintFound] {
        let found = rules.compactMap { step -> LintFound? in
            guard let sighting = failure(of: step, .rewriteCycle),
                sighting.positions.count(where: { $0 == step.position }) > 1,
                repeatedErrorPage(in: sighting) == nil, failsWithFallbacks(sighting.request)
            else { return nil }
            let isEnded = tree.directive(at: step.position)?.arguments.last?.text == "break"
            return LintFound(
                step.position,
                "the path is changed until the request fails",
                advice: isEnded ? "lead to a path that this does not match" : "end the rewrite with break"
            )
            .confirmed(by: LintWitness(sighting))
        }
        return found + fallbacks(unless: Set(found.map(\.position)))
    }

    /// Each `try_files` whose last word leads to itself again where there is no file.
    private func fallbacks(unless rules: Set<SourcePosition>) -> [LintFound] {
        var known: Set<SourcePosition> = []
        return blocks.compactMap { goal, settings in
            guard let position = settings.tryFiles?.position, case .confirmed(var request) = verdict(goal) else {
                return nil
            }
            request.files = []
            let sighting = solver.ask(request)
            guard sighting.fails(because: .rewriteCycle),
                let last = tree.directive(at: position)?.arguments.last?.text,
                last.pathBeforeQuery.endsAsAsked
                    || last.hasPrefix("@") && sighting.positions.count(where: { $0 == position }) > 1,
                rules.isDisjoint(with: sighting.positions), failsWithFallbacks(request),
                known.insert(position).inserted
            else { return nil }
            return LintFound(
                position,
                "a path without a file ends with 500: the last word \(last.contains("$") ? "is a URI, which " : "")leads here again",
                advice: "write =404 after it"
            )
            .confirmed(by: LintWitness(sighting))
        }
    }

    func valueGrowth() -> [LintFound] {
        var known: Set<SourcePosition> = []
        return rules.compactMap { step in
            guard let sighting = failure(of: step, .valueTooLong), known.insert(sighting.decision.position).inserted,
                sighting.decision.position.isPlace
            else { return nil }
            return LintFound(
                sighting.decision.position,
                "the value grows until the request fails",
                advice: "set it once"
            )
            .confirmed(by: LintWitness(sighting))
        }
    }

    /// The engine's steps for the request that reaches a rule, where it is not decided for a reason.
    func failure(of step: RuleModel.Step, _ reason: FailureReason) -> Sighting? {
        example(of: step).flatMap { $0.fails(because: reason) ? $0 : nil }
    }

    func variableCycle() -> [LintFound] {
        var uses: [String: (word: Word, names: Set<String>)] = [:]
        for node in tree.nodes where node.name == "map" && node.arguments.count == 2 {
            let words = [node.arguments[0]] + tree.nodes[node.children].flatMap(\.arguments)
            let names = words.flatMap { $0.text.lowercased().afterDollars }
                .map { "$" + $0.prefix { $0.isLetter || $0.isNumber || $0 == "_" } }
            uses[node.arguments[1].text.lowercased()] = (node.arguments[1], Set(names))
        }
        var known: Set<String> = []
        return uses.keys.sorted()
            .compactMap { name in
                guard !known.contains(name), let way = Self.circle(from: name, uses), let word = uses[name]?.word else {
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

    func renameCycle() -> [LintFound] {
        rules.compactMap { rule in
            guard rule.operation == .renameHost, let sighting = example(of: rule),
                let after = sighting.decision.urlBytes,
                let host = HostOfURL(after)?.host, HostOfURL(url(of: sighting.request.request))?.host == host
            else { return nil }
            let renames = zip(sighting.steps, sighting.positions)
                .filter { step, position in
                    step.kind == .rule && RuleSolver.applied(step)
                        && model.rule(at: position)?.operation == .renameHost
                }
            guard renames.count > 1, renames.first?.1 == rule.position, let last = renames.last?.1 else { return nil }
            return LintFound(
                rule.position,
                "\(shown(last)) reverts this rename",
                advice: "remove one of the two, or put the other first"
            )
            .confirmed(by: LintWitness(sighting))
        }
    }

    /// Returns true if a request fails although the files exist that the rules name, such as the page that every path
    /// without a file gets.
    func failsWithFallbacks(_ description: RequestDescription) -> Bool {
        let names = namesOfFiles
        guard !names.isEmpty else { return true }
        let request = solver.served(description.request)
        let files = RecordingFiles()
        for path in description.files { files.add(path) }
        for _ in 0..<8 {
            guard Engine(ruleSet, files: files).decide(request).kind == .fail else { return false }
            guard let path = files.missing.first(where: { file in names.contains { file.hasSuffix($0) } }) else {
                break
            }
            files.add(path)
        }
        return true
    }

    /// The last parts, each with its slash, of the paths that rules name: what a client sends is not a part of them.
    private var namesOfFiles: Set<String> {
        let nodes =
            directives("try_files", "rewrite", "set", "if", "error_page")
            + directives("map").flatMap { tree.nodes[$0.children] }
        let names = nodes.flatMap(\.arguments)
            .compactMap { word -> String? in
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

extension Sighting {
    /// Returns true if a request is not decided for a reason.
    fileprivate func fails(because reason: FailureReason) -> Bool {
        decision.kind == .fail && decision.reason == reason.text
    }
}
