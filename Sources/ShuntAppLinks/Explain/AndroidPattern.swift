import ShuntCore
import ShuntPatterns

/// A pattern of Google's file as Android compares it: without going back.
///
/// A pattern without wildcards is a text, one whose only wildcard is a last `*` a beginning. All others are what AOSP calls
/// a simple glob. A `*` there ends at the first place of the character after it, and a full stop anywhere else takes any
/// character.
struct AndroidPattern: Sendable {
    enum Element: Sendable, Hashable {
        case literal(Unicode.Scalar)
        /// Exactly one character.
        case one
        /// Everything up to the first place of this character, and the character.
        case upTo(Unicode.Scalar)
        /// Everything.
        case rest
    }

    let elements: [Element]

    /// Reads a pattern; nil for an empty one, which Android discards with all other rules.
    init?(_ text: String) {
        guard !text.isEmpty else { return nil }
        let scalars = Array(text.unicodeScalars)
        let wildcards = scalars.count { $0 == "*" || $0 == "?" }
        let isGlob = wildcards > 1 || (wildcards == 1 && scalars.last != "*")
        var elements: [Element] = []
        var index = 0
        while index < scalars.count {
            let next = index + 1 < scalars.count ? scalars[index + 1] : nil
            switch scalars[index] {
            case "*":
                // A wildcard after `*` is compared as the full stop by which the glob writes it.
                elements.append(next.map { .upTo($0 == "?" || $0 == "*" ? "." : $0) } ?? .rest)
                if next == "*" { elements.append(.literal("*")) }
                index += 1
            case "?": elements.append(.one)
            case ".": elements.append(isGlob ? .one : .literal("."))
            case let scalar: elements.append(.literal(scalar))
            }
            index += 1
        }
        self.elements = elements
    }

    /// Checks that it takes a whole text.
    func matches(_ text: [Unicode.Scalar]) -> Bool {
        var place = 0
        for element in elements {
            switch element {
            case .rest: return true
            case .one:
                guard place < text.count else { return false }
                place += 1
            case .literal(let scalar):
                guard place < text.count, text[place] == scalar else { return false }
                place += 1
            case .upTo(let scalar):
                guard let end = text[place...].firstIndex(of: scalar) else { return false }
                place = end + 1
            }
        }
        return place == text.count
    }

    /// The texts that it takes, in UTF-8; nil if a `*` ends at a character that is not ASCII.
    var tree: PatternNode? {
        var nodes: [PatternNode] = []
        for element in elements {
            switch element {
            case .literal(let scalar): nodes.append(.literal(Array(String(scalar).utf8), caseless: false))
            case .one: nodes.append(.oneCharacter)
            case .rest: nodes.append(.anyCharacters)
            case .upTo(let scalar):
                guard scalar.isASCII else { return nil }
                let byte = UInt8(scalar.value)
                let others = ByteSet(byte...byte).union(ByteSet(0...0)).union(ByteSet(0x80...0xff)).inverted
                let other = PatternNode.choice([.set(others), .wideCharacter])
                nodes.append(.repeated(other, minimum: 0, maximum: nil, .greedy))
                nodes.append(.literal([byte], caseless: false))
            }
        }
        return .sequence(nodes)
    }
}

/// A component of Google's file, ready to be compared with URLs.
struct AndroidComponent: Sendable {
    let path: AndroidPattern?
    let fragment: AndroidPattern?
    private let items: [AndroidPattern]

    /// Reads a component; nil if Android discards it.
    init?(_ component: AppLinkComponent) {
        var items: [AndroidPattern] = []
        if case .items(let pairs) = component.query {
            for (name, value) in pairs.sorted(by: { $0.key < $1.key }) {
                guard let pattern = AndroidPattern("\(name)=\(value)") else { return nil }
                items.append(pattern)
            }
        }
        self.items = items
        path = component.path.flatMap(AndroidPattern.init)
        fragment = component.fragment.flatMap(AndroidPattern.init)
        guard (component.path == nil) == (path == nil), (component.fragment == nil) == (fragment == nil) else {
            return nil
        }
    }

    /// True if it has conditions: on Android a component without them takes no URL.
    var hasConditions: Bool { path != nil || fragment != nil || !items.isEmpty }

    /// Checks that it takes a URL: each part that it mentions must be there and match.
    func takes(_ subject: AppLinkSubject) -> Bool {
        guard hasConditions else { return false }
        if let path, !path.matches(subject.androidPath) { return false }
        if let fragment {
            guard let text = subject.androidFragment, fragment.matches(text) else { return false }
        }
        guard !items.isEmpty else { return true }
        guard let pairs = subject.androidPairs else { return false }
        return items.allSatisfy { item in pairs.contains { item.matches($0) } }
    }
}
