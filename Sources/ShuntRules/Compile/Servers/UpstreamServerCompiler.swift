import ShuntCore

/// `server` in an `upstream` block: an address and its parameters.
///
/// Source: http://nginx.org/en/docs/http/ngx_http_upstream_module.html#server
enum UpstreamServerCompiler {
    /// Reads a server; nil after an error in its address.
    static func server(
        _ directive: CheckedDirective,
        allowsBackup: Bool,
        in context: inout CompileContext
    ) -> UpstreamGroup.Server? {
        guard let word = directive.arguments.first else { return nil }
        let isRight = UpstreamCompiler.check(word, bytes: 0..<word.bytes.count, isServer: true, in: &context)
        var server = UpstreamGroup.Server(address(word.bytes), position: word.position)
        server.name = word.text
        for parameter in directive.arguments.dropFirst() {
            read(parameter, into: &server, in: &context)
            if server.isBackup, !allowsBackup, parameter.bytes.elementsEqual("backup".utf8) {
                let message = "the balancing method of this upstream has no \"backup\" servers"
                let advice = "leave it out, or use \"least_conn\" or no method"
                context.error(.unsupportedBackup, message, at: parameter, suggestion: advice)
            }
        }
        return isRight ? server : nil
    }

    /// The place where a server is; the port is 80 unless it is written, for `https`, too.
    private static func address(_ bytes: [UInt8]) -> UpstreamGroup.Address {
        guard let name = try? SocketName(upstream: bytes) else { return .host("", port: 80) }
        let port = name.ports?.lowerBound ?? 80
        switch name.host {
        case .path(let path): return .unix(String(decoding: path, as: UTF8.self))
        case .name(let name): return .host(String(decoding: name, as: UTF8.self), port: port)
        case .address(let address): return .host(address.description, port: port)
        case .anyV4: return .host("0.0.0.0", port: port)
        case .anyV6: return .host("::", port: port)
        }
    }

    /// Reads a parameter such as `weight=2`.
    private static func read(_ word: Word, into server: inout UpstreamGroup.Server, in context: inout CompileContext) {
        let equals = word.bytes.firstIndex(of: UInt8(ascii: "="))
        let key = String(decoding: word.bytes[..<(equals ?? word.bytes.count)], as: UTF8.self)
        let value = equals.map { word.bytes[($0 + 1)...] }
        let isTaken = if let value { take(key, value, into: &server) } else { take(key, into: &server) }
        if isTaken { return }
        let known = [
            "weight", "max_fails", "max_conns", "fail_timeout", "slow_start", "backup", "down", "resolve", "route",
        ]
        let meant = known.contains(key) ? nil : Suggestion.meant(by: key, among: known)
        context.error(.invalidParameter, "invalid parameter \(word.shownText)", at: word, suggestion: meant)
    }

    /// Takes a parameter without a value; false if there is no such parameter.
    private static func take(_ key: String, into server: inout UpstreamGroup.Server) -> Bool {
        switch key {
        case "backup": server.isBackup = true
        case "down": server.isDown = true
        case "resolve": server.isResolved = true
        default: return key == "drain"
        }
        return true
    }

    /// Takes a parameter with its value; false where one of them is not right.
    private static func take(_ key: String, _ value: ArraySlice<UInt8>, into server: inout UpstreamGroup.Server) -> Bool
    {
        switch (key, value.decimalNumber, ConfigurationUnits.seconds(value)) {
        case ("weight", let weight?, _) where weight > 0: server.weight = weight
        case ("max_fails", let count?, _): server.maximumFailures = count
        case ("max_conns", let count?, _): server.maximumConnections = count
        case ("fail_timeout", _, let seconds?): server.failureTime = seconds
        case ("slow_start", _, _?), ("route", _, _), ("service", _, _): break
        default: return false
        }
        return true
    }
}
