import ShuntAppLinks

/// A `uri-relative-filter-group` of an intent filter (Android 15), which allows or blocks URLs.
struct ManifestGroup: Sendable {
    /// The parts of URLs that conditions are about.
    static let parts = ["path", "query", "fragment"]

    var allows: Bool
    var conditions: [(part: String, text: ManifestText)] = []

    /// True if all conditions hold; without any a group takes no URL.
    func takes(_ subject: AppLinkSubject) -> Bool {
        !conditions.isEmpty
            && conditions.allSatisfy { part, text in
                switch part {
                case "query": subject.androidPairs?.contains { text.matches($0) } ?? false
                case "fragment": subject.androidFragment.map { text.matches($0) } ?? false
                default: text.matches(subject.androidPath)
                }
            }
    }
}

/// A group that allows URLs, and those before it in its filter.
struct ManifestCondition: Sendable {
    var groups: ArraySlice<ManifestGroup>
    /// True if the route takes all that the condition takes but for what going back finds.
    var isOfPattern = false

    /// True if the group takes a URL that none before it blocks.
    func holds(_ subject: AppLinkSubject) -> Bool {
        groups.last?.takes(subject) ?? false && !groups.contains { !$0.allows && $0.takes(subject) }
    }
}

/// A text of a group as AOSP's `PatternMatcher` compares it: without going back.
struct ManifestText: Sendable {
    private enum Element: Sendable {
        /// As many characters in these ranges, or outside of them, as there are within limits.
        case run([ClosedRange<Unicode.Scalar>], isInverted: Bool, ClosedRange<Int>)
        /// Everything up to the first place of a character, and the character.
        case upTo(Unicode.Scalar)

        static func literal(_ scalar: Unicode.Scalar) -> Element { .run([scalar...scalar], isInverted: false, 1...1) }
        static func any(_ count: ClosedRange<Int>) -> Element { .run([], isInverted: true, count) }
    }

    private var elements: [Element]
    private let isSuffix: Bool

    /// Reads a value; nil for a pattern that Android refuses.
    ///
    /// `kind` is the end of the attribute's name: nothing, `Prefix`, `Suffix`, `Pattern` or `AdvancedPattern`.
    init?(_ kind: String, _ value: String) {
        isSuffix = kind == "Suffix"
        let scalars = Array(value.unicodeScalars)
        switch kind {
        case "Pattern": elements = Self.glob(scalars[...])
        case "AdvancedPattern":
            guard let found = Self.advanced(scalars[...]) else { return nil }
            elements = found
        default: elements = scalars.map(Element.literal)
        }
        if kind == "Prefix" { elements.append(.any(0...Int.max)) }
    }

    func matches(_ whole: [Unicode.Scalar]) -> Bool {
        var rest = isSuffix ? whole.suffix(elements.count) : whole[...]
        for element in elements {
            switch element {
            case .run(let ranges, let isInverted, let count):
                let run = rest.prefix(count.upperBound)
                    .prefix { scalar in ranges.contains { $0.contains(scalar) } != isInverted }
                guard run.count >= count.lowerBound else { return false }
                rest = rest.dropFirst(run.count)
            case .upTo(let scalar):
                guard let end = rest.firstIndex(of: scalar) else { return false }
                rest = rest[(end + 1)...]
            }
        }
        return rest.isEmpty
    }

    // MARK: Patterns

    private typealias Scalars = ArraySlice<Unicode.Scalar>

    private static func next(_ rest: inout Scalars) -> (scalar: Unicode.Scalar, isEscaped: Bool)? {
        guard let first = rest.popFirst() else { return nil }
        guard first == "\\", let second = rest.popFirst() else { return (first, false) }
        return (second, true)
    }

    /// A simple glob, in which an escaped full stop is a wildcard as well, as AOSP has it.
    private static func glob(_ text: Scalars) -> [Element] {
        var (rest, result) = (text, [Element]())
        while let (scalar, isEscaped) = next(&rest) {
            guard rest.first == "*" else {
                result.append(scalar == "." ? .any(1...1) : .literal(scalar))
                continue
            }
            rest.removeFirst()
            if isEscaped || scalar != "." {
                result.append(.run([scalar...scalar], isInverted: false, 0...Int.max))
            } else if let (end, _) = next(&rest) {
                result.append(.upTo(end))
            } else {
                result.append(.any(0...Int.max))
            }
        }
        return result
    }

    private static func advanced(_ text: Scalars) -> [Element]? {
        var (rest, result) = (text, [Element]())
        while let (scalar, isEscaped) = next(&rest) {
            var ranges = [scalar...scalar]
            var isInverted = false
            if !isEscaped, scalar == "." { (ranges, isInverted) = ([], true) }
            if !isEscaped, scalar == "[" {
                isInverted = rest.first == "^"
                if isInverted { rest.removeFirst() }
                ranges = []
                while let (low, isEscaped) = next(&rest), isEscaped || low != "]" {
                    var high = low
                    if rest.first == "-" {
                        rest.removeFirst()
                        high = next(&rest)?.scalar ?? low
                    }
                    guard low <= high else { return nil }
                    ranges.append(low...high)
                }
            }
            guard let count = count(&rest) else { return nil }
            result.append(.run(ranges, isInverted: isInverted, count))
        }
        return result
    }

    private static func count(_ rest: inout Scalars) -> ClosedRange<Int>? {
        guard let first = rest.first, "*+{".unicodeScalars.contains(first) else { return 1...1 }
        rest.removeFirst()
        if first != "{" { return (first == "*" ? 0 : 1)...Int.max }
        guard let end = rest.firstIndex(of: "}") else { return nil }
        let bounds = rest[..<end].split(separator: ",", omittingEmptySubsequences: false)
            .map { String(String.UnicodeScalarView($0)) }
        rest = rest[(end + 1)...]
        guard let low = Int(bounds[0]), low >= 0, bounds.count <= 2 else { return nil }
        guard let high = bounds.last == "" ? Int.max : Int(bounds[bounds.count - 1]), low <= high else { return nil }
        return low...high
    }
}
