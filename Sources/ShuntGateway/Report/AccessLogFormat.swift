#if Gateway
import Foundation
import NIOHTTP1
import Shunt
import ShuntCore

/// The form of the lines of an access log: JSON, or text with variables as nginx's `log_format` has it.
///
/// http://nginx.org/en/docs/http/ngx_http_log_module.html#log_format
public struct AccessLogFormat: Sendable {
    /// How the values of variables are written.
    enum Escape: String, CaseIterable {
        /// Quotes, backslashes and all that is not ASCII text as `\xHH`; `-` for what is missing.
        case `default`
        /// As in a string of JSON.
        case json
        /// As they are, but for control characters, which would end the line.
        case none
    }

    enum Part {
        case text([UInt8])
        case variable(Variable)
        case header(String)
    }

    enum Variable: String, CaseIterable {
        case remoteAddress = "remote_addr"
        case remotePort = "remote_port"
        case remoteUser = "remote_user"
        case timeLocal = "time_local"
        case timeISO8601 = "time_iso8601"
        case milliseconds = "msec"
        case request
        case requestMethod = "request_method"
        case requestURI = "request_uri"
        case requestTime = "request_time"
        case host
        case serverProtocol = "server_protocol"
        case status
        case bodyBytesSent = "body_bytes_sent"
        case decision = "shunt_decision"
        case rule = "shunt_rule"
        case route = "shunt_route"
        case url = "shunt_url"
        case version = "shunt_version"
    }

    /// Why a format is none.
    public struct Problem: Error, CustomStringConvertible {
        /// What is wrong, and what was meant.
        public let description: String
    }

    /// One JSON object a line, with all that is known.
    public static let json = AccessLogFormat()

    private static let named = [
        "common": #"$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent"#,
        "combined": #"$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "#
            + #""$http_referer" "$http_user_agent""#,
    ]

    /// Nil is JSON.
    private let parts: [Part]?
    private let escape: Escape

    private init() { (parts, escape) = (nil, .json) }

    /// Reads `json`, `common`, `combined`, or the text of a `log_format`, perhaps with `escape=json` or `escape=none` in front.
    ///
    /// - Throws: What is wrong with it.
    public init(_ text: String) throws(Problem) {
        if text == "json" {
            self = .json
            return
        }
        var rest = (Self.named[text] ?? text)[...]
        var escape = Escape.default
        if rest.hasPrefix("escape=") {
            let word = rest.dropFirst(7).prefix { $0 != " " }
            guard let known = Escape(rawValue: String(word)) else {
                throw Problem(description: "escape= is followed by default, json or none, not by \"\(word)\"")
            }
            escape = known
            rest = rest.dropFirst(7 + word.count).drop { $0 == " " }
        }
        self.escape = escape
        var parts: [Part] = []
        while let mark = rest.firstIndex(of: "$") {
            if mark > rest.startIndex { parts.append(.text(Array(rest[..<mark].utf8))) }
            rest = rest[rest.index(after: mark)...]
            let isBraced = rest.hasPrefix("{")
            if isBraced { rest = rest.dropFirst() }
            let name = rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
            rest = rest.dropFirst(name.count)
            if isBraced {
                guard rest.hasPrefix("}") else {
                    throw Problem(description: "the format has a \"${\" without its \"}\"")
                }
                rest = rest.dropFirst()
            }
            parts.append(try Self.part(String(name)))
        }
        if !rest.isEmpty { parts.append(.text(Array(rest.utf8))) }
        guard parts.contains(where: { if case .text = $0 { false } else { true } }) else {
            throw Problem(description: "\"\(text)\" is neither json, common or combined, nor a format with variables")
        }
        self.parts = parts
    }

    private static func part(_ name: String) throws(Problem) -> Part {
        if name.hasPrefix("http_"), name.count > 5 {
            return .header(String(name.dropFirst(5)).replacing("_", with: "-"))
        }
        if let variable = Variable(rawValue: name) { return .variable(variable) }
        let names = Variable.allCases.map(\.rawValue)
        let closest = Suggestion.closest(to: name, among: names).map { "; did you mean \"$\($0)\"?" } ?? ""
        throw Problem(description: "the access log has no variable \"$\(name)\"\(closest)")
    }

