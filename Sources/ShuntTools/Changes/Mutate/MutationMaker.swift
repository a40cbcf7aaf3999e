import Shunt
import ShuntPatterns

/// Makes the mutations of a rule set: changes of the text of its directives.
struct MutationMaker {
    private let ruleSet: RuleSet
    private let document: RuleDocument
    private var found: [(mutation: Mutation, expression: ExpressionChange?)] = []
    /// The block that is gone through.
    private var around: SourcePosition?
    /// The directives that were gone through: a file may be included twice.
    private var seen: Set<SourcePosition> = []

    /// All mutations, in the order of the files.
    static func mutations(of ruleSet: RuleSet) -> [(mutation: Mutation, expression: ExpressionChange?)] {
        var maker = MutationMaker(ruleSet)
        maker.collect(maker.document.directives)
        let found = maker.found
        return found.indices.sorted { (found[$0].mutation.file, $0) < (found[$1].mutation.file, $1) }.map { found[$0] }
    }

    private init(_ ruleSet: RuleSet) {
        self.ruleSet = ruleSet
        document = ruleSet.document
    }

    // MARK: Changes of the text

    private func bytes(of word: Word) -> [UInt8]? { ruleSet.file(Int(word.position.file))?.bytes }

    private func offset(of word: Word) -> Range<Int>? {
        document.offset(of: word).map { $0..<$0 + Int(word.sourceLength) }
    }

    private mutating func add(
        _ kind: Mutation.Kind,
        _ directive: Directive,
        _ change: String,
        _ range: Range<Int>,
        _ replacement: [UInt8],
        _ expression: ExpressionChange? = nil
    ) {
        let position = directive.name.position
        guard let location = ruleSet.model.location(of: position) else { return }
        found.append(
            (
                Mutation(
                    kind: kind,
                    rule: location,
                    change: change,
                    file: Int(position.file),
                    range: range,
                    replacement: replacement,
                    position: position,
                    around: around
                ), expression
            )
        )
    }

    /// Replaces a word, in quotes where it needs them.
    private mutating func replace(
        _ word: Word,
        by text: [UInt8],
        _ kind: Mutation.Kind,
        _ directive: Directive,
        _ change: String,
        _ expression: ExpressionChange? = nil
    ) {
        guard let range = offset(of: word), let bytes = bytes(of: word), range.upperBound <= bytes.count
        else { return }
        let isPlain = !word.isQuoted && bytes[range].elementsEqual(word.bytes)
        add(kind, directive, change, range, isPlain ? text : ExpectationText.inQuotes(text), expression)
    }

    // MARK: Directives

    private static let removable: Set<String> = [
        "rewrite", "return", "set", "block", "degrade", "rename_host", "rewrite_url", "blocklist", "allow", "deny",
        "remove_args", "break", "error_page", "try_files",
    ]
    private static let ordered: Set<String> = [
        "rewrite", "rewrite_url", "block", "degrade", "rename_host", "allow", "deny",
    ]

    private mutating func collect(_ directives: [Directive]) {
        for (index, directive) in directives.enumerated() where seen.insert(directive.name.position).inserted {
            let name = directive.name.text
            if Self.removable.contains(name), let range = document.extent(of: directive) {
                add(.removed, directive, "removed", range, [])
            }
            if index + 1 < directives.count { move(directive, below: directives[index + 1]) }
            switch name {
            case "rewrite", "rewrite_url": rewrite(directive)
            case "return": result(directive)
            case "block", "degrade", "match", "rename_host": matcher(directive)
            case "location": location(directive)
            case "if", "else": condition(directive)
            case "map": entries(directive, isMap: true)
            case "geo": entries(directive, isMap: false)
            case "allow", "deny":
                if let word = directive.arguments.first, let wider = TargetMutations.ofNetwork(word.text) {
                    replace(word, by: Array(wider.utf8), .entry, directive, "\(wider) for \(word.text)")
                    found[found.count - 1].mutation.addresses = TargetMutations.addressesBeside(word.text)
                }
            case "server_name": for word in directive.arguments { host(word, directive) }
            default: break
            }
            if let block = directive.block, !["map", "geo", "split_clients", "types", "upstream"].contains(name) {
                let outer = around
                around = directive.name.position
                collect(block)
                around = outer
            }
        }
    }

