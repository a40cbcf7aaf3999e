/// The beginning of a target, which decides whether the folder is before it.
enum ApacheStart {
    case server, path, relative
    /// It depends on the request.
    case unknown

    /// Finds the beginning of the values of a group; `hasSlash` is nil if the text may begin with a slash or without
    /// one.
    init(ofGroup number: Int, in pattern: String, hasSlash: Bool?) {
        let pieces = ImportedExpression.pieces(String(pattern.trimmingPrefix("(?i)")))
        let opens = pieces.indices.filter { index in
            guard pieces[index] == "(", index + 1 < pieces.count else { return false }
            return pieces[index + 1] != "?"
                || pieces[index...].joined().hasPrefix("(?<")
                    && !["=", "!"].contains(pieces[min(index + 3, pieces.count - 1)])
        }
        guard number > 0, number <= opens.count else {
            self = .unknown
            return
        }
        let open = opens[number - 1]
        let rest = pieces[(open + 1)...]
        let content = ImportedExpression.content(ofGroup: rest.prefix(ImportedExpression.groupLength(rest)).joined())
        self = Self.common(content) { text in
            let inner = ImportedExpression.pieces(text)
            guard let first = inner.first, first != "(" else { return .unknown }
            let isOptional = inner.count > 1 && ["?", "*", "{"].contains(inner[1])
            if first == "/" { return isOptional ? .unknown : .path }
            let takesSlash = first == "." || ImportedExpression.matches("^(?:\(first))$", "/")
            if !takesSlash { return isOptional && inner.count > 2 ? .unknown : .relative }
            if Self.isAfterSlash(pieces, open, orBeginning: hasSlash == false, by: first) { return .relative }
            let isBeginning = open == 0 || open == 1 && pieces[0] == "^"
            return isBeginning && hasSlash == true && first == "." ? .path : .unknown
        }
    }

    /// The beginning that all alternatives of an expression have, and those of a group with which one begins.
    private static func common(_ expression: String, _ kind: (String) -> ApacheStart) -> ApacheStart {
        let kinds = ImportedExpression.alternatives(expression)
            .map { text -> ApacheStart in
                let pieces = ImportedExpression.pieces(text)[...]
                guard pieces.first == "(" else { return kind(text) }
                let inner = pieces.dropFirst().prefix(ImportedExpression.groupLength(pieces.dropFirst()))
                let next = pieces.dropFirst(inner.count + 2).first ?? ""
                let content = ImportedExpression.content(ofGroup: inner.joined())
                let isMaybeEmpty =
                    ["?", "*", "{"].contains(next) || ImportedExpression.matches("^(?:\(content))$", "")
                return isMaybeEmpty || inner.joined().prefixMatch(of: #/\?[^:]/#) != nil
                    ? .unknown : common(content, kind)
            }
        return Set(kinds).count == 1 ? kinds[0] : .unknown
    }

    /// Returns true if a slash is before a piece, or nothing: several slashes are one.
    private static func isAfterSlash(_ pieces: [String], _ index: Int, orBeginning: Bool, by first: String) -> Bool {
        if index == 0 || index == 1 && pieces[0] == "^" { return orBeginning && (index == 1 || first == ".") }
        if pieces[index - 1] == "/" { return true }
        let isOptional = pieces[index - 1] == "?"
        let end = isOptional ? index - 2 : index - 1
        guard end > 1, pieces[end] == ")", pieces[end - 1] == "/" else { return false }
        var depth = 0
        let open = pieces[...end]
            .lastIndex { piece in
                depth += piece == ")" ? 1 : piece == "(" ? -1 : 0
                return depth == 0
            }
        return !isOptional || open.map { isAfterSlash(pieces, $0, orBeginning: orBeginning, by: first) } ?? false
    }
}

extension ApacheRewriteRule {
    /// The beginning of a target.
    func start(of target: ApacheText, isRedirect: Bool) -> ApacheStart {
        if Self.namesServer(target) { return .server }
        switch target.parts.first {
        case .text(let text)? where text.hasPrefix("mailto:") || text.hasPrefix("//") && isRedirect: return .server
        case .text(let text)?: return text.hasPrefix("/") ? .path : .relative
        case .group(let number)?:
            return ApacheStart(ofGroup: number + shift, in: pattern, hasSlash: context.folder == nil)
        case .condition(let number)?:
            guard let captured = tests?.captured, !context.takesWholeCaptures else { return .path }
            let hasSlash: Bool? =
                captured.text.hasPrefix("%{REQUEST_URI}") ? true : captured.text == "%{HTTP_HOST}" ? false : nil
            return ApacheStart(ofGroup: number, in: captured.pattern, hasSlash: hasSlash)
        case .variable("$uri")?, .variable("$request_uri")?: return .path
        case .variable("$host")?: return .relative
        case .variable(let name)? where name.hasPrefix("$env_"):
            if target.parts.count > 1, case .text(let text) = target.parts[1], text.hasPrefix("/") { return .path }
            return .unknown
        default: return .unknown
        }
    }

    /// Returns true if a target begins with a scheme, of which parts may be computed.
    private static func namesServer(_ target: ApacheText) -> Bool {
        var scheme = ""
        for part in target.parts {
            guard case .text(let text) = part else {
                scheme += "x"
                continue
            }
            scheme += text
            if let match = scheme.prefixMatch(of: #/[A-Za-z][A-Za-z0-9+.\-]*(.?)/#), !match.1.isEmpty {
                return scheme[match.1.startIndex...].hasPrefix("://")
            }
        }
        return false
    }
}
