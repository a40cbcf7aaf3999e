/// Names of files in sections, as expressions on paths.
enum ApacheFileName {
    /// An expression on the name of a file as one on its path.
    static func path(of expression: String) -> String {
        let alternatives = ImportedExpression.alternatives(expression)
            .map { alternative -> String in
                let end = alternative.hasSuffix("$") && !alternative.hasSuffix("\\$") ? "" : "[^/]*$"
                if alternative.hasPrefix("^") { return "/\(alternative.dropFirst())\(end)" }
                return "\(alternative)\(end)"
            }
        return alternatives.joined(separator: "|")
    }

    static func wildcards(_ name: String) -> String {
        name.map { $0 == "*" ? "[^/]*" : $0 == "?" ? "[^/]" : ImportedExpression.literal("\($0)") }.joined()
    }
}
