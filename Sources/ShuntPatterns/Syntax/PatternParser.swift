import ShuntCore

/// Reads the part of PCRE2's syntax that is analysed; throws at everything else.
///
/// It gets patterns that PCRE2 has accepted, so it need not find errors. What it does read it must read as PCRE2
/// does; what it is not sure of it refuses, and the pattern is then tried on every subject.
struct PatternParser {
    struct Options {
        var caseless: Bool
        var dotMatchesLineFeed = false
    }

    /// Groups nested deeper than this are not followed.
    static let deepestNesting = 64

    let pattern: [UInt8]
    var position = 0
    private var captureCount = 0

    static func parse(_ pattern: [UInt8], caseless: Bool) throws(NotUnderstood) -> PatternNode {
        var parser = PatternParser(pattern: pattern)
        var options = Options(caseless: caseless)
        let node = try parser.parseChoice(&options, depth: 0)
        guard parser.position == pattern.count else { throw parser.notUnderstood(length: 1) }
        return node
    }

    func notUnderstood(at offset: Int? = nil, length: Int) -> NotUnderstood {
        let start = offset ?? position
        let text = pattern[min(start, pattern.count)..<min(start + length, pattern.count)]
        return NotUnderstood(what: "\"\(String(decoding: text, as: UTF8.self))\"", offset: start)
    }

    func byte(_ ahead: Int = 0) -> UInt8? { position + ahead < pattern.count ? pattern[position + ahead] : nil }

    mutating func skip(_ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard position + count <= pattern.count else { return false }
        let matches = text.withUTF8Buffer { wanted in
            wanted.indices.allSatisfy { unsafe wanted[$0] == pattern[position + $0] }
        }
        if matches { position += count }
        return matches
    }

    /// Alternatives up to the end of the group.
    ///
    /// An option set in one holds in those after it, too.
    private mutating func parseChoice(_ options: inout Options, depth: Int) throws(NotUnderstood) -> PatternNode {
        var branches = [try parseSequence(&options, depth: depth)]
        while byte() == UInt8(ascii: "|") {
            position += 1
            branches.append(try parseSequence(&options, depth: depth))
        }
        return branches.count == 1 ? branches[0] : .choice(branches)
    }

    /// One thing of a sequence, before what repeats it.
    enum Atom {
        case byte(UInt8)
        case node(PatternNode)
        /// An option setting or a comment: takes no bytes.
        case nothing
    }

    private mutating func parseSequence(_ options: inout Options, depth: Int) throws(NotUnderstood) -> PatternNode {
        var nodes: [PatternNode] = []
        nodes.reserveCapacity(4)
        var literal: [UInt8] = []
        var literalIsCaseless = options.caseless
        func flush() {
            guard !literal.isEmpty else { return }
            nodes.append(.literal(literal, caseless: literalIsCaseless))
            literal = []
        }
        while let current = byte(), current != UInt8(ascii: "|"), current != UInt8(ascii: ")") {
            var node: PatternNode
            let atom: Atom
            if Self.standsForItself(current) {
                position += 1
                atom = .byte(current)
            } else {
                atom = try parseAtom(current, &options, depth: depth)
            }
            switch atom {
            case .nothing:
                if options.caseless != literalIsCaseless { flush() }
                literalIsCaseless = options.caseless
                // What follows a comment repeats what is before it.
                if try isAtQuantifier() { throw notUnderstood(length: 1) }
                continue
            case .byte(let byte):
                if try !isAtQuantifier() {
                    if literal.isEmpty { literal.reserveCapacity(min(32, pattern.count - position + 1)) }
                    literal.append(byte)
                    continue
                }
                node = .literal([byte], caseless: options.caseless)
            case .node(let other): node = other
            }
            while let quantifier = try parseQuantifier() {
                node = .repeated(node, minimum: quantifier.minimum, maximum: quantifier.maximum, quantifier.preference)
            }
            flush()
            nodes.append(node)
        }
        flush()
        return nodes.count == 1 ? nodes[0] : .sequence(nodes)
    }

    /// Returns true if a byte has no other meaning outside a class: most bytes of most patterns.
    private static func standsForItself(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "/"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    private mutating func parseAtom(
        _ current: UInt8,
        _ options: inout Options,
        depth: Int
    ) throws(NotUnderstood) -> Atom {
        switch current {
        case UInt8(ascii: "("): return try parseGroup(&options, depth: depth).map { .node($0) } ?? .nothing
        case UInt8(ascii: "["): return .node(.set(try parseClass(options)))
        case UInt8(ascii: "\\"): return try parseEscape()
        case UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "?"): throw notUnderstood(length: 1)
        // A brace that is not a quantifier stands for itself, but newer PCRE2 versions read more forms as quantifiers.
        case UInt8(ascii: "{"): _ = try bracedCounts()
        default: break
        }
        position += 1
        switch current {
        case UInt8(ascii: "^"): return .node(.start)
        case UInt8(ascii: "$"): return .node(.end)
        case UInt8(ascii: "."): return .node(.set(options.dotMatchesLineFeed ? .all : .notLineFeed))
        default: return .byte(current)
        }
    }

    // MARK: Groups

    private static let lookarounds: [(opening: StaticString, ahead: Bool, negated: Bool)] = [
        ("?=", true, false), ("?!", true, true), ("?<=", false, false), ("?<!", false, true),
    ]

