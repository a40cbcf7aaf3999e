import ShuntCore
import ShuntPatterns

/// A `listen` with the server it belongs to.
struct ListenDirective {
    var server: ServerIndex
    var host: SocketName.Host
    var port: Int32
    var options = ListenOptions()
    var word: Word
    var names: [ServerName]

    /// The key by which two of them are the same socket.
    var key: ListenKey { ListenKey(host: host, port: port) }
}

struct ListenKey: Hashable {
    var host: SocketName.Host
    var port: Int32
}

/// One name of a `server_name`.
struct ServerName {
    var bytes: [UInt8]
    /// The regular expression of a name that begins with `~`; -1 for others.
    var pattern: ExpressionIndex
    var word: Word
}

/// `listen`: the addresses, and the servers of each.
struct ListenCompiler {
    /// The servers and their listens, until they are grouped.
    private var listens: [ListenDirective] = []

    /// Adds the addresses of a server; without any it listens on port 80.
    mutating func add(
        _ block: [CheckedDirective],
        server: ServerIndex,
        names: [ServerName],
        of directive: CheckedDirective,
        in context: inout CompileContext
    ) {
        var own: [ListenDirective] = []
        var known: [ListenKey: Int] = [:]
        for listen in block where listen.keyword == .listen {
            guard let word = listen.arguments.first, let name = socketName(listen: word, in: &context) else { continue }
            let options = ListenOptions(listen.arguments.dropFirst(), in: &context)
            for port in name.ports ?? 80...80 {
                guard listens.count + own.count < RuleLimits.listens else {
                    context.error(.tooManyListens, "there are more than \(RuleLimits.listens) addresses", at: word)
                    return
                }
                var entry = ListenDirective(
                    server: server,
                    host: name.host,
                    port: Int32(port),
                    options: options,
                    word: word,
                    names: names
                )
                if case .path = name.host { entry.port = 0 }
                add(entry, to: &own, known: &known, in: &context)
            }
        }
        if own.isEmpty {
            own.append(ListenDirective(server: server, host: .anyV4, port: 80, word: directive.name, names: names))
        }
        listens += own
    }

    /// Adds a listen unless the server has the same one; the second of TCP and QUIC on one port is not an error.
    private func add(
        _ entry: ListenDirective,
        to own: inout [ListenDirective],
        known: inout [ListenKey: Int],
        in context: inout CompileContext
    ) {
        guard let index = known[entry.key] else {
            known[entry.key] = own.count
            own.append(entry)
            return
        }
        let earlier = own[index]
        if entry.options.isQUIC, earlier.options.isSecure, !earlier.options.isQUIC { return }
        if earlier.options.isQUIC, !entry.options.isQUIC {
            own[index] = entry
            return
        }
        // The first of a range of ports is enough.
        guard entry.word.position != own.last?.word.position || own[index].word.position == entry.word.position else {
            return
        }
        let message = "this server listens on \(entry.word.shownText) already"
        let note = context.note("first here", at: earlier.word.position)
        context.error(.duplicateListen, message, at: entry.word, suggestion: "remove one of them", notes: [note])
    }

    /// The address of a `listen`; nil after an error.
    private func socketName(listen word: Word, in context: inout CompileContext) -> SocketName? {
        let name: SocketName
        do throws(SocketName.Failure) {
            name = try SocketName(listen: word.bytes)
        } catch {
            var (problem, suggestion) = error.description
            if word.bytes.contains(UInt8(ascii: ",")) { suggestion = "write one \"listen\" for each address" }
            return context.error(.invalidAddress, "\(problem) in \(word.shownText)", at: word, suggestion: suggestion)
        }
        guard case .name(let bytes) = name.host else { return name }
        if bytes == Array("localhost".utf8) {
            var local = name
            local.host = .address(.v4(0x7f00_0001))
            return local
        }
        let message = "the name \(word.shownText) is not looked up, so no request is found to have arrived there"
        context.warning(.unknownAddress, message, at: word, suggestion: "write its address")
        return name
    }

