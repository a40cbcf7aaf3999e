#if Gateway
import NIOCore
import NIOHTTP1
import Shunt

/// The account of an exchange, for logs, metrics and those who look on.
struct ExchangeAccount {
    /// The parts of a decision that the access log shows.
    struct Decided {
        var kind: Decision.Kind
        /// The status that the rules set.
        var status: Int?
        var rule: SourceLocation?
        /// The entries of tables that supplied values, where the engine names them.
        var entries: String?
        var route: String?
        var url: [UInt8]?
        var reason: String?

        init(_ decision: borrowing DecisionView) {
            kind = decision.kind
            status = decision.status
            rule = decision.rule
            let places = decision.entries
            entries = places.isEmpty ? nil : places.map(\.description).joined(separator: ", ")
            route = decision.route
            url = decision.withURL { Array(copying: $0) }
            reason = decision.reason
        }
    }

    /// The request of the client.
    let head: RequestHead
    let time: Timestamp
    let start: NIODeadline
    /// The number of the request on its connection.
    let number: Int
    /// The number of bytes written on the connection before.
    let sentBefore: Int
    /// True if it came in one read with the end of the request before.
    var isPipelined = false

    /// The request line as it came, if it is invalid.
    var invalidLine: [UInt8]?
    /// The requested host; nil where it was not understood, or no log records it.
    var host: HostAndPort?
    /// The question of a decision service; nil if the request itself is meant.
    var question: DecisionQuestion?
    /// The reason why a question was refused that the service only observes.
    var refusal: String?
    /// The decision of the rules; nil if there was none, or no log.
    var decision: Decided?
    /// True if those who look on at decisions get it.
    var isShown = false
    /// True if a log records it.
    var isLogged = false
    /// The logs of the rules; nil while nothing was decided.
    var logs: [RuleLog]?
    /// The values of the request that logs need.
    var logValues: [[UInt8]] = []
    /// The values that the rules read in addition to the request line, as a JSON object; nil if the log does not have
    /// them.
    var reads: [UInt8]?
    var rulesVersion = 0
    /// 0 while nothing has been answered.
    var status = 0
    var upstream: String?
    /// The servers of the upstream's group that were asked, in their order.
    var servers: [String] = []
    var upstreamError: String?
    var requestBytes = 0
    var responseBytes = 0
    /// True if the connection ended before the answer did.
    var isAborted = false

    /// True if a log needs the headers of the answer.
    var needsHeaders = false
    /// The head of the upstream's answer.
    var upstreamFields: HeaderFields?
    /// The head of the answer.
    private(set) var sentHead: [UInt8] = []
    /// The place where it begins in what is written.
    private var headStart = 0
    /// True if a log or the rules read the servers that are tried.
    var keepsAttempts = false
    /// The servers that were tried; none where nothing reads them.
    private(set) var attempts: [UpstreamAttempt] = []

    /// The number of those that were asked for the request itself.
    private(set) var attemptCount = 0

    /// The connection of the client, once a log records it.
    private(set) var client = ClientConnection()
    private(set) var microseconds = 0
    /// The number of bytes that the body took, with the lines of its chunks.
    private(set) var bodyBytes = 0
    /// The number of bytes written for the request.
    private(set) var sentBytes = 0

    init(_ head: RequestHead, time: Timestamp, start: NIODeadline, number: Int = 1, sentBefore: Int = 0) {
        self.head = head
        self.time = time
        self.start = start
        self.number = number
        self.sentBefore = sentBefore
    }

    /// The request that logs record.
    var loggedHead: RequestHead { question?.head ?? head }

    /// The exchange has ended, and a log is to record it.
    mutating func end(of client: ClientConnection, microseconds: Int, sent total: Int, received bodyBytes: Int) {
        self.client = question?.connection ?? client
        self.bodyBytes = bodyBytes
        self.microseconds = microseconds
        sentBytes = total - sentBefore
    }

    // MARK: The answer

    /// The head of the answer is about to be written.
    mutating func beginHead(_ output: ResponseOutput) { headStart = output.end }

