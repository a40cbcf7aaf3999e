import Shunt
import ShuntPatterns

extension LintSubject {
    func neverMatches() -> [LintFound] {
        expressions.all.compactMap { place in
            guard let own = checker.language(of: place.pattern), checker.isEmpty(own, place.domain) else { return nil }
            let text = place.pattern.expression.pattern.asText
            // Loading reports quotes of texts.
            if let first = text.first, "\u{201c}\u{201d}\u{201e}\u{2018}\u{2019}".contains(first) { return nil }
            let advice = Self.advice(text, place.kind)
            return LintFound(place.position, "this expression matches none of its possible inputs", advice: advice)
                .remarking("proved: \(place.kind.subject)")
        }
    }

    private static func advice(_ text: String, _ kind: LookedAtExpressions.Kind) -> String {
        if text.hasPrefix("/^") { return "leave out the slashes around it; ~* ignores case" }
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

    func queryInPath() -> [LintFound] {
        expressions.all.compactMap { place in
            guard place.kind == .path, let own = checker.language(of: place.pattern),
                !checker.isEmpty(own, place.domain)
            else {
                return nil
            }
            let text = place.pattern.expression.pattern
            for sign in ["\\?"] + ["#", "%"].filter({ text.contains($0.utf8.first ?? 0) }) {
                if let found = encodedOnly(sign, at: place, own) { return found }
            }
            return nil
        }
    }

    /// An expression on the path all of whose matches have a sign that was sent encoded.
    private func encodedOnly(_ sign: String, at place: LookedAtExpressions.Place, _ own: Language) -> LintFound? {
        guard let needed = checker.language(sign), checker.isEmpty(own, place.domain, .complement(needed)) else {
            return nil
        }
        let (sent, message, advice) =
            switch sign {
            case "%":
                (
                    "%25", "a path is decoded before it is compared: this matches an encoded percent sign only",
                    "write the decoded character"
                )
            case "#": ("%23", "clients do not send what follows #: this matches an encoded # only", "leave it out")
            default:
                (
                    "%3F", "a path has no query: this matches an encoded question mark only",
                    place.isKey ? "use a map of $request_uri" : "use if ($args ~ …) or $arg_NAME"
                )
            }
        let found = LintFound(place.position, message, advice: advice)
        guard !place.isKey else { return found.remarking("proved: \(place.kind.subject)") }
        guard let witness = witness(at: place), witness.request.request.url.contains(sent) else { return nil }
        return found.confirmed(by: witness)
    }

    func deadMapEntry() -> [LintFound] {
        let found = model.maps.flatMap { map -> [LintFound] in
            var earlier = EarlierKeys()
            return map.expressions.compactMap { expression, position, _ in
                guard let automaton = try? checker.automaton(of: expression) else { return nil }
                let own = Language.automaton(automaton)
                let limits = options.limits.proof
                let beginning = automaton.commonBeginning()
                let covers = earlier.meeting(beginning)
                    .filter { (try? Language.intersection([$0.language, own]).isEmpty(limits: limits)) == false }
                earlier.add(own, at: position, beginning: beginning)
                guard !covers.isEmpty, (try? own.isEmpty(limits: limits)) == false,
                    checker.isEmpty(own, .complement(.union(covers.map(\.language))))
                else { return nil }
                let names = covers.map { shown($0.position) }.joined(separator: ", ")
                return LintFound(
                    position,
                    "this key is never used: earlier ones match all that it matches",
                    advice: "move it above \(names), or remove it"
                )
                .covered(by: covers.map(\.position), "all that it matches is matched by \(names)")
                .fixed(by: removal(of: position))
            }
        }
        return found.holdingEverywhere(among: model.maps.flatMap { $0.expressions.map(\.position) })
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
