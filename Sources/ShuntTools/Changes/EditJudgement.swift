public import Shunt
import ShuntPatterns

/// The judgement of an edited rule without any request: the difference, and whether it matters.
public struct EditJudgement: Sendable, Hashable {
    /// The only argument that is another one.
    public struct Argument: Sendable, Hashable {
        /// Its number, from 1 on.
        public var number: Int
        /// The text before.
        public var before: String
        /// The text after.
        public var after: String
    }

    /// The only argument that is another one; nil where more is.
    public private(set) var argument: Argument?
    /// True if it is proved that no request is decided otherwise.
    public private(set) var isProvedEqual = false
    /// The place where the rule was, as the old set names its files.
    public let before: SourceLocation
    /// The place where the rule is, as the new set names its files.
    public let after: SourceLocation

    /// Judges the edits of a comparison, in their order.
    ///
    /// - Parameters:
    ///   - changes: The differences of the sets.
    ///   - old: The present rules.
    ///   - new: The rules as they would be.
    ///   - limits: The bounds on the work.
    /// - Returns: One for each edit that is listed.
    public static func judgements(
        of changes: RuleChanges,
        from old: LoadedRules,
        to new: LoadedRules,
        limits: AnalysisLimits = AnalysisLimits()
    ) -> [EditJudgement] {
        guard !changes.edited.isEmpty else { return [] }
        let sides = (EditedSide(old.ruleSet, limits), EditedSide(new.ruleSet, limits))
        // A flag depends on the rules after it, which must be the same then.
        let isAlone =
            changes.editedCount == 1 && changes.addedCount + changes.removedCount == 0 && changes.reordered.isEmpty
        return changes.edited.map { edit in
            var (before, after) = (edit.before.location, edit.after.location)
            before.file = StructureDifference.name(of: before.file, in: old.archive)
            after.file = StructureDifference.name(of: after.file, in: new.archive)
            return EditJudgement(before, after: after, old: sides.0, new: sides.1, isAlone: isAlone)
        }
    }

    private init(_ before: SourceLocation, after: SourceLocation, old: EditedSide, new: EditedSide, isAlone: Bool) {
        self.before = before
        self.after = after
        guard let first = old.place(before), let second = new.place(after), let one = old.directive(first),
            let other = new.directive(second), one.name.bytes == other.name.bytes,
            (one.block == nil) == (other.block == nil)
        else { return }
        if isAlone, let flag = Self.flag(one, other) {
            isProvedEqual = old.equality.holds(old.mutation(first, flag))
        }
        guard one.arguments.count == other.arguments.count else { return }
        let changed = one.arguments.indices.filter { one.arguments[$0].bytes != other.arguments[$0].bytes }
        guard changed.count == 1, let index = changed.first else { return }
        argument = Argument(number: index + 1, before: one.arguments[index].text, after: other.arguments[index].text)
        guard Self.expression(of: one) == index, let was = old.expression(first), let becomes = new.expression(second),
            was.expression.captureNames.elementsEqual(becomes.expression.captureNames, by: { $0 == $1 }),
            // What takes too many steps fails, whatever it would match.
            was.expression.slowness == nil, becomes.expression.slowness == nil
        else { return }
        let change = ExpressionChange(
            original: was.expression.pattern,
            mutated: becomes.expression.pattern,
            wasCaseless: was.expression.caseless,
            isCaseless: becomes.expression.caseless,
            subject: was.subject,
            usesCaptures: old.usesCaptures || new.usesCaptures
        )
        // Other edits may have changed what paths there are: neither the old ones nor the new ones may distinguish the
        // two.
        isProvedEqual =
            was.subject == becomes.subject
            && old.equality.proof(at: first, change, withControls: true)?.isEqual == true
            && new.equality.proof(at: second, change, withControls: true)?.isEqual == true
    }

    /// The index of the argument of a directive that is its expression.
    private static func expression(of directive: Directive) -> Int? {
        switch directive.name.text {
        case "rewrite", "rewrite_url": return 0
        case "location", "block", "degrade", "match":
            let first = directive.arguments.first?.text
            return first == "~" || first == "~*" ? 1 : nil
        default: return nil
        }
    }

    /// The flag that a rewrite has instead of another one, empty for none; nil where something else is changed.
    private static func flag(_ one: Directive, _ other: Directive) -> [UInt8]? {
        let isRewrite = one.name.text == "rewrite" || one.name.text == "rewrite_url"
        guard isRewrite, one.arguments.count >= 2, other.arguments.count >= 2,
            one.arguments.prefix(2).map(\.bytes) == other.arguments.prefix(2).map(\.bytes)
        else { return nil }
        return other.arguments.count > 2 ? other.arguments[2].bytes : []
    }
}

/// One of the two sets, with what proofs need.
private struct EditedSide {
    let ruleSet: RuleSet
    let equality: MutationEquality
    private let model: RuleModel
    private let tree: RuleDocument

    init(_ ruleSet: RuleSet, _ limits: AnalysisLimits) {
        self.ruleSet = ruleSet
        equality = MutationEquality(ruleSet, limits: limits)
        model = ruleSet.model
        tree = model.document
    }

    /// True if something reads what groups capture, or may.
    var usesCaptures: Bool { model.hasCaptures }

    func place(_ location: SourceLocation) -> SourcePosition? { model.position(of: location) }

    func directive(_ place: SourcePosition) -> Directive? {
        guard let node = tree.node(at: place), tree.nodes[node].position == place else { return nil }
        return tree.nodes[node].directive
    }

    /// The expression of a rule or a location, as it was compiled, and what it is matched with.
    func expression(_ place: SourcePosition) -> (expression: RegularExpression, subject: ExpressionChange.Subject)? {
        if let rule = model.rule(at: place), let own = rule.expression {
            return (own.expression, rule.operation == .rewrite ? .path : .url)
        }
        return model.location(at: place)?.expression.map { ($0.expression, .path) }
    }

    /// The change of a rule's flag, as if it were a mistake someone makes.
    func mutation(_ place: SourcePosition, _ flag: [UInt8]) -> Mutation {
        Mutation(
            kind: .result,
            rule: model.location(of: place) ?? SourceLocation(file: "", line: 0, column: 0),
            change: "",
            file: Int(place.file),
            range: 0..<0,
            replacement: flag,
            position: place
        )
    }
}
