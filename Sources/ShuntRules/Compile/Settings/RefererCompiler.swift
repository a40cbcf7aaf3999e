import ShuntCore
import ShuntPatterns

/// The `valid_referers` of one level.
struct RefererCompiler {
    private var rules: RefererRules?
    private var names = HostTableBuilder()

    mutating func add(_ directive: CheckedDirective, in context: inout CompileContext) {
        var rules = self.rules ?? RefererRules()
        for word in directive.arguments {
            switch word.text {
            case "none": rules.allowsNone = true
            case "blocked": rules.allowsBlocked = true
            case "server_names": rules.usesServerNames = true
            default:
                if word.bytes.isEmpty {
                    context.error(.invalidReferer, "a referer needs a name", at: word, suggestion: "remove the \"\"")
                    continue
                }
                if word.bytes.first == UInt8(ascii: "~") {
                    let bytes = Array(word.bytes.dropFirst())
                    if bytes.isEmpty {
                        let message = "empty regular expression in \(word.shownText)"
                        context.error(.invalidReferer, message, at: word, suggestion: "write it after the ~")
                    } else if let number = context.pattern(bytes, of: word, offset: 1, isCaseless: true) {
                        rules.patterns.append(number)
                    }
                    continue
                }
                let slash = word.bytes.firstIndex(of: UInt8(ascii: "/")) ?? word.bytes.count
                let name = Array(word.bytes[..<slash])
                let path = Array(word.bytes[slash...])
                let inserted = names.add(name.span, value: Int32(rules.paths.count))
                switch inserted {
                case .added:
                    rules.paths.append(path)
                    rules.listed.append(name)
                case .duplicate:
                    let message = "\(word.shownText) is among the valid referers already"
                    let advice = path.isEmpty ? "remove it" : "a host may have one path only; use \"~\" for several"
                    context.error(.duplicateReferer, message, at: word, suggestion: advice)
                case .malformed, .full:
                    let message = "invalid host name or wildcard \(word.shownText)"
                    context.error(.invalidReferer, message, at: word, suggestion: HostNamePattern.advice)
                }
            }
        }
        let hasNames = !rules.listed.isEmpty || rules.usesServerNames
        if rules.allowsNone || rules.allowsBlocked, !hasNames {
            let message = "\"none\" and \"blocked\" mean nothing without a name that is valid"
            let advice = "add a host's name, or \"server_names\""
            context.error(.missingReferers, message, at: directive.name, suggestion: advice)
        }
        self.rules = rules
    }

    /// Makes the referers of the level current, if it has any.
    ///
    /// As in nginx a level that has its own names but no expressions keeps the expressions of the level above, and the
    /// same holds for the expressions among the names of the server.
    func finish(_ settings: inout Settings, in context: inout CompileContext) {
        guard var rules else { return }
        if !rules.listed.isEmpty { rules.names = names.build() }
        if !settings.referers.isNone {
            let inherited = context.tables.referers[settings.referers]
            if rules.patterns.isEmpty { rules.patterns = inherited.patterns }
            rules.hostPatterns = inherited.hostPatterns
        }
        settings.referers = context.tables.referers.append(rules)
    }

    /// Adds the names of the server to referers that want them.
    static func addServerNames(_ names: [ServerName], to settings: inout Settings, in context: inout CompileContext) {
        guard !settings.referers.isNone, context.tables.referers[settings.referers].usesServerNames else { return }
        var rules = context.tables.referers[settings.referers]
        rules.usesServerNames = false
        var builder = HostTableBuilder()
        for (index, name) in rules.listed.enumerated() { _ = builder.add(name.span, value: Int32(index)) }
        let patterns = names.map(\.pattern).filter { !$0.isNone }
        if !patterns.isEmpty { rules.hostPatterns = patterns }
        for name in names where name.pattern.isNone && !name.bytes.isEmpty {
            switch builder.add(name.bytes.span, value: Int32(rules.paths.count)) {
            case .added: rules.paths.append([])
            case .duplicate:
                let message = "\(name.word.shownText) is among the valid referers twice"
                let advice = "\"server_names\" in \"valid_referers\" means the names of this server: list each once"
                context.error(.duplicateReferer, message, at: name.word, suggestion: advice)
            case .malformed, .full:
                context.error(.invalidReferer, "invalid host name or wildcard \(name.word.shownText)", at: name.word)
            }
        }
        rules.names = builder.build()
        settings.referers = context.tables.referers.append(rules)
    }
}
