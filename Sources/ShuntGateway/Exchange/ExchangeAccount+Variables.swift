#if Gateway
import NIOCore
import NIOHTTP1
import Shunt

/// The variables of access logs.
extension ExchangeAccount {
    /// The variables that have their values here.
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
        case requestLength = "request_length"
        case requestCompletion = "request_completion"
        case host
        case serverProtocol = "server_protocol"
        case status
        case bodyBytesSent = "body_bytes_sent"
        case bytesSent = "bytes_sent"
        case connection
        case connectionRequests = "connection_requests"
        case pipe
        case gzipRatio = "gzip_ratio"
        case upstreamAddress = "upstream_addr"
        case upstreamStatus = "upstream_status"
        case upstreamConnectTime = "upstream_connect_time"
        case upstreamHeaderTime = "upstream_header_time"
        case upstreamResponseTime = "upstream_response_time"
        case upstreamResponseLength = "upstream_response_length"
        case upstreamCacheStatus = "upstream_cache_status"
        case decision = "shunt_decision"
        case rule = "shunt_rule"
        case entries = "shunt_entries"
        case route = "shunt_route"
        case url = "shunt_url"
        case version = "shunt_version"
    }

    /// The value of a variable; nil where it has none.
    func value(_ variable: Variable) -> [UInt8]? {
        if variable == .url { return decision?.url }
        if variable == .request, let invalidLine { return invalidLine }
        return text(variable).map { Array($0.utf8) }
    }

    private func text(_ variable: Variable) -> String? {
        switch variable {
        case .remoteAddress: client.address
        case .remotePort: "\(client.port)"
        case .remoteUser: user
        case .timeLocal: end.commonLogFormat()
        case .timeISO8601: end.iso8601()
        case .milliseconds: "\(end.seconds).\(Self.threeDigits(Int(end.nanoseconds) / 1_000_000))"
        case .request:
            loggedHead.uri.isEmpty ? nil : "\(loggedHead.method.rawValue) \(loggedHead.uri) \(loggedHead.version)"
        case .requestMethod: loggedHead.uri.isEmpty ? nil : loggedHead.method.rawValue
        case .requestURI: loggedHead.uri.isEmpty ? nil : loggedHead.uri
        case .requestTime: Self.seconds(microseconds / 1_000)
        case .requestLength: "\(loggedHead.fields.bytes.readableBytes + bodyBytes)"
        case .requestCompletion: isAborted ? "" : "OK"
        case .host: host.map(\.host) ?? ""
        case .serverProtocol: loggedHead.version
        // As in nginx, a client that leaves before its answer has a status that no answer has.
        case .status: Self.threeDigits(status == 0 && isAborted ? 499 : status)
        case .bodyBytesSent: "\(responseBytes)"
        case .bytesSent: "\(sentBytes)"
        case .connection: "\(client.number)"
        case .connectionRequests: "\(number)"
        case .pipe: isPipelined ? "p" : "."
        case .gzipRatio, .upstreamCacheStatus: nil
        case .upstreamAddress, .upstreamStatus, .upstreamConnectTime, .upstreamHeaderTime, .upstreamResponseTime,
            .upstreamResponseLength:
            Self.ofAttempts.first { $0.0 == variable }.flatMap { Self.text(attempts[...], $0.1) }
        case .decision: decision?.kind.rawValue
        case .rule: decision?.rule?.description
        case .entries: decision?.entries
        case .route: decision?.route
        case .url: nil
        case .version: "\(rulesVersion)"
        }
    }

    /// The time when it was answered.
    private var end: Timestamp {
        let nanoseconds = Int64(time.nanoseconds) + Int64(microseconds) * 1_000
        return Timestamp(
            seconds: time.seconds + nanoseconds / 1_000_000_000,
            nanoseconds: Int32(nanoseconds % 1_000_000_000)
        )
    }

    /// Returns a text about the servers that were tried; nil if none was.
    private static func text(_ attempts: ArraySlice<UpstreamAttempt>, _ text: (UpstreamAttempt) -> String) -> String? {
        guard let last = attempts.last else { return nil }
        // nginx sets a colon between those that were asked before and after another path was taken.
        return attempts.dropLast().map { text($0) + ($0.isLastOfPath ? " : " : ", ") }.joined() + text(last)
    }

    private static let ofAttempts: [(Variable, @Sendable (UpstreamAttempt) -> String)] = [
        (.upstreamAddress, { $0.address }),
        (.upstreamStatus, { $0.status == 0 ? "-" : "\($0.status)" }),
        (.upstreamConnectTime, { seconds($0.connectTime) }),
        (.upstreamHeaderTime, { seconds($0.headerTime) }),
        (.upstreamResponseTime, { seconds($0.responseTime) }),
        (.upstreamResponseLength, { "\($0.length)" }),
    ]

    /// The values of the variables that rules read when a server has answered; none where no rule reads them.
    ///
    /// - Parameters:
    ///   - now: The time.
    ///   - isOfQuestion: True for those of the question of an `auth_request`.
    /// - Returns: The values by name.
    func values(at now: NIODeadline, ofQuestion isOfQuestion: Bool) -> [String: [UInt8]] {
        guard keepsAttempts else { return [:] }
        let asked = isOfQuestion ? attempts[attemptCount...] : attempts[...]
        var values = [Variable.requestTime.rawValue: Self.seconds(Int((now - start).nanoseconds / 1_000_000))]
        for (variable, text) in Self.ofAttempts { values[variable.rawValue] = Self.text(asked, text) }
        return values.mapValues { Array($0.utf8) }
    }

    private static func seconds(_ milliseconds: Int?) -> String {
        milliseconds.map { "\($0 / 1_000).\(threeDigits($0 % 1_000))" } ?? "-"
    }

    private static func threeDigits(_ number: Int) -> String { String(number).paddedWithZeros(to: 3) }

    /// The name that the client sends with its password.
    private var user: String? {
        guard let value = loggedHead.first("authorization"), value.lowercased().hasPrefix("basic "),
            let data = Base64URL.decode(Array(value.dropFirst(6).drop { $0 == " " }.utf8).span, isForURL: false),
            let colon = data.firstIndex(of: UInt8(ascii: ":"))
        else { return nil }
        return String(decoding: data[..<colon], as: UTF8.self)
    }

    // MARK: Headers

    /// A header of the request: the first one of the name, and of lists all, as rules see them.
    func header(_ name: String) -> [UInt8]? {
        let values = loggedHead.fields.byteValues(name)
        return switch name {
        case "cookie": joined(values, "; ")
        case "x-forwarded-for": joined(values, ", ")
        default: joined(Array(values.prefix(1)), "")
        }
    }

    /// A header of the upstream's answer.
    func upstreamHeader(_ name: String) -> [UInt8]? { answered(name, upstreamFields?.byteValues(name) ?? []) }

    /// A header of the answer.
    func sentHeader(_ name: String) -> [UInt8]? {
        var values: [[UInt8]] = []
        for line in sentHead.split(separator: 0x0a).dropFirst() {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
            guard String(decoding: line[..<colon], as: UTF8.self).lowercased() == name else { continue }
            let value = line[line.index(after: colon)...].drop { $0 == 0x20 }
            values.append(Array(value.last == 0x0d ? value.dropLast() : value))
        }
        return answered(name, values)
    }

    private func answered(_ name: String, _ values: [[UInt8]]) -> [UInt8]? {
        joined(name == "cache-control" || name == "link" ? values : Array(values.prefix(1)), ", ")
    }

    private func joined(_ values: [[UInt8]], _ separator: String) -> [UInt8]? {
        values.isEmpty ? nil : Array(values.joined(separator: separator.utf8))
    }
}
#endif