    /// The head of the answer is written.
    mutating func endHead(_ output: ByteBuffer) {
        guard needsHeaders, output.writerIndex > headStart else { return }
        sentHead = output.getBytes(at: headStart, length: output.writerIndex - headStart) ?? []
    }

    // MARK: The upstream

    /// A server gets the request.
    mutating func asks(_ address: @autoclosure () -> String, at now: @autoclosure () -> NIODeadline) {
        if keepsAttempts { attempts.append(UpstreamAttempt(address(), at: now())) }
    }

    /// Notes something of the server that was tried last.
    mutating func note(_ change: (inout UpstreamAttempt) -> Void) {
        if !attempts.isEmpty { change(&attempts[attempts.count - 1]) }
    }

    /// The rules decide again; requests to a service for consent are not logged.
    mutating func decidesAgain(after use: UpstreamAnswer.Use) {
        if use == .consent { attempts.removeLast(attempts.count - attemptCount) }
        attemptCount = attempts.count
        if attemptCount > 0 { attempts[attemptCount - 1].isLastOfPath = true }
    }

    // MARK: The log

    /// The line of the access log as a JSON object.
    var line: [UInt8] {
        let head = loggedHead
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("time", time.iso8601())
        writer.member("client", client.address)
        writer.member("port", client.port)
        writer.member("method", head.method.rawValue)
        writer.member("host", host?.description ?? head.first("host") ?? "")
        writer.member("target", head.uri)
        writer.member("protocol", head.version)
        writer.member("status", status)
        writer.member("bytes_in", requestBytes)
        writer.member("bytes_out", responseBytes)
        writer.member("microseconds", microseconds)
        if let decision {
            writer.member("decision", decision.kind.rawValue)
            if question != nil, let status = decision.status { writer.member("decided_status", status) }
            if let rule = decision.rule { writer.member("rule", rule.description) }
            if let entries = decision.entries { writer.member("entries", entries) }
            if let route = decision.route { writer.member("route", route) }
            if let url = decision.url { writer.member("url", url) }
            if let reason = decision.reason { writer.member("reason", reason) }
        }
        for (member, header) in [("user_agent", "user-agent"), ("referer", "referer"), ("request_id", "x-request-id")] {
            if let value = head.first(header) { writer.member(member, value) }
        }
        if let trace = head.first("traceparent") { writer.member("traceparent", trace) }
        writer.member("rules", rulesVersion)
        if let reads {
            writer.name("reads")
            writer.json(reads.span)
        }
        if let upstream { writer.member("upstream", upstream) }
        if !servers.isEmpty { writer.member("servers", servers.joined(separator: ", ")) }
        if let refusal { writer.member("refused", refusal) }
        if let upstreamError { writer.member("upstream_error", upstreamError) }
        if isAborted { writer.member("aborted", true) }
        writer.endObject()
        writer.newline()
        return writer.bytes
    }
}

/// One server that was tried, as `$upstream_addr` and the variables like it show it.
struct UpstreamAttempt {
    let address: String
    private let start: NIODeadline
    /// 0 while it has not answered.
    private(set) var status = 0
    var length = 0
    /// True if the rules decided again after it.
    var isLastOfPath = false
    private(set) var connectTime: Int?
    private(set) var headerTime: Int?
    private(set) var responseTime: Int?

    init(_ address: String, at start: NIODeadline) { (self.address, self.start) = (address, start) }

    private func milliseconds(_ now: NIODeadline) -> Int { Int(clamping: (now - start).nanoseconds / 1_000_000) }

    mutating func connected(at now: NIODeadline) { connectTime = milliseconds(now) }

    mutating func answered(_ status: Int, at now: NIODeadline) {
        self.status = status
        headerTime = milliseconds(now)
    }

    mutating func ended(at now: NIODeadline) { responseTime = milliseconds(now) }

    mutating func failed(_ status: Int, at now: NIODeadline) {
        if self.status == 0 { self.status = status }
        ended(at: now)
    }
}
#endif
