import ShuntCore

/// A pattern of an association file, taken apart.
///
/// Matching takes time in proportion to the pattern times the text, whatever they are.
struct AppLinkPattern {
    /// A part of it.
    indirect enum Element {
        case literal(Unicode.Scalar)
        /// `?`: exactly one character.
        case one
        /// `*`: any number of characters.
        case any
        /// One character of a kind, such as `$(digit)`.
        case kind(@Sendable (Unicode.Scalar) -> Bool)
        /// One of several texts, such as `$(lang)` or a variable of the file.
        case either([[Element]])
    }

    /// What is wrong with a pattern.
    enum Problem: Error, Equatable {
        case unclosedVariable(String)
        case unknownVariable(String)
    }

    /// The variables that every file has.
    static let predefined: [String: Element] = [
        "alpha": .kind { $0.isASCIILetter },
        "upper": .kind { ("A"..."Z").contains($0) },
        "lower": .kind { ("a"..."z").contains($0) },
        "alnum": .kind { $0.isASCIILetter || $0.isASCIIDigit },
        "digit": .kind { $0.isASCIIDigit },
        "xdigit": .kind { $0.isASCIIDigit || ("a"..."f").contains($0) || ("A"..."F").contains($0) },
        // The codes that exist are the devices' to know; their shape is what can be said here.
        "lang": .either([
            Array(repeating: .kind { ("a"..."z").contains($0) }, count: 2),
            Array(repeating: .kind { ("a"..."z").contains($0) }, count: 3),
        ]),
        "region": .either([
            Array(repeating: .kind { ("A"..."Z").contains($0) }, count: 2),
            Array(repeating: .kind { $0.isASCIIDigit }, count: 3),
        ]),
    ]

    private let elements: [Element]
    private let isCaseSensitive: Bool

    /// Takes a pattern apart.
    ///
    /// - Parameters:
    ///   - text: The pattern.
    ///   - variables: The variables of the file; nil where `$(` has no meaning.
    ///   - isCaseSensitive: Whether the case of letters counts.
    /// - Throws: `Problem` for the first variable that is none.
    init(_ text: String, variables: [String: [String]]?, isCaseSensitive: Bool = true) throws(Problem) {
        self.isCaseSensitive = isCaseSensitive
        elements = try Self.elements(Array(text.unicodeScalars)[...], variables, isCaseSensitive)
    }

    private static func elements(
        _ text: ArraySlice<Unicode.Scalar>,
        _ variables: [String: [String]]?,
        _ isCaseSensitive: Bool
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
                result.append(try variable(Self.string(text[..<end]), variables ?? [:], isCaseSensitive))
                text = text[(end + 1)...]
            default: result += folded(scalar, isCaseSensitive).map { .literal($0) }
            }
        }
        return result
    }

    private static func variable(
        _ name: String,
        _ variables: [String: [String]],
        _ isCaseSensitive: Bool
    ) throws(Problem) -> Element {
        if let values = variables[name] {
            var choices: [[Element]] = []
            // Values have wildcards, but no variables.
            for value in values {
                choices.append(try elements(Array(value.unicodeScalars)[...], nil, isCaseSensitive))
            }
            return .either(choices)
        }
        guard let known = predefined[name] else { throw .unknownVariable(name) }
        return known
    }

    private static func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        return String(text)
    }

    private static func folded(_ scalar: Unicode.Scalar, _ isCaseSensitive: Bool) -> [Unicode.Scalar] {
        isCaseSensitive ? [scalar] : Array(scalar.properties.lowercaseMapping.unicodeScalars)
    }

    /// Whether it takes a whole text.
    func matches(_ text: String) -> Bool {
        let text = text.unicodeScalars.flatMap { Self.folded($0, isCaseSensitive) }
        var start = [Bool](repeating: false, count: text.count + 1)
        start[0] = true
        return ends(elements, from: start, in: text)[text.count]
    }

    /// Where a run of elements may end, given where it may begin.
    private func ends(_ elements: [Element], from starts: [Bool], in text: [Unicode.Scalar]) -> [Bool] {
        var places = starts
        for element in elements {
            switch element {
            case .any:
                guard let first = places.firstIndex(of: true) else { return places }
                for index in first..<places.count { places[index] = true }
            case .one: places = step(places, in: text) { _ in true }
            case .literal(let scalar): places = step(places, in: text) { $0 == scalar }
            case .kind(let isMember):
                // A class of capital letters takes small ones where the case of letters does not count.
                places = step(places, in: text) { [isCaseSensitive] scalar in
                    if isMember(scalar) { return true }
                    return !isCaseSensitive && scalar.properties.uppercaseMapping.unicodeScalars.allSatisfy(isMember)
                }
            case .either(let choices):
                var union = [Bool](repeating: false, count: places.count)
                for choice in choices {
                    for (index, isEnd) in ends(choice, from: places, in: text).enumerated() where isEnd {
                        union[index] = true
                    }
                }
                places = union
            }
        }
        return places
    }

    private func step(
        _ places: [Bool],
        in text: [Unicode.Scalar],
        _ isTaken: (Unicode.Scalar) -> Bool
    ) -> [Bool] {
        var next = [Bool](repeating: false, count: places.count)
        for (index, scalar) in text.enumerated() where places[index] && isTaken(scalar) { next[index + 1] = true }
        return next
    }
}

extension Unicode.Scalar {
    fileprivate var isASCIILetter: Bool { ("a"..."z").contains(self) || ("A"..."Z").contains(self) }
    fileprivate var isASCIIDigit: Bool { ("0"..."9").contains(self) }
}
