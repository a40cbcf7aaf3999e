import Shunt
import ShuntPatterns

/// An expression of a rule as in its file.
struct WrittenExpression {
    let place: LookedAtExpressions.Place
    let word: Word
    /// The number of the directive in the tree.
    let node: Int
    let text: ExpressionText
    /// The place where the text begins in its file; nil where it is written otherwise, with escapes.
    let start: Int?
    /// The groups that something may read.
    let readGroups: Set<Int>

    /// True if nothing reads what groups capture: then it does not matter which way a match goes.
    var isOnlyMatched: Bool { readGroups.isEmpty && !text.hasNames && !text.refersBack }

    /// The change of the file that replaces a part of the text.
    func edits(_ changes: [(range: Range<Int>, text: String)]) -> [LintEdit] {
        guard let start else { return [] }
        return changes.map { change in
            let range = start + change.range.lowerBound..<start + change.range.upperBound
            return LintEdit(file: Int(word.position.file), range: range, text: change.text)
        }
    }
}

/// All expressions of rules as in their files, with what is known of their groups.
struct WrittenExpressions {
    let all: [WrittenExpression]

    init(_ subject: LintSubject) {
        let use = GroupUse(subject)
        all = subject.expressions.all.compactMap { place in
            let pattern = place.pattern.expression.pattern
            guard let node = subject.tree.node(at: place.position),
                let (word, prefix, length) = Self.word(of: pattern, in: subject.tree.nodes[node]),
                let text = ExpressionText(Array(word.bytes.dropFirst(prefix).prefix(length)))
            else { return nil }
            return WrittenExpression(
                place: place,
                word: word,
                node: node,
                text: text,
                start: Self.start(of: text.text, word: word, prefix: prefix, subject: subject),
                readGroups: use.groups(readAround: node)
            )
        }
    }

    /// The word of a directive that has an expression, and which bytes of it are the expression.
    private static func word(of pattern: [UInt8], in node: RuleDocument.Node) -> (Word, Int, Int)? {
        for word in [node.directive.name] + node.arguments {
            for prefix in ["", "~", "~*"] where word.bytes.starts(with: prefix.utf8) {
                let rest = word.bytes.dropFirst(prefix.utf8.count)
                if rest.elementsEqual(pattern) { return (word, prefix.utf8.count, rest.count) }
                // Of a test the bracket that closes it is at the last word.
                if node.name == "if" || node.name == "else", rest.last == UInt8(ascii: ")"),
                    rest.dropLast().elementsEqual(pattern)
                {
                    return (word, prefix.utf8.count, rest.count - 1)
                }
            }
        }
        // Where other spellings match, too, the expression has been changed.
        guard let mark = node.arguments.firstIndex(where: { $0.text == "~" || $0.text == "~*" }),
            mark + 1 < node.arguments.count, ["block", "degrade", "match", "rename_host"].contains(node.name)
        else { return nil }
        let word = node.arguments[mark + 1]
        return (word, 0, word.bytes.count)
    }

    private static func start(of text: [UInt8], word: Word, prefix: Int, subject: LintSubject) -> Int? {
        guard let file = subject.ruleSet.file(Int(word.position.file)),
            var start = file.offset(line: word.position.line, column: word.position.column)
        else { return nil }
        start += prefix + (word.isQuoted ? 1 : 0)
        let end = start + text.count
        return end <= file.bytes.count && file.bytes[start..<end].elementsEqual(text) ? start : nil
    }
}

/// The groups of expressions that some text reads, such as `$1`.
private struct GroupUse {
    private let tree: RuleDocument
    /// Those that are read where it is not plain of which expression they are.
    private var anywhere: Set<Int> = []

    init(_ subject: LintSubject) {
        tree = subject.tree
        let areOwn = CaptureUse.isOfOwnExpressions(subject.model)
        let rules: Set<String> = [
            "rewrite", "rewrite_url", "return", "set", "degrade", "rename_host", "if", "else", "location", "block",
            "match",
        ]
        for node in tree.nodes {
            let isEntry = node.parent >= 0 && tree.nodes[node.parent].name == "map"
            if areOwn, rules.contains(node.name) || isEntry { continue }
            anywhere.formUnion(Self.groups(in: node))
        }
    }

    /// The groups that a directive, those in its block, and those that may read any read.
    func groups(readAround node: Int) -> Set<Int> {
        ([node] + tree.descendants(of: node)).reduce(into: anywhere) { $0.formUnion(Self.groups(in: tree.nodes[$1])) }
    }

    private static func groups(in node: RuleDocument.Node) -> [Int] {
        ([node.directive.name] + node.arguments)
            .flatMap { word in
                let bytes = word.bytes
                return bytes.indices.compactMap { index -> Int? in
                    guard bytes[index] == UInt8(ascii: "$") else { return nil }
                    let digit = bytes[(index + 1)...].first { $0 != UInt8(ascii: "{") }
                    return digit.flatMap { (0x31...0x39).contains($0) ? Int($0 - 0x30) : nil }
                }
            }
    }
}
