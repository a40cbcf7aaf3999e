#if Gateway
import NIOHTTP1
import Shunt

/// A decision about a request, for those who look on.
struct LiveEvent: Sendable {
    /// The most bytes of a URL that are shown.
    private static let shownBytes = 2_000

    var time: Timestamp
    var method: HTTPMethod
    var host: String
    var target: String
    var status: Int
    var microseconds: Int
    var decided: ExchangeAccount.Decided

    /// Creates the event of an exchange; nil for one that was not decided.
    init?(_ account: ExchangeAccount, microseconds: Int) {
        guard let decided = account.decision else { return nil }
        time = account.time
        method = account.head.method
        host = account.host?.description ?? ""
        target = account.head.uri
        status = account.status
        self.microseconds = microseconds
        self.decided = decided
    }

    /// Writes the event as a message of an event stream.
    ///
    /// - Parameters:
    ///   - bytes: The stream.
    ///   - showsValues: Whether the values of arguments are shown; they may hold what no one else is to see.
    func append(to bytes: inout [UInt8], showsValues: Bool) {
        let event: JSONObject = [
            "time": time.iso8601(),
            "method": method.rawValue,
            "host": host,
            "target": Self.shown(Array(target.utf8), showsValues),
            "status": status,
            "microseconds": microseconds,
            "decision": decided.kind.rawValue,
            "rule": decided.rule?.description,
            "entries": decided.entries,
            "route": decided.route,
            "url": decided.url.map { Self.shown($0, showsValues) },
            "reason": decided.reason,
        ]
        Self.append("decision", event.bytes, to: &bytes)
    }

    /// Writes a message of an event stream, https://html.spec.whatwg.org/multipage/server-sent-events.html.
    static func append(_ event: String, _ json: [UInt8], to bytes: inout [UInt8]) {
        bytes += "event: \(event)\ndata: ".utf8
        bytes += json
        bytes += "\n\n".utf8
    }

    /// A URL or target, cut, and without the values of its arguments.
    static func shown(_ url: [UInt8], _ showsValues: Bool) -> [UInt8] {
        var shown: [UInt8] = []
        var isArgument = false
        var isValue = false
        for byte in url {
            if shown.count >= shownBytes { return shown + Array("…".utf8) }
            switch byte {
            case UInt8(ascii: "#"): (isArgument, isValue) = (false, false)
            case UInt8(ascii: "?") where !isArgument: isArgument = true
            case UInt8(ascii: "&"), UInt8(ascii: ";"): isValue = false
            case UInt8(ascii: "=") where isArgument && !isValue:
                isValue = true
                if !showsValues {
                    shown += "=***".utf8
                    continue
                }
            default: break
            }
            if !isValue || showsValues { shown.append(byte) }
        }
        return shown
    }
}
#endif
