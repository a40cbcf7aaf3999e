import Shunt
import ShuntPatterns

/// Examples of what routes take, and of what is near to it, against a file that was made for them.
struct AppLinkProof {
    /// The most examples of one form.
    private static let examples = 3
    /// The most paths near to examples that are compared.
    private static let nearLimit = 4_000

    private struct Form {
        var route: AppLinkRoute
        var paths: Automaton?
    }

    private let forms: [Form]
    private let host: String
    private let allowsMore: Bool
    /// True if each path is tried with a slash at the end, too.
    private let triesSlashes: Bool

    /// Prepares a check of a file, which may open more than has a route if it `allowsMore`.
    init(
        _ forms: [(route: AppLinkRoute, form: [PatternFormPart])],
        _ host: String,
        allowsMore: Bool,
        triesSlashes: Bool
    ) {
        self.forms = forms.map { Form(route: $0.route, paths: Self.paths($0.form)) }
        self.host = host
        self.allowsMore = allowsMore
        self.triesSlashes = triesSlashes
    }

    /// Checks that the examples open the app, and that what is near to them does so if it has a route.
    ///
    /// - Throws: The first URL of which that is not so.
    func check(_ matcher: AppLinkMatcher) throws(AppLinksError) {
        var seen: Set<[UInt8]> = []
        for form in forms {
            for example in form.paths?.subjects(atMost: Self.examples, length: 256) ?? [] {
                let near = seen.count < Self.nearLimit ? Self.near(example) : []
                for path in [example] + near where Self.isUsual(path) && seen.insert(path).inserted {
                    try check(path, route: form.route, matcher: matcher)
                }
            }
        }
    }

    private func check(_ path: [UInt8], route: AppLinkRoute, matcher: AppLinkMatcher) throws(AppLinksError) {
        let encoded = String(decoding: URLComponentCoding.encode(path.span, for: .path), as: UTF8.self)
        let hasRoute = forms.contains { $0.paths?.accepts(path) ?? false }
        // A form that is not known here may have a route for anything.
        let mayHaveRoute = allowsMore || forms.contains { $0.paths == nil }
        let urls = (triesSlashes && path.count > 1 ? ["", "/"] : [""]).map { "https://\(host)\(encoded)\($0)" }
        let answers = urls.map { (try? matcher.answers($0).first?.outcome == .opens) ?? false }
        guard let index = answers.firstIndex(of: !hasRoute), hasRoute || !mayHaveRoute else { return }
        let (url, opens) = (urls[index], answers[index])
        let message = "the file would \(opens ? "open" : "not open") \(url), which has \(hasRoute ? "a" : "no") route"
        let advice = "write the file without \"\(route.pattern.text)\", and report this"
        throw AppLinksError([Diagnostic(.error(.proof), message, at: route.location, suggestion: advice)])
    }

    // MARK: Paths

    /// The paths that a form takes, decoded; nil for those that are not known here.
    private static func paths(_ form: [PatternFormPart]) -> Automaton? {
        var nodes: [PatternNode] = [.start]
        if form.isEmpty || form.first == .fragment { nodes.append(.literal([UInt8(ascii: "/")], caseless: false)) }
        let value = PatternNode.repeated(.set(ByteSet(1...255).subtracting("/")), minimum: 1, maximum: nil, .greedy)
        for part in form {
            switch part {
            case .text(let bytes): nodes.append(.literal(bytes, caseless: false))
            case .slash: nodes.append(.literal([UInt8(ascii: "/")], caseless: false))
            case .rest: nodes.append(.anyCharacters)
            case .oneByte: nodes.append(.set(ByteSet(1...127).subtracting("/")))
            case .value(nil): nodes.append(value)
            case .value(.bool?): nodes.append(words(["true", "false"].map { Array($0.utf8) }))
            case .value(.uuid?):
                let digits = ByteSet(ascii: "0123456789abcdefABCDEF")
                for (index, count) in [8, 4, 4, 4, 12].enumerated() {
                    if index > 0 { nodes.append(.literal([UInt8(ascii: "-")], caseless: false)) }
                    nodes.append(.repeated(.set(digits), minimum: count, maximum: count, .greedy))
                }
            case .expression(let expression, _):
                guard let words = AppLinkVariables.words(of: expression) else { return nil }
                nodes.append(self.words(words))
            // With a fragment it is the code of the path's route that counts.
            case .value, .other, .fragment: return nil
            }
        }
        return try? Automaton(.sequence(nodes + [.absoluteEnd]))
    }

    private static func words(_ words: [[UInt8]]) -> PatternNode {
        .choice(words.map { .literal($0, caseless: false) })
    }

    /// True if a path is in the spelling that files are made for.
    private static func isUsual(_ path: [UInt8]) -> Bool {
        let components = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst()
        let isPlain = components.allSatisfy { !$0.isEmpty && $0 != [0x2e] && $0 != [0x2e, 0x2e] }
        return path.first == UInt8(ascii: "/") && (isPlain || path.count == 1)
    }

    /// Paths that differ a little: longer and shorter by a component or a byte, with another component, or slightly misspelt.
    private static func near(_ path: [UInt8]) -> [[UInt8]] {
        let slash = UInt8(ascii: "/")
        var result = [
            path + Array("/x".utf8), path + [slash, 0x79, slash, 0x7a], path + [0x78], Array(path.dropLast()),
        ]
        result.append(Array("/x".utf8) + path)
        var components = path.split(separator: slash, omittingEmptySubsequences: false).map(Array.init)
        for index in components.indices.dropFirst() {
            let saved = components[index]
            for other in [Array("q-r.s".utf8), saved + [0x78], [0x78] + saved, saved + [slash] + saved] {
                components[index] = other
                result.append(Array(components.joined(separator: [slash])))
            }
            components[index] = saved
            result.append(Array((components[..<index] + components[(index + 1)...]).joined(separator: [slash])))
        }
        return result
    }
}

extension ByteSet {
    fileprivate func subtracting(_ text: StaticString) -> ByteSet { inverted.union(ByteSet(ascii: text)).inverted }
}
