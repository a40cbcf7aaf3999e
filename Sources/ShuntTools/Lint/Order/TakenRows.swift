import Shunt

extension LintSubject {
    /// Rows of lists of redirects whose requests an earlier rule takes: of each such rule the first row.
    func takenRows() -> [LintFound] {
        let lists = model.steps.compactMap { step -> (step: RuleModel.Step, list: RedirectList)? in
            guard case .redirects(let list) = step.action else { return nil }
            return (step, list)
        }
        guard !lists.isEmpty else { return [] }
        let requests = ListRequests(model)
        return lists.flatMap { step, list -> [LintFound] in
            // A list that several directives have is reached in more than one way.
            guard list.isExact, lists.count(where: { $0.list.file == list.file }) == 1 else { return [] }
            let takers = TakingRules(
                model.steps.filter { $0.isRule && $0.position.isPlace && isBefore($0, step) && leads($0, to: step) }
            )
            guard !takers.isEmpty else { return [] }
            let patterns = Set(list.groups.flatMap(\.patternRows))
            var found: [SourcePosition: (row: SourcePosition, count: Int, witness: LintWitness)] = [:]
            for number in list.rows.indices.prefix(Self.mostRows)
            where !list.rows[number].isLeftOut && !patterns.contains(Int32(number)) {
                let row = list.position(of: number)
                let asked = requests.requests(at: row)
                let hosts = Set(asked.map { $0.parts?.host ?? "" })
                let hasOneHost = hosts.count == 1 && !hosts.contains(ListRequests.anyHost)
                let witnesses = asked.map(decide)
                guard let first = witnesses.first,
                    witnesses.allSatisfy({ takers.take($0.decision.position, hasOneHost: hasOneHost) }),
                    !asked.flatMap(\.variantsOfURL).contains(where: { decide($0).decision.position.file == list.file })
                else { continue }
                let place = first.decision.position
                let known = found[place] ?? (row, 0, first)
                found[place] = (known.row, known.count + 1, known.witness)
            }
            return found.sorted { $0.value.row.line < $1.value.row.line }
                .map { place, taken in
                    let others = taken.count - 1
                    let rest = others == 0 ? "" : ", and the requests of \(others) more \(others == 1 ? "row" : "rows")"
                    return LintFound(
                        taken.row,
                        "\(shown(place)) takes the requests of this row\(rest)",
                        advice: "put the list above it, or remove the \(others == 0 ? "row" : "rows")"
                    )
                    .confirmed(by: taken.witness).based(on: .witness)
                }
        }
    }

    /// The most rows of a list that are read.
    private static let mostRows = 20_000

    /// Returns true if a rule comes before another one: above it, or among the rules on whole URLs.
    private func isBefore(_ rule: RuleModel.Step, _ other: RuleModel.Step) -> Bool {
        guard let own = rule.sequence, let sequence = other.sequence else { return false }
        return own == sequence ? rule < other : own.owner == .urlPhase
    }

    /// Returns true if what passes a rule reaches a list as the rule saw it: nothing between them changes the request.
    private func leads(_ rule: RuleModel.Step, to list: RuleModel.Step) -> Bool {
        guard let own = rule.sequence, let sequence = list.sequence else { return false }
        if own == sequence {
            return !own.steps.contains { $0 > rule && $0 < list && $0.changesRequest }
        }
        // Other redirects inside the server lead to a location, too.
        guard case .server = sequence.owner else { return false }
        return !own.steps.contains { $0 > rule && $0.changesRequest }
            && !sequence.steps.contains { $0 < list && $0.changesRequest }
    }
}

/// The rules before a list that decide by the path and the host alone.
private struct TakingRules {
    /// The rules, each with true if it is only for some hosts.
    private var rules: [SourcePosition: Bool] = [:]
    /// The files of lists, likewise.
    private var files: [Int32: Bool] = [:]

    var isEmpty: Bool { rules.isEmpty && files.isEmpty }

    init(_ steps: [RuleModel.Step]) {
        for step in steps {
            let tests = Array(step.before.filter { $0.isTest || $0.operation == .match })
            guard tests.allSatisfy(\.looksAtPlaceOnly) else { continue }
            let isForHosts = tests.contains { $0.condition?.variable?.name != "uri" }
            if case .redirects(let list) = step.action {
                if list.isExact { files[list.file] = isForHosts || files[list.file] == true }
            } else {
                rules[step.position] = isForHosts || rules[step.position] == true
            }
        }
    }

    func take(_ place: SourcePosition, hasOneHost: Bool) -> Bool {
        guard let isForHosts = rules[place] ?? files[place.file] else { return false }
        return hasOneHost || !isForHosts
    }
}

extension RuleModel.Step {
    /// True for a test of the path or the host.
    fileprivate var looksAtPlaceOnly: Bool {
        guard let condition else { return operation == .match }
        guard let variable = condition.variable, case .builtin = variable.source else { return false }
        return ["uri", "host"].contains(variable.name) && condition.text?.isConstant != false
    }

    /// True if rules after it may see another request.
    fileprivate var changesRequest: Bool {
        switch action {
        case .set, .decode, .encode, .removeArguments, .rename, .degrade: true
        case .rewrite(let rule): rule.status == 0
        case .rewriteURL(let rule): rule.status == 0
        default: false
        }
    }
}

extension RedirectList {
    /// True if each row without a wildcard is for one path of all clients.
    fileprivate var isExact: Bool { !form.isOrdered && form != .bulk }
}

extension RequestDescription {
    /// The URL as its scheme, its host, its path and its query with the question mark.
    fileprivate var parts: (scheme: String, host: String, path: String, query: String)? {
        let text = String(decoding: request.bytes, as: UTF8.self)
        guard request.isForURL, let match = text.wholeMatch(of: #/([a-z]+)://([^\/?]*)([^?]*)(.*)/#) else { return nil }
        return (String(match.1), String(match.2), String(match.3), String(match.4))
    }

    /// Requests that differ in what a row of a list may leave open: scheme, host, port, case, last slash and query.
    fileprivate var variantsOfURL: [RequestDescription] {
        guard let (scheme, host, path, query) = parts else { return [] }
        let other = path.hasSuffix("/") ? String(path.dropLast()) : "\(path)/"
        return [
            "http://\(host)\(path)\(query)", "\(scheme)://other.test\(path)\(query)",
            "\(scheme)://\(host):8080\(path)\(query)", "\(scheme)://\(host)\(path.uppercased())\(query)",
            "\(scheme)://\(host)\(other)\(query)", "\(scheme)://\(host)\(path)\(query.isEmpty ? "?" : "\(query)&")q=1",
        ]
        .map { RequestDescription(RuleRequest(url: $0)) }
    }
}
