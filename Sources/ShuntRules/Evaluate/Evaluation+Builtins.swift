import ShuntCore

/// The variables of the request: http://nginx.org/en/docs/http/ngx_http_core_module.html#variables
extension Evaluation {
    mutating func value(of builtin: BuiltinVariable) throws(EvaluationFailure) -> ByteRange {
        switch phase {
        case .url: try valueInURLPhase(builtin)
        case .server: try valueInServerPhase(builtin)
        }
    }

    private mutating func valueInURLPhase(_ builtin: BuiltinVariable) throws(EvaluationFailure) -> ByteRange {
        switch builtin {
        case .url: url.range
        case .scheme: try lowercased(url.parts.scheme)
        case .host: try hostOfURL()
        case .port: url.parts.port ?? .empty
        case .uri: url.parts.path
        case .arguments: url.parts.query ?? .empty
        case .isArguments: (url.parts.query ?? .empty).isEmpty ? .empty : try text("?")
        case .requestURI:
            ByteRange(start: url.parts.path.start, end: url.parts.query?.end ?? url.parts.path.end)
        default: try commonValue(builtin)
        }
    }

    private mutating func valueInServerPhase(_ builtin: BuiltinVariable) throws(EvaluationFailure) -> ByteRange {
        switch builtin {
        case .url: try currentURL().0
        case .scheme: server.isSecure ? EvaluationMemory.https : EvaluationMemory.http
        case .host: server.host.isEmpty ? try append(program.tables.servers[server.index].name) : server.host
        case .port: try number(localPort)
        case .uri: server.uri
        case .arguments: server.arguments
        case .isArguments: server.arguments.isEmpty ? .empty : try text("?")
        case .requestURI: server.requestURI
        default: try commonValue(builtin)
        }
    }

    private mutating func commonValue(_ builtin: BuiltinVariable) throws(EvaluationFailure) -> ByteRange {
        switch builtin {
        case .binaryRemoteAddress: try client { $0.append(bytesOf: $1) }
        case .connection, .connectionRequests: try text("1")
        case .contentLength: try contentLength()
        case .contentType: try requestHeader(named: Self.contentType)
        case .documentRoot: server.settings.isNone ? .empty : try documentRoot(settings) ?? .empty
        case .realPathRoot: server.settings.isNone ? .empty : try realRoot(settings)
        case .requestFilename: server.settings.isNone ? .empty : try requestFile(settings) ?? .empty
        case .fastcgiPathInfo: server.settings.isNone ? .empty : try pathInfo(settings)
        case .fastcgiScriptName: server.settings.isNone ? .empty : try scriptName(settings)
        case .hostname: try append(program.tables.hostname)
        case .https: server.isSecure ? try text("on") : .empty
        case .invalidReferer: server.settings.isNone ? .empty : try isInvalidReferer(settings) ? text("1") : .empty
        case .limitRate: try number(server.limitRate)
        case .requestLimitStatus: try append(Array((request.gate?.limitStatus(.requests) ?? "").utf8))
        case .connectionLimitStatus: try append(Array((request.gate?.limitStatus(.connections) ?? "").utf8))
        case .milliseconds: try moment(.milliseconds)
        case .nginxVersion: try text("1.31.5")
        case .processIdentifier: try number(HostMachine.process)
        case .proxyForwardedFor: try forwardedFor()
        // As in nginx they are empty before the request is passed on.
        case .proxyHost: answer.outcome.isUpstream ? try proxyAddress(settings).host : .empty
        case .proxyPort: answer.outcome.isUpstream ? try proxyAddress(settings).port : .empty
        case .remoteAddress: try client { $0.append($1) }
        case .realIPRemoteAddress: try append(text: request.remoteAddress)
        case .remotePort:
            switch server.client.port {
            case -1: .empty
            case 0: try number(request.line.remotePort)
            default: try number(Int(server.client.port))
            }
        case .realIPRemotePort: try number(request.line.remotePort)
        case .remoteUser: try append(try login()?.user ?? [])
        case .request: try requestLine()
        case .requestIdentifier: try requestIdentifier()
        case .requestMethod: server.isQuestion ? server.askingMethod : server.method
        case .secureLink: server.settings.isNone ? .empty : try secureLink(settings)
        case .secureLinkExpires: values.secureLinkExpires
        case .serverAddress: try localAddress()
        case .serverName: server.index.isNone ? .empty : try append(program.tables.servers[server.index].name)
        case .serverPort: localPort == 0 ? .empty : try number(localPort)
        case .serverProtocol: try protocolName()
        case .status: try status()
        case .time: try moment(.iso8601, offset: program.tables.zoneOffset)
        case .timeOfDay: try moment(.clock, offset: program.tables.zoneOffset)
        case .weekday: try moment(.weekday, offset: program.tables.zoneOffset)
        case .timeISO8601: try moment(.iso8601)
        case .timeLocal: try moment(.log)
        case .dateGMT: try moment(.long)
        case .url, .scheme, .host, .port, .uri, .arguments, .isArguments, .requestURI: .empty
        }
    }

