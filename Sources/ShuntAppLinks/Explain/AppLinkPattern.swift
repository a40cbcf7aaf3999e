import ShuntCore
import ShuntPatterns

/// A pattern of Apple's file, taken apart.
///
/// Matching takes time in proportion to the pattern times the text, whatever they are.
struct AppLinkPattern: Sendable {
    indirect enum Element: Sendable {
        case literal(Unicode.Scalar)
        /// `?`: exactly one character.
        case one
        /// `*`: any number of characters.
        case any
        /// One ASCII character of these ranges, such as `$(digit)`.
        case kind([ClosedRange<Unicode.Scalar>])
        /// One of several texts, such as `$(lang)` or a variable of the file.
        case either([[Element]])
    }

    /// The reason why a text is not a pattern.
    enum Problem: Error, Equatable {
        case unclosedVariable(String)
        case unknownVariable(String)
    }

    /// The variables that every file has.
    static let predefined: [String: Element] = [
        "alpha": .kind(["A"..."Z", "a"..."z"]),
        "upper": .kind(["A"..."Z"]),
        "lower": .kind(["a"..."z"]),
        "alnum": .kind(["A"..."Z", "a"..."z", "0"..."9"]),
        "digit": .kind(["0"..."9"]),
        "xdigit": .kind(["0"..."9", "a"..."f", "A"..."F"]),
        "lang": .either(LocaleCodes.languages.map { code in code.unicodeScalars.map { .literal($0) } }),
        "region": .either(LocaleCodes.regions.map { code in code.unicodeScalars.map { .literal($0) } }),
    ]

    let elements: [Element]
    let isCaseSensitive: Bool

    /// Takes a pattern apart, with the variables of its file.
    ///
    /// - Throws: `Problem` for the first variable that is not known or not closed.
    init(_ text: String, variables: [String: [String]], isCaseSensitive: Bool = true) throws(Problem) {
        self.isCaseSensitive = isCaseSensitive
        elements = try Self.elements(
            Array(text.unicodeScalars)[...],
            variables: variables,
            isCaseSensitive: isCaseSensitive
        )
    }

    private static func elements(
        _ text: ArraySlice<Unicode.Scalar>,
        variables: [String: [String]]?,
        isCaseSensitive: Bool
    ) throws(Problem) -> [Element] {
        var text = text
        var result: [Element] = []
        while let scalar = text.popFirst() {
            switch scalar {
            case "*": result.append(.any)
            case "?": result.append(.one)
            case "$" where variables != nil && text.first == "(":
                text.removeFirst()
                guard let end = text.firstIndex(of: ")") else { throw .unclosedVariable(Self.string(text)) }
                result.append(
                    try variable(
                        Self.string(text[..<end]),
                        variables: variables ?? [:],
                        isCaseSensitive: isCaseSensitive
                    )
                )
                text = text[(end + 1)...]
            default: result += folded(scalar, isCaseSensitive).map { .literal($0) }
            }
        }
        return result
    }

    private static func variable(
        _ name: String,
        variables: [String: [String]],
        isCaseSensitive: Bool
    ) throws(Problem) -> Element {
        if let values = variables[name] {
            var choices: [[Element]] = []
            // Values have wildcards, but no variables.
            for value in values {
                choices.append(
                    try elements(Array(value.unicodeScalars)[...], variables: nil, isCaseSensitive: isCaseSensitive)
                )
            }
            return .either(choices)
        }
        guard let known = predefined[name] else { throw .unknownVariable(name) }
        guard !isCaseSensitive, case .either(let codes) = known else { return known }
        return .either(
            codes.map { code in
                code.flatMap { element -> [Element] in
                    guard case .literal(let scalar) = element else { return [element] }
                    return folded(scalar, false).map { .literal($0) }
                }
            }
        )
    }

