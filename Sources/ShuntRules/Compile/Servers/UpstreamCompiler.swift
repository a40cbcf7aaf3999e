import ShuntCore
import ShuntPatterns

/// `upstream`, and the addresses that requests are passed to.
///
/// Nothing is ever sent there by the engine; what is wrong in them is reported as nginx reports it.
enum UpstreamCompiler {
    /// Reads the `upstream` blocks and remembers their names.
    static func declare(_ directives: [CheckedDirective], in context: inout CompileContext) {
        var numbers = ByteTableBuilder(caseless: true)
        for directive in directives where directive.keyword == .upstream {
            guard let name = directive.arguments.first else { continue }
            let key = name.text.lowercased()
            if let first = context.upstreams[key] {
                let message = "a second upstream \(name.shownText)"
                let note = context.note("the first is here", at: first)
                context.error(.duplicateUpstream, message, at: name, suggestion: "use another name", notes: [note])
            } else {
                context.upstreams[key] = name.position
            }
            let group = group(directive, name, in: &context)
            let number = context.tables.upstreamGroups.append(group)
            _ = numbers.add(Array(group.name.utf8).span, value: number.number)
        }
        context.tables.groupNumbers = numbers.build()
    }

    private static func group(
        _ upstream: CheckedDirective,
        _ name: Word,
        in context: inout CompileContext
    ) -> UpstreamGroup {
        var group = UpstreamGroup(name: name.text, servers: [])
        var allowsBackup = true
        for directive in upstream.block {
            switch directive.name.text {
            case "server":
                if let server = UpstreamServerCompiler.server(directive, allowsBackup: allowsBackup, in: &context) {
                    group.servers.append(server)
                }
            case "least_conn":
                group.method = .leastConnections
                allowsBackup = true
            case "ip_hash":
                group.method = .clientAddress
                allowsBackup = false
            case "keepalive":
                group.idleConnections = idleConnections(directive, in: &context) ?? group.idleConnections
            case "keepalive_requests", "keepalive_time", "keepalive_timeout":
                reuse(directive, of: &group, in: &context)
            case "hash":
                group.method = hash(directive, in: &context) ?? group.method
                allowsBackup = false
            case "random":
                group.method = random(directive, in: &context) ?? group.method
                allowsBackup = false
            default: break
            }
        }
        let servers = upstream.block.filter { $0.name.bytes.elementsEqual("server".utf8) }
        if servers.isEmpty {
            context.error(.emptyUpstream, "no servers are in the upstream \(name.shownText)", at: name)
        } else if servers.allSatisfy({ server in
            server.arguments.contains { $0.bytes.elementsEqual("backup".utf8) }
        }) {
            context.error(.emptyUpstream, "the upstream \(name.shownText) has backup servers only", at: name)
        }
        return group
    }

    /// Compiles the keys of `hash`, when all variables are known.
    static func compileKeys(_ directives: [CheckedDirective], in context: inout CompileContext) {
        let upstreams = directives.filter { $0.keyword == .upstream && !$0.arguments.isEmpty }
        for (index, directive) in zip(context.tables.upstreamGroups.indices, upstreams) {
            guard let word = directive.block.last(where: { $0.name.text == "hash" })?.arguments.first else { continue }
            context.tables.upstreamGroups[index].key = context.template(word)
        }
        context.tables.hasBalancingKeys = context.tables.upstreamGroups.contains {
            !$0.key.isNone || $0.method == .clientAddress
        }
        if context.tables.hasBalancingKeys { context.tables.hasUpstreamValues = true }
    }

    /// The method of `hash KEY [consistent]`; nil after an error.
    ///
    /// Source: http://nginx.org/en/docs/http/ngx_http_upstream_module.html#hash
    private static func hash(_ hash: CheckedDirective, in context: inout CompileContext) -> UpstreamGroup.Method? {
        guard hash.arguments.count > 1 else { return .key }
        let word = hash.arguments[1]
        if word.text == "consistent" { return .consistentKey }
        return context.invalid("parameter", word, advice: "write \"consistent\", or put a key with blanks in quotes")
    }

