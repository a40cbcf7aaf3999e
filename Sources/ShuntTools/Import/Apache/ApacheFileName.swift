/// Names of files and paths in the heads of sections, as expressions on paths.
enum ApacheFileName {
    /// An expression on the name of a file as one on its path.
    ///
    /// One that refuses is for a file with more of the path after it, too: Apache reads the first part that is not a
    /// folder.
    static func path(of expression: String, refuses: Bool) -> String {
        ImportedExpression.alternatives(expression)
            .map { alternative in
                var pieces = ImportedExpression.pieces(alternative)
                let isAnchored = pieces.first == "^"
                if isAnchored { pieces.removeFirst() }
                let takesSlashes = pieces.contains(where: takesSlashes)
                let end = pieces.last == "$" || takesSlashes ? "" : refuses ? "[^/]*(/|$)" : "[^/]*$"
                // A name with a dot is one of a file, also where more of the path follows.
                if pieces.last == "$", !takesSlashes, pieces.contains("\\.") { pieces[pieces.count - 1] = "(/|$)" }
                let rest = pieces.map { $0 == "^" ? "(?<=/)" : $0 }.joined()
                return "\(isAnchored ? "/" : "")\(takesSlashes ? "(?=[^/]*$)" : "")\(rest)\(end)"
            }
            .joined(separator: "|")
    }

    /// Returns true if a piece of an expression may match a slash.
    static func takesSlashes(_ piece: String) -> Bool {
        if piece.hasPrefix("\\"), let kind = piece.dropFirst().first {
            return kind.isLetter && !"dwsbth".contains(kind)
        }
        return piece == "/" || (piece == "." || piece.count > 1) && ImportedExpression.matches("^(?:\(piece))$", "/")
    }

    /// A name with wildcards, none of which stands for a slash, as an expression.
    static func wildcards(_ name: String) -> String {
        var result = ""
        var rest = name[...]
        while let next = rest.popFirst() {
            switch next {
            case "*": result += "[^/]*"
            case "?": result += "[^/]"
            case "\\": result += ImportedExpression.literal("\(rest.popFirst() ?? next)")
            case "[":
                let isNegated = rest.first == "!" || rest.first == "^"
                let inner = isNegated ? rest.dropFirst() : rest
                guard let end = inner.dropFirst().firstIndex(of: "]") else {
                    result += "\\["
                    continue
                }
                let set = inner[..<end].map { "\\[]^".contains($0) ? "\\\($0)" : "\($0)" }.joined()
                result += "[\(isNegated ? "^/" : "")\(set)]"
                rest = rest[rest.index(after: end)...]
            default: result += ImportedExpression.literal("\(next)")
            }
        }
        return result
    }

    /// A name, or one with wildcards, as an expression on a path.
    static func path(named name: String) -> String {
        let isFixed = !hasWildcards(name)
        let ending = name.split(separator: ".", omittingEmptySubsequences: false).dropFirst().last ?? ""
        let start = isFixed ? "/\(ImportedExpression.literal(name))" : "/\(wildcards(name))"
        let text = start.hasPrefix("/[^/]*\\.") ? String(start.dropFirst(6)) : start
        return "\(text)\(ending.isEmpty || !isFixed && hasWildcards(String(ending)) ? "$" : "(/|$)")"
    }

    /// Returns true if a name has wildcards; without them a backslash is one.
    static func hasWildcards(_ name: String) -> Bool {
        var rest = name[...]
        while let next = rest.popFirst() {
            if next == "*" || next == "?" || next == "[" && rest.contains("]") { return true }
            if next == "\\" { rest = rest.dropFirst() }
        }
        return false
    }
}
