import ShuntCore

/// Headers, arguments and cookies: the variables whose names begin with `http_`, `arg_` and `cookie_`.
extension Evaluation {
    /// The value of the header whose variable name is a constant: several are joined by `, `, cookies by `; `.
    func requestHeader(_ parameter: ByteRange) throws(EvaluationFailure) -> ByteRange {
        let constants = program.tables.constants
        return try requestHeader(named: constants.span.extracting(parameter.indices))
    }

    func requestHeader(named name: [UInt8]) throws(EvaluationFailure) -> ByteRange {
        try requestHeader(named: name.span)
    }

    /// The first header with a name; X-Forwarded-For and cookies are joined, as nginx 1.22 does.
    private func requestHeader(named name: Span<UInt8>) throws(EvaluationFailure) -> ByteRange {
        let isHost = Self.areEqual(name, Self.hostName)
        if request.line.hasHost, isHost { return request.line.host }
        let isCookie = Self.areEqual(name, Self.cookieName)
        let isList = isCookie || Self.areEqual(name, Self.forwardedForName)
        let mark = arena.mark
        var count = 0
        for header in request.headers where isHeader(header.nameBytes, named: name) {
            guard count == 0 || isList else { break }
            if count > 0 {
                arena.append(isCookie ? UInt8(ascii: ";") : UInt8(ascii: ","))
                arena.append(0x20)
            }
            arena.append(header.valueBytes)
            count += 1
        }
        if count == 0, request.line.isForURL, isHost { return server.authority }
        return try made(from: mark)
    }

    private static func areEqual(_ left: Span<UInt8>, _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        for index in left.indices where left[index] != right[index] { return false }
        return true
    }

    private static let hostName = Array("host".utf8)
    private static let cookieName = Array("cookie".utf8)
    static let forwardedForName = Array("x_forwarded_for".utf8)

    /// Returns true if a header's name is `name` once it is in lower case and its dashes are underscores.
    ///
    /// Names with other characters than letters, digits and dashes are not headers to nginx unless the server of the
    /// Host, which clients send first, allows them.
    private func isHeader(_ header: [UInt8], named name: Span<UInt8>) -> Bool {
        guard header.count == name.count else { return false }
        for index in header.indices {
            let byte = header[index]
            let folded: UInt8
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): folded = byte | 0x20
            case UInt8(ascii: "-"): folded = UInt8(ascii: "_")
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): folded = byte
            case UInt8(ascii: "_") where takesHeaders(\.takesUnderscores): folded = byte
            default: return false
            }
            if folded != name[index] { return false }
        }
        return true
    }

    private func takesHeaders(_ setting: (Settings) -> Bool) -> Bool {
        // The gateway has read them, as they came before the Host and after it.
        if mayAsk { return true }
        guard !server.listen.isNone else { return false }
        let own = server.index.isNone ? SettingsIndex.none : program.tables.servers[server.index].settings
        let settings = own.isNone ? defaultSettings : program.tables.settings[own]
        return setting(settings) || !settings.ignoresInvalidHeaders
    }

    /// `$arg_NAME`.
    func queryArgument(_ parameter: ByteRange) -> ByteRange {
        let query = phase == .url ? url.parts.query ?? .empty : server.arguments
        let constants = program.tables.constants
        return Query.argument(constants.span.extracting(parameter.indices), in: query, of: arena) ?? .empty
    }

    /// `$cookie_NAME`: the first cookie with that name in any Cookie header.
    func cookie(_ parameter: ByteRange) throws(EvaluationFailure) -> ByteRange {
        let constants = program.tables.constants
        let headerName = Self.cookieName
        for header in request.headers where isHeader(header.nameBytes, named: headerName.span) {
            let value = try append(header.valueBytes)
            let name = constants.span.extracting(parameter.indices)
            if let found = Query.cookie(name, in: value, of: arena) { return found }
        }
        return .empty
    }
}
