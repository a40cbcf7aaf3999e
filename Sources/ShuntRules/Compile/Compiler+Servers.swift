import ShuntCore
import ShuntPatterns

/// `server`, `server_name` and `location`.
extension Compiler {
    mutating func compileServer(_ directive: Directive, in inherited: Settings) {
        let block = directive.block ?? []
        var settings = inherited
        settings.handler = .none
        settings.proxy = -1
        settings.tryFiles = -1
        let others = Self.withoutRewriting(block)
        apply(others, to: &settings, scope: .server)
        let names = serverNames(others, of: directive)
        currentServerNames = names
        addServerNames(to: &settings)
        settings.sequence = compileSequence(block, settings: nil)
        var server = Server(
            name: Self.displayName(names),
            settings: tables.settings.adding(settings),
            level: -1,
            named: ByteTableBuilder().build(),
            position: directive.name.position
        )
        let (level, named) = compileLocations(others, in: settings)
        server.level = level
        server.named = named
        let number = tables.servers.adding(server)
        addListens(others, server: number, names: names, of: directive)
        currentServerNames = []
    }

    private static func displayName(_ names: [ServerName]) -> [UInt8] {
        guard let first = names.first else { return [] }
        return first.bytes.first == UInt8(ascii: ".") ? Array(first.bytes.dropFirst()) : first.bytes
    }

    // MARK: server_name

    private mutating func serverNames(_ block: [Directive], of server: Directive) -> [ServerName] {
        var names: [ServerName] = []
        for directive in block where Self.keyword(directive) == .serverName {
            for word in directive.arguments {
                if let name = serverName(word) { names.append(name) }
            }
        }
        return names
    }

    private mutating func serverName(_ word: Word) -> ServerName? {
        var bytes = word.bytes
        if word.text == "$hostname" { bytes = tables.hostname }
        if bytes.first == UInt8(ascii: "~") {
            let expression = Array(bytes.dropFirst())
            guard !expression.isEmpty else {
                error(
                    "invalid-host",
                    "empty regular expression in \(word.shownText)",
                    at: word,
                    suggestion: "write it behind the ~"
                )
                return nil
            }
            let isCaseless = expression.contains { $0.isASCIIUppercase }
            guard let number = pattern(expression, of: word, offset: 1, isCaseless: isCaseless) else { return nil }
            return ServerName(bytes: bytes, pattern: number, word: word)
        }
        if bytes.contains(UInt8(ascii: "/")) {
            warning("suspicious-name", "the server name \"\(word.text)\" has a slash in it", at: word)
        }
        return ServerName(bytes: bytes.map { $0.asciiLowercased }, pattern: -1, word: word)
    }

    // MARK: location

    /// Compiles the locations of a block: their level, or -1 without any, and the named ones.
    private mutating func compileLocations(_ block: [Directive], in outer: Settings) -> (level: Int32, named: ByteTable)
    {
        var exact = ByteTableBuilder()
        var prefixes = PrefixTableBuilder()
        var redirects = ByteTableBuilder()
        var named = ByteTableBuilder()
        var patterns: [Int32] = []
        var patternLocations: [Int32] = []
        var isEmpty = true
        for directive in block where Self.keyword(directive) == .location {
            guard let name = LocationName(directive.arguments) else { continue }
            isEmpty = false
            var expression: Int32?
            if name.modifier.isRegex {
                let word = directive.arguments[name.argument]
                expression = pattern(
                    name.text,
                    of: word,
                    offset: name.offset,
                    isCaseless: name.modifier == .caselessRegex
                )
            }
            let number = compileLocation(directive, name: name, in: outer)
            let location = tables.locations[Int(number)]
            let handler = tables.settings[Int(location.settings)].handler
            switch name.modifier {
            case .exact: _ = exact.add(name.text.span, value: number)
            case .prefix, .prefixBeforeRegex: _ = prefixes.add(name.text.span, value: number)
            case .named: _ = named.add(name.text.span, value: number)
            case .regex, .caselessRegex:
                guard let expression else { continue }
                patterns.append(expression)
                patternLocations.append(number)
            }
            let isLiteral = name.modifier == .exact || name.modifier.isPrefix
            if isLiteral, handler != .none, name.text.last == UInt8(ascii: "/") {
                _ = redirects.add(Array(name.text.dropLast()).span, value: number)
            }
        }
        guard !isEmpty else { return (-1, named.build()) }
        let level = LocationLevel(
            exact: exact.build(),
            prefixes: prefixes.build(),
            redirects: redirects.build(),
            patterns: PatternIndex(patterns.map { tables.patterns[Int($0)] }),
            patternNumbers: patterns,
            patternLocations: patternLocations
        )
        return (tables.levels.adding(level), named.build())
    }

