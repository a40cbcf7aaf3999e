import ShuntCore

/// `rename_host`.
enum RenameCompiler {
    static func compile(_ directive: CheckedDirective, in context: inout CompileContext) -> URLRuleLink? {
        guard directive.arguments.count == 2 else { return nil }
        let from = directive.arguments[0]
        let to = directive.arguments[1]
        guard let matcher = MatcherCompiler.hostMatcher([from], in: &context) else { return nil }
        var rename = HostRename(matcher: matcher, name: .none, target: .none)
        let names = context.tables.matchers[matcher].names
        if let first = names.first {
            rename.name = TableIndex(first)
            guard let target = renameTarget(to, for: context.tables.hostNames[first], from: from, in: &context) else {
                return nil
            }
            rename.target = target
        } else {
            rename.target = MatcherCompiler.target(to, captures: matcher, in: &context)
        }
        let instruction = context.emit(
            Instruction(.renameHost, context.tables.renames.append(rename)),
            at: directive.name.position
        )
        return URLRuleLink(instruction: instruction, matcher: matcher)
    }

    /// The new name without its wildcard, which must be where the old one's is.
    private static func renameTarget(
        _ word: Word,
        for name: HostNamePattern,
        from: Word,
        in context: inout CompileContext
    ) -> TemplateIndex? {
        let isDomain = name.kind == .domain
        let starts: [UInt8] = isDomain ? [UInt8(ascii: ".")] : [UInt8(ascii: "*"), UInt8(ascii: ".")]
        var bytes = word.bytes
        switch name.kind {
        case .exact:
            if bytes.contains(UInt8(ascii: "*")) {
                let message = "\"\(from.text)\" has no wildcard whose labels \"\(word.text)\" could keep"
                return context.error(.invalidHost, message, at: word)
            }
        case .subdomains, .domain:
            if bytes.starts(with: starts) {
                bytes.removeFirst(starts.count)
            } else {
                // A target without a wildcard replaces the whole host; that is the meaning of a name without one.
                return wholeHost(word, for: name, in: &context)
            }
        case .prefix:
            if bytes.count > 2, bytes.last == UInt8(ascii: "*"), bytes[bytes.count - 2] == UInt8(ascii: ".") {
                bytes.removeLast(2)
            } else {
                return wholeHost(word, for: name, in: &context)
            }
        }
        return context.template(bytes, of: word, offset: word.bytes.count - bytes.count)
    }

    private static func wholeHost(_ word: Word, for name: HostNamePattern, in context: inout CompileContext)
        -> TemplateIndex?
    {
        context.error(
            .invalidHost,
            "a wildcard is renamed to a wildcard of the same form",
            at: word,
            suggestion: "write \"\(String(decoding: renamed(word.bytes, like: name), as: UTF8.self))\""
                + " to keep the labels, or match with \"~REGEX\" to drop them"
        )
    }

    private static func renamed(_ bytes: [UInt8], like name: HostNamePattern) -> [UInt8] {
        switch name.kind {
        case .exact: bytes
        case .subdomains: Array("*.".utf8) + bytes
        case .domain: [UInt8(ascii: ".")] + bytes
        case .prefix: bytes + Array(".*".utf8)
        }
    }
}
