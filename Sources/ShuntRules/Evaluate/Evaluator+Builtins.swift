import ShuntCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The variables of the request: http://nginx.org/en/docs/http/ngx_http_core_module.html#variables
extension Evaluator {
    /// The value of a builtin variable as things stand.
    func value(of builtin: BuiltinVariable) -> ByteRange {
        switch phase {
        case .url: valueInURLPhase(builtin)
        case .server: valueInServerPhase(builtin)
        }
    }

    private func valueInURLPhase(_ builtin: BuiltinVariable) -> ByteRange {
        switch builtin {
        case .url: url
        case .scheme: lowercased(parts.scheme)
        case .host: hostOfURL()
        case .port: parts.port ?? .empty
        case .uri: parts.path
        case .arguments: parts.query ?? .empty
        case .isArguments: parts.query.map { $0.isEmpty } ?? true ? .empty : text("?")
        case .requestURI:
            ByteRange(start: parts.path.start, end: parts.query?.end ?? parts.path.end)
        default: commonValue(builtin)
        }
    }

    private func valueInServerPhase(_ builtin: BuiltinVariable) -> ByteRange {
        switch builtin {
        case .url: currentURL()
        case .scheme: text(isSecure ? "https" : "http")
        case .host: host.isEmpty ? append(program.servers[Int(server)].name) : host
        case .port: number(localPort)
        case .uri: uri
        case .arguments: arguments
        case .isArguments: arguments.isEmpty ? .empty : text("?")
        case .requestURI: requestURI
        default: commonValue(builtin)
        }
    }

    private func commonValue(_ builtin: BuiltinVariable) -> ByteRange {
        switch builtin {
        case .binaryRemoteAddress: remoteAddress.map { append($0.networkBytes) } ?? .empty
        case .connection, .connectionRequests: text("1")
        case .contentLength: requestHeader(named: "content_length")
        case .contentType: requestHeader(named: "content_type")
        case .documentRoot, .realPathRoot: settings.flatMap { documentRoot($0) } ?? .empty
        case .requestFilename: settings.flatMap { requestFile($0) } ?? .empty
        case .fastcgiPathInfo: settings.map { pathInfo($0) } ?? .empty
        case .fastcgiScriptName: settings.map { scriptName($0) } ?? .empty
        case .hostname: append(program.hostname)
        case .https: isSecure ? text("on") : .empty
        case .invalidReferer: settings.map { isInvalidReferer($0) ? text("1") : .empty } ?? .empty
        case .limitRate: number(limitRate)
        case .milliseconds: append(milliseconds)
        case .nginxVersion: text("1.31.5")
        case .processIdentifier: number(Int(getpid()))
        case .remoteAddress: remoteAddress.map { append(Array($0.description.utf8)) } ?? .empty
        case .realIPRemoteAddress: append(Array(requestAddress.utf8))
        case .remotePort, .realIPRemotePort: number(requestPort)
        case .remoteUser: remoteUser
        case .request: requestLine
        case .requestIdentifier: append(requestIdentifier)
        case .requestMethod: method
        case .secureLink: settings.map { secureLink($0) } ?? .empty
        case .secureLinkExpires: secureLinkExpires
        case .serverAddress: append(localAddress)
        case .serverName: server < 0 ? .empty : append(program.servers[Int(server)].name)
        case .serverPort: number(localPort)
        case .serverProtocol: append(Array("HTTP/\(requestVersion)".utf8))
        case .status: number(Int(errorStatus != 0 ? errorStatus : responseStatus), width: 3)
        case .time: append(Array(time.iso8601(offset: program.zoneOffset).utf8))
        case .timeOfDay: append(TimeValue.clock(of: time, offset: program.zoneOffset))
        case .weekday: append(Array(TimeValue.weekday(of: time, offset: program.zoneOffset).utf8))
        case .timeISO8601: append(Array(time.iso8601().utf8))
        case .timeLocal: append(Array(time.commonLogFormat().utf8))
        case .url, .scheme, .host, .port, .uri, .arguments, .isArguments, .requestURI: .empty
        }
    }

    private var settings: Settings? {
        currentSettings < 0 ? nil : program.settings[Int(currentSettings)]
    }

    func text(_ string: StaticString) -> ByteRange {
        let mark = arena.mark
        arena.append(string)
        return arena.range(from: mark)
    }

    private func number(_ value: Int, width: Int = 0) -> ByteRange {
        let mark = arena.mark
        let digits = String(value)
        for _ in 0..<max(0, width - digits.utf8.count) { arena.append(UInt8(ascii: "0")) }
        arena.append(Array(digits.utf8))
        return arena.range(from: mark)
    }

    /// The time of the request: one value for all rules.
    var time: Timestamp {
        if let given = requestTime { return given }
        if !hasTimestamp {
            timestamp = Timestamp.now()
            hasTimestamp = true
        }
        return timestamp
    }

