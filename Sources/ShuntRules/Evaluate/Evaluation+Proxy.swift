import ShuntCore
import ShuntRouting

/// `proxy_pass`: the server of a request, and the target that it gets.
extension Evaluation {
    /// A URL of `proxy_pass` with its parts, which are counted from its start, and the target of the request.
    private struct UpstreamURL {
        var range: ByteRange
        var address: ProxyAddress
        var target: ByteRange
    }

    /// Ends with the request passed on to a server; as in nginx with 500 if the value of the URL is invalid.
    ///
    /// Source: http://nginx.org/en/docs/http/ngx_http_proxy_module.html#proxy_pass
    mutating func passOn(to proxy: ProxyTarget) throws(EvaluationFailure) -> Step {
        position = proxy.position
        guard let url = try upstreamURL(proxy) else { return .status(500) }
        var parts = RouteSubject(path: url.target.moved(by: 0 &- url.range.start))
        parts.scheme = url.address.scheme
        parts.host = url.address.host
        parts.port = url.address.port
        answer.outcome.parts = parts
        answer.outcome.targetApart = nil
        answer.outcome.isSocket = url.address.isSocket
        answer.outcome.group = proxy.hasVariables ? group(of: url) : proxy.group
        try forward(to: url.range)
        return .done
    }

    /// The group that a URL names: one with a port names none.
    private func group(of url: UpstreamURL) -> TableIndex<UpstreamGroup> {
        guard url.address.port == nil, !url.address.isSocket else { return .none }
        return arena.withBytes(url.address.host.moved(by: url.range.start)) { program.tables.group(named: $0) }
    }

    /// The URL of a `proxy_pass` for this request; nil if its value is not such a URL, or has no target.
    private mutating func upstreamURL(_ proxy: ProxyTarget) throws(EvaluationFailure) -> UpstreamURL? {
        var start: Int32
        var base = proxy.base
        var address = proxy.address
        var given = ByteRange.empty
        if proxy.hasVariables {
            let whole = try evaluate(template: proxy.template)
            address = arena.withBytes(whole) { ProxyAddress($0) }
            guard let address else { return nil }
            base = ByteRange(start: whole.start, end: whole.start + address.end)
            given = ByteRange(start: base.end, end: whole.end)
            if !given.isEmpty, arena[given.start] == UInt8(ascii: "/") {
                return UpstreamURL(range: whole, address: address, target: given)
            }
            base = try baseCopy(base, address)
            start = base.start
        } else {
            base = try append(constant: base)
            start = base.start
        }
        guard let address else { return nil }
        let mark = arena.mark
        appendTarget(proxy, given)
        var target = try made(from: mark)
        guard !target.isEmpty else { return nil }
        if arena[target.start] != UInt8(ascii: "/") {
            // The URL has a slash there, so that readers see where the server's name ends.
            let path = target
            start = Int32(truncatingIfNeeded: arena.mark)
            arena.append(copyOf: base)
            arena.append(UInt8(ascii: "/"))
            arena.append(copyOf: path)
            let whole = try made(from: Int(start))
            target = ByteRange(start: whole.end - Int32(path.count), end: whole.end)
        }
        return UpstreamURL(range: ByteRange(start: start, end: target.end), address: address, target: target)
    }

    /// A copy of what precedes the target in a value; the path of a socket ends with a colon there.
    private func baseCopy(_ base: ByteRange, _ address: ProxyAddress) throws(EvaluationFailure) -> ByteRange {
        let mark = arena.mark
        arena.append(copyOf: base)
        if address.isSocket, arena[base.end - 1] != UInt8(ascii: ":") { arena.append(UInt8(ascii: ":")) }
        return try made(from: mark)
    }

    /// Appends the path and the arguments that a server gets; `given` is the URI of a value with variables.
    private func appendTarget(_ proxy: ProxyTarget, _ given: ByteRange) {
        if !given.isEmpty {
            if arena[given.start] == UInt8(ascii: "?") { arena.append(UInt8(ascii: "/")) }
            return arena.append(copyOf: given)
        }
        if proxy.hasVariables || proxy.path.isEmpty { return appendOwnURI() }
        // Where the path was rewritten, it is passed on whole and the URI part is ignored.
        var rest = server.uri
        if server.locationIsValid {
            arena.append(program.tables.constants, proxy.path)
            rest.start += min(proxy.locationLength, Int32(server.uri.count))
        }
        appendPath(rest)
    }

    /// `$proxy_host` and `$proxy_port`: the server of `proxy_pass`, the port apart where it is not the usual one.
    ///
    /// Source: http://nginx.org/en/docs/http/ngx_http_proxy_module.html#variables
    mutating func proxyAddress(_ settings: Settings) throws(EvaluationFailure) -> (host: ByteRange, port: ByteRange) {
        guard settings.handler == .proxy, !settings.proxy.isNone else { return (.empty, .empty) }
        let target = program.tables.proxies[settings.proxy]
        let whole =
            target.hasVariables ? try evaluate(template: target.template) : try append(constant: target.base)
        guard let address = arena.withBytes(whole, { ProxyAddress($0) }) else { return (.empty, .empty) }
        if address.isSocket { return (try text("localhost"), .empty) }
        let host = address.host.moved(by: whole.start)
        let usual = try text(address.isSecure ? "443" : "80")
        guard let port = address.port?.moved(by: whole.start) else { return (host, usual) }
        let isUsual = areEqual(port, usual)
        return (isUsual ? host : ByteRange(start: host.start, end: port.end), port)
    }

    /// `$proxy_add_x_forwarded_for`: what the client sent, and its address.
    mutating func forwardedFor() throws(EvaluationFailure) -> ByteRange {
        let sent = try requestHeader(named: Self.forwardedForName)
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

    /// Computes the values that are needed after the request was passed on.
    @inline(never)
    mutating func setUpstreamValues() throws(EvaluationFailure) {
        answer.balancingKey = .empty
        if !answer.outcome.group.isNone {
            let key = program.tables.upstreamGroups[answer.outcome.group].key
            if program.tables.upstreamGroups[answer.outcome.group].method == .clientAddress {
                answer.balancingKey = try value(of: .remoteAddress)
            } else if !key.isNone {
                answer.balancingKey = try evaluate(template: key)
            }
        }
        answer.upstreamName = nil
        answer.upstreamMethod = nil
        answer.upstreamBody = nil
        if let settings = upstreamSettings {
            if !settings.name.isNone { answer.upstreamName = try evaluate(template: settings.name) }
            if !settings.method.isNone { answer.upstreamMethod = try evaluate(template: settings.method) }
            if !settings.body.isNone { answer.upstreamBody = try evaluate(template: settings.body) }
        }
        try setRedirectValues()
        let cookies = program.tables.settings[server.settings].cookies
        answer.cookies = cookies.isNone ? nil : try self.cookies(program.tables.cookies[cookies])
    }

    /// `keepalive_timeout` of the location in force; 0 if the connection ends with the answer.
    var keepAlive: Int? {
        if answer.endsConnection { return 0 }
        guard !server.settings.isNone else { return nil }
        let time = program.tables.settings[server.settings].keepAlive
        return time < 0 ? nil : Int(time)
    }

    /// The settings for the upstream of the location in force.
    var upstreamSettings: UpstreamSettings? {
        let index = program.tables.settings[server.settings].upstream
        return index.isNone ? nil : program.tables.upstreamSettings[index]
    }

    /// The request's own target: as it was sent while no rule changed it, else the current path.
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
}
