/// Writes what was observed into a case file: the `>` lines below its requests and the `!` lines of refused rule
/// sets.
///
/// Everything else stays as its author wrote it.
package enum CaseRecorder {
    /// The observations for one rule set.
    package enum Observation: Sendable {
        case refused(Refusal)
        case outcomes([RequestOutcome])
    }

    /// The new text of the file that `sets` were read from; `observations` has one entry a set.
    package static func record(
        _ text: [UInt8],
        sets: [RuleSetCase],
        observations: [Observation]
    ) -> [UInt8] {
        let lines = CaseReader.splitLines(text)
        var removed = Set<Int>()
        var inserted: [Int: [[UInt8]]] = [:]
        for (set, observation) in zip(sets, observations) {
            if !set.concernsNginx { continue }
            if set.refusalLine > 0 { removed.insert(set.refusalLine) }
            switch observation {
            case .refused(let refusal):
                let place = refusal.line.map { "\($0): " } ?? ""
                inserted[set.separatorLine] = [Array("! \(place)\(refusal.message)".utf8)]
            case .outcomes(let outcomes):
                let added = addedHeaders(in: set.rules)
                for (request, outcome) in zip(set.requests, outcomes) {
                    removed.formUnion(request.expectationLines)
                    let after = lastLine(of: request, in: lines)
                    var recorded = expectation(outcome, asked: request.askedHeaders + added)
                    recorded.destination = outcome.destination
                    // That there is no file is worth a line only where a case asked.
                    if case .missing = outcome.destination, request.expectation?.destination == nil {
                        recorded.destination = nil
                    }
                    inserted[after] = recorded.lines
                }
            }
        }
        var result: [UInt8] = []
        for (index, line) in lines.enumerated() {
            let number = index + 1
            if !removed.contains(number) { result += line + [UInt8(ascii: "\n")] }
            for line in inserted[number] ?? [] { result += line + [UInt8(ascii: "\n")] }
        }
        return result
    }

    /// Returns the expectation of a case for an outcome and the header names that are of interest.
    package static func expectation(_ outcome: RequestOutcome, asked: [[UInt8]]) -> Expectation {
        var names: [[UInt8]] = []
        for name in asked where !names.contains(where: { $0.lowercasedASCII == name.lowercasedASCII }) {
            names.append(name)
        }
        let wanted = Set(names.map(\.lowercasedASCII))
        let present = outcome.headers.filter { wanted.contains($0.name.lowercasedASCII) }
        let there = Set(present.map { $0.name.lowercasedASCII })
        let absent = names.filter { !there.contains($0.lowercasedASCII) }
        return Expectation(kind: outcome.kind, headers: present, absentHeaders: absent)
    }

    /// The header names of the `add_header` directives of a rule set.
    private static func addedHeaders(in rules: [UInt8]) -> [[UInt8]] {
        RuleText(rules).directives(named: "add_header").compactMap { $0.words.count > 1 ? $0.words[1].bytes : nil }
    }

    /// The request's line or the last of the header lines under it.
    private static func lastLine(of request: RequestCase, in lines: [[UInt8]]) -> Int {
        if !request.expectationLines.isEmpty { return request.expectationLines.upperBound - 1 }
        var line = request.line
        while line < lines.count, let first = lines[line].first, first == UInt8(ascii: " ") || first == 9,
            !lines[line].trimmed.isEmpty
        {
            line += 1
        }
        return line
    }
}