    private var milliseconds: [UInt8] {
        let thousandths = String(Int(time.nanoseconds / 1_000_000))
        let padding = String(repeating: "0", count: max(0, 3 - thousandths.utf8.count))
        return Array("\(time.seconds).\(padding)\(thousandths)".utf8)
    }

    private var requestIdentifier: [UInt8] {
        var generator = SystemRandomNumberGenerator()
        var digits: [UInt8] = []
        for _ in 0..<2 {
            let word = String(generator.next() as UInt64, radix: 16)
            digits += Array(repeating: UInt8(ascii: "0"), count: 16 - word.utf8.count) + Array(word.utf8)
        }
        return digits
    }

    /// The user name of a Basic authorization, whether or not anything checked it.
    private var remoteUser: ByteRange {
        let header = arena.array(requestHeader(named: "authorization"))
        guard header.count > 6, header[..<6].map({ $0.asciiLowercased }).elementsEqual("basic ".utf8) else {
            return .empty
        }
        let encoded = Array(header[6...].drop { $0 == 0x20 })
        guard let decoded = Base64URL.decode(encoded.span), let colon = decoded.firstIndex(of: UInt8(ascii: ":")) else {
            return .empty
        }
        return append(Array(decoded[..<colon]))
    }

    private var requestLine: ByteRange {
        let mark = arena.mark
        arena.append(copyOf: originalMethod)
        arena.append(0x20)
        arena.append(copyOf: requestURI)
        arena.append(Array(" HTTP/\(requestVersion)".utf8))
        return arena.range(from: mark)
    }

    // MARK: Headers, arguments and cookies

    /// The value of the header whose variable name is a constant: several are joined by `, `, cookies by `; `.
    func requestHeader(_ parameter: ByteRange) -> ByteRange {
        requestHeader { self.isHeader($0, named: self.program.constants[parameter.indices]) }
    }

    private func requestHeader(named name: String) -> ByteRange {
        let bytes = Array(name.utf8)
        return requestHeader { self.isHeader($0, named: bytes[...]) }
    }

    /// The first header that is wanted; X-Forwarded-For and cookies are joined, as nginx 1.22 does.
    private func requestHeader(where isWanted: ([UInt8]) -> Bool) -> ByteRange {
        if hasRequestHost, isWanted(Self.hostName) { return requestHost }
        let mark = arena.mark
        var count = 0
        for header in headers where isWanted(header.name) {
            let isCookie = isWanted(Self.cookieName)
            guard count == 0 || isCookie || isWanted(AddressMap.forwardedForName) else { break }
            if count > 0 {
                arena.append(isCookie ? UInt8(ascii: ";") : UInt8(ascii: ","))
                arena.append(0x20)
            }
            arena.append(header.value)
            count += 1
        }
        if count == 0, isForURL, isWanted(Self.hostName) { return authority }
        return arena.range(from: mark)
    }

    private static let hostName = Array("host".utf8)

    /// Whether a header's name is `name` once it is in lower case and its dashes are underscores.
    ///
    /// Names with other characters than letters, digits and dashes are no headers to nginx unless the default server
    /// says otherwise.
    private func isHeader(_ header: [UInt8], named name: ArraySlice<UInt8>) -> Bool {
        guard header.count == name.count else { return false }
        var index = name.startIndex
        for byte in header {
            let folded: UInt8
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): folded = byte | 0x20
            case UInt8(ascii: "-"): folded = UInt8(ascii: "_")
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): folded = byte
            case UInt8(ascii: "_") where takesHeaders(\.takesUnderscores): folded = byte
            default: return false
            }
            if folded != name[index] { return false }
            index += 1
        }
        return true
    }

    private func takesHeaders(_ setting: (Settings) -> Bool) -> Bool {
        guard listen >= 0 else { return false }
        let settings = defaultSettings
        return setting(settings) || !settings.ignoresInvalidHeaders
    }

    /// `$arg_NAME`.
    func queryArgument(_ parameter: ByteRange) -> ByteRange {
        let query = phase == .url ? parts.query ?? .empty : arguments
        let constants = program.constants
        return Query.argument(constants.span.extracting(parameter.indices), in: query, of: arena) ?? .empty
    }

    /// `$cookie_NAME`: the first cookie with that name in any Cookie header.
    func cookie(_ parameter: ByteRange) -> ByteRange {
        let constants = program.constants
        for header in headers where isHeader(header.name, named: Self.cookieName[...]) {
            let value = append(header.value)
            let name = constants.span.extracting(parameter.indices)
            if let found = Query.cookie(name, in: value, of: arena) { return found }
        }
        return .empty
    }

    private static let cookieName = Array("cookie".utf8)
}
