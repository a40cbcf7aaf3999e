import ShuntCore

/// The options after the address of a `listen`, as far as they matter here.
struct ListenOptions {
    var isDefault = false
    var isSecure = false
    var isQUIC = false
    var takesProxyProtocol = false
    /// True if it has options of the socket, which only one `listen` of an address may have.
    var hasSocketOptions = false
    var socket = ListenSocketOptions()
}

extension ListenOptions {
    private static let switches = [
        "default_server", "default", "ssl", "http2", "spdy", "quic", "proxy_protocol", "deferred", "bind", "reuseport",
        "multipath",
    ]
    /// The switches that set options of the socket.
    private static let socketSwitches = ["deferred", "bind", "reuseport", "multipath"]

    /// Reads the options of a `listen`, and reports those that nginx does not know or could not use.
    init(_ words: ArraySlice<Word>, in context: inout CompileContext) {
        for word in words {
            let text = word.text
            switch text {
            case "default_server", "default": isDefault = true
            case "ssl": isSecure = true
            case "quic":
                isSecure = true
                isQUIC = true
            case "proxy_protocol": takesProxyProtocol = true
            case _ where Self.switches.contains(text):
                if Self.socketSwitches.contains(text) { hasSocketOptions = true }
            default:
                hasSocketOptions = true
                Self.check(valueOption: word, in: &context)
                if text == "ipv6only=off" { socket.takesIPv4 = true }
                if text.hasPrefix("backlog=") { socket.backlog = word.bytes.dropFirst(8).decimalNumber }
            }
        }
    }

    /// Checks an option such as `backlog=511`.
    private static func check(valueOption word: Word, in context: inout CompileContext) {
        let equals = word.bytes.firstIndex(of: UInt8(ascii: "="))
        let key = String(decoding: word.bytes[..<(equals ?? word.bytes.count)], as: UTF8.self)
        let value = equals.map { word.bytes[($0 + 1)...] } ?? []
        let valueText = String(decoding: value, as: UTF8.self)
        switch key {
        case _ where equals == nil:
            let meant = Suggestion.meant(by: word.text, among: switches)
            return context.error(.invalidParameter, "invalid parameter \(word.shownText)", at: word, suggestion: meant)
        case "backlog":
            if let number = value.decimalNumber, number > 0 { return }
            report(word, "a number above 0", in: &context)
        case "fastopen", "setfib":
            if value.decimalNumber != nil { return }
            report(word, "a number", in: &context)
        case "rcvbuf", "sndbuf":
            if ConfigurationUnits.size(value) != nil { return }
            report(word, "a size such as 8k", in: &context)
        case "ipv6only":
            if valueText == "on" || valueText == "off" { return }
            report(word, "on or off", in: &context)
        case "so_keepalive":
            if valueText == "on" || valueText == "off" || isKeepalive(value) { return }
            report(word, "on, off or IDLE:INTERVAL:COUNT", in: &context)
        case "accept_filter":
            return
        default:
            let known = ["backlog", "fastopen", "rcvbuf", "sndbuf", "ipv6only", "so_keepalive", "setfib"]
            let closest = Suggestion.closest(to: key, among: known)
            let advice = closest.map { "did you mean \"\($0)=\"?" }
            context.error(.invalidParameter, "invalid parameter \(word.shownText)", at: word, suggestion: advice)
        }
    }

    private static func report(_ word: Word, _ expected: String, in context: inout CompileContext) {
        context.invalid("value in", word, as: .invalidParameter, advice: "write \(expected)")
    }

    /// Returns true if a value is `IDLE:INTERVAL:COUNT`, of which one or two may be left out.
    private static func isKeepalive(_ bytes: ArraySlice<UInt8>) -> Bool {
        let parts = bytes.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count == 3, bytes.count > 2 else { return false }
        return parts.prefix(2).allSatisfy { $0.isEmpty || ConfigurationUnits.seconds($0) != nil }
            && (parts[2].isEmpty || parts[2].decimalNumber != nil)
    }
}
