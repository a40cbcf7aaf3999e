import Shunt
import ShuntPatterns

/// The sets of subjects that rules read and of their results, for proofs that two rules never meet.
///
/// The sets hold at least what occurs: what is apart in them is apart.
struct RuleEffects {
    /// The kind of members of a set.
    enum Subject {
        case path
        /// The URL as it is written.
        case url
        /// The host of the URL, as rules for hosts compare it.
        case host
    }

    private let checker: ValueChecker
    /// The most names of a matcher that are compared.
    private let maximumNames = 64

    init(_ checker: ValueChecker) { self.checker = checker }

    /// Returns true if it is proved that no subject is in both sets.
    func areApart(_ first: Language, second: Language, subject: Subject) -> Bool {
        // Rules can make paths that no client can send.
        let kind: SubjectDomain = subject == .url ? .url : .any
        guard let domain = checker.automaton(of: kind) else { return false }
        return checker.isEmpty(.automaton(domain), first, second)
    }

    // MARK: What a rule takes

    /// All subjects with which a rule may apply; nil where they are not known.
    func taken(by step: RuleModel.Step, _ subject: Subject) -> Language? {
        switch (subject, step.operation) {
        case (.path, .rewrite), (.url, .rewriteURL): step.expression.flatMap(checker.language(of:))
        case (.host, _): step.matcher.flatMap(hosts)
        default: nil
        }
    }

    /// The same for URLs that are written in their normal form: then it does not matter which spelling a matcher reads.
    func takenOfNormalURLs(by step: RuleModel.Step) -> Language? {
        if let own = taken(by: step, .url) { return own }
        guard let matcher = step.matcher else { return nil }
        if let expression = matcher.expression { return checker.language(of: expression) }
        return hosts(of: matcher).flatMap { try? URLPart.host.urls(having: $0, checker) }
    }

    /// URLs that surely are their own normal form.
    var normalURLs: Automaton? {
        checker.automaton(
            "^(?!https?:)[a-z][a-z0-9+.-]*://[A-Za-z0-9_-]+(?:/[A-Za-z0-9_~-]+)*/?(?:\\?[A-Za-z0-9_=&.-]*)?\\z"
        )
    }

    private func hosts(of matcher: RuleModel.URLMatcher) -> Language? {
        if let expression = matcher.expression { return onlyHost(of: expression) }
        guard matcher.hostNames.count + matcher.hostExpressions.count <= maximumNames else { return nil }
        var all: [Language] = []
        for name in matcher.hostNames {
            let test = ValueTest(name, isWanted: false, limits: checker.limits.expression)
            guard let language = try? checker.language(of: test) else { return nil }
            all.append(language)
        }
        for expression in matcher.hostExpressions {
            guard let language = checker.language(of: expression) else { return nil }
            all.append(language)
        }
        return .union(all)
    }

    /// The one host that all URLs have with which an expression begins; nil if it does not begin so.
    ///
    /// A host of letters, digits and `-` is the same in every spelling of a URL but for its case.
    private func onlyHost(of pattern: RuleModel.Expression) -> Language? {
        guard let tree = checker.tree(of: pattern), case .sequence(let nodes) = tree, nodes.first == .start else {
            return nil
        }
        var text: [UInt8] = []
        for node in nodes.dropFirst() {
            guard case .literal(let bytes, _) = node else { break }
            text += bytes.map(\.asciiLowercased)
        }
        guard let colon = text.firstIndex(of: UInt8(ascii: ":")), text[colon...].starts(with: "://".utf8) else {
            return nil
        }
        let host = text[(colon + 3)...]
            .prefix { $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") }
        guard !host.isEmpty, host.last != UInt8(ascii: "."), host.endIndex < text.endIndex,
            text[host.endIndex] == UInt8(ascii: "/")
        else { return nil }
        return (try? Automaton(exactly: Array(host), limits: checker.limits.expression)).map { .automaton($0) }
    }

    // MARK: What it makes

    /// All that a rule may make of the subjects that it takes; nil where that is not known.
    func made(by step: RuleModel.Step, _ subject: Subject) -> Language? {
        switch (subject, step.action) {
        case (.path, .rewrite(let rule)): rule.status == 0 ? image(rule.target, rule.expression) : nil
        case (.url, .rewriteURL(let rule)): rule.status == 0 ? image(rule.target, rule.expression) : nil
        case (.host, .rename(let rename)): renamed(rename)
        default: nil
        }
    }

    private func image(_ target: RuleModel.Template, _ pattern: RuleModel.Expression) -> Language? {
        let image = TemplateImage(target, capturesOf: checker.tree(of: pattern))
        return try? image.language(checker.limits.expression)
    }

    private func renamed(_ rename: RuleModel.HostRenaming) -> Language? {
        guard let name = rename.name, let text = rename.target.constant?.map(\.asciiLowercased) else { return nil }
        let target = PatternNode.literal(text, caseless: false)
        let nodes: [PatternNode] =
            switch name.kind {
            case .exact: [target]
            case .subdomains, .domain: [.anything, target]
            case .prefix: [target, .anything]
            }
        let tree = PatternNode.sequence([.start] + nodes + [.absoluteEnd])
        return (try? Automaton(tree, limits: checker.limits.expression)).map { .automaton($0) }
    }
}
