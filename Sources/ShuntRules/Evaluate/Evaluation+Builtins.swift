import ShuntCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The variables of the request: http://nginx.org/en/docs/http/ngx_http_core_module.html#variables
extension Evaluation {
    /// The value of a builtin variable as things stand.
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
        case .binaryRemoteAddress: try clientText { $0.networkBytes }
        case .connection, .connectionRequests: try text("1")
        case .contentLength: try requestHeader(named: "content_length")
        case .contentType: try requestHeader(named: "content_type")
        case .documentRoot, .realPathRoot: server.settings.isNone ? .empty : try documentRoot(settings) ?? .empty
        case .requestFilename: server.settings.isNone ? .empty : try requestFile(settings) ?? .empty
        case .fastcgiPathInfo: server.settings.isNone ? .empty : try pathInfo(settings)
        case .fastcgiScriptName: server.settings.isNone ? .empty : try scriptName(settings)
        case .hostname: try append(program.tables.hostname)
        case .https: server.isSecure ? try text("on") : .empty
        case .invalidReferer: server.settings.isNone ? .empty : try isInvalidReferer(settings) ? text("1") : .empty
        case .limitRate: try number(server.limitRate)
        case .requestLimitStatus: try append(Array((request.gate?.limitStatus(.requests) ?? "").utf8))
        case .connectionLimitStatus: try append(Array((request.gate?.limitStatus(.connections) ?? "").utf8))
        case .milliseconds: try append(milliseconds(of: request.time()))
        case .nginxVersion: try text("1.31.5")
        case .processIdentifier: try number(Int(getpid()))
        case .proxyForwardedFor: try forwardedFor()
        case .proxyHost: server.settings.isNone ? .empty : try proxyAddress(settings).host
        case .proxyPort: server.settings.isNone ? .empty : try proxyAddress(settings).port
        case .remoteAddress: try clientText { Array($0.description.utf8) }
        case .realIPRemoteAddress: try append(Array(request.remoteAddress.utf8))
        case .remotePort, .realIPRemotePort: try number(request.line.remotePort)
        case .remoteUser: try append(try login()?.user ?? [])
        case .request: try requestLine()
        case .requestIdentifier: try append(requestIdentifier)
        case .requestMethod: server.method
        case .secureLink: server.settings.isNone ? .empty : try secureLink(settings)
        case .secureLinkExpires: values.secureLinkExpires
        case .serverAddress: try append(localAddress)
        case .serverName: server.index.isNone ? .empty : try append(program.tables.servers[server.index].name)
        case .serverPort: localPort == 0 ? .empty : try number(localPort)
        case .serverProtocol: try append(Array("HTTP/\(request.version)".utf8))
        case .status: try number(Int(answer.errorStatus != 0 ? answer.errorStatus : answer.responseStatus), width: 3)
        case .time: try append(Array(request.time().iso8601(offset: program.tables.zoneOffset).utf8))
        case .timeOfDay: try append(TimeValue.clock(of: request.time(), offset: program.tables.zoneOffset))
        case .weekday: try append(Array(TimeValue.weekday(of: request.time(), offset: program.tables.zoneOffset).utf8))
        case .timeISO8601: try append(Array(request.time().iso8601().utf8))
        case .timeLocal: try append(Array(request.time().commonLogFormat().utf8))
        case .url, .scheme, .host, .port, .uri, .arguments, .isArguments, .requestURI: .empty
        }
    }

    private var settings: Settings { program.tables.settings[server.settings] }

    private mutating func clientText(_ form: (InternetAddress) -> [UInt8]) throws(EvaluationFailure) -> ByteRange {
        guard let address = clientAddress() else {
            return request.remoteAddress.hasPrefix("unix:") ? try append(Array("unix:".utf8)) : .empty
        }
        return try append(form(address))
    }

    private func number(_ value: Int, width: Int = 0) throws(EvaluationFailure) -> ByteRange {
        let mark = arena.mark
        let digits = String(value)
        for _ in 0..<max(0, width - digits.utf8.count) { arena.append(UInt8(ascii: "0")) }
        arena.append(Array(digits.utf8))
        return try made(from: mark)
    }

    private func milliseconds(of time: Timestamp) -> [UInt8] {
        let thousandths = String(Int(time.nanoseconds / 1_000_000))
        let padding = String(repeating: "0", count: max(0, 3 - thousandths.utf8.count))
        return Array("\(time.seconds).\(padding)\(thousandths)".utf8)
    }

    private var requestIdentifier: [UInt8] {
        if let identifier = options.requestIdentifier { return identifier }
        var generator = SystemRandomNumberGenerator()
        var digits: [UInt8] = []
        for _ in 0..<2 {
            let word = String(generator.next() as UInt64, radix: 16)
            digits += Array(repeating: UInt8(ascii: "0"), count: 16 - word.utf8.count) + Array(word.utf8)
        }
        return digits
    }

    private func requestLine() throws(EvaluationFailure) -> ByteRange {
        let mark = arena.mark
        arena.append(copyOf: request.line.method)
        arena.append(0x20)
        arena.append(copyOf: server.requestURI)
        arena.append(Array(" HTTP/\(request.version)".utf8))
        return try made(from: mark)
    }
}
