#if Gateway
import NIOCore
import NIOHTTP1
import Shunt

/// One connection of a client: decides about its requests and answers them, or has them forwarded.
///
/// Used on its event loop only. Requests are taken one at a time: what a client sends ahead waits until the one before is read
/// and answered.
final class ConnectionHandler: ChannelDuplexHandler, TimedConnection {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    let core: GatewayCore
    let rules: LoopRules
    let line: RequestLineWatch
    var metrics: LoopMetrics { core.metrics[rules.shard] }
    var context: ChannelHandlerContext?
    /// The connections to upstreams on this loop.
    let pool: UpstreamPool
    private let listener: Listener
    private(set) var connection = ClientConnection()

    /// The exchange that is going on; nil between requests.
    var exchange: Exchange?
    /// Whether reads wait because the upstream takes the body more slowly than it comes.
    private var isReadingPaused = false
    /// Whether a read was asked for that waits.
    private var wantsRead = false
    var timer = ConnectionTimer()
    private var isClosing = false
    /// Whether the client has said everything.
    private var hasInputEnded = false
    /// Whether the gateway is stopping: there is no next request.
    private var isQuiescing = false
    /// Whether what the client has sent is being read just now; what is written then is sent when all of it is read.
    private(set) var isReading = false
    /// Whether a part of an answer was written that is not sent yet.
    private var needsFlush = false
    /// Parts of requests that have been delivered and not taken.
    private var inbox = CircularBuffer<HTTPServerRequestPart>()
    private var isTakingParts = false
    private var cachedDate: (second: Int64, text: String) = (.min, "")

    /// A request and its answer.
    struct Exchange {
        var head: HTTPRequestHead
        var record: ExchangeRecord
        /// What the rules add to the answer of an upstream.
        var additions = RuleAdditions()
        /// Whether the connection may serve another request.
        var isKeptAlive: Bool
        var hasReadRequest = false
        var hasStartedResponse = false
        var hasEndedResponse = false
        var bodyLimit: Int
        /// The upstream that is asked, where the body goes; nil where it is dropped.
        var upstream: UpstreamExchange?
        /// Whether the client asked for another protocol, and the parser has stopped for it.
        var isUpgrade = false
        /// Whether another protocol is spoken by now.
        var isTunnel = false

        /// What a decision service is asked about is what the log tells of.
        mutating func take(_ question: DecisionQuestion) {
            record.question = question
        }
    }

    init(core: GatewayCore, rules: LoopRules, line: RequestLineWatch, listener: Listener) {
        self.core = core
        self.rules = rules
        self.line = line
        self.listener = listener
        pool = rules.upstreams
    }

    var timerLoop: (any EventLoop)? { context?.eventLoop }

    func timeIsUp() { context?.close(promise: nil) }

    /// Whether a request has come.
    var hasBegun = false