    /// The method of `random [two [least_conn]]`; nil after an error, or where there is no such method.
    ///
    /// Source: http://nginx.org/en/docs/http/ngx_http_upstream_module.html#random
    private static func random(_ random: CheckedDirective, in context: inout CompileContext) -> UpstreamGroup.Method? {
        guard let first = random.arguments.first else { return .random }
        guard first.text == "two" else {
            return context.invalid("parameter", first, advice: "write \"random\" or \"random two\"")
        }
        guard random.arguments.count > 1, random.arguments[1].text != "least_conn" else { return .randomOfTwo }
        let method = random.arguments[1]
        guard method.text.hasPrefix("least_time") else {
            return context.invalid("parameter", method, advice: "write \"random two least_conn\"")
        }
        let message = "\"random\" has no effect: the gateway uses the servers of this group in turn, by their weights"
        context.warning(.unusedBalancing, message, at: random.name, suggestion: "use \"random two least_conn\"")
        return nil
    }

    /// The number of a `keepalive`; nil after an error.
    private static func idleConnections(_ keepalive: CheckedDirective, in context: inout CompileContext) -> Int? {
        guard let word = keepalive.arguments.first else { return nil }
        if let count = Int(word.text), count > 0 { return count }
        return context.error(.invalidNumber, "\(word.shownText) is not a number of connections", at: word)
    }

    /// Reads how long the connections of a group may serve requests.
    ///
    /// Source: http://nginx.org/en/docs/http/ngx_http_upstream_module.html#keepalive_requests
    private static func reuse(
        _ directive: CheckedDirective,
        of group: inout UpstreamGroup,
        in context: inout CompileContext
    ) {
        guard let word = directive.arguments.first else { return }
        let isCount = directive.name.text == "keepalive_requests"
        let count = word.bytes.allSatisfy(\.isASCIIDigit) ? Int(word.text) : nil
        let value = isCount ? count : ConfigurationUnits.milliseconds(word.bytes[...])
        guard let value else {
            let kind = isCount ? "number of requests" : "time"
            return context.error(.invalidNumber, "\(word.shownText) is not a \(kind)", at: word)
        }
        switch directive.name.text {
        case "keepalive_requests": group.reuse.requests = value
        case "keepalive_time": group.reuse.lifetime = value
        default: group.reuse.idleTime = value
        }
    }

    /// Checks that a part of a word names an upstream, or a host with a port that there may be; false after an error.
    @discardableResult
    static func check(
        _ word: Word,
        bytes: Range<Int>,
        isServer: Bool = false,
        in context: inout CompileContext
    ) -> Bool {
        var part = Array(word.bytes[bytes])
        // The URI part of a Unix socket begins after a second colon, which is not the path's.
        if part.starts(with: Array("unix:".utf8)), !isServer, part.count > 5, part.last == UInt8(ascii: ":") {
            part.removeLast()
        }
        if !isServer, context.upstreams[String(decoding: part, as: UTF8.self).lowercased()] != nil { return true }
        do throws(SocketName.Failure) {
            let name = try SocketName(upstream: part)
            guard !isServer, name.ports != nil, case .name = name.host,
                let colon = part.lastIndex(of: UInt8(ascii: ":")),
                context.upstreams[String(decoding: part[..<colon], as: UTF8.self).lowercased()] != nil
            else { return true }
            let message = "the upstream \(shown(part[..<colon])) may not have a port here"
            context.error(.upstreamPort, message, at: word, suggestion: "the ports are in the upstream's servers")
        } catch {
            var (problem, suggestion) = error.description
            if isServer, part.contains(UInt8(ascii: "/")) { suggestion = "leave the scheme and the path out" }
            context.error(.invalidAddress, "\(problem) in \(word.shownText)", at: word, suggestion: suggestion)
        }
        return false
    }
}