    private mutating func compileLocation(_ directive: Directive, name: LocationName, in outer: Settings) -> Int32 {
        let block = directive.block ?? []
        var settings = outer
        settings.handler = .none
        settings.namesHandler = false
        settings.proxy = -1
        settings.tryFiles = -1
        settings.methodLimit = -1
        settings.sequence = -1
        settings.isNameless = false
        apply(block, to: &settings, scope: .location)
        if let alias = block.first(where: { Self.keyword($0) == .alias }) {
            settings.isAlias = true
            settings.aliasLength = name.modifier.isRegex ? -1 : Int32(name.text.count)
            if name.modifier == .named {
                error(
                    "misplaced-alias",
                    "\"alias\" cannot be used in a named location",
                    at: alias.name,
                    suggestion: "use \"root\""
                )
            }
        }
        bindProxy(&settings, to: name, block)
        addServerNames(to: &settings)
        settings.sequence = compileSequence(block, settings: settings)
        if let limit = block.first(where: { Self.keyword($0) == .limitExcept }) {
            settings.methodLimit = compileLimit(limit, in: settings)
        }
        let (level, _) = compileLocations(block, in: settings)
        return tables.locations.adding(
            Location(
                modifier: name.modifier,
                name: name.text,
                settings: tables.settings.adding(settings),
                level: level,
                position: directive.name.position
            )
        )
    }

    /// Tells a proxy which part of the path its URI part replaces, where it can have one.
    private mutating func bindProxy(_ settings: inout Settings, to name: LocationName, _ block: [Directive]) {
        guard settings.proxy >= 0 else { return }
        var target = tables.proxies[Int(settings.proxy)]
        target.locationLength = Int32(name.text.count)
        tables.proxies[Int(settings.proxy)] = target
        guard name.modifier.isRegex || name.modifier == .named else { return }
        guard let directive = block.first(where: { Self.keyword($0) == .proxyPass }) else { return }
        refuseURIPart(settings, directive, "in a location given by a regular expression or by name")
    }

    /// Reports that a proxy has a URI part where there is no text of a location for it to replace.
    mutating func refuseURIPart(_ settings: Settings, _ directive: Directive, _ place: String) {
        guard settings.proxy >= 0, !tables.proxies[Int(settings.proxy)].path.isEmpty,
            let word = directive.arguments.first
        else { return }
        error(
            "misplaced-uri-part",
            "\"proxy_pass\" cannot have a URI part \(place)",
            at: word,
            suggestion: "leave out what follows the host, or use variables"
        )
    }

    /// `limit_except METHODS { ... }`.
    private mutating func compileLimit(_ directive: Directive, in outer: Settings) -> Int32 {
        var settings = outer
        settings.isNameless = true
        settings.tryFiles = -1
        settings.methodLimit = -1
        settings.sequence = -1
        apply(directive.block ?? [], to: &settings, scope: .limitExcept)
        var methods: [[UInt8]] = []
        for word in directive.arguments {
            let method = word.bytes.map { $0.isASCIILetter ? $0 & 0xdf : $0 }
            let known = Self.limitableMethods
            guard known.contains(String(decoding: method, as: UTF8.self)) else {
                let closest = Suggestion.closest(to: word.text.uppercased(), among: known)
                error(
                    "invalid-method",
                    "invalid method \"\(word.text)\"",
                    at: word,
                    suggestion: closest.map { "did you mean \"\($0)\"?" } ?? "write methods such as GET POST"
                )
                continue
            }
            methods.append(method)
            if method == Array("GET".utf8) { methods.append(Array("HEAD".utf8)) }
        }
        return tables.methodLimits.adding(MethodLimit(methods: methods, settings: tables.settings.adding(settings)))
    }

    private static let limitableMethods = [
        "GET", "HEAD", "POST", "PUT", "DELETE", "MKCOL", "COPY", "MOVE", "OPTIONS", "PROPFIND", "PROPPATCH", "LOCK",
        "UNLOCK", "PATCH",
    ]
}
