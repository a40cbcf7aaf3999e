import ShuntCore

/// `proxy_pass`: the URL that nginx would request from the upstream.
extension Evaluation {
    /// The upstream URL.
    ///
    /// Source: http://nginx.org/en/docs/http/ngx_http_proxy_module.html#proxy_pass
    mutating func proxyTarget(_ target: ProxyTarget) throws(EvaluationFailure) -> ByteRange {
        position = target.position
        let mark: Int
        if target.hasVariables {
            let whole = try evaluate(template: target.template)
            guard let path = pathStart(of: whole) else { return whole.isEmpty ? whole : try withPath(whole) }
            guard path < whole.end else { return try withPath(whole) }
            return arena[path] == UInt8(ascii: "?") ? try withSlash(whole, at: path) : whole
        }
        if target.path.isEmpty {
            mark = arena.mark
            arena.append(program.tables.constants, target.base)
            appendOwnURI()
            return try made(from: mark)
        }
        mark = arena.mark
        arena.append(program.tables.constants, target.base)
        // Where the path was rewritten, it is passed on whole and the URI part is ignored.
        var rest = server.uri
        if server.locationIsValid {
            arena.append(program.tables.constants, target.path)
            rest.start += min(target.locationLength, Int32(server.uri.count))
        }
        appendPath(rest)
        return try made(from: mark)
    }

    /// `$proxy_host` and `$proxy_port`: the server of `proxy_pass`, the port apart where it is not the usual one.
    ///
    /// Source: http://nginx.org/en/docs/http/ngx_http_proxy_module.html#variables
    mutating func proxyAddress(_ settings: Settings) throws(EvaluationFailure) -> (host: ByteRange, port: ByteRange) {
        guard settings.handler == .proxy, !settings.proxy.isNone else { return (.empty, .empty) }
        let target = program.tables.proxies[settings.proxy]
        let whole =
            target.hasVariables ? try evaluate(template: target.template) : try append(constant: target.base)
        guard let end = pathStart(of: whole) else { return (.empty, .empty) }
        let isSecure = arena[whole.start + 4] | 0x20 == UInt8(ascii: "s")
        let authority = ByteRange(start: whole.start + (isSecure ? 8 : 7), end: end)
        if arena.array(authority).starts(with: Array("unix:".utf8)) { return (try text("localhost"), .empty) }
        let usual = try text(isSecure ? "443" : "80")
        var colon = authority.end
        while colon > authority.start, arena[colon - 1] != UInt8(ascii: ":"), arena[colon - 1] != UInt8(ascii: "]") {
            colon -= 1
        }
        guard colon > authority.start, arena[colon - 1] == UInt8(ascii: ":") else { return (authority, usual) }
        let port = ByteRange(start: colon, end: authority.end)
        let host = ByteRange(start: authority.start, end: colon - 1)
        return (arena.array(port) == arena.array(usual) ? host : authority, port)
    }

    /// `$proxy_add_x_forwarded_for`: what the client sent, and its address.
    mutating func forwardedFor() throws(EvaluationFailure) -> ByteRange {
        let sent = try requestHeader(named: "x_forwarded_for")
        let address = try value(of: .remoteAddress)
        guard !sent.isEmpty else { return address }
        let mark = arena.mark
        arena.append(copyOf: sent)
        arena.append(UInt8(ascii: ","))
        arena.append(0x20)
        arena.append(copyOf: address)
        return try made(from: mark)
    }

    /// Collects the headers of `proxy_set_header`; one with an empty value keeps the client's from being sent.
    ///
    /// Source: http://nginx.org/en/docs/http/ngx_http_proxy_module.html#proxy_set_header
    @inline(never)
    mutating func addUpstreamHeaders(_ headers: TableIndex<[HeaderRule]>) throws(EvaluationFailure) {
        if !answer.upstreamHeaders.isEmpty { answer.upstreamHeaders.removeAll(keepingCapacity: true) }
        guard !headers.isNone else { return }
        for header in program.tables.headers[headers] {
            let value = try evaluate(template: header.value)
            answer.upstreamHeaders.append((header.name, try safeHeaderValue(value)))
        }
    }

    /// Works out what is to be known of the request where it is passed on.
    @inline(never)
    mutating func setUpstreamValues(_ target: ByteRange) throws(EvaluationFailure) {
        if program.tables.hasBalancingKeys { try setBalancingKey(target) }
        try setRedirectValues()
    }

    /// Works out what the server of the group that a URL names is chosen by, where it is `hash` that chooses.
    ///
    /// Source: http://nginx.org/en/docs/http/ngx_http_upstream_module.html#hash
    private mutating func setBalancingKey(_ target: ByteRange) throws(EvaluationFailure) {
        answer.balancingKey = .empty
        guard let end = pathStart(of: target) else { return }
        let isSecure = arena[target.start + 4] | 0x20 == UInt8(ascii: "s")
        let authority = arena.array(ByteRange(start: target.start + (isSecure ? 8 : 7), end: end))
        let name = String(decoding: authority, as: UTF8.self).lowercased()
        guard let group = program.tables.upstreamGroups.first(where: { $0.name == name }), !group.key.isNone else {
            return
        }
        answer.balancingKey = try evaluate(template: group.key)
    }

    /// How the upstream of the location in force is asked.
    var upstreamSettings: UpstreamSettings? {
        let index = program.tables.settings[server.settings].upstream
        return index.isNone ? nil : program.tables.upstreamSettings[index]
    }

    /// The request's own target: as it was sent while no rule changed it, else the path as it stands.
    private func appendOwnURI() {
        if server.receivedTargetIsValid {
            arena.append(copyOf: server.requestURI)
        } else {
            appendPath(server.uri)
        }
    }

    /// A path and the arguments; the path is escaped where it was decoded before, or made by a rule.
    private func appendPath(_ path: ByteRange) {
        if server.isQuoted || server.isInternal {
            PercentCoding.appendEscapedURI(path, to: arena)
        } else {
            arena.append(copyOf: path)
        }
        if !server.arguments.isEmpty {
            arena.append(UInt8(ascii: "?"))
            arena.append(copyOf: server.arguments)
        }
    }

    private func withPath(_ whole: ByteRange) throws(EvaluationFailure) -> ByteRange {
        let mark = arena.mark
        arena.append(copyOf: whole)
        appendOwnURI()
        return try made(from: mark)
    }

    private func withSlash(_ whole: ByteRange, at offset: Int32) throws(EvaluationFailure) -> ByteRange {
        let mark = arena.mark
        arena.append(copyOf: ByteRange(start: whole.start, end: offset))
        arena.append(UInt8(ascii: "/"))
        arena.append(copyOf: ByteRange(start: offset, end: whole.end))
        return try made(from: mark)
    }

    /// Where the URI part of a URL begins; nil when it has no `://`.
    private func pathStart(of whole: ByteRange) -> Int32? {
        var offset = whole.start
        while offset + 2 < whole.end {
            if arena[offset] == UInt8(ascii: ":"), arena[offset + 1] == UInt8(ascii: "/"),
                arena[offset + 2] == UInt8(ascii: "/")
            {
                offset += 3
                while offset < whole.end, arena[offset] != UInt8(ascii: "/"), arena[offset] != UInt8(ascii: "?") {
                    offset += 1
                }
                return offset
            }
            offset += 1
        }
        return nil
    }
}
