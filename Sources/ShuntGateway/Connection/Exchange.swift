#if Gateway
import NIOCore
import NIOHTTP1

/// A request and its answer.
final class Exchange {
    let head: RequestHead
    var record: ExchangeRecord
    /// Whether rules have decided about it.
    var isDecided = false
    /// The request while another thread decides about it; nothing behind its head is read meanwhile.
    var undecided: SlowDecisions.Request?
    /// The question in its body, where a decision service is asked in that way.
    var envoy: ExtProcExchange?
    /// What logs tell of it; nil where there is none.
    var account: RequestAccount?
    /// What the rules add to the answer of an upstream.
    var additions = RuleAdditions()
    /// Whether the connection may serve another request.
    var isKeptAlive: Bool
    /// How long the connection may be idle afterwards, in milliseconds, where rules say so.
    var keepAlive: Int?
    /// Whether the client waits for "100 Continue".
    var awaitsContinue: Bool
    var hasReadRequest = false
    var hasStartedResponse = false
    var hasEndedResponse = false
    /// Whether the answer is sent in chunks.
    var isChunked = false
    var bodyLimit: Int
    /// The upstream that is asked, where the body goes; nil where it is dropped.
    var upstream: UpstreamExchange?
    /// Whether the client asked for another protocol.
    let isUpgrade: Bool
    /// Whether another protocol is spoken by now.
    var isTunnel = false

    init(_ head: RequestHead, _ record: ExchangeRecord, bodyLimit: Int) {
        self.head = head
        self.record = record
        self.bodyLimit = bodyLimit
        isKeptAlive = head.isKeptAlive
        awaitsContinue = head.awaitsContinue
        if case .success(.none) = head.body { awaitsContinue = false }
        isUpgrade = head.isUpgrade && HopByHopHeaders(head.fields).lists("upgrade")
    }

    /// What a decision service is asked about is what the log tells of.
    func take(_ question: DecisionQuestion) {
        record.question = question
    }
}
#endif
