#if Gateway
import NIOCore
import Shunt

/// The values that logs need besides the record of a request; there are none without a log.
///
/// Used on its event loop only.
final class RequestAccount {
    /// The logs of the rules; nil while nothing was decided.
    var logs: [RuleLog]?
    /// The values of the request that logs need.
    var values: [[UInt8]] = []
    /// The number of the request on its connection.
    let number: Int
    /// The servers that were asked.
    var attempts: [UpstreamAttempt] = []
    /// The head of the upstream's answer.
    var upstreamFields: HeaderFields?
    /// The head of the answer.
    var sentHead: [UInt8] = []
    /// The place where it begins in what is written.
    private var headStart = 0
    /// The number of bytes written on the connection before.
    private let sentBefore: Int

    /// True if the log that is no rule's needs the headers of the answer.
    private let alwaysNeedsHeaders: Bool

    init(_ output: ResponseOutput, number: Int, needsHeaders: Bool) {
        self.number = number
        sentBefore = output.total
        alwaysNeedsHeaders = needsHeaders
    }

    private var needsHeaders: Bool { alwaysNeedsHeaders || logs?.contains(where: \.needsHeaders) == true }

    /// The head of the answer is about to be written.
    func beginHead(_ output: ResponseOutput) { headStart = output.end }

    /// The head of the answer is written.
    func endHead(_ output: ByteBuffer) {
        guard needsHeaders, output.writerIndex > headStart else { return }
        sentHead = output.getBytes(at: headStart, length: output.writerIndex - headStart) ?? []
    }

    /// Returns the number of bytes written for the request.
    func sentBytes(_ output: ResponseOutput, isTunnel: Bool, _ record: ExchangeRecord) -> Int {
        output.total - sentBefore + (isTunnel ? record.responseBytes : 0)
    }

    // MARK: The upstream

    /// A server is asked.
    func asks(_ address: String) { attempts.append(UpstreamAttempt(address)) }

    /// Notes something of the server that was asked last.
    func note(_ change: (inout UpstreamAttempt) -> Void) {
        if !attempts.isEmpty { change(&attempts[attempts.count - 1]) }
    }
}

/// One server that was asked, as `$upstream_addr` and the variables like it tell of it.
struct UpstreamAttempt {
    let address: String
    private let start = NIODeadline.now()
    /// 0 while it has not answered.
    var status = 0
    var length = 0
    private(set) var connectTime: Int?
    private(set) var headerTime: Int?
    private(set) var responseTime: Int?

    init(_ address: String) { self.address = address }

    private var milliseconds: Int { Int(clamping: (NIODeadline.now() - start).nanoseconds / 1_000_000) }

    mutating func connected() { connectTime = milliseconds }

    mutating func answered(_ status: Int) {
        self.status = status
        headerTime = milliseconds
    }

    mutating func ended() { responseTime = milliseconds }

    mutating func failed(_ status: Int) {
        if self.status == 0 { self.status = status }
        responseTime = milliseconds
    }
}
#endif