    private mutating func move(_ directive: Directive, below next: Directive) {
        let name = directive.name.text
        let access = ["allow", "deny"]
        guard name == next.name.text || access.contains(name) && access.contains(next.name.text),
            Self.ordered.contains(name) || isRegexLocation(directive) && isRegexLocation(next),
            directive.name.position.file == next.name.position.file, let first = document.extent(of: directive),
            let second = document.extent(of: next), let bytes = bytes(of: directive.name),
            first.upperBound <= second.lowerBound
        else { return }
        let swapped = bytes[second] + bytes[first.upperBound..<second.lowerBound] + bytes[first]
        let count = found.count
        add(.moved, directive, "below the next one", first.lowerBound..<second.upperBound, Array(swapped))
        if found.count > count { found[count].mutation.next = next.name.position }
    }

    private func isRegexLocation(_ directive: Directive) -> Bool {
        directive.name.text == "location" && directive.arguments.first?.text.hasPrefix("~") == true
            && directive.arguments.count == 2
    }

    private mutating func expression(
        _ word: Word,
        _ directive: Directive,
        isCaseless: Bool,
        subject: ExpressionChange.Subject,
        usesCaptures: Bool,
        prefix: Int = 0
    ) {
        let text = Array(word.bytes.dropFirst(prefix))
        var change = ExpressionChange(
            original: text,
            mutated: text,
            wasCaseless: isCaseless,
            isCaseless: isCaseless,
            subject: subject,
            usesCaptures: usesCaptures
        )
        let shown = String(decoding: text, as: UTF8.self)
        for mutated in ExpressionMutations.of(text) {
            change.mutated = mutated.text
            change.difference = mutated.difference
            let whole = Array(word.bytes.prefix(prefix)) + mutated.text
            replace(word, by: whole, mutated.kind, directive, "\(mutated.change) in \(shown)", change)
        }
        // Case can be left out of account in the expression itself.
        if !isCaseless, !text.starts(with: "(?i)".utf8) {
            change.mutated = Array("(?i)".utf8) + text
            change.difference = nil
            let whole = Array(word.bytes.prefix(prefix)) + change.mutated
            replace(word, by: whole, .letterCase, directive, "whatever the case in \(shown)", change)
        }
    }

    /// Returns true if something in a block is made of captures.
    private static func usesCaptures(_ directives: [Directive]) -> Bool {
        directives.contains { directive in
            directive.arguments.contains(where: \.usesCaptures) || directive.block.map(usesCaptures) == true
        }
    }

    private static func hasNamedGroup(_ expression: [UInt8]) -> Bool {
        let text = String(decoding: expression, as: UTF8.self)
        return text.contains("(?<") || text.contains("(?P<") || text.contains("(?'")
    }

    private static func groups(in expression: [UInt8]) -> Int {
        (try? RegularExpression(expression, caseless: false))?.captureCount ?? 0
    }

    private mutating func rewrite(_ directive: Directive) {
        guard directive.arguments.count >= 2 else { return }
        let pattern = directive.arguments[0]
        let target = directive.arguments[1]
        let isPath = directive.name.text == "rewrite"
        expression(
            pattern,
            directive,
            isCaseless: false,
            subject: isPath ? .path : .url,
            usesCaptures: target.usesCaptures || Self.hasNamedGroup(pattern.bytes)
        )
        self.target(target, directive, groups: Self.groups(in: pattern.bytes), isRewrite: isPath)
        guard let flag = directive.arguments.dropFirst(2).first else { return }
        status(flag, directive)
        if let range = offset(of: flag) { add(.result, directive, "without \"\(flag.text)\"", range, []) }
    }

    private mutating func target(_ word: Word, _ directive: Directive, groups: Int, isRewrite: Bool) {
        for mutated in TargetMutations.ofTarget(word.bytes, groups: groups, isRewrite: isRewrite) {
            replace(word, by: mutated.text, mutated.kind, directive, mutated.change)
        }
    }

    private mutating func status(_ word: Word, _ directive: Directive) {
        guard let other = TargetMutations.ofStatus(word.text) else { return }
        replace(word, by: Array(other.utf8), .result, directive, "\(other) for \(word.text)")
    }

    private mutating func result(_ directive: Directive) {
        guard let first = directive.arguments.first else { return }
        status(first, directive)
        // The groups are those of the location or the test around it; nine is what a template can name.
        if directive.arguments.count > 1 {
            target(directive.arguments[1], directive, groups: groupsAround, isRewrite: false)
        }
    }

    /// The number of groups of the expression of the enclosing location or `if`.
    private var groupsAround = 0