    // MARK: The connection

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        connection = ClientConnection(context.channel, at: listener, trusting: core.options.trustedProxies)
        metrics.connectionsOpened.add()
        timer.allow(clientTimeout, for: self)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer.cancel()
        self.context = nil
    }

    func channelInactive(context: ChannelHandlerContext) {
        timer.cancel()
        metrics.connectionsClosed.add()
        abandon()
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if let error = error as? HTTPParserError { return refuse(error, context) }
        context.close(promise: nil)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let preface = event as? ProxyPreface {
            connection.take(preface, trusting: core.options.trustedProxies)
        }
        if case ChannelEvent.inputClosed? = event as? ChannelEvent { inputEnded(context) }
        if event is ChannelShouldQuiesceEvent { quiesce(context) }
        context.fireUserInboundEventTriggered(event)
    }

    /// The client sends nothing more.
    ///
    /// As in nginx, a client that ends its side while an upstream works for it is gone.
    private func inputEnded(_ context: ChannelHandlerContext) {
        hasInputEnded = true
        guard inbox.isEmpty, !isClosing else { return }
        guard let exchange else { return closeWhenWritten(context) }
        if !exchange.hasReadRequest || exchange.upstream != nil { context.close(promise: nil) }
    }

    /// Ends a connection between two requests, behind the answers that are written.
    private func closeWhenWritten(_ context: ChannelHandlerContext) {
        isClosing = true
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenComplete { _ in context.close(promise: nil) }
        context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(ByteBuffer()))), promise: written)
    }

    /// There is no request after the one that is going on.
    private func quiesce(_ context: ChannelHandlerContext) {
        isQuiescing = true
        if exchange?.hasStartedResponse == false { exchange?.isKeptAlive = false }
        // The first request of a connection that was just accepted is on its way: its client cannot know of the shutdown.
        guard exchange == nil, inbox.isEmpty, !isClosing else { return }
        if hasBegun { closeWhenWritten(context) } else { timer.allow(.seconds(1), for: self) }
    }

    /// Ends an exchange whose connection is gone.
    private func abandon() {
        guard var exchange else { return }
        self.exchange = nil
        inbox.removeAll()
        exchange.upstream?.cancel()
        exchange.record.isAborted = !exchange.hasEndedResponse && !exchange.isTunnel
        if !exchange.hasEndedResponse { report(exchange) }
    }

    // MARK: Reading

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        isReading = true
        inbox.append(unwrapInboundIn(data))
        takeParts(context)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        isReading = false
        exchange?.upstream?.flush()
        context.fireChannelReadComplete()
    }

    /// Takes what has been delivered, up to a request that has to wait until the one before it is answered, and the client has
    /// taken earlier answers.
    ///
    /// Never inside itself: a client that sends many requests ahead would have them answered one inside the other, down to the
    /// end of the stack.
    private func takeParts(_ context: ChannelHandlerContext) {
        guard !isTakingParts else { return }
        isTakingParts = true
        defer { isTakingParts = false }
        while let part = inbox.first {
            guard context.channel.isActive else { return inbox.removeAll() }
            // What follows a request that ended the connection is not answered.
            if isClosing, exchange?.hasReadRequest != false { return inbox.removeAll() }
            if case .head = part, exchange != nil || !context.channel.isWritable { return }
            inbox.removeFirst()
            switch part {
            case .head(let head): begin(head)
            case .body(let bytes): receive(bytes, context)
            case .end: endRequest()
            }
        }
        if isQuiescing && hasBegun || hasInputEnded, exchange == nil, !isClosing { closeWhenWritten(context) }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable {
            // The client has caught up with an answer.
            if let upstream = exchange?.upstream, exchange?.hasStartedResponse == true {
                timer.stop()
                upstream.resumeAnswer()
            }
            takeParts(context)
            readIfWanted(context)
        }
        context.fireChannelWritabilityChanged()
    }

    private func receive(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
        guard exchange != nil else { return }
        exchange?.record.requestBytes += bytes.readableBytes
        timer.allow(clientTimeout, for: self)
        guard let exchange else { return }
        if exchange.bodyLimit > 0, exchange.record.requestBytes > exchange.bodyLimit {
            return refuseLongBody(context)
        }
        guard let upstream = exchange.upstream, !upstream.send(bytes) else { return }
        isReadingPaused = true
        timer.stop()
    }

    private func endRequest() {
        line.requestEnded()
        exchange?.hasReadRequest = true
        if let upstream = exchange?.upstream {
            upstream.endBody()
            // From here on it is the upstream that takes its time.
            timer.stop()
        }
        if exchange?.hasEndedResponse == true { finishExchange() }
    }

    func read(context: ChannelHandlerContext) {
        if isReadingPaused || !inbox.isEmpty || !context.channel.isWritable {
            wantsRead = true
        } else {
            context.read()
        }
    }

    /// Goes on reading after the upstream has caught up, or has ended.
    func resumeReading() {
        isReadingPaused = false
        if let context { readIfWanted(context) }
    }

    private func readIfWanted(_ context: ChannelHandlerContext) {
        guard wantsRead, !isReadingPaused, inbox.isEmpty, context.channel.isWritable else { return }
        wantsRead = false
        context.read()
    }

    // MARK: Writing

    /// Writes a part of an answer, which is sent when all that has come is written.
    func write(_ part: HTTPServerResponsePart, _ context: ChannelHandlerContext) {
        needsFlush = true
        context.write(wrapOutboundOut(part), promise: nil)
    }

    /// Sends what has been written.
    func flushResponse() {
        guard needsFlush else { return }
        needsFlush = false
        context?.flush()
    }

    func noteHead(_ head: HTTPResponseHead) {
        guard head.status.code >= 200 else { return }
        exchange?.hasStartedResponse = true
        exchange?.record.status = Int(head.status.code)
    }

    /// Writes the end of a response, and closes the connection unless it is kept.
    func end(_ context: ChannelHandlerContext) {
        guard let exchange else { return }
        self.exchange?.hasEndedResponse = true
        self.exchange?.upstream = nil
        needsFlush = false
        isReadingPaused = false
        report(exchange)
        if exchange.isKeptAlive {
            timer.allow(.seconds(Int64(core.options.keepAliveTimeout)), for: self)
            if exchange.hasReadRequest { finishExchange() }
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
            // The next one may wait already.
            takeParts(context)
            return readIfWanted(context)
        }
        isClosing = true
        let written = context.eventLoop.makePromise(of: Void.self)
        let hasReadRequest = exchange.hasReadRequest
        written.futureResult.assumeIsolated()
            .whenComplete { _ in
                // What the client still sends must be read, or the system takes the answer back before it is read.
                context.close(mode: hasReadRequest ? .all : .output, promise: nil)
            }
        if !hasReadRequest { timer.allow(.seconds(2), for: self) }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: written)
        readIfWanted(context)
    }

    /// Closes the connection without an answer, as `return 444` asks for.
    func closeUnanswered(_ context: ChannelHandlerContext) {
        exchange?.record.status = 444
        if let exchange { report(exchange) }
        exchange = nil
        context.close(promise: nil)
    }

    /// Makes the connection ready for the next request.
    private func finishExchange() {
        exchange = nil
    }

    /// Writes the exchange to the log and the metrics.
    private func report(_ exchange: Exchange) {
        let record = exchange.record
        let nanoseconds = (NIODeadline.now() - record.start).nanoseconds
        let microseconds = Int(clamping: nanoseconds / 1000)
        metrics.count(status: record.status, microseconds: microseconds)
        metrics.requestBytes.add(record.requestBytes)
        metrics.responseBytes.add(record.responseBytes)
        core.log?
            .append(
                core.options.accessLogFormat.line(record, exchange.head, connection, microseconds: microseconds)
            )
        guard record.isShown, let decided = record.decision else { return }
        let event = LiveEvent(exchange.head, record, decided, microseconds: microseconds)
        core.live.note(event, shard: rules.shard)
    }

    /// How long a client may take for its part.
    var clientTimeout: TimeAmount { .seconds(Int64(core.options.clientTimeout)) }

    /// The value of the Date header; made once a second.
    func date(_ time: Timestamp) -> String {
        if cachedDate.second != time.seconds { cachedDate = (time.seconds, time.httpDate) }
        return cachedDate.text
    }
}
#endif
