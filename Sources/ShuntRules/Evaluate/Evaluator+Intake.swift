import ShuntCore
import ShuntPatterns

/// How a request comes in: what is refused before any rule sees it, and which phases it goes through.
extension Evaluator {
    /// Decides about a URL.
    func beginWithURL() {
        guard subjectFits else { return refuse(.targetTooLong, status: 414) }
        guard headersFit() else { return }
        guard !subject.isEmpty else { return fail(.emptyURL, status: 400) }
        url = subject
        guard parseURL() else { return }
        guard runURLPhase() else { return }
        guard !program.servers.isEmpty, schemeIsHTTP else { return forwardURL() }
        enterServerPhase(fromURL: true)
    }

    /// Decides about the target of an HTTP request.
    func beginWithTarget() {
        chooseListen(scheme: nil, port: nil)
        guard versionIsServed() else { return }
        guard subjectFits else { return refuse(.targetTooLong, status: 414) }
        guard headersFit() else { return }
        guard methodIsValid else { return refuse(.invalidMethod, status: 400) }
        let target = subject
        let mergesSlashes = listen < 0 || defaultSettings.mergesSlashes
        let parsed: RequestTarget
        do throws(RequestTargetError) {
            parsed = try RequestTarget.parse(target, in: arena, mergeSlashes: mergesSlashes)
        } catch {
            return refuse(.malformedTarget, status: 400)
        }
        guard takeHost(absolute: parsed.absoluteHost) else { return }
        adopt(parsed)
        if program.urlPhase >= 0 {
            // A user's name in a Host would make the URL phase and the servers see different hosts.
            guard !contains(UInt8(ascii: "@"), authority) else { return refuse(.malformedHost, status: 400) }
            buildURL(target: target, absolute: parsed.absoluteHost)
            guard parseURL(allowsEmptyHost: !hasHost) else { return }
            guard runURLPhase() else { return }
            if urlChanged {
                guard !program.servers.isEmpty, schemeIsHTTP else { return forwardURL() }
                return enterServerPhase(fromURL: true)
            }
        } else if program.servers.isEmpty {
            buildURL(target: target, absolute: parsed.absoluteHost)
            guard parseURL(allowsEmptyHost: !hasHost) else { return }
        }
        guard !program.servers.isEmpty else { return forwardURL() }
        enterServerPhase(fromURL: false)
    }

    /// HTTP/1.x and nothing else, as in nginx's parser for it.
    private func versionIsServed() -> Bool {
        if requestVersion == "1.1" { return true }
        let version = requestVersion.utf8
        guard let major = version.first, major.isASCIIDigit, version.dropFirst().first == UInt8(ascii: "."),
            major != UInt8(ascii: "0")
        else {
            refuse(.unknownVersion, status: 400)
            return false
        }
        guard major == UInt8(ascii: "1") else {
            refuse(.unknownVersion, status: 505)
            return false
        }
        return true
    }

    private var methodIsValid: Bool {
        methodKind != .other || !originalMethod.isEmpty && arena.withBytes(originalMethod) { RequestMethod.isValid($0) }
    }

    private func headersFit() -> Bool {
        if headers.isEmpty { return true }
        var total = 0
        for header in headers {
            total += header.name.count + header.value.count
            if total > EvaluationLimits.headerBytes {
                refuse(.headersTooLong, status: 400)
                return false
            }
            if Self.isMalformed(header) {
                refuse(.malformedHeader, status: 400)
                return false
            }
        }
        if listen >= 0, headers.count + (hasRequestHost ? 1 : 0) > Int(defaultSettings.maximumHeaders) {
            refuse(.tooManyHeaders, status: 400)
            return false
        }
        return true
    }

    /// Whether a header could not have come in over HTTP: a line break in its value, or a name that is empty or has
    /// spaces, colons or control bytes in it.
    ///
    /// Other odd names are ignored, as in nginx.
    private static func isMalformed(_ header: Request.Header) -> Bool {
        if header.name.isEmpty { return true }
        for byte in header.name where byte <= 0x20 || byte == 0x7f || byte == UInt8(ascii: ":") { return true }
        for byte in header.value where byte == 0x0a || byte == 0x0d || byte == 0 { return true }
        return false
    }

