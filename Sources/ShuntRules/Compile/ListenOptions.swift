import ShuntCore

/// What the words behind the address of a `listen` say, as far as it matters here.
struct ListenOptions {
    var isDefault = false
    var isSecure = false
    var isQUIC = false
    /// Whether there are options of the socket.
    var hasSocketOptions = false
}

extension Compiler {
    private static let switches = [
        "default_server", "default", "ssl", "http2", "spdy", "quic", "proxy_protocol", "deferred", "bind", "reuseport",
        "multipath",
    ]
    /// The switches that set options of the socket.
    private static let socketSwitches = ["deferred", "bind", "reuseport", "multipath"]

    /// Reads the options of a `listen`, and reports those that nginx does not know or could not use.
    mutating func listenOptions(_ words: ArraySlice<Word>) -> ListenOptions {
        var options = ListenOptions()
        for word in words {
            let text = word.text
            switch text {
            case "default_server", "default": options.isDefault = true
            case "ssl": options.isSecure = true
            case "quic":
                options.isSecure = true
                options.isQUIC = true
            case _ where Self.switches.contains(text):
                if Self.socketSwitches.contains(text) { options.hasSocketOptions = true }
            default:
                options.hasSocketOptions = true
                check(valueOption: word)
            }
        }
        return options
    }

    /// Checks an option such as `backlog=511`.
    private mutating func check(valueOption word: Word) {
        let equals = word.bytes.firstIndex(of: UInt8(ascii: "="))
        let key = String(decoding: word.bytes[..<(equals ?? word.bytes.count)], as: UTF8.self)
        let value = equals.map { word.bytes[($0 + 1)...] } ?? []
        let valueText = String(decoding: value, as: UTF8.self)
        switch key {
        case _ where equals == nil:
            let closest = Suggestion.closest(to: word.text, among: Self.switches)
            return error(
                "invalid-parameter",
                "invalid parameter \(word.shownText)",
                at: word,
                suggestion: closest.map { "did you mean \"\($0)\"?" }
            )
        case "backlog":
            if let number = Self.number(value), number > 0 { return }
            report(word, "a number above 0")
        case "fastopen", "setfib":
            if Self.number(value) != nil { return }
            report(word, "a number")
        case "rcvbuf", "sndbuf":
            if Self.size(value) != nil { return }
            report(word, "a size such as 8k")
        case "ipv6only":
            if valueText == "on" || valueText == "off" { return }
            report(word, "on or off")
        case "so_keepalive":
            if valueText == "on" || valueText == "off" || Self.isKeepalive(value) { return }
            report(word, "on, off or IDLE:INTERVAL:COUNT")
        case "accept_filter":
            return
        default:
            let known = ["backlog", "fastopen", "rcvbuf", "sndbuf", "ipv6only", "so_keepalive", "setfib"]
            let closest = Suggestion.closest(to: key, among: known)
            error(
                "invalid-parameter",
                "invalid parameter \(word.shownText)",
                at: word,
                suggestion: closest.map { "did you mean \"\($0)=\"?" }
            )
        }
    }

    private mutating func report(_ word: Word, _ expected: String) {
        error("invalid-parameter", "invalid value in \(word.shownText)", at: word, suggestion: "write \(expected)")
    }

    /// Whether a value is `IDLE:INTERVAL:COUNT`, of which one or two may be left out.
    private static func isKeepalive(_ bytes: ArraySlice<UInt8>) -> Bool {
        let parts = bytes.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count == 3, bytes.count > 2 else { return false }
        return parts.prefix(2).allSatisfy { $0.isEmpty || isTime($0) } && (parts[2].isEmpty || number(parts[2]) != nil)
    }

    /// Whether a text is a time such as `30m` or `1h30m`.
    static func isTime(_ bytes: ArraySlice<UInt8>) -> Bool {
        var digits = 0
        for byte in bytes {
            if byte.isASCIIDigit {
                digits += 1
            } else {
                guard digits > 0, "smhdwMy".utf8.contains(byte) else { return false }
                digits = 0
            }
        }
        return bytes.first?.isASCIIDigit ?? false
    }

    /// The bytes that a size such as `8k` or `1m` stands for; nil when it is none.
    static func size(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard let last = bytes.last else { return nil }
        switch last | 0x20 {
        case UInt8(ascii: "k"): return number(bytes.dropLast()).map { $0 << 10 }
        case UInt8(ascii: "m"): return number(bytes.dropLast()).map { $0 << 20 }
        default: return number(bytes)
        }
    }
}
