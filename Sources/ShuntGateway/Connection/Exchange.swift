#if Gateway
import NIOCore
import NIOHTTP1

/// A request and its answer.
final class Exchange {
    let head: RequestHead
    var record: ExchangeRecord
    /// True if rules have decided about it.
    var isDecided = false
    /// The request while another thread decides about it; nothing after its head is read meanwhile.
    var undecided: SlowDecisions.Request?
    /// The question in its body, where a decision service is asked in that way.
    var envoy: ExtProcExchange?
    /// The values for logs; nil without a log.
    var account: RequestAccount?
    /// The additions of the rules to the answer of an upstream.
    var additions = RuleAdditions()
    /// True if the connection may serve another request.
    var isKeptAlive: Bool
    /// The longest time that the connection may be idle afterwards, in milliseconds, if rules set it.
    var keepAlive: Int?
    /// True if the client waits for "100 Continue".
    var awaitsContinue: Bool
    var hasReadRequest = false
    var hasStartedResponse = false
    var hasEndedResponse = false
    /// True if the answer is sent in chunks.
    var isChunked = false
    var bodyLimit: Int
    /// The upstream that is asked, where the body goes; nil where it is dropped.
    var upstream: UpstreamExchange?
    /// True if the client asked for another protocol.
    let isUpgrade: Bool
    /// True if another protocol is spoken by now.
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

    /// Takes the question of a decision service for the log.
    func take(_ question: DecisionQuestion) {
        record.question = question
    }
}
#endif
