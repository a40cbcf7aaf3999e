import ShuntCore
import ShuntPatterns

/// The end of a request: statuses, headers and the Location.
extension Evaluation {
    /// Cuts a path and its arguments at the first `?`.
    func split(_ target: ByteRange) -> (path: ByteRange, arguments: ByteRange) {
        for offset in target.start..<target.end where arena[offset] == UInt8(ascii: "?") {
            return (ByteRange(start: target.start, end: offset), ByteRange(start: offset + 1, end: target.end))
        }
        return (target, .empty)
    }

    /// Sends a body with a status, unless an error page has already fixed the status.
    mutating func respond(status: Int32, body: ByteRange) throws(EvaluationFailure) {
        var final = answer.errorStatus != 0 ? answer.errorStatus : status
        if unmet == 304, final == 200, !server.isQuestion { final = unmet }
        let isBodyless = final == 204 || final == 304
        if !isBodyless {
            answer.outcome.body = body
            answer.outcome.hasBody = server.methodKind != .head
            answer.outcome.isBodyWithheld = server.methodKind == .head
            let type = try contentType()
            if !type.isEmpty { answer.headers.append((Self.contentTypeName, type)) }
        }
        try conclude(status: final)
    }

    /// Closes the connection without an answer.
    mutating func close() {
        answer.outcome.action = .respond
        answer.outcome.status = 444
        finishRequest()
    }

    /// Fixes the status, the Location and the headers of the response.
    mutating func conclude(status: Int32) throws(EvaluationFailure) {
        (answer.responseStatus, answer.dropsBody) = (status, true)
        answer.outcome.status = status
        answer.outcome.action = .respond
        if answer.hasLocation {
            answer.outcome.url = try absoluteLocation()
            answer.outcome.hasURL = true
            if [301, 302, 303, 307, 308].contains(status) { answer.outcome.action = .redirect }
        }
        try addHeaders(status: status)
        finishRequest()
    }

    @inline(__always)
    private mutating func finishRequest() {
        answer.outcome.position = position
        answer.outcome.server = server.index
        answer.outcome.location = server.location
        answer.outcome.uri = server.uri
        answer.outcome.arguments = server.arguments
        answer.outcome.hasURI = true
    }

    /// The Location with scheme, host and port in front of a path, where `absolute_redirect` requires it, or browsers would
    /// take the path for another host.
    func absoluteLocation() throws(EvaluationFailure) -> ByteRange {
        let settings = program.tables.settings[server.settings]
        guard !answer.location.isEmpty, arena[answer.location.start] == UInt8(ascii: "/"),
            settings.absoluteRedirect || beginsWithTwoSlashes(answer.location)
        else {
            return try safeHeaderValue(answer.location)
        }
        let isListenSecure = request.listen?.isSecure ?? program.tables.listens[server.listen].isSecure
        let local = server.host.isEmpty && !settings.serverNameInRedirect ? try localHost() : .empty
        let mark = arena.mark
        arena.append(server.isSecure ? "https://" : "http://")
        if settings.serverNameInRedirect {
            arena.append(program.tables.servers[server.index].name)
        } else {
            arena.append(copyOf: server.host.isEmpty ? local : server.host)
        }
        let port = localPort
        if settings.portInRedirect, port != 0, port != (server.isSecure && isListenSecure ? 443 : 80) {
            arena.append(UInt8(ascii: ":"))
            arena.append(decimal: port)
        }
        arena.append(copyOf: answer.location)
        return try safeHeaderValue(try made(from: mark))
    }

    /// Returns true if the second byte is a slash, too, or a backslash, which browsers take for one.
    private func beginsWithTwoSlashes(_ path: ByteRange) -> Bool {
        guard path.count > 1 else { return false }
        let second = arena[path.start + 1]
        return second == UInt8(ascii: "/") || second == UInt8(ascii: "\\")
    }

    func localAddress() throws(EvaluationFailure) -> ByteRange {
        let mark = arena.mark
        if let endpoint = request.listen, endpoint.address != "*" {
            arena.append(text: endpoint.address)
        } else if server.listen.isNone {
            arena.append("127.0.0.1")
        } else {
            switch program.tables.listens[server.listen].host {
            case .anyV4: arena.append("127.0.0.1")
            case .anyV6: arena.append("::1")
            case .address(let address): arena.append(address)
            case .name(let name): arena.append(name)
            case .path(let path):
                arena.append("unix:")
                arena.append(path)
            }
        }
        return try made(from: mark)
    }

