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
        switch (key, value) {
        case ("backup", nil):
            server.isBackup = true
            return
        case ("down", nil):
            server.isDown = true
            return
        case ("resolve", nil):
            server.isResolved = true
            return
        case ("drain", nil), ("route", _?), ("service", _?): return
        case ("weight", let value?):
            if let weight = value.decimalNumber, weight > 0 {
                server.weight = weight
                return
            }
        case ("max_fails", let value?):
            if let count = value.decimalNumber {
                server.maximumFailures = count
                return
            }
        case ("max_conns", let value?):
            if let count = value.decimalNumber {
                server.maximumConnections = count
                return
            }
        case ("fail_timeout", let value?):
            if let seconds = ConfigurationUnits.seconds(value) {
                server.failureTime = seconds
                return
            }
        case ("slow_start", let value?):
            if ConfigurationUnits.seconds(value) != nil { return }
        default: break
        }
        let known = [
            "weight", "max_fails", "max_conns", "fail_timeout", "slow_start", "backup", "down", "resolve", "route",
        ]
        let meant = known.contains(key) ? nil : Suggestion.meant(by: key, among: known)
        context.error(.invalidParameter, "invalid parameter \(word.shownText)", at: word, suggestion: meant)
    }
}