    private mutating func matcher(_ directive: Directive) {
        guard let kind = directive.arguments.first?.text else { return }
        let words = directive.arguments.dropFirst()
        switch kind {
        case "~", "~*":
            guard let pattern = words.first else { return }
            expression(
                pattern,
                directive,
                isCaseless: kind == "~*",
                subject: .url,
                usesCaptures: words.dropFirst().contains(where: \.usesCaptures)
                    || Self.hasNamedGroup(pattern.bytes)
            )
        case "host": for word in words { host(word, directive) }
        default: break
        }
        guard let last = directive.arguments.last, directive.arguments.count > 1 else { return }
        if directive.name.text == "block", directive.arguments.count > 2 { status(last, directive) }
        if directive.name.text == "degrade" {
            let pattern = kind.hasPrefix("~") ? words.first : nil
            target(last, directive, groups: pattern.map { Self.groups(in: $0.bytes) } ?? 0, isRewrite: false)
        }
        if directive.name.text == "rename_host", let first = directive.arguments.first { host(first, directive) }
    }

    private mutating func host(_ word: Word, _ directive: Directive) {
        guard let other = TargetMutations.ofHost(word.text) else { return }
        replace(word, by: Array(other.utf8), .host, directive, "\(other) for \(word.text)")
    }

    private mutating func location(_ directive: Directive) {
        guard isRegexLocation(directive) else {
            groupsAround = 0
            return
        }
        let modifier = directive.arguments[0]
        let pattern = directive.arguments[1]
        let uses = Self.usesCaptures(directive.block ?? []) || Self.hasNamedGroup(pattern.bytes)
        groupsAround = Self.groups(in: pattern.bytes)
        expression(pattern, directive, isCaseless: modifier.text == "~*", subject: .path, usesCaptures: uses)
    }

    // MARK: Tests and tables

    private static let opposites: [String: String] = [
        "=": "!=", "!=": "=", "~": "!~", "!~": "~", "~*": "!~*", "!~*": "~*", "(-f": "(!-f", "(!-f": "(-f",
        "(-d": "(!-d",
        "(!-d": "(-d", "(-e": "(!-e", "(!-e": "(-e",
    ]
    private static let neighbours: [String: String] = [
        "<": "<=", "<=": "<", ">": ">=", ">=": ">", "&&": "||", "||": "&&",
    ]

    private mutating func condition(_ directive: Directive) {
        for (index, word) in directive.arguments.enumerated() {
            if let other = Self.opposites[word.text] ?? Self.neighbours[word.text] {
                replace(word, by: Array(other.utf8), .condition, directive, "\(other) for \(word.text)")
            }
            guard index > 0 else { continue }
            let operation = directive.arguments[index - 1].text
            let closing = word.isQuoted ? 0 : word.bytes.reversed().prefix { $0 == UInt8(ascii: ")") }.count
            let value = Array(word.bytes.dropLast(closing))
            if ["<", "<=", ">", ">="].contains(operation), let next = ValueSearch.neighbours(of: value).first,
                value.allSatisfy({ $0.isASCIIDigit || $0 == UInt8(ascii: ".") })
            {
                let text = next + word.bytes.suffix(closing)
                replace(word, by: text, .condition, directive, "\(next.asText) for \(value.asText)")
            }
        }
        if directive.arguments.count == 1, let word = directive.arguments.first, word.bytes.last == UInt8(ascii: ")") {
            let text = Array(word.bytes.dropLast()) + Array(" = \"\")".utf8)
            if let range = offset(of: word) { add(.condition, directive, "turned round", range, text) }
        }
    }

    private mutating func entries(_ directive: Directive, isMap: Bool) {
        for entry in directive.block ?? [] where entry.arguments.count == 1 {
            guard let range = document.extent(of: entry) else { continue }
            add(.entry, entry, "removed", range, [])
            if isMap, entry.name.text.hasPrefix("~") {
                let isCaseless = entry.name.text.hasPrefix("~*")
                expression(
                    entry.name,
                    entry,
                    isCaseless: isCaseless,
                    subject: .value,
                    usesCaptures: entry.arguments.contains(where: \.usesCaptures)
                        || Self.hasNamedGroup(entry.name.bytes),
                    prefix: isCaseless ? 2 : 1
                )
            } else if !isMap, let wider = TargetMutations.ofNetwork(entry.name.text) {
                replace(entry.name, by: Array(wider.utf8), .entry, entry, "\(wider) for \(entry.name.text)")
            }
        }
    }
}

extension Word {
    /// True if it has a `$1`.
    var usesCaptures: Bool { !bytes.references(after: "$").isEmpty }
}