    /// The address the request arrived at, as a URL has it.
    func localHost() throws(EvaluationFailure) -> ByteRange {
        let address = try localAddress()
        let scheme = ByteRange(start: address.start, end: min(address.end, address.start + 5))
        if arena.holds(Self.pathScheme, at: scheme) { return try text("localhost") }
        var isV6 = false
        for offset in address.start..<address.end where arena[offset] == UInt8(ascii: ":") { isV6 = true }
        guard isV6 else { return address }
        let mark = arena.mark
        arena.append(UInt8(ascii: "["))
        arena.append(copyOf: address)
        arena.append(UInt8(ascii: "]"))
        return try made(from: mark)
    }

    private static let pathScheme = Array("unix:".utf8)

    var localPort: Int {
        if let endpoint = request.listen { return endpoint.hostPort ?? endpoint.publicPort ?? endpoint.port }
        return !server.listen.isNone ? Int(program.tables.listens[server.listen].port) : 80
    }

    /// The value with its control bytes encoded: a header that rules make can never be split.
    ///
    /// nginx sends them unchanged.
    func safeHeaderValue(_ range: ByteRange) throws(EvaluationFailure) -> ByteRange {
        let safe = PercentCoding.escapingControls(range, in: arena)
        if arena.overflowed { throw failure(.valueTooLong) }
        return safe
    }

    /// Adds the headers that belong to every answer to a failure, as nginx does, unless one of them cannot be worked out.
    mutating func addHeaders(to failure: EvaluationFailure) {
        guard !server.settings.isNone else { return }
        do throws(EvaluationFailure) {
            try addHeaders(status: failure.status)
        } catch {
            answer.removeHeaders()
        }
    }

    private mutating func addHeaders(status: Int32, clearing isClearing: Bool = false) throws(EvaluationFailure) {
        // No client gets them, and a map over the headers of the answer would keep its value.
        guard !server.isQuestion else { return }
        let settings = program.tables.settings[server.settings]
        let isUsual = Decision.Forward.isUsual(Int(status))
        if !settings.expiry.isNone, isUsual { answer.expiry = try expiry(program.tables.expiries[settings.expiry]) }
        guard !settings.headers.isNone else { return }
        for header in program.tables.headers[settings.headers] where header.always || isUsual {
            let value = try evaluate(template: header.value)
            if header.isSingle { answer.headers.removeAll { Self.isSame($0.name, header.name) } }
            guard !value.isEmpty || isClearing && header.isSingle else { continue }
            answer.headers.append((header.name, try safeHeaderValue(value)))
        }
    }

    private static func isSame(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        one.elementsEqual(other) { $0.asciiLowercased == $1.asciiLowercased }
    }

    /// Collects the headers for whatever the handler answers: which of them count is known only with its status.
    ///
    /// For the gateway one without a value that there is once is among them: the answer loses its own.
    @inline(never)
    private mutating func addForwardHeaders(_ headers: TableIndex<[HeaderRule]>) throws(EvaluationFailure) {
        let time = program.tables.settings[server.settings].expiry
        if !time.isNone { answer.expiry = try expiry(program.tables.expiries[time]) }
        if answer.errorStatus != 0 { return try addHeaders(status: answer.errorStatus, clearing: mayAsk) }
        for header in program.tables.headers[headers] {
            let value = try evaluate(template: header.value)
            if header.isSingle {
                answer.successHeaders.removeAll { Self.isSame($0.name, header.name) }
                if header.always { answer.headers.removeAll { Self.isSame($0.name, header.name) } }
            }
            guard !value.isEmpty || mayAsk && header.isSingle else { continue }
            if header.always {
                answer.headers.append((header.name, try safeHeaderValue(value)))
            } else {
                answer.successHeaders.append((header.name, try safeHeaderValue(value)))
            }
        }
    }

    /// Adds the headers of an answer that is passed on, by what that answer has if it is there.
    ///
    /// An answer after which the rules continue is not sent: a map over its headers would keep that value.
    @inline(never)
    private mutating func addHeaders(ofForward rules: TableIndex<[HeaderRule]>) throws(EvaluationFailure) {
        guard !server.isQuestion else { return }
        earlier.takePassed()
        if answer.errorStatus == 0, let passed = earlier.passed {
            answer.responseStatus = Int32(clamping: passed.answer.status)
        }
        guard !earlier.hasNext else { return }
        answer.readsAnswer = false
        try addForwardHeaders(rules)
        answer.awaitsAnswer = answer.readsAnswer && mayAsk
    }

