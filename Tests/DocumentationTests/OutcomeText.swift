import Foundation
import NginxOracle
import Shunt

/// The outcome of a request, as documents write it.
enum OutcomeText {
    /// A decision of Shunt's.
    static func lines(_ decision: Decision, showsTypes: Bool) -> [String] {
        var words = [decision.kind.rawValue]
        if let status = decision.status { words.append("\(status)") }
        switch decision.kind {
        case .fail: words[words.count - 1] += ": " + (decision.reason ?? "")
        case .respond: if let body = decision.body { words.append("\"\(shown(body))\"") }
        default: if let url = decision.urlBytes { words.append(shown(url)) }
        }
        if let route = decision.route {
            let parameters = decision.parameters.map { ", \($0.name)=\($0.value)" }.joined()
            words.append("(route \(route)\(parameters))")
        }
        let headers = decision.headers.filter { showsTypes || !isType($0.nameBytes) }.map { "< \(line($0))" }
        return [words.joined(separator: " ")] + headers + decision.successHeaders.map { "<? \(line($0))" }
    }

    /// A decision in the terms of nginx's answers; of headers only those of an answer of rules.
    static func linesLikeNginx(_ decision: Decision) -> [String] {
        let status = decision.status ?? 0
        switch decision.kind {
        case .forward:
            let arguments = decision.arguments ?? []
            return ["forward \(shown(decision.uri ?? []))" + (arguments.isEmpty ? "" : "?\(shown(arguments))")]
        case .respond where status == 444: return ["closed"]
        case .fail: return ["respond \(status)"]
        default: return lines(decision, showsTypes: false)
        }
    }

    /// An answer of nginx's, without the port of the test.
    static func lines(_ answer: OracleAnswer, ports: [UInt16]) -> [String] {
        var first: String
        switch answer.outcome.kind {
        case .closed: first = "closed"
        case .forward(let uri, let arguments):
            first = "forward \(shown(uri))" + (arguments.isEmpty ? "" : "?\(shown(arguments))")
        case .response(let status, let location?, _): first = "redirect \(status) \(shown(location))"
        case .response(let status, nil, let body?): first = "respond \(status) \"\(shown(body))\""
        case .response(let status, nil, nil): first = "respond \(status)"
        }
        for port in ports { first = first.replacingOccurrences(of: ":\(port)", with: "") }
        let headers = answer.outcome.headers.filter { !usual.contains(lowercased($0.name)) }
        return [first.trimmed] + headers.map { "< \(shown($0.name)): \(shown($0.value))" }
    }

    /// Headers that every answer has.
    private static let usual: Set = [
        "server", "date", "content-type", "content-length", "connection", "location", "last-modified", "etag",
        "accept-ranges", "transfer-encoding",
    ]

    private static func line(_ header: RuleRequest.Header) -> String {
        "\(shown(header.nameBytes)): \(shown(header.valueBytes))"
    }

    private static func isType(_ name: [UInt8]) -> Bool { lowercased(name) == "content-type" }

    private static func lowercased(_ name: [UInt8]) -> String { String(decoding: name, as: UTF8.self).lowercased() }

    /// Bytes as text: what is not UTF-8 or cannot be seen is written `\xNN`.
    static func shown(_ bytes: [UInt8]) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { return ByteText.show(bytes) }
        return text.unicodeScalars
            .map { $0.value < 0x20 || $0.value == 0x7f ? ByteText.show([UInt8($0.value)]) : String($0) }.joined()
    }
}
