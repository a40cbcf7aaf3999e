import ShuntCore
import ShuntPatterns
import ShuntRules

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

    private let outline: ProgramOutline
    private let checker: ValueChecker
    private var program: Program { outline.program }
    /// The most names of a matcher that are compared.
    private let maximumNames = 64

    init(_ outline: ProgramOutline, _ checker: ValueChecker) {
        self.outline = outline
        self.checker = checker
    }

    /// Returns true if it is proved that no subject is in both sets.
    func areApart(_ first: Language, second: Language, subject: Subject) -> Bool {
        // Rules can make paths that no client can send.
        let kind: SubjectDomain = subject == .url ? .url : .any
        guard let domain = checker.automaton(of: kind) else { return false }
        let both = Language.intersection([.automaton(domain), first, second])
        return (try? both.isEmpty(limits: checker.limits.proof)) == true
    }

    // MARK: What a rule takes

    /// All subjects with which a rule may apply; nil where they are not known.
    func taken(by index: Int, _ subject: Subject) -> Language? {
        let instruction = program.tables.instructions[index]
        switch (subject, instruction.operation) {
        case (.path, .rewrite), (.url, .rewriteURL): return language(GoalDrafts.pattern(of: index, program))
        case (.host, _): return matcher(of: index).flatMap(hosts)
        default: return nil
        }
    }

    /// The same for URLs that are written in their normal form: then it does not matter which spelling a matcher looks at.
    func takenOfNormalURLs(by index: Int) -> Language? {
        if let own = taken(by: index, .url) { return own }
        guard let matcher = matcher(of: index) else { return nil }
        if matcher.kind == .url { return language(matcher.pattern) }
        return hosts(of: matcher).flatMap { try? URLPart.host.urls(having: $0, checker) }
    }

    /// URLs that surely are their own normal form.
    var normalURLs: Automaton? {
        checker.automaton(
            "^(?!https?:)[a-z][a-z0-9+.-]*://[A-Za-z0-9_-]+(?:/[A-Za-z0-9_~-]+)*/?(?:\\?[A-Za-z0-9_=&.-]*)?\\z"
        )
    }

    /// The matcher of a rule on whole URLs; nil for others.
    private func matcher(of index: Int) -> Matcher? {
        let instruction = program.tables.instructions[index]
        let number: MatcherIndex =
            switch instruction.operation {
            case .match, .degrade: MatcherIndex(instruction.a)
            case .renameHost: program.tables.renames[instruction.a].matcher
            case .block: program.tables.blocks[instruction.a].matcher
            default: .none
            }
        return number.isNone ? nil : program.tables.matchers[number]
    }

    private func language(_ pattern: ExpressionIndex?) -> Language? {
        guard let pattern, !pattern.isNone else { return nil }
        return (try? checker.automaton(of: pattern)).map { .automaton($0) }
    }

    private func hosts(of matcher: Matcher) -> Language? {
        if matcher.kind == .url { return onlyHost(of: matcher.pattern) }
        guard matcher.names.count + matcher.hostPatterns.count <= maximumNames else { return nil }
        var all: [Language] = []
        for name in matcher.names {
            let test = ValueTest(program.tables.hostNames[name], isWanted: false, limits: checker.limits.expression)
            guard let language = try? checker.language(of: test) else { return nil }
            all.append(language)
        }
        for pattern in matcher.hostPatterns {
            guard let language = language(program.tables.hostPatterns[pattern]) else { return nil }
            all.append(language)
        }
        return .union(all)
    }

    /// The one host that all URLs have with which an expression begins; nil if it does not begin so.
    ///
    /// A host of letters, digits and `-` is the same in every spelling of a URL but for its case.
    private func onlyHost(of pattern: ExpressionIndex) -> Language? {
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
    func made(by index: Int, _ subject: Subject) -> Language? {
        let instruction = program.tables.instructions[index]
        switch (subject, instruction.operation) {
        case (.path, .rewrite):
            let rule = program.tables.rewrites[instruction.a]
            return rule.status == 0 ? image(rule.target, rule.pattern) : nil
        case (.url, .rewriteURL):
            let rule = program.tables.urlRewrites[instruction.a]
            return rule.status == 0 ? image(rule.target, rule.pattern) : nil
        case (.host, .renameHost): return renamed(program.tables.renames[instruction.a])
        default: return nil
        }
    }

    private func image(_ target: TemplateIndex, _ pattern: ExpressionIndex) -> Language? {
        let image = TemplateImage(target, capturesOf: checker.tree(of: pattern), in: program)
        return try? image.language(checker.limits.expression)
    }

    private func renamed(_ rename: HostRename) -> Language? {
        let part = program.tables.parts[rename.target]
        guard !rename.name.isNone, part.isConstant else { return nil }
        let text = program.tables.constants[Int(part.a)..<Int(part.b)].map(\.asciiLowercased)
        let target = PatternNode.literal(text, caseless: false)
        let nodes: [PatternNode] =
            switch program.tables.hostNames[rename.name].kind {
            case .exact: [target]
            case .subdomains, .domain: [.anything, target]
            case .prefix: [target, .anything]
            }
        let tree = PatternNode.sequence([.start] + nodes + [.absoluteEnd])
        return (try? Automaton(tree, limits: checker.limits.expression)).map { .automaton($0) }
    }
}
