import ShuntCore

/// The intake of a request: the checks before any rule sees it, and its phases.
extension Evaluation {
    /// Reads the request and runs the URL phase; returns where nginx's phases begin, `done` if nothing is left to do.
    @inline(__always)
    mutating func takeIn() throws(EvaluationFailure) -> Step {
        do throws(EvaluationFailure) {
            return request.line.isForURL ? try takeURL() : try takeTarget()
        } catch {
            // The default server's `error_page` may take what is refused before any rule has run.
            guard error.isForErrorPages, !server.listen.isNone else { throw error }
            useFirstServer()
            answer.failure = error
            return .failed
        }
    }

    /// The same for a request that is refused.
    @inline(never)
    mutating func takeRefused() throws(EvaluationFailure) -> Step {
        guard refused != Self.plainStatus, !server.listen.isNone else { return try takeIn() }
        useFirstServer(readsLine: true)
        return .status(refused)
    }

    /// The status of plain HTTP at a port of TLS, for which the request is read.
    static let plainStatus: Int32 = 497

    private mutating func takeURL() throws(EvaluationFailure) -> Step {
        guard request.line.subjectFits else { throw failure(.targetTooLong, status: 414) }
        try checkHeaders()
        guard !request.line.subject.isEmpty else { throw failure(.emptyURL, status: 400) }
        url.range = request.line.subject
        try parseURL()
        guard try runURLPhase() == .undecided else { return .done }
        return try leaveURLPhase()
    }

    /// Takes the target of an HTTP request in, for which a `listen` has been chosen.
    @inline(__always)
    private mutating func takeTarget() throws(EvaluationFailure) -> Step {
        try checkVersion()
        guard request.line.subjectFits else { throw failure(.targetTooLong, status: 414) }
        try checkHeaders()
        try checkMethod()
        if let target = PlainTarget.read(request.line.subject, in: arena) {
            let hasHost = try takeHost()
            adopt(target, of: request.line.subject)
            if program.beginsWithServers {
                server.isAsSent = hasHost && server.host == request.line.host
                enterServerPhase()
                return .selectServer
            }
            return try takeURLOfTarget(port: nil, hasHost: hasHost)
        }
        return try takeOtherTarget()
    }

    /// Takes a target in that has to be changed, refused, or has a host in it.
    @inline(never)
    private mutating func takeOtherTarget() throws(EvaluationFailure) -> Step {
        let target: RequestTarget
        do throws(RequestTargetError) {
            let mergesSlashes = server.listen.isNone || defaultSettings.mergesSlashes
            target = try RequestTarget.parse(request.line.subject, in: arena, mergeSlashes: mergesSlashes)
        } catch {
            throw arena.overflowed ? failure(.valueTooLong) : failure(.malformedTarget, status: 400)
        }
        let hasHost = try takeHost(absolute: target.absoluteHost)
        adopt(target)
        return try takeURLOfTarget(port: target.absolutePort, hasHost: hasHost)
    }

    /// Runs the URL phase on the URL that a target and a Host stand for, where there is one, or where there are no servers.
    @inline(never)
    private mutating func takeURLOfTarget(port: ByteRange?, hasHost: Bool) throws(EvaluationFailure) -> Step {
        if !program.tables.urlPhase.isNone {
            // A user's name in a Host would make the URL phase and the servers see different hosts.
            guard !contains(UInt8(ascii: "@"), server.authority) else { throw failure(.malformedHost, status: 400) }
            url.range = try requestedURL(port: port)
            try parseURL(allowsEmptyHost: !hasHost)
            guard try runURLPhase() == .undecided else { return .done }
            if url.isChanged || program.tables.servers.isEmpty { return try leaveURLPhase() }
        } else if program.tables.servers.isEmpty {
            url.range = try requestedURL(port: port)
            try parseURL(allowsEmptyHost: !hasHost)
            return try leaveURLPhase()
        }
        enterServerPhase()
        return .selectServer
    }

    /// HTTP/1.x and nothing else, as in nginx's parser for it.
    @inline(__always)
    private func checkVersion() throws(EvaluationFailure) {
        if !request.isVersion11 { try checkOtherVersion() }
    }

    @inline(never)
    private func checkOtherVersion() throws(EvaluationFailure) {
        let version = request.version.utf8
        guard let major = version.first, major.isASCIIDigit, version.dropFirst().first == UInt8(ascii: "."),
            major != UInt8(ascii: "0")
        else { throw failure(.unknownVersion, status: 400) }
        guard major == UInt8(ascii: "1") else { throw failure(.unknownVersion, status: 505) }
    }

    @inline(__always)
    private func checkMethod() throws(EvaluationFailure) {
        if request.line.methodKind == .other { try checkOtherMethod() }
    }