    /// A group from its `(` to its `)`; nil for what sets an option or is a comment.
    private mutating func parseGroup(_ options: inout Options, depth: Int) throws(NotUnderstood) -> PatternNode? {
        let start = position
        guard depth < Self.deepestNesting else {
            throw NotUnderstood(what: "groups nested more than \(Self.deepestNesting) deep", offset: start)
        }
        position += 1
        if byte() == UInt8(ascii: "*") { throw notUnderstood(at: start, length: 8) }
        guard byte() == UInt8(ascii: "?") else { return try parseCapture(options, depth: depth) }
        if skip("?:") { return try finishGroup(options, depth: depth) }
        if skip("?>") { return .atomic(try finishGroup(options, depth: depth)) }
        for (opening, ahead, negated) in Self.lookarounds where skip(opening) {
            return .lookaround(try finishGroup(options, depth: depth), ahead: ahead, negated: negated)
        }
        if skip("?P<") || skip("?<") {
            try skipName(to: UInt8(ascii: ">"), start)
            return try parseCapture(options, depth: depth)
        }
        if skip("?'") {
            try skipName(to: UInt8(ascii: "'"), start)
            return try parseCapture(options, depth: depth)
        }
        if skip("?#") {
            while let current = byte(), current != UInt8(ascii: ")") {
                _ = current
                position += 1
            }
            position += 1
            return nil
        }
        return try parseOptions(&options, start: start, depth: depth)
    }

    private mutating func parseCapture(_ options: Options, depth: Int) throws(NotUnderstood) -> PatternNode {
        captureCount += 1
        let number = captureCount
        return .capture(try finishGroup(options, depth: depth), number: number)
    }

    private mutating func finishGroup(_ options: Options, depth: Int) throws(NotUnderstood) -> PatternNode {
        var inner = options
        let node = try parseChoice(&inner, depth: depth + 1)
        guard byte() == UInt8(ascii: ")") else { throw notUnderstood(length: 1) }
        position += 1
        return node
    }

    private mutating func skipName(to end: UInt8, _ start: Int) throws(NotUnderstood) {
        while let current = byte(), ByteSet.word.contains(current) { position += 1 }
        guard byte() == end else { throw notUnderstood(at: start, length: 4) }
        position += 1
    }

    /// `(?i)`, `(?-s)`, `(?i:…)` and the like.
    ///
    /// Any option but `i` and `s` is refused.
    private mutating func parseOptions(
        _ options: inout Options,
        start: Int,
        depth: Int
    ) throws(NotUnderstood) -> PatternNode? {
        var changed = options
        var value = true
        position += 1
        while let current = byte() {
            position += 1
            switch current {
            case UInt8(ascii: "i"): changed.caseless = value
            case UInt8(ascii: "s"): changed.dotMatchesLineFeed = value
            case UInt8(ascii: "-") where value: value = false
            case UInt8(ascii: ":"): return try finishGroup(changed, depth: depth)
            case UInt8(ascii: ")"):
                options = changed
                return nil
            default: throw notUnderstood(at: start, length: position - start)
            }
        }
        throw notUnderstood(at: start, length: 2)
    }

    // MARK: Repetition

    private struct Quantifier {
        var minimum: Int
        var maximum: Int?
        var preference: PatternNode.Preference
    }

    private func isAtQuantifier() throws(NotUnderstood) -> Bool {
        switch byte() {
        case UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "?"): true
        case UInt8(ascii: "{"): try bracedCounts() != nil
        default: false
        }
    }

    private mutating func parseQuantifier() throws(NotUnderstood) -> Quantifier? {
        var quantifier: Quantifier
        switch byte() {
        case UInt8(ascii: "*"): quantifier = Quantifier(minimum: 0, maximum: nil, preference: .greedy)
        case UInt8(ascii: "+"): quantifier = Quantifier(minimum: 1, maximum: nil, preference: .greedy)
        case UInt8(ascii: "?"): quantifier = Quantifier(minimum: 0, maximum: 1, preference: .greedy)
        case UInt8(ascii: "{"):
            guard let counts = try bracedCounts() else { return nil }
            quantifier = Quantifier(minimum: counts.minimum, maximum: counts.maximum, preference: .greedy)
            position = counts.end - 1
        default: return nil
        }
        position += 1
        if byte() == UInt8(ascii: "?") {
            quantifier.preference = .lazy
            position += 1
        } else if byte() == UInt8(ascii: "+") {
            quantifier.preference = .possessive
            position += 1
        }
        return quantifier
    }

    /// The counts of `{n}`, `{n,}` or `{n,m}` at the position; nil where the brace is an ordinary character.
    private func bracedCounts() throws(NotUnderstood) -> (minimum: Int, maximum: Int?, end: Int)? {
        var index = position + 1
        func number() -> Int? {
            var value: Int?
            while index < pattern.count, ByteSet.digits.contains(pattern[index]) {
                value = min(100_000, (value ?? 0) * 10 + Int(pattern[index] - UInt8(ascii: "0")))
                index += 1
            }
            return value
        }
        func at(_ character: UInt8) -> Bool { index < pattern.count && pattern[index] == character }
        if at(UInt8(ascii: " ")) || at(UInt8(ascii: "\t")) || at(UInt8(ascii: ",")) { throw notUnderstood(length: 2) }
        guard let minimum = number() else { return nil }
        if at(UInt8(ascii: " ")) || at(UInt8(ascii: "\t")) { throw notUnderstood(length: index - position + 1) }
        if at(UInt8(ascii: "}")) { return (minimum, minimum, index + 1) }
        guard at(UInt8(ascii: ",")) else { return nil }
        index += 1
        if at(UInt8(ascii: "}")) { return (minimum, nil, index + 1) }
        let maximum = number()
        if at(UInt8(ascii: " ")) || at(UInt8(ascii: "\t")) { throw notUnderstood(length: index - position + 1) }
        guard let maximum, at(UInt8(ascii: "}")) else { return nil }
        return (minimum, maximum, index + 1)
    }
}
