import Shunt
import ShuntPatterns

/// A template of several variables whose texts can be distinguished: the host ends at the first slash, the path at the
/// question mark.
struct TemplateSplit {
    private enum Part {
        case literal([UInt8])
        case host, scheme, path, target, questionMark
        /// One of some texts, the longest that is there.
        case words([[UInt8]])
        /// All bytes up to the next literal, or to the end.
        case rest
    }

    private static let mostWords = 64
    private let parts: [(part: Part, variable: RuleModel.Variable?)]

    /// Creates a split; nil for a template with a capture, or with variables whose border is not known.
    init?(_ template: RuleModel.Template) {
        var parts: [(part: Part, variable: RuleModel.Variable?)] = []
        for (index, piece) in template.pieces.enumerated() {
            switch piece {
            case .literal(let text): parts.append((.literal(text), nil))
            case .capture: return nil
            case .variable(let variable):
                let next = index + 1 < template.pieces.count ? template.pieces[index + 1] : nil
                // Of two with nothing between them the first has it all.
                let isLast = next?.variable.map { Self.part(of: $0) == nil } ?? (next?.capture == nil)
                guard let part = Self.part(of: variable) ?? (isLast ? .rest : nil) else { return nil }
                parts.append((part, variable))
            }
        }
        self.parts = parts
    }

    private static func part(of variable: RuleModel.Variable) -> Part? {
        switch variable.source {
        case .requestHeader(let name) where name.elementsEqual("host".utf8): .host
        case .builtin(.host), .builtin(.serverName): .host
        case .builtin(.scheme): .scheme
        case .builtin(.uri): .path
        case .builtin(.requestURI): .target
        case .builtin(.isArguments): .questionMark
        case .map(let map) where map.model.document.directive(at: map.position)?.children.count ?? .max <= mostWords:
            words(of: map).map(Part.words)
        default: nil
        }
    }

    /// The values of a map, the longest first; nil where one has variables.
    private static func words(of map: RuleModel.Map) -> [[UInt8]]? {
        let values = map.entries.map(\.value.constant) + (map.defaultValue == nil ? [[]] : [])
        guard !values.contains(nil) else { return nil }
        return Set(values.compactMap { $0 }).sorted { $0.count > $1.count }
    }

    /// The values that the variables have where the template makes a text; nil where it cannot.
    func values(of text: [UInt8]) -> [(variable: RuleModel.Variable, value: [UInt8])]? {
        var rest = text[...]
        var values: [(variable: RuleModel.Variable, value: [UInt8])] = []
        for (index, (part, variable)) in parts.enumerated() {
            let length: Int
            switch part {
            case .literal(let literal):
                guard rest.starts(with: literal) else { return nil }
                length = literal.count
            case .host: length = rest.firstIndex { "/:?".utf8.contains($0) }.map { $0 - rest.startIndex } ?? rest.count
            case .scheme: length = rest.starts(with: "https".utf8) ? 5 : rest.starts(with: "http".utf8) ? 4 : 0
            case .path, .target:
                guard rest.first == UInt8(ascii: "/") else { return nil }
                let end = rest.firstIndex(of: UInt8(ascii: "?"))
                if case .path = part, let end {
                    length = end - rest.startIndex
                } else {
                    length = self.end(of: rest, index)
                }
            case .words(let words):
                guard let word = words.first(where: { rest.starts(with: $0) }) else { return nil }
                length = word.count
            case .questionMark: length = rest.first == UInt8(ascii: "?") ? 1 : 0
            case .rest: length = self.end(of: rest, index)
            }
            if case .host = part, length == 0 { return nil }
            if case .scheme = part, length == 0 { return nil }
            if let variable { values.append((variable, Array(rest.prefix(length)))) }
            rest = rest.dropFirst(length)
        }
        return rest.isEmpty ? values : nil
    }

    /// The number of bytes before the literal after a part, or of all of them.
    private func end(of rest: ArraySlice<UInt8>, _ index: Int) -> Int {
        guard index + 1 < parts.count, case .literal(let literal) = parts[index + 1].part else { return rest.count }
        // The last literal ends the text; others end where they are first seen.
        if index + 2 == parts.count { return max(0, rest.count - literal.count) }
        return rest.indices.first { rest[$0...].starts(with: literal) }.map { $0 - rest.startIndex } ?? rest.count
    }

    /// An expression for the texts that the template can make.
    var expression: PatternNode {
        func set(_ first: String, _ isIn: (UInt8) -> Bool, minimum: Int) -> [PatternNode] {
            let bytes = ByteSet((UInt8(0x21)...0x7e).filter(isIn))
            let head: [PatternNode] = first.isEmpty ? [] : [.literal(Array(first.utf8), caseless: false)]
            return head + [.repeated(.set(bytes), minimum: minimum, maximum: nil, .greedy)]
        }
        var nodes: [PatternNode] = [.start]
        for (part, _) in parts {
            switch part {
            case .literal(let text): nodes.append(.literal(text, caseless: false))
            case .host:
                nodes += set(
                    "",
                    {
                        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || $0.isASCIIDigit
                            || "-.".utf8.contains($0)
                    },
                    minimum: 1
                )
            case .scheme: nodes.append(.choice(["https", "http"].map { .literal(Array($0.utf8), caseless: false) }))
            case .words(let words): nodes.append(.choice(words.map { .literal($0, caseless: false) }))
            case .path: nodes += set("/", { !"?#".utf8.contains($0) }, minimum: 0)
            case .target: nodes += set("/", { $0 != UInt8(ascii: "#") }, minimum: 0)
            case .questionMark:
                nodes.append(.repeated(.literal([UInt8(ascii: "?")], caseless: false), minimum: 0, maximum: 1, .greedy))
            case .rest: nodes += set("", { _ in true }, minimum: 0)
            }
        }
        return .sequence(nodes + [.absoluteEnd])
    }
}
