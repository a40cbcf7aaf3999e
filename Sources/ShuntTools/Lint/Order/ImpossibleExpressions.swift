import Shunt
import ShuntPatterns

extension LintCheck {
    static let neverMatches = LintCheck(
        "never-matches",
        group: .order,
        severity: .warning,
        basis: .proof
    ) { subject in
        subject.expressions.all
            .compactMap { place in
                guard let own = try? subject.checker.automaton(of: place.pattern) else { return nil }
                guard subject.neverMatches(own, within: place.domain) else { return nil }
                let text = place.pattern.expression.pattern
                let advice = Self.advice(String(decoding: text, as: UTF8.self), place.kind)
                return LintFound(place.position, "this expression matches none of its possible inputs", advice: advice)
                    .remarking("proved: \(place.kind.subject)")
            }
    }

    private static func advice(_ text: String, _ kind: LookedAtExpressions.Kind) -> String {
        if kind == .path, text.contains("//"), !text.contains("://") {
            return "slashes in a row are merged before; merge_slashes off; keeps them"
        }
        if kind == .path,
            text.contains("http:") || text.contains("https:") || text.contains("s?:") || text.contains("://")
        {
            return "a path has no scheme and no host; use rewrite_url, or if ($scheme = …)"
        }
        if let dollar = text.firstIndex(of: "$"),
            text[text.index(after: dollar)...].contains(where: { !")|".contains($0) })
        {
            return "a $ is the end of the text; write \\$ for the character"
        }
        if text.dropFirst().contains("^"), !text.contains("[^") {
            return "a ^ is the beginning of the text; write \\^ for the character"
        }
        switch kind {
        case .path: return "a path begins with a slash"
        case .host: return "hosts are in lower case, without a port; write ~* or small letters"
        case .url: return "a URL begins with a scheme and a colon"
        case .known(let values): return values.fact
        case .value: return "no text matches it"
        }
    }

    static let queryInPath = LintCheck(
        "query-in-path",
        group: .order,
        severity: .warning,
        basis: .witness
    ) { subject in
        subject.expressions.all
            .compactMap { place in
                guard place.kind == .path, let own = try? subject.checker.automaton(of: place.pattern),
                    !subject.neverMatches(own, within: place.domain)
                else { return nil }
                let mayBeEncoded = place.pattern.expression.pattern.contains(UInt8(ascii: "%"))
                return encodedOnly("\\?", at: place, automaton: own, subject)
                    ?? (mayBeEncoded ? encodedOnly("%", at: place, automaton: own, subject) : nil)
            }
    }

    /// An expression on the path all of whose matches have a sign that was sent encoded.
    private static func encodedOnly(
        _ sign: String,
        at place: LookedAtExpressions.Place,
        automaton own: Automaton,
        _ subject: LintSubject
    ) -> LintFound? {
        guard let needed = subject.checker.automaton(sign) else { return nil }
        let without = Language.intersection([.automaton(own), place.domain, .complement(.automaton(needed))])
        guard (try? without.isEmpty(limits: subject.options.limits.proof)) == true else { return nil }
        let isQuery = sign != "%"
        let found = LintFound(
            place.position,
            isQuery
                ? "a path has no query: this matches an encoded question mark only"
                : "a path is decoded before it is compared: this matches an encoded percent sign only",
            advice: !isQuery
                ? "write the decoded character"
                : place.isKey ? "use a map of $request_uri" : "use if ($args ~ …) or $arg_NAME"
        )
        guard !place.isKey else { return found.remarking("proved: \(place.kind.subject)") }
        guard let witness = subject.witness(at: place),
            witness.request.request.urlText.contains(isQuery ? "%3F" : "%25")
        else { return nil }
        return found.remarking("confirmed: \(witness.text)").shown(by: [witness])
    }

    static let deadMapEntry = LintCheck(
        "dead-map-entry",
        group: .order,
        severity: .warning,
        basis: .proof
    ) { subject in
        var found: [LintFound] = []
        for map in subject.model.maps {
            var earlier = EarlierKeys()
            for (expression, position, _) in map.expressions {
                guard let automaton = try? subject.checker.automaton(of: expression) else { continue }
                let own = Language.automaton(automaton)
                let limits = subject.options.limits.proof
                let beginning = automaton.commonBeginning()
                let covers = earlier.meeting(beginning)
                    .filter {
                        (try? Language.intersection([$0.language, own]).isEmpty(limits: limits)) == false
                    }
                if !covers.isEmpty, (try? own.isEmpty(limits: limits)) == false,
                    (try? own.isSubset(of: .union(covers.map(\.language)), limits: limits)) == true
                {
                    let names = covers.map { subject.shown($0.position) }.joined(separator: ", ")
                    var finding = LintFound(
                        position,
                        "this key is never used: earlier ones match all that it matches",
                        advice: "move it above \(names), or remove it"
                    )
                    finding.covers = covers.map(\.position)
                    finding.remarks = ["proved: all that it matches is matched by \(names)"]
                    finding.edits = subject.removal(of: position)
                    found.append(finding)
                }
                earlier.add(own, at: position, beginning: beginning)
            }
        }
        return found.holdingEverywhere(among: subject.model.maps.flatMap { $0.expressions.map(\.position) })
    }
}

extension LintSubject {
    /// Returns true if it is proved that an expression matches nothing of what may be looked at.
    func neverMatches(_ own: Automaton, within domain: Language) -> Bool {
        let language = Language.intersection([.automaton(own), domain])
        return (try? language.isEmpty(limits: options.limits.proof)) == true
    }
}

/// The keys of a map before another one, by the bytes that all begins with that they match.
private struct EarlierKeys {
    private var keys: [(language: Language, position: SourcePosition)] = []
    /// The numbers of keys with this beginning.
    private var same: [[UInt8]: [Int]] = [:]
    /// The numbers of keys whose beginning is longer.
    private var longer: [[UInt8]: [Int]] = [:]
    private static let most = 64

    mutating func add(_ language: Language, at position: SourcePosition, beginning: [UInt8]) {
        for length in beginning.indices { longer[Array(beginning[..<length]), default: []].append(keys.count) }
        same[beginning, default: []].append(keys.count)
        keys.append((language, position))
    }

    /// The last ones that may match what a key with a beginning matches.
    func meeting(_ beginning: [UInt8]) -> [(language: Language, position: SourcePosition)] {
        var numbers = (longer[beginning] ?? []).suffix(Self.most)
        for length in 0...beginning.count { numbers += (same[Array(beginning.prefix(length))] ?? []).suffix(Self.most) }
        return numbers.sorted().suffix(Self.most).map { keys[$0] }
    }
}