    /// The line for an exchange.
    func line(
        _ record: ExchangeRecord,
        _ head: RequestHead,
        _ connection: ClientConnection,
        microseconds: Int
    ) -> [UInt8] {
        guard let parts else { return record.line(head, connection, microseconds: microseconds) }
        let (head, connection) = (record.question?.head ?? head, record.question?.connection ?? connection)
        var line: [UInt8] = []
        for part in parts {
            switch part {
            case .text(let text): append(text, to: &line, isOwn: true)
            case .header(let name): append(head.first(name).map { Array($0.utf8) }, to: &line)
            case .variable(let variable):
                append(Self.value(variable, record, head, connection, microseconds), to: &line)
            }
        }
        line.append(0x0a)
        return line
    }

    private static func value(
        _ variable: Variable,
        _ record: ExchangeRecord,
        _ head: RequestHead,
        _ connection: ClientConnection,
        _ microseconds: Int
    ) -> [UInt8]? {
        let version = head.version
        let text: String? =
            switch variable {
            case .remoteAddress: connection.address
            case .remotePort: "\(connection.port)"
            case .remoteUser: user(head)
            case .timeLocal: record.time.commonLogFormat()
            case .timeISO8601: record.time.iso8601()
            case .milliseconds: "\(record.time.seconds).\(threeDigits(Int(record.time.nanoseconds) / 1_000_000))"
            case .request: head.uri.isEmpty ? nil : "\(head.method.rawValue) \(head.uri) \(version)"
            case .requestMethod: head.uri.isEmpty ? nil : head.method.rawValue
            case .requestURI: head.uri.isEmpty ? nil : head.uri
            case .requestTime: "\(microseconds / 1_000_000).\(threeDigits(microseconds / 1_000 % 1_000))"
            case .host: record.host.map(\.host) ?? ""
            case .serverProtocol: version
            case .status: threeDigits(record.status)
            case .bodyBytesSent: "\(record.responseBytes)"
            case .decision: record.decision?.kind.rawValue
            case .rule: record.decision?.rule?.description
            case .route: record.decision?.route
            case .url: nil
            case .version: "\(record.rulesVersion)"
            }
        return variable == .url ? record.decision?.url : text.map { Array($0.utf8) }
    }

    private static func threeDigits(_ number: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, 3 - digits.count)) + digits
    }

    /// The name that the client gives with its password.
    private static func user(_ head: RequestHead) -> String? {
        guard let value = head.first("authorization"), value.lowercased().hasPrefix("basic "),
            let data = Data(base64Encoded: String(value.dropFirst(6).drop { $0 == " " })),
            let colon = data.firstIndex(of: UInt8(ascii: ":"))
        else { return nil }
        return String(decoding: data[..<colon], as: UTF8.self)
    }

    /// Adds a value; what the format says itself is only kept from ending the line.
    private func append(_ value: [UInt8]?, to line: inout [UInt8], isOwn: Bool = false) {
        guard let value else {
            if escape == .default { line.append(UInt8(ascii: "-")) }
            return
        }
        for byte in value {
            switch (isOwn ? .none : escape, byte) {
            case (.default, 0x22), (.default, 0x5c), (.default, 0x7f...), (.default, ..<0x20), (.none, 0x7f),
                (.none, ..<0x20):
                line += [UInt8(ascii: "\\"), UInt8(ascii: "x"), Self.digit(byte >> 4), Self.digit(byte & 15)]
            case (.json, 0x22), (.json, 0x5c): line += [UInt8(ascii: "\\"), byte]
            case (.json, 0x08): line += Array(#"\b"#.utf8)
            case (.json, 0x09): line += Array(#"\t"#.utf8)
            case (.json, 0x0a): line += Array(#"\n"#.utf8)
            case (.json, 0x0c): line += Array(#"\f"#.utf8)
            case (.json, 0x0d): line += Array(#"\r"#.utf8)
            case (.json, ..<0x20), (.json, 0x7f):
                line += Array(#"\u00"#.utf8) + [Self.digit(byte >> 4), Self.digit(byte & 15)]
            default: line.append(byte)
            }
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x37 + value }
}
#endif