    @inline(never)
    private func checkOtherMethod() throws(EvaluationFailure) {
        let method = request.line.method
        guard !method.isEmpty, arena.withBytes(method, { RequestMethod.isValid($0) }) else {
            throw failure(.invalidMethod, status: 400)
        }
    }

    @inline(__always)
    private func checkHeaders() throws(EvaluationFailure) {
        if !request.headers.isEmpty { try checkHeaderLines() }
    }

    @inline(never)
    private func checkHeaderLines() throws(EvaluationFailure) {
        var total = 0
        for header in request.headers {
            total += header.nameBytes.count + header.valueBytes.count
            if total > options.headerBytes { throw failure(.headersTooLong, status: 400) }
            if Self.isMalformed(header) { throw failure(.malformedHeader, status: 400) }
        }
        let count = request.headers.count + (request.line.hasHost ? 1 : 0)
        if !server.listen.isNone, count > Int(defaultSettings.maximumHeaders) {
            throw failure(.tooManyHeaders, status: 400)
        }
    }

    /// Returns true if a header could not have come in over HTTP: a line break in its value, or a name that is empty or
    /// has spaces, colons or control bytes in it.
    ///
    /// Other odd names are ignored, as in nginx.
    private static func isMalformed(_ header: RuleRequest.Header) -> Bool {
        if header.nameBytes.isEmpty { return true }
        for byte in header.nameBytes where byte <= 0x20 || byte == 0x7f || byte == UInt8(ascii: ":") { return true }
        // The least byte is found for many bytes at once.
        guard header.valueBytes.reduce(UInt8.max, min) <= 0x0d else { return false }
        for byte in header.valueBytes where byte == 0x0a || byte == 0x0d || byte == 0 { return true }
        return false
    }

    /// Takes the host from the Host header; false where there is none.
    @inline(__always)
    private mutating func takeHost() throws(EvaluationFailure) -> Bool {
        guard request.line.hostIsKnown, request.headers.isEmpty else { return try takeHost(absolute: nil) }
        server.authority = request.line.host
        server.host = request.line.host
        return true
    }

    /// Takes the host from an absolute-form target, else from the Host header; false where there is none.
    @inline(never)
    private mutating func takeHost(absolute: ByteRange?) throws(EvaluationFailure) -> Bool {
        var hosts = request.line.hasHost ? 1 : 0
        var value = request.line.hasHost ? request.line.host : nil
        if !request.headers.isEmpty {
            for candidate in request.headers where Self.isHost(candidate.nameBytes) {
                hosts += 1
                if value == nil { value = try append(candidate.valueBytes) }
            }
        }
        if hosts > 1, !request.line.hasHost || hosts > 2 { throw failure(.malformedHost, status: 400) }
        if let value {
            server.authority = value
            // As in nginx the blanks around a header's value are not part of it.
            while !server.authority.isEmpty, arena[server.authority.start] == 0x20 { server.authority.start += 1 }
            while !server.authority.isEmpty, arena[server.authority.end - 1] == 0x20 { server.authority.end -= 1 }
            server.host = try normalisedHost(server.authority)
            if server.host == request.line.host { request.keepHost(isSecure: server.isSecure) }
        } else if absolute == nil, request.version != "1.0" {
            throw failure(.missingHost, status: 400)
        }
        if let absolute {
            server.authority = absolute
            do throws(HostNameError) {
                server.host = try HostName.normaliseURLHost(absolute, in: arena)
            } catch {
                throw hostFailure(error)
            }
        }
        return value != nil || absolute != nil
    }

    private func normalisedHost(_ authority: ByteRange) throws(EvaluationFailure) -> ByteRange {
        do throws(HostNameError) {
            return try HostName.normalise(authority, in: arena)
        } catch {
            throw hostFailure(error)
        }
    }

    private func hostFailure(_ error: HostNameError) -> EvaluationFailure {
        error == .noRoom ? failure(.valueTooLong) : failure(.malformedHost, status: 400)
    }

    static func isHost(_ name: [UInt8]) -> Bool {
        name.count == 4 && name[0] | 0x20 == 0x68 && name[1] | 0x20 == 0x6f && name[2] | 0x20 == 0x73
            && name[3] | 0x20 == 0x74
    }

    private func contains(_ byte: UInt8, _ range: ByteRange) -> Bool {
        arena.withBytes(range) { bytes in
            for index in bytes.indices where bytes[index] == byte { return true }
            return false
        }
    }

    @inline(__always)
    private mutating func adopt(_ target: PlainTarget, of whole: ByteRange) {
        server.requestURI = whole
        server.sentPath = target.path
        server.uri = target.path
        server.arguments = target.arguments
        server.needsEscape = false
        server.isQuoted = false
        server.receivedTargetIsValid = true
    }

