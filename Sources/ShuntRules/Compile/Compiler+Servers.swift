import ShuntCore
import ShuntPatterns

/// A `listen` with the server it belongs to.
struct ListenDirective {
    var server: Int32
    var address: [UInt8]
    var port: Int32
    var isDefault: Bool
    var isSecure: Bool
    var word: Word
    var names: [ServerName]
}

/// One name of a `server_name`.
struct ServerName {
    var bytes: [UInt8]
    /// The regular expression of a name that begins with `~`; -1 for others.
    var pattern: Int32
    var word: Word
}

/// `server`, `listen`, `server_name` and `location`.
extension Compiler {
    mutating func compileServer(_ directive: Directive, in inherited: Settings) {
        let block = directive.block ?? []
        var settings = inherited
        settings.handler = .none
        settings.proxy = -1
        settings.tryFiles = -1
        apply(block, to: &settings, scope: .server)
        let names = serverNames(block, of: directive)
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
        let (level, named) = compileLocations(block, in: settings)
        server.level = level
        server.named = named
        let number = tables.servers.adding(server)
        addListens(block, server: number, names: names, of: directive)
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
                error("invalid-host", "empty regular expression in \"\(word.text)\"", at: word)
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

    /// Adds the names of the server to referers that ask for them.
    mutating func addServerNames(to settings: inout Settings) {
        guard settings.referers >= 0, tables.referers[Int(settings.referers)].usesServerNames else { return }
        var rules = tables.referers[Int(settings.referers)]
        guard rules.names == nil || !currentServerNames.isEmpty else { return }
        rules.usesServerNames = false
        var builder = HostTableBuilder()
        // The names that the directive itself lists are compiled already; they are looked up after those of the server.
        for name in currentServerNames {
            if name.pattern >= 0 {
                rules.hostPatterns.append(name.pattern)
            } else if case .added = builder.add(name.bytes.span, value: Int32(rules.paths.count)) {
                rules.paths.append([])
            }
        }
        rules.serverNames = builder.build()
        settings.referers = tables.referers.adding(rules)
    }

    // MARK: listen

    private mutating func addListens(_ block: [Directive], server: Int32, names: [ServerName], of directive: Directive)
    {
        var seen: [SourcePosition] = []
        var own: [ListenDirective] = []
        for listen in block where Self.keyword(listen) == .listen {
            guard let word = listen.arguments.first, let (address, port) = listenAddress(word) else { continue }
            let options = listen.arguments.dropFirst().map(\.text)
            checkOptions(listen.arguments.dropFirst())
            let entry = ListenDirective(
                server: server,
                address: address,
                port: port,
                isDefault: options.contains("default_server") || options.contains("default"),
                isSecure: options.contains("ssl") || options.contains("quic"),
                word: word,
                names: names
            )
            if let earlier = own.first(where: { $0.address == address && $0.port == port }),
                earlier.isSecure == entry.isSecure || !options.contains("quic")
            {
                error(
                    "duplicate-listen",
                    "this server listens on \(word.text) already",
                    at: word,
                    notes: [note("first here", at: earlier.word.position)]
                )
                continue
            }
            if own.contains(where: { $0.address == address && $0.port == port }) { continue }
            seen.append(word.position)
            own.append(entry)
        }
        if own.isEmpty {
            own.append(
                ListenDirective(
                    server: server,
                    address: [UInt8(ascii: "*")],
                    port: 80,
                    isDefault: false,
                    isSecure: false,
                    word: directive.name,
                    names: names
                )
            )
        }
        listens += own
    }

    private static let listenOptions = [
        "default_server", "default", "ssl", "http2", "spdy", "quic", "proxy_protocol", "deferred", "bind", "reuseport",
    ]
    private static let listenValues = [
        "setfib=", "fastopen=", "backlog=", "rcvbuf=", "sndbuf=", "accept_filter=", "ipv6only=", "so_keepalive=", "multipath",
    ]

    private mutating func checkOptions(_ words: ArraySlice<Word>) {
        for word in words {
            let text = word.text
            if Self.listenOptions.contains(text) || Self.listenValues.contains(where: { text.hasPrefix($0) }) { continue }
            let closest = Suggestion.closest(to: text, among: Self.listenOptions)
            error(
                "invalid-parameter",
                "invalid parameter \"\(text)\"",
                at: word,
                suggestion: closest.map { "did you mean \"\($0)\"?" }
            )
        }
    }

    /// The address and the port of a `listen`; nil after an error.
    private mutating func listenAddress(_ word: Word) -> (address: [UInt8], port: Int32)? {
        let bytes = word.bytes
        if bytes.starts(with: Array("unix:".utf8)) { return (bytes, 0) }
        if let port = Self.number(bytes[...]) { return checkedPort(port, word).map { ([UInt8(ascii: "*")], $0) } }
        let colon = bytes.lastIndex(of: UInt8(ascii: ":"))
        let bracket = bytes.lastIndex(of: UInt8(ascii: "]"))
        guard let colon, colon > bracket ?? -1 else { return (bytes, 80) }
        guard let port = Self.number(bytes[(colon + 1)...]) else {
            error("invalid-port", "invalid port in \"\(word.text)\"", at: word)
            return nil
        }
        return checkedPort(port, word).map { (Array(bytes[..<colon]), $0) }
    }

    private mutating func checkedPort(_ port: Int, _ word: Word) -> Int32? {
        guard (1...65_535).contains(port) else {
            error("invalid-port", "a port is a number from 1 to 65535, not \(port)", at: word)
            return nil
        }
        return Int32(port)
    }

    /// Brings the servers of each address together.
    mutating func groupListens() {
        var order: [String] = []
        var groups: [String: [ListenDirective]] = [:]
        for listen in listens {
            let key = String(decoding: listen.address, as: UTF8.self) + " \(listen.port)"
            if groups[key] == nil { order.append(key) }
            groups[key, default: []].append(listen)
        }
        for key in order {
            if let members = groups[key] { addGroup(members) }
        }
    }

    private mutating func addGroup(_ members: [ListenDirective]) {
        guard let first = members.first else { return }
        let defaults = members.filter(\.isDefault)
        if defaults.count > 1 {
            error(
                "duplicate-default",
                "this address has a default server already",
                at: defaults[1].word,
                notes: [note("first here", at: defaults[0].word.position)]
            )
        }
        var names = ServerNames()
        var patterns: [Int32] = []
        var patternServers: [Int32] = []
        var emptyNameServer: Int32 = -1
        for member in members {
            if member.names.isEmpty, emptyNameServer < 0 { emptyNameServer = member.server }
            for name in member.names {
                if name.pattern >= 0 {
                    patterns.append(name.pattern)
                    patternServers.append(member.server)
                } else if name.bytes.isEmpty {
                    if emptyNameServer < 0 { emptyNameServer = member.server }
                } else {
                    add(name, server: member.server, to: &names, isAlone: members.count == 1)
                }
            }
        }
        tables.listens.append(
            ListenGroup(
                address: first.address,
                port: first.port,
                isSecure: members.contains(where: \.isSecure),
                defaultServer: (defaults.first ?? first).server,
                emptyNameServer: emptyNameServer,
                names: names.table.build(),
                patterns: PatternIndex(patterns.map { tables.patterns[Int($0)] }),
                patternNumbers: patterns,
                patternServers: patternServers
            )
        )
    }

    private mutating func add(_ name: ServerName, server: Int32, to names: inout ServerNames, isAlone: Bool) {
        switch names.add(name.bytes, server: server) {
        case .added: break
        case .duplicate(let other) where other == server: break
        case .duplicate:
            warning(
                "conflicting-name",
                "another server of this address has the name \"\(name.word.text)\"; this one is ignored",
                at: name.word
            )
        case .full: error("too-many-names", "too many server names", at: name.word)
        case .malformed:
            let message = "invalid server name or wildcard \"\(name.word.text)\""
            let hint = "a wildcard is the whole first or last label: *.example.com or www.*"
            // nginx looks at the form of a name only where an address has several servers.
            if isAlone, !["*", "*.", "."].contains(name.word.text) {
                warning("invalid-host", message, at: name.word, suggestion: hint)
            } else {
                error("invalid-host", message, at: name.word, suggestion: hint)
            }
        }
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
                error("misplaced-alias", "\"alias\" cannot be used in a named location", at: alias.name)
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
        guard !target.path.isEmpty, name.modifier.isRegex || name.modifier == .named else { return }
        guard let word = block.first(where: { Self.keyword($0) == .proxyPass })?.arguments.first else { return }
        error(
            "misplaced-uri-part",
            "\"proxy_pass\" cannot have a URI part in a location given by a regular expression or by name",
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
                    suggestion: closest.map { "did you mean \"\($0)\"?" }
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
