/// The flags in brackets of `RewriteRule` and `RewriteCond`.
enum ApacheFlags {
    static func split(_ text: String) -> [String] {
        var inner = text[...]
        if inner.hasPrefix("[") { inner = inner.dropFirst() }
        if inner.hasSuffix("]") { inner = inner.dropLast() }
        return inner.split(separator: ",")
            .map { flag in flag.withoutEnds { $0 == " " } }
    }
}