    private static func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        return String(text)
    }

    private static func folded(_ scalar: Unicode.Scalar, _ isCaseSensitive: Bool) -> [Unicode.Scalar] {
        isCaseSensitive ? [scalar] : Array(scalar.properties.lowercaseMapping.unicodeScalars)
    }

    // MARK: Matching

    func matches(_ text: [Unicode.Scalar]) -> Bool {
        let text = isCaseSensitive ? text : text.flatMap { Self.folded($0, false) }
        // Most patterns begin with a text that decides.
        var start = 0
        while start < elements.count, case .literal(let scalar) = elements[start] {
            guard start < text.count, text[start] == scalar else { return false }
            start += 1
        }
        if start == elements.count { return start == text.count }
        if start + 1 == elements.count, case .any = elements[start] { return true }
        var places = [Bool](repeating: false, count: text.count + 1)
        places[start] = true
        return ends(elements[start...], from: places, in: text)[text.count]
    }

    /// The places where a run of elements may end, from those where it may begin.
    private func ends(_ elements: ArraySlice<Element>, from starts: [Bool], in text: [Unicode.Scalar]) -> [Bool] {
        var places = starts
        for element in elements {
            switch element {
            case .any:
                guard let first = places.firstIndex(of: true) else { return places }
                for index in first..<places.count { places[index] = true }
            case .one: places = step(places, in: text) { _ in true }
            case .literal(let scalar): places = step(places, in: text) { $0 == scalar }
            case .kind(let ranges):
                // A class of capital letters takes small ones where the case of letters does not count.
                places = step(places, in: text) { [isCaseSensitive] scalar in
                    if ranges.contains(where: { $0.contains(scalar) }) { return true }
                    guard !isCaseSensitive, ("a"..."z").contains(scalar) else { return false }
                    return ranges.contains { $0.contains(Unicode.Scalar(UInt8(scalar.value - 0x20))) }
                }
            case .either(let choices):
                var union = [Bool](repeating: false, count: places.count)
                for choice in choices {
                    for (index, isEnd) in ends(choice[...], from: places, in: text).enumerated() where isEnd {
                        union[index] = true
                    }
                }
                places = union
            }
        }
        return places
    }

    private func step(_ places: [Bool], in text: [Unicode.Scalar], _ isTaken: (Unicode.Scalar) -> Bool) -> [Bool] {
        var next = [Bool](repeating: false, count: places.count)
        for (index, scalar) in text.enumerated() where places[index] && isTaken(scalar) { next[index + 1] = true }
        return next
    }
}

extension AppLinkPattern {
    /// The texts that it takes, in UTF-8; nil if letters without case are beyond ASCII.
    var tree: PatternNode? { Self.tree(elements[...], isCaseSensitive) }

    private static func tree(_ elements: ArraySlice<Element>, _ isCaseSensitive: Bool) -> PatternNode? {
        var nodes: [PatternNode] = []
        for element in elements {
            switch element {
            case .literal(let scalar):
                guard isCaseSensitive || scalar.isASCII else { return nil }
                nodes.append(.literal(Array(String(scalar).utf8), caseless: !isCaseSensitive))
            case .one: nodes.append(.oneCharacter)
            case .any: nodes.append(.anyCharacters)
            case .kind(let ranges):
                var set = ByteSet()
                for range in ranges {
                    for value in range.lowerBound.value...range.upperBound.value { set.insert(UInt8(value)) }
                }
                nodes.append(.set(isCaseSensitive ? set : set.closedUnderCase))
            case .either(let choices):
                var trees: [PatternNode] = []
                for choice in choices {
                    guard let tree = tree(choice[...], isCaseSensitive) else { return nil }
                    trees.append(tree)
                }
                nodes.append(.choice(trees))
            }
        }
        return .sequence(nodes)
    }
}

extension PatternNode {
    private static let continuations = ByteSet(0x80...0xbf)
    /// One character in UTF-8 that is not ASCII.
    static let wideCharacter = PatternNode.sequence([
        .set(ByteSet(0xc2...0xff)), .repeated(.set(continuations), minimum: 1, maximum: 3, .greedy),
    ])
    static let oneCharacter = PatternNode.choice([.set(ByteSet(1...0x7f)), wideCharacter])
    static let anyCharacters = PatternNode.repeated(oneCharacter, minimum: 0, maximum: nil, .greedy)
}