    /// Brings the servers of each address together.
    func group(in context: inout CompileContext) {
        var order: [ListenKey] = []
        var groups: [ListenKey: [ListenDirective]] = [:]
        for listen in listens {
            if groups[listen.key] == nil { order.append(listen.key) }
            groups[listen.key, default: []].append(listen)
        }
        for key in order {
            if let members = groups[key] { addGroup(members, in: &context) }
        }
    }

    /// Checks directives that share a socket: only one server of TCP and of QUIC is the default, and only one has
    /// options of the socket.
    private func checkShared(_ members: [ListenDirective], in context: inout CompileContext) {
        for isQUIC in [false, true] {
            let members = members.filter { $0.options.isQUIC == isQUIC }
            let defaults = members.filter(\.options.isDefault)
            for other in defaults.dropFirst() {
                let message = "this address has a default server already"
                let advice = "remove \"default_server\" from one of them"
                let note = context.note("first here", at: defaults[0].word.position)
                context.error(.duplicateDefault, message, at: other.word, suggestion: advice, notes: [note])
            }
            let options = members.filter(\.options.hasSocketOptions)
            for other in options.dropFirst() {
                let message = "this address has options of its socket already"
                let advice = "write them in one \"listen\" only; they count for all"
                let note = context.note("first here", at: options[0].word.position)
                context.error(.duplicateListenOptions, message, at: other.word, suggestion: advice, notes: [note])
            }
        }
    }

    private func addGroup(_ members: [ListenDirective], in context: inout CompileContext) {
        guard let first = members.first else { return }
        checkShared(members, in: &context)
        var names = ServerNames()
        var patterns: [ExpressionIndex] = []
        var patternServers: [ServerIndex] = []
        var emptyNameServer = ServerIndex.none
        for member in members {
            if member.names.isEmpty, emptyNameServer.isNone { emptyNameServer = member.server }
            for name in member.names {
                if !name.pattern.isNone {
                    patterns.append(name.pattern)
                    patternServers.append(member.server)
                } else if name.bytes.isEmpty {
                    if emptyNameServer.isNone { emptyNameServer = member.server }
                } else {
                    add(name, server: member.server, to: &names, isAlone: members.count == 1, in: &context)
                }
            }
        }
        var socket = members.first(where: \.options.hasSocketOptions)?.options.socket ?? ListenSocketOptions()
        socket.isForQUIC = members.allSatisfy(\.options.isQUIC)
        context.tables.listens.append(
            ListenGroup(
                host: first.host,
                port: first.port,
                isSecure: members.contains(where: \.options.isSecure),
                takesProxyProtocol: members.contains(where: \.options.takesProxyProtocol),
                socket: socket,
                position: first.word.position,
                defaultServer: (members.first(where: \.options.isDefault) ?? first).server,
                emptyNameServer: emptyNameServer,
                hasOneServer: patterns.isEmpty && Set(members.map(\.server)).count == 1,
                names: names.table.build(),
                patterns: context.index(over: patterns),
                patternNumbers: patterns,
                patternServers: patternServers
            )
        )
    }

    private func add(
        _ name: ServerName,
        server: ServerIndex,
        to names: inout ServerNames,
        isAlone: Bool,
        in context: inout CompileContext
    ) {
        switch names.add(name.bytes, server: server) {
        case .added: break
        case .duplicate(let other) where other == server.number: break
        case .duplicate:
            let message = "another server of this address has the name \"\(name.word.text)\"; this one is ignored"
            context.warning(.conflictingName, message, at: name.word)
        case .full: context.error(.tooManyNames, "too many server names", at: name.word)
        case .malformed:
            let message = "invalid server name or wildcard \"\(name.word.text)\""
            let hint = HostNamePattern.advice
            // nginx reads the form of a name only where an address has several servers.
            let text = name.word.bytes
            let isWrongAlways =
                text.first == UInt8(ascii: "*") && (text.count < 3 || text[1] != UInt8(ascii: "."))
                || text == [UInt8(ascii: ".")]
            if isAlone, !isWrongAlways {
                context.warning(.invalidHost, message, at: name.word, suggestion: hint)
            } else {
                context.error(.invalidHost, message, at: name.word, suggestion: hint)
            }
        }
    }
}
