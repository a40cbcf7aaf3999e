public import ShuntCore
import ShuntRouting

/// A rule as a list shows it.
public struct ListedRule: Sendable, Hashable {
    /// The way a rule is found among many.
    @nonexhaustive
    public enum Lookup: String, Sendable, Hashable {
        /// An index finds it: its cost does not grow with the number of rules.
        case indexed
        /// Every request that reaches it tries it, because its expression has no text to look for.
        case always
        /// It is run when it is reached, as `set` and `return` are, and rules that are alone.
        case inOrder = "in order"
    }

    /// The place where it is.
    public var location: SourceLocation
    /// The directive: `block`, `rewrite`, `route` and so on.
    public var kind: String
    /// The matcher of the rule: that of a rule on whole URLs, the expression of a rewrite, the method and pattern of a
    /// route; nil for rules that always apply when they are reached.
    public var matcher: String?
    /// The effect on a request: the new host or URL, the status, the file, the name of the route.
    public var target: String?
    /// The blocks around it that choose its requests, such as `server www.example.com, location = /a`; nil without any.
    public var context: String?
    /// The way it is found: by an index, on every request, or in order.
    public var lookup: Lookup
    /// The note in comments that begin with `#:`.
    public var note: RuleNote?
}

extension RuleSet {
    /// All rules and routes, in the order of the rule files.
    ///
    /// - Complexity: In proportion to the size of the rule files.
    public var listedRules: [ListedRule] {
        let document = document
        let notes = document.notes
        let always = Set(alwaysTriedRules.map(\.location))
        var places: Set<SourcePosition> = []
        var rules: [ListedRule] = []
        var contexts = RuleContexts(document)
        for instruction in program.tables.instructions where instruction.operation.role != .controls {
            let position = instruction.position
            guard let location = program.location(of: position), places.insert(position).inserted else { continue }
            let lookup: ListedRule.Lookup =
                always.contains(location) ? .always : !instruction.chain.isNone ? .indexed : .inOrder
            let words = document.directive(at: position)?.words.map(\.text) ?? []
            var rule = listed(words, at: location, lookup: lookup, note: notes[position])
            let context = contexts.context(at: position)
            rule.context = context.isEmpty ? nil : context
            rules.append(rule)
        }
        for list in program.tables.redirectLists { rules += rows(of: list, contexts.context(at: list.position)) }
        // The place of a route is that of its pattern.
        let notesOfLines = Dictionary(notes.map { ($0.key.line(in: program), $0.value) }) { first, _ in first }
        for route in routes?.routes ?? [] {
            let line = SourceLocation(file: route.origin.file, line: route.origin.line, column: 0)
            let words = ["route"] + [route.methods.joined(separator: "|"), route.fullPattern.text, route.displayName]
            rules.append(
                listed(words.filter { !$0.isEmpty }, at: route.origin, lookup: .indexed, note: notesOfLines[line])
            )
        }
        return rules.sorted { $0.location.isBefore($1.location) }
    }

    /// The rows of a list that are in use.
    private func rows(of list: RedirectList, _ context: String) -> [ListedRule] {
        guard let file = file(Int(list.file)) else { return [] }
        var rules: [ListedRule] = []
        var row = -1
        _ = RedirectListBuilder(file, list.options) { written, bytes in
            row += 1
            guard !list.rows[row].isLeftOut else { return }
            func text(_ range: ByteRange) -> String { String(decoding: bytes[range.indices], as: UTF8.self) }
            rules.append(
                ListedRule(
                    location: SourceLocation(file: file.name, line: Int(written.line), column: Int(written.column)),
                    kind: "redirects",
                    matcher: text(written.from),
                    target: [text(written.to), String(list.rows[row].status)].filter { !$0.isEmpty }
                        .joined(separator: " "),
                    context: context.isEmpty ? nil : context,
                    lookup: .indexed
                )
            )
        }
        return rules
    }

    private func listed(
        _ words: [String],
        at location: SourceLocation,
        lookup: ListedRule.Lookup,
        note: RuleNote?
    ) -> ListedRule {
        let arguments = words.dropFirst()
        let (matcher, target) = Self.parts(words.first ?? "", Array(arguments))
        return ListedRule(
            location: location,
            kind: words.first ?? "",
            matcher: matcher.isEmpty ? nil : matcher.joined(separator: " "),
            target: target.isEmpty ? nil : target.joined(separator: " "),
            lookup: lookup,
            note: note
        )
    }

    /// The arguments of a directive, as what it is for and what it does.
    private static func parts(_ kind: String, _ arguments: [String]) -> (matcher: [String], target: [String]) {
        switch kind {
        case "match": return (arguments, [])
        case "return", "set", "decode", "encode", "break", "blocklist", "remove_args", "allow": return ([], arguments)
        case "degrade", "route": return (Array(arguments.dropLast()), Array(arguments.suffix(1)))
        case "block":
            // A status is the last of at least three words; the URL of a matcher is not a number.
            let hasStatus = arguments.count > 2 && arguments.last.map { $0.utf8.allSatisfy(\.isASCIIDigit) } == true
            return hasStatus ? (Array(arguments.dropLast()), Array(arguments.suffix(1))) : (arguments, [])
        default: return (Array(arguments.prefix(1)), Array(arguments.dropFirst()))
        }
    }
}

extension SourcePosition {
    fileprivate func line(in program: Program) -> SourceLocation {
        let location = program.location(of: self)
        return SourceLocation(file: location?.file ?? "", line: location?.line ?? 0, column: 0)
    }
}