    private mutating func status() throws(EvaluationFailure) -> ByteRange {
        answer.readsAnswer = true
        return try number(Int(answer.errorStatus != 0 ? answer.errorStatus : answer.responseStatus), width: 3)
    }

    private static let contentLengthName = Array("content_length".utf8)
    private static let codingName = Array("transfer_encoding".utf8)
    private static let contentType = Array("content_type".utf8)

    /// The length of the body; as in nginx that of one in chunks is known when it is read, and is 0 when it is dropped.
    private func contentLength() throws(EvaluationFailure) -> ByteRange {
        if let length = earlier.current.last?.requestLength { return try number(length) }
        let length = try requestHeader(named: Self.contentLengthName)
        guard length.isEmpty, answer.dropsBody, try !requestHeader(named: Self.codingName).isEmpty else {
            return length
        }
        return try number(0)
    }

    private var settings: Settings { program.tables.settings[server.settings] }

    private mutating func client(_ write: (ByteArena, InternetAddress) -> Void) throws(EvaluationFailure) -> ByteRange {
        let mark = arena.mark
        if let address = clientAddress() {
            write(arena, address)
        } else if request.remoteAddress.hasPrefix("unix:") {
            arena.append("unix:")
        }
        return try made(from: mark)
    }

    private mutating func moment(_ form: TimeForm, offset: Int = 0) throws(EvaluationFailure) -> ByteRange {
        let mark = arena.mark
        arena.append(request.time(), as: form, offset: offset)
        return try made(from: mark)
    }

    private func number(_ value: Int, width: Int = 1) throws(EvaluationFailure) -> ByteRange {
        let mark = arena.mark
        arena.append(decimal: value, digits: width)
        return try made(from: mark)
    }

    private func append(text: String) throws(EvaluationFailure) -> ByteRange {
        let mark = arena.mark
        arena.append(text: text)
        return try made(from: mark)
    }

    private func protocolName() throws(EvaluationFailure) -> ByteRange {
        let mark = arena.mark
        arena.append("HTTP/")
        arena.append(text: request.version)
        return try made(from: mark)
    }

    private func requestIdentifier() throws(EvaluationFailure) -> ByteRange {
        if let identifier = options.requestIdentifier { return try append(identifier) }
        let mark = arena.mark
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<2 {
            let word: UInt64 = generator.next()
            for shift in 1...16 {
                let digit = UInt8(truncatingIfNeeded: word &>> UInt64(64 - 4 * shift) & 15)
                arena.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit)
            }
        }
        return try made(from: mark)
    }

    private func requestLine() throws(EvaluationFailure) -> ByteRange {
        let mark = arena.mark
        arena.append(copyOf: request.line.method)
        arena.append(0x20)
        // The target may be a whole URL.
        arena.append(copyOf: request.line.isForURL ? server.requestURI : request.line.subject)
        arena.append(" HTTP/")
        arena.append(text: request.version)
        return try made(from: mark)
    }
}
