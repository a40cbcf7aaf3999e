import ShuntCore

/// `server` and `server_name`.
enum ServerCompiler {
    static func compile(
        _ directive: CheckedDirective,
        in inherited: Settings,
        listens: inout ListenCompiler,
        context: inout CompileContext
    ) {
        // A search for something else in a server need not go through all its rules, of which there may be 100,000.
        let others = directive.block.filter { !SequenceCompiler.isRewriting($0) }
        var settings = inherited.ofBlock
        SettingsCompiler.apply(others, to: &settings, scope: .server, in: &context)
        let names = serverNames(others, in: &context)
        RefererCompiler.addServerNames(names, to: &settings, in: &context)
        settings.sequence = SequenceCompiler(names: names).compile(directive.block, settings: nil, in: &context)
        let number = context.tables.settings.append(settings)
        let (level, named) = LocationCompiler(names: names).compile(others, in: settings, context: &context)
        let name = names.first?.bytes ?? []
        let server = context.tables.servers.append(
            Server(
                name: name.first == UInt8(ascii: ".") ? Array(name.dropFirst()) : name,
                settings: number,
                level: level,
                named: named,
                endsWithRewrites: level.isNone && settings.endsWithRewrites,
                position: directive.name.position
            )
        )
        listens.add(others, server: server, names: names, of: directive, in: &context)
    }

    // MARK: server_name

    private static func serverNames(_ block: [CheckedDirective], in context: inout CompileContext) -> [ServerName] {
        var names: [ServerName] = []
        for directive in block where directive.keyword == .serverName {
            for word in directive.arguments {
                if let name = serverName(word, in: &context) { names.append(name) }
            }
        }
        return names
    }

    private static func serverName(_ word: Word, in context: inout CompileContext) -> ServerName? {
        var bytes = word.bytes
        if word.text == "$hostname" { bytes = context.tables.hostname }
        if bytes.first == UInt8(ascii: "~") {
            let expression = Array(bytes.dropFirst())
            guard !expression.isEmpty else {
                let message = "empty regular expression in \(word.shownText)"
                return context.error(.invalidHost, message, at: word, suggestion: "write it after the ~")
            }
            let isCaseless = expression.contains { $0.isASCIIUppercase }
            guard let number = context.pattern(expression, of: word, offset: 1, isCaseless: isCaseless) else {
                return nil
            }
            return ServerName(bytes: bytes, pattern: number, word: word)
        }
        if bytes.contains(UInt8(ascii: "/")) {
            context.warning(.suspiciousName, "the server name \"\(word.text)\" has a slash in it", at: word)
        }
        return ServerName(bytes: bytes.map { $0.asciiLowercased }, pattern: .none, word: word)
    }
}
