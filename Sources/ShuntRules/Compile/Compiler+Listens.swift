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

/// `listen`: the addresses, and the servers of each.
extension Compiler {
    mutating func addListens(_ block: [Directive], server: Int32, names: [ServerName], of directive: Directive) {
        var own: [ListenDirective] = []
        for listen in block where Self.keyword(listen) == .listen {
            guard let word = listen.arguments.first, let (address, ports) = listenAddress(word) else { continue }
            let options = listen.arguments.dropFirst().map(\.text)
            checkOptions(listen.arguments.dropFirst())
            for port in ports {
                let entry = ListenDirective(
                    server: server,
                    address: address,
                    port: port,
                    isDefault: options.contains("default_server") || options.contains("default"),
                    isSecure: options.contains("ssl") || options.contains("quic"),
                    word: word,
                    names: names
                )
                add(entry, to: &own, isForQUIC: options.contains("quic"))
            }
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

    /// Adds a listen unless the server has the same one; the second of TCP and QUIC on one port is no error.
    private mutating func add(_ entry: ListenDirective, to own: inout [ListenDirective], isForQUIC: Bool) {
        guard let earlier = own.first(where: { $0.address == entry.address && $0.port == entry.port }) else {
            own.append(entry)
            return
        }
        if isForQUIC, earlier.isSecure { return }
        error(
            "duplicate-listen",
            "this server listens on \(entry.word.text) already",
            at: entry.word,
            notes: [note("first here", at: earlier.word.position)]
        )
    }

    private static let listenOptions = [
        "default_server", "default", "ssl", "http2", "spdy", "quic", "proxy_protocol", "deferred", "bind", "reuseport",
    ]
    private static let listenValues = [
        "setfib=", "fastopen=", "backlog=", "rcvbuf=", "sndbuf=", "accept_filter=", "ipv6only=", "so_keepalive=",
        "multipath",
    ]

    private mutating func checkOptions(_ words: ArraySlice<Word>) {
        for word in words {
            let text = word.text
            if Self.listenOptions.contains(text) || Self.listenValues.contains(where: { text.hasPrefix($0) }) {
                continue
            }
            let closest = Suggestion.closest(to: text, among: Self.listenOptions)
            error(
                "invalid-parameter",
                "invalid parameter \"\(text)\"",
                at: word,
                suggestion: closest.map { "did you mean \"\($0)\"?" }
            )
        }
    }

    /// The address and the ports of a `listen`, of which there are several in `8000-8010`; nil after an error.
    private mutating func listenAddress(_ word: Word) -> (address: [UInt8], ports: [Int32])? {
        let bytes = word.bytes
        if bytes.starts(with: Array("unix:".utf8)) { return (bytes, [0]) }
        let any = [UInt8(ascii: "*")]
        if let ports = ports(bytes[...], word) { return ports.isEmpty ? nil : (any, ports) }
        let colon = bytes.lastIndex(of: UInt8(ascii: ":"))
        let bracket = bytes.lastIndex(of: UInt8(ascii: "]"))
        guard let colon, colon > bracket ?? -1 else { return (bytes, [80]) }
        guard let ports = ports(bytes[(colon + 1)...], word) else {
            error("invalid-port", "invalid port in \"\(word.text)\"", at: word)
            return nil
        }
        return ports.isEmpty ? nil : (Array(bytes[..<colon]), ports)
    }

    /// The ports of a number or of a range of numbers; nil when it is neither, none after an error.
    private mutating func ports(_ bytes: ArraySlice<UInt8>, _ word: Word) -> [Int32]? {
        let bounds = bytes.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false).map { Self.number($0) }
        guard bounds.count <= 2, let first = bounds[0], let last = bounds[bounds.count - 1] else { return nil }
        guard (1...65_535).contains(first), (first...65_535).contains(last) else {
            error(
                "invalid-port",
                "a port is a number from 1 to 65535, not \(String(decoding: bytes, as: UTF8.self))",
                at: word
            )
            return []
        }
        return (first...last).map { Int32($0) }
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
                hasOneServer: patterns.isEmpty && Set(members.map(\.server)).count == 1,
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
}
