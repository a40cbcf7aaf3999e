/// A component of Apple's file, ready to be compared with URLs as `swcutil` was recorded to do it.
struct AppleComponent: Sendable {
    /// A reading of slashes at the end of a path.
    enum Slashes: Sendable {
        /// As recorded: they do not count, and a last `/*` may be missing.
        case recorded
        /// Each counts, as Apple's pages state.
        case literal
    }

    private enum Query: Sendable {
        case any
        case pattern(AppLinkPattern)
        case items([(name: String, pattern: AppLinkPattern)])
    }

    let isEncoded: Bool
    /// The patterns of which one has to take the path; nil for every path.
    let paths: [AppLinkPattern]?
    let fragment: AppLinkPattern?
    private let query: Query
    private let slashes: Slashes

    /// Reads a component that its defaults have completed; nil if one of its patterns takes nothing.
    init?(_ component: AppLinkComponent, variables: [String: [String]], slashes: Slashes = .recorded) {
        let isCaseSensitive = component.isCaseSensitive ?? true
        let pattern: (String) -> AppLinkPattern? = { text in
            try? AppLinkPattern(text, variables: variables, isCaseSensitive: isCaseSensitive)
        }
        isEncoded = component.isPercentEncoded ?? true
        self.slashes = slashes
        let texts = component.path.map { slashes == .recorded ? Self.paths($0) : [$0] }
        paths = texts?.compactMap(pattern)
        fragment = component.fragment.flatMap(pattern)
        guard texts?.count == paths?.count, (component.fragment == nil) == (fragment == nil) else { return nil }
        switch component.query {
        case nil: query = .any
        case .pattern(let text):
            guard let pattern = pattern(text) else { return nil }
            query = .pattern(pattern)
        case .items(let items):
            var read: [(name: String, pattern: AppLinkPattern)] = []
            for (name, text) in items.sorted(by: { $0.key < $1.key }) {
                guard let pattern = pattern(text) else { return nil }
                read.append((name, pattern))
            }
            query = .items(read)
        }
    }

    /// The patterns of paths that a pattern of the file stands for.
    ///
    /// Its first slash may be missing, and several are one; slashes at its end do not count, and a last `/*` may be missing.
    static func paths(_ text: String) -> [String] {
        guard let first = text.first else { return [text] }
        var text = Substring(text)
        if first == "/" {
            text = "/" + text.drop { $0 == "/" }
        } else if first != "*" {
            text = "/" + text
        }
        let dropped = withoutSlashes(text)
        return dropped.hasSuffix("/*") ? [dropped, withoutSlashes(dropped.dropLast(2))] : [dropped]
    }

    private static func withoutSlashes(_ text: Substring) -> String {
        var text = text
        while text.last == "/" { text.removeLast() }
        return text.isEmpty ? "/" : String(text)
    }

    func takes(_ subject: AppLinkSubject) -> Bool {
        let parts = isEncoded ? subject.encoded : subject.decoded
        let path = slashes == .recorded ? parts.shortPath : parts.path
        guard paths?.contains(where: { $0.matches(path) }) ?? true else { return false }
        guard fragment?.matches(parts.fragment) ?? true else { return false }
        switch query {
        case .any: return true
        case .pattern(let pattern): return pattern.matches(parts.query)
        case .items(let items):
            return items.allSatisfy { name, pattern in
                // An item that is missing counts as an empty one; all of one name must match.
                let values = parts.items.filter { $0.name == name }.map(\.value)
                return (values.isEmpty ? [[]] : values).allSatisfy { pattern.matches($0) }
            }
        }
    }
}