    mutating func adopt(_ target: RequestTarget) {
        server.requestURI = target.requestURI
        server.sentPath = target.sentPath
        server.uri = target.path
        server.arguments = target.arguments
        server.needsEscape = target.needsEscape
        server.isQuoted = target.isQuoted
        server.receivedTargetIsValid = target.requestURI.isEmpty || arena[target.requestURI.start] != UInt8(ascii: "?")
    }

    /// True if the URL of an HTTP request is in the arena as it came in.
    var isJoined: Bool {
        @inline(__always)
        get {
            request.line.hasHost && server.authority == request.line.host && !server.authority.isEmpty
                && server.requestURI == request.line.subject && arena[server.requestURI.start] == UInt8(ascii: "/")
        }
    }

    /// The URL of an HTTP request, so that the URL phase sees one form only.
    private func requestedURL(port: ByteRange?) throws(EvaluationFailure) -> ByteRange {
        if isJoined { return request.line.joined }
        let mark = arena.mark
        // The scheme is that of the connection, as in nginx, and the authority as it came, with its port.
        arena.append(server.isSecure ? "https://" : "http://")
        arena.append(copyOf: server.authority)
        if let port { arena.append(copyOf: ByteRange(start: port.start - 1, end: port.end)) }
        arena.append(copyOf: server.requestURI)
        return try made(from: mark)
    }

    /// Continues with the URL as the URL phase left it: at the servers, where there are any for it.
    private mutating func leaveURLPhase() throws(EvaluationFailure) -> Step {
        guard !program.tables.servers.isEmpty, url.isWeb else {
            try forwardURL()
            return .done
        }
        try checkMethod()
        server.isSecure = url.parts.scheme.count == 5
        chooseListen(port: url.parts.portNumber.map { Int($0) } ?? (server.isSecure ? 443 : 80))
        server.authority = authorityOfURL
        server.host = url.hasNormalHost ? server.authority : try normalisedHost(server.authority)
        // As a client would send it, without the fragment.
        let parts = url.parts
        let target = try targetApart ?? ByteRange(start: parts.path.start, end: (parts.query ?? parts.path).end)
        server.isAsSent = false
        if let plain = PlainTarget.read(target, in: arena) {
            adopt(plain, of: target)
        } else {
            do throws(RequestTargetError) {
                adopt(try RequestTarget.parse(target, in: arena, mergeSlashes: defaultSettings.mergesSlashes))
            } catch {
                throw arena.overflowed ? failure(.valueTooLong) : failure(.malformedTarget, status: 400)
            }
        }
        enterServerPhase()
        return .selectServer
    }

    @inline(__always)
    private mutating func enterServerPhase() {
        phase = .server
        server.receivedURI = server.uri
        server.receivedArguments = server.arguments
        values.forgetComputed()
        values.captureCount = 0
    }

    /// The host and port of the URL, as a Host header would have them.
    private var authorityOfURL: ByteRange {
        guard let host = url.parts.host else { return .empty }
        return ByteRange(start: host.start, end: url.parts.port.map { $0.end } ?? host.end)
    }

    /// Chooses the `listen` that an HTTP request came in on: the one it names, else the first of the rule set.
    @inline(__always)
    mutating func chooseListen() {
        if request.hasMore { return chooseNamedListen() }
        guard !program.tables.listens.isEmpty else { return }
        server.listen = .first
        server.isSecure = program.tables.listens[0].isSecure
    }

    /// The same for a request that may have the place where it arrived.
    @inline(never)
    private mutating func chooseNamedListen() {
        if !program.tables.listens.isEmpty {
            server.listen = request.knownListen ?? request.listen.flatMap { program.listen(at: $0) } ?? .first
            request.keepListen(server.listen)
            server.isSecure = program.tables.listens[server.listen].isSecure
        }
        if let isSecure = request.listen?.isSecure { server.isSecure = isSecure }
    }

    /// Chooses the `listen` of a URL: the `listen` that the request names, else the one with the URL's port.
    private mutating func chooseListen(port: Int) {
        guard !program.tables.listens.isEmpty else { return }
        if program.tables.listens.count == 1 {
            server.listen = .first
        } else if let endpoint = request.listen {
            server.listen = program.listen(at: endpoint) ?? .first
        } else {
            server.listen = program.listen(at: nil, port: port) ?? .first
        }
    }

    /// The settings that hold before the Host is known, and normalise every path.
    var defaultSettings: Settings { program.tables.settings[program.tables.servers[firstServer].settings] }

    /// The server before the Host is known: the server of the name in a TLS handshake, else the default server.
    var firstServer: ServerIndex {
        if server.isSecure, let name = request.input("ssl_server_name"), !name.isEmpty {
            return program.server(named: name, at: server.listen)
        }
        return program.tables.listens[server.listen].defaultServer
    }
}
