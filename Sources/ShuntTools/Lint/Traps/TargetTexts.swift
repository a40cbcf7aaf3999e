import Shunt
import ShuntPatterns

extension LintSubject {
    func doubledSlash() -> [LintFound] {
        let texts = constantTexts
        return numbers(of: "proxy_pass", "set", "return", "rewrite", "rewrite_url", "error_page", "degrade", "map")
            .flatMap { DoubledSlash.found(in: $0, of: self, texts: texts) }
            .map { word, name in
                LintFound(
                    word,
                    "two slashes follow each other here: \(name) begins with one",
                    advice: "leave the slash before it out"
                )
            }
    }

    func lostPath() -> [LintFound] {
        let texts = constantTexts
        return directives("proxy_pass")
            .compactMap { node in
                guard let word = node.arguments.first, node.parent >= 0, word.text.contains("$"),
                    let found = texts.filled(word.text)
                        .wholeMatch(of: /https?:\/\/[^\/]*(\/[^$]*?)(\??\$(?:is_args\$)?args|\$[0-9])?/)
                else { return nil }
                let (path, rest) = (found.1, found.2 ?? "")
                let location = tree.nodes[node.parent].arguments.first?.text
                if rest.contains("args") || rest.isEmpty {
                    guard location != "=" else { return nil }
                    return LintFound(
                        word,
                        "each request is sent to \(path), without the path\(rest.isEmpty ? " and the arguments" : "") that it has",
                        advice: word.text.hasSuffix(path)
                            ? "leave \(path) out, or write $request_uri in its place"
                            : "write $request_uri in its place"
                    )
                }
                guard location?.hasPrefix("~") == true, !path.contains("?") else { return nil }
                let message = "the arguments of a request are not sent"
                return LintFound(word, message, advice: "write $is_args$args after it")
            }
    }

    func unescapedQuestionMark() -> [LintFound] {
        written.compactMap { expression in
            let text = expression.text.text
            guard let mark = text.indices.first(where: { Self.isQuery(text, at: $0) }) else { return nil }
            let before = ShownBytes.text([text[mark - 1]])
            return LintFound(
                expression.word,
                "this ? makes the \(before) before it optional, and is not the ? of a query",
                advice: expression.place.kind == .path
                    ? "a path has no query: test $arg_\(String(decoding: Self.name(in: text, after: mark), as: UTF8.self))"
                    : "write \\?"
            )
        }
    }

    private static func name(in text: [UInt8], after mark: Int) -> ArraySlice<UInt8> {
        text[(mark + 1)...].prefix { $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "_") }
    }

    /// Returns true if a question mark after a letter or a slash is followed by a name and an equals sign.
    private static func isQuery(_ text: [UInt8], at index: Int) -> Bool {
        guard text[index] == UInt8(ascii: "?"), index > 0,
            text[index - 1].isASCIILetter || text[index - 1] == UInt8(ascii: "/"),
            index < 2 || text[index - 2] != UInt8(ascii: "\\")
        else { return false }
        let name = Self.name(in: text, after: index)
        return !name.isEmpty && name.endIndex < text.endIndex && text[name.endIndex] == UInt8(ascii: "=")
    }
}

extension Word {
    var isRedirectStatus: Bool { ["301", "302", "303", "307", "308"].contains(text) }

    /// True for a flag of `rewrite` that makes it a redirect.
    var isRedirectFlag: Bool { ["redirect", "permanent"].contains(text) }

    /// True for a target that begins with a scheme: a `rewrite` to it is a redirect without a flag, too.
    var beginsWithScheme: Bool { ["http://", "https://", "$scheme"].contains(where: text.hasPrefix) }
}
