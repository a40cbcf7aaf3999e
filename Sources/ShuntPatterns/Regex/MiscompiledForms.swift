/// Forms for which PCRE2 finds other matches than its own plain interpreter, and what they are compiled without.
///
/// Seen with PCRE2 10.42, and asked of it by tests. What is left out costs time and nothing else; so a form that is not
/// understood counts as one of these.
struct MiscompiledForms: OptionSet {
    let rawValue: UInt8

    /// Atomic and possessive groups, of which machine code is wrong.
    ///
    /// It misses matches (`(?>c+?)$` in `cc`) and reports captures that are not there (`(b)*+c`). In front of such a
    /// group even the interpreter does not return bytes that it should: `aa{0,2}(?>|b{2})[ab]` in `aa`.
    static let machineCode = MiscompiledForms(rawValue: 1)
    /// Forms of which PCRE2 misses matches by what it looks for before it matches, or carries over from start to start.
    ///
    /// * after branches of several lengths, machine code takes where a repetition failed for the places that later
    ///   starts reach: `(?:a|b|)a*a` misses `ba`;
    /// * a lookahead's byte is looked for twice: `(?=aa*+)b*a` misses `a`, interpreted, too;
    /// * a group that refers to itself is taken to be longer than it is: `(ab|\1?)aa` misses `aa`, interpreted, too.
    ///
    /// A pattern that can only match at the start of the subject has none of it.
    static let startOptimization = MiscompiledForms(rawValue: 2)

    init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The forms that a pattern may have.
    ///
    /// - Complexity: in proportion to the pattern's length.
    init(in pattern: [UInt8], caseless: Bool) {
        self = Self.mayHaveAtomicGroup(pattern) ? .machineCode : []
        // Verbs of backtracking mean something else without start optimization.
        if contains(.machineCode), Self.mayHaveVerb(pattern) { return }
        if let node = try? PatternParser.parse(pattern, caseless: caseless) {
            var choices = UnevenChoices()
            if Self.isAnchored(node) || !(Self.looksAheadOrBack(node) || choices.precedeRepetition(in: node)) { return }
        }
        insert(.startOptimization)
    }

    // MARK: Forms as bytes

    /// Returns true if a pattern may have an atomic or possessive group; true for some that have none, such as a class
    /// with the same bytes.
    private static func mayHaveAtomicGroup(_ pattern: [UInt8]) -> Bool {
        for index in pattern.indices {
            switch pattern[index] {
            case UInt8(ascii: "("):
                // `(?>` and, among the words after `(*`, `atomic:`.
                let rest = pattern[(index + 1)...].prefix(2)
                if rest.elementsEqual("?>".utf8) || rest.first == UInt8(ascii: "*") { return true }
            case UInt8(ascii: ")"):
                if isRepeatedPossessively(pattern[(index + 1)...]) { return true }
            default: continue
            }
        }
        return false
    }

    private static func mayHaveVerb(_ pattern: [UInt8]) -> Bool {
        zip(pattern, pattern.dropFirst()).contains { $0 == UInt8(ascii: "(") && $1 == UInt8(ascii: "*") }
    }

    /// Returns true if a quantifier and a `+` begin `rest`; white space may be between them where a pattern asks for
    /// it.
    private static func isRepeatedPossessively(_ rest: ArraySlice<UInt8>) -> Bool {
        var rest = rest.drop(while: isSpace)
        switch rest.first {
        case UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "?"): rest = rest.dropFirst()
        case UInt8(ascii: "{"): rest = rest.drop { $0 != UInt8(ascii: "}") }.dropFirst()
        default: return false
        }
        return rest.drop(while: isSpace).first == UInt8(ascii: "+")
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) }

    // MARK: Forms as trees

    /// Returns true if a pattern is written so that it only matches at the start.
    private static func isAnchored(_ node: PatternNode) -> Bool {
        switch node {
        case .start: true
        case .sequence(let nodes): nodes.first.map(isAnchored) ?? false
        case .choice(let branches): branches.allSatisfy(isAnchored)
        case .capture(let inner, _): isAnchored(inner)
        default: false
        }
    }

    private static func looksAheadOrBack(_ node: PatternNode) -> Bool {
        switch node {
        case .lookaround(_, ahead: true, negated: false), .backreference: true
        default: node.parts.contains(where: looksAheadOrBack)
        }
    }
}

/// Choices among branches of different lengths.
private struct UnevenChoices {
    /// True if there was one in what was gone through.
    private var wereSeen = false

    /// Returns true if one comes before a repetition without end.
    mutating func precedeRepetition(in node: PatternNode) -> Bool {
        if case .repeated(_, _, maximum: nil, _) = node, wereSeen { return true }
        for part in node.parts where precedeRepetition(in: part) { return true }
        if case .choice(let branches) = node {
            let lengths = branches.map(Self.length)
            if lengths.contains(where: { $0 == nil || $0 != lengths[0] }) { wereSeen = true }
        }
        return false
    }

    /// The number of bytes that `node` takes; nil where it may take different ones.
    private static func length(_ node: PatternNode) -> Int? {
        switch node {
        case .literal(let bytes, _): return bytes.count
        case .set: return 1
        case .start, .end, .absoluteEnd, .wordBoundary, .lookaround, .matchStart: return 0
        case .backreference, .lineBreak: return nil
        case .capture(let inner, _), .atomic(let inner): return length(inner)
        case .repeated(let inner, let minimum, let maximum, _):
            return minimum == maximum ? length(inner).map { min($0 * minimum, 1 << 32) } : nil
        case .choice(let branches):
            let lengths = branches.map(length)
            return lengths.allSatisfy { $0 == lengths[0] } ? lengths[0] : nil
        case .sequence(let nodes):
            var sum = 0
            for node in nodes {
                guard let length = length(node) else { return nil }
                sum = min(sum + length, 1 << 32)
            }
            return sum
        }
    }
}