    /// Takes the host from an absolute-form target, else from the Host header; false when the request is refused.
    private func takeHost(absolute: ByteRange?) -> Bool {
        var hosts = hasRequestHost ? 1 : 0
        var value = hasRequestHost ? requestHost : nil
        if !headers.isEmpty {
            for candidate in headers where Self.isHost(candidate.name) {
                hosts += 1
                value = value ?? append(candidate.value)
            }
        }
        if hosts > 1, !hasRequestHost || hosts > 2 {
            refuse(.malformedHost, status: 400)
            return false
        }
        if let value {
            do throws(HostNameError) {
                authority = value
                // As in nginx the blanks around a header's value are not part of it.
                while !authority.isEmpty, arena[authority.start] == 0x20 { authority.start += 1 }
                while !authority.isEmpty, arena[authority.end - 1] == 0x20 { authority.end -= 1 }
                host = try HostName.normalise(authority, in: arena)
                hasHost = true
            } catch {
                refuse(.malformedHost, status: 400)
                return false
            }
        } else if absolute == nil, requestVersion != "1.0" {
            refuse(.missingHost, status: 400)
            return false
        }
        if let absolute {
            do throws(HostNameError) {
                authority = absolute
                host = try HostName.normaliseURLHost(absolute, in: arena)
                hasHost = true
            } catch {
                refuse(.malformedHost, status: 400)
                return false
            }
        }
        return true
    }

    static func isHost(_ name: [UInt8]) -> Bool {
        name.count == 4 && name[0] | 0x20 == 0x68 && name[1] | 0x20 == 0x6f && name[2] | 0x20 == 0x73
            && name[3] | 0x20 == 0x74
    }

    private func contains(_ byte: UInt8, _ range: ByteRange) -> Bool {
        for offset in range.start..<range.end where arena[offset] == byte { return true }
        return false
    }

    private func adopt(_ target: RequestTarget) {
        requestURI = target.requestURI
        uri = target.path
        arguments = target.arguments
        needsEscape = target.needsEscape
        isQuoted = target.isQuoted
        receivedTargetIsValid = true
    }

    /// Puts the URL together that an HTTP request asks for, so that the URL phase sees one form only.
    private func buildURL(target: ByteRange, absolute: ByteRange?) {
        if absolute != nil {
            url = target
            return
        }
        let mark = arena.mark
        _ = isSecure ? text("https://") : text("http://")
        // The authority as it came, with its port, whether it was given apart or among the headers.
        arena.append(copyOf: authority)
        arena.append(copyOf: requestURI)
        url = arena.range(from: mark)
    }

    private func enterServerPhase(fromURL: Bool) {
        if fromURL {
            guard methodIsValid else { return refuse(.invalidMethod, status: 400) }
            let port = parts.portNumber.map { Int($0) }
            chooseListen(scheme: parts.scheme, port: port)
            isSecure = parts.scheme.count == 5
            do throws(HostNameError) {
                authority = authorityOfURL
                host = try HostName.normalise(authority, in: arena)
                hasHost = true
            } catch {
                return refuse(.malformedHost, status: 400)
            }
            do throws(RequestTargetError) {
                adopt(try RequestTarget.parse(targetOfURL(), in: arena, mergeSlashes: defaultSettings.mergesSlashes))
            } catch {
                return refuse(.malformedTarget, status: 400)
            }
        }
        phase = .server
        receivedURI = uri
        receivedArguments = arguments
        nextStamp()
        captureCount = 0
        runServerPhase()
    }

    /// The host and port of the URL, as a Host header would have them.
    private var authorityOfURL: ByteRange {
        guard let host = parts.host else { return .empty }
        return ByteRange(start: host.start, end: parts.port.map { $0.end } ?? host.end)
    }

    /// What a client would send as the target of a request for the URL: no fragment, `/` for an empty path.
    private func targetOfURL() -> ByteRange {
        let end = parts.query.map { $0.end } ?? parts.path.end
        if !parts.path.isEmpty { return ByteRange(start: parts.path.start, end: end) }
        let mark = arena.mark
        arena.append(UInt8(ascii: "/"))
        if let query = parts.query {
            arena.append(UInt8(ascii: "?"))
            arena.append(copyOf: query)
        }
        return arena.range(from: mark)
    }

    /// Chooses the `listen` that the request came in on: the one it names, else for a URL the one with its port, else
    /// the first of the rule set.
    private func chooseListen(scheme: ByteRange?, port: Int?) {
        guard !program.listens.isEmpty else {
            listen = -1
            return
        }
        listen = 0
        if let endpoint = requestListen {
            listen = program.listen(at: endpoint.address, port: endpoint.port) ?? 0
        } else if let scheme {
            listen = program.listen(at: nil, port: port ?? (scheme.count == 5 ? 443 : 80)) ?? 0
        }
        if scheme == nil { isSecure = program.listens[Int(listen)].isSecure }
    }

    /// The settings of the default server, which normalise every path of its address.
    var defaultSettings: Settings {
        @inline(__always)
        get { program.settings[Int(program.servers[Int(program.listens[Int(listen)].defaultServer)].settings)] }
    }

    var schemeIsHTTP: Bool {
        let scheme = parts.scheme
        guard scheme.count == 4 || scheme.count == 5 else { return false }
        for offset in 0..<Int32(scheme.count)
        where arena[scheme.start + offset] | 0x20 != arena[Self.https.start + offset] { return false }
        return true
    }
}