    /// The time of an `expires`; nil where a variable has none of its words.
    private mutating func expiry(_ rule: ExpiryRule) throws(EvaluationFailure) -> Expiry? {
        guard !rule.template.isNone else { return rule.expiry }
        let word = arena.array(try evaluate(template: rule.template))
        return (try? Expiry(word, isModified: rule.isModified)) ?? nil
    }

    /// The type of a body, with its character set; empty for none.
    ///
    /// Source: http://nginx.org/en/docs/http/ngx_http_charset_module.html
    mutating func contentType() throws(EvaluationFailure) -> ByteRange {
        let type = try plainType()
        guard let charset = try charset(), charset.isFor(arena.array(type)) else { return type }
        return try append(arena.array(type) + charset.suffix)
    }

    /// The character set that answers get; nil where it is off.
    mutating func charset() throws(EvaluationFailure) -> AnswerCharset? {
        let settings = program.tables.settings[server.settings]
        guard !settings.charset.isNone else { return nil }
        let name = arena.array(try evaluate(template: settings.charset))
        let types = settings.charsetTypes
        return name.isEmpty ? nil : AnswerCharset(name, types.isNone ? nil : program.tables.charsetTypes[types])
    }

    /// The type of a body by the extension of the path; empty for none.
    ///
    /// Source: http://nginx.org/en/docs/http/ngx_http_core_module.html#types
    mutating func plainType() throws(EvaluationFailure) -> ByteRange {
        if server.keepsHeaders, let type = answer.keptType { return try safeHeaderValue(type) }
        let settings = program.tables.settings[server.settings]
        var type: ByteRange
        if let usual = settings.defaultType {
            type = try append(constant: usual)
        } else {
            type = try text("text/plain")
        }
        var dot = server.uri.end
        var offset = server.uri.end
        while offset > server.uri.start, arena[offset - 1] != UInt8(ascii: "/") {
            offset -= 1
            // A dot right after a slash begins a hidden name, not an extension.
            if arena[offset] == UInt8(ascii: "."), offset > server.uri.start + 1, arena[offset - 1] != UInt8(ascii: "/")
            {
                dot = offset
                break
            }
        }
        if dot < server.uri.end - 1, settings.types.isNone {
            type = try usualType(of: ByteRange(start: dot + 1, end: server.uri.end)) ?? type
        } else if dot < server.uri.end - 1 {
            let found =
                arena.withBytes(ByteRange(start: dot + 1, end: server.uri.end)) {
                    program.tables.types[settings.types].value($0)
                } ?? -1
            if found >= 0 { type = try append(constant: program.tables.typeValues[Int(found)]) }
        }
        return type
    }

    /// The types that nginx knows without a `types` block.
    private func usualType(of pathExtension: ByteRange) throws(EvaluationFailure) -> ByteRange? {
        let name = try lowercased(pathExtension)
        for (known, type) in Self.usualTypes where arena.holds(known, at: name) { return try append(type) }
        return nil
    }

    private static let usualTypes = [("html", "text/html"), ("gif", "image/gif"), ("jpg", "image/jpeg")]
        .map { (Array($0.utf8), Array($1.utf8)) }

    private static let contentTypeName = Array("Content-Type".utf8)

    /// True if an answer without a length comes in chunks.
    var sendsChunks: Bool { server.settings.isNone || program.tables.settings[server.settings].sendsChunks }

    /// Ends with the request handed on at a URL, whose parts are in the outcome.
    @inline(__always)
    mutating func forward(to url: ByteRange) throws(EvaluationFailure) {
        answer.outcome.action = .forward
        answer.outcome.url = url
        answer.outcome.hasURL = true
        answer.outcome.status = answer.errorStatus
        answer.responseStatus = answer.errorStatus
        let settings = server.settings
        // A place before this one, whose answer led here, may have set it.
        answer.awaitsAnswer = false
        if !program.tables.settings[settings].headers.isNone {
            // Variables in them have a value only where an upstream is used.
            answer.outcome.isUpstream = program.tables.settings[settings].handler == .proxy
            try addHeaders(ofForward: program.tables.settings[settings].headers)
        }
        // An upstream is chosen by its `proxy_pass`; anything else comes from what last changed the path.
        answer.outcome.isUpstream = program.tables.settings[settings].handler == .proxy
        if answer.outcome.isUpstream {
            if !program.tables.settings[settings].charset.isNone { answer.charset = try charset() }
            try addUpstreamHeaders(program.tables.settings[settings].upstreamHeaders)
            if program.tables.hasUpstreamValues { try setUpstreamValues() }
        } else {
            position = changePosition
        }
        finishRequest()
    }
}
