#if Gateway
import NIOCore
import NIOHTTP1
import Shunt

/// One connection of a client: decides about its requests and answers them, or has them forwarded.
///
/// Used on its event loop only. The handler before it in the pipeline delivers one request at a time: the next comes
/// when this one is read and answered.
final class ConnectionHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    let core: GatewayCore
    let rules: LoopRules
    let line: RequestLineWatch
    var metrics: LoopMetrics { core.metrics[rules.shard] }
    var context: ChannelHandlerContext?
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
        /// Where the body goes; nil where it is dropped.
        var body: RequestBodyStream.Source?
        var bodyLimit: Int
        var task: Task<Void, Never>?

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
    }

    // MARK: The connection

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        connection = ClientConnection(context.channel, at: listener, trusting: core.options.trustedProxies)
        metrics.connectionsOpened.add()
        timer.allow(seconds: core.options.clientTimeout, for: self)
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
        // A client that has said everything may still wait for the answer; one that waits for none is gone.
        if case ChannelEvent.inputClosed? = event as? ChannelEvent, exchange?.hasReadRequest != true || isClosing {
            context.close(promise: nil)
        }
        context.fireUserInboundEventTriggered(event)
    }

    /// Ends an exchange whose connection is gone.
    private func abandon() {
        guard var exchange else { return }
        exchange.task?.cancel()
        exchange.body?.finish(ChannelError.inputClosed)
        exchange.record.isAborted = !exchange.hasEndedResponse
        if !exchange.hasEndedResponse { report(exchange) }
        self.exchange = nil
    }

    // MARK: Reading

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        inbox.append(unwrapInboundIn(data))
        takeParts(context)
    }

    /// Takes what has been delivered, up to a request that has to wait until the client has taken earlier answers.
    ///
    /// The end of an answer makes the handler before this one deliver the next request at once. It waits in the inbox,
    /// or a client that sends many requests ahead would have them answered one inside the other, down to the end of the
    /// stack.
    private func takeParts(_ context: ChannelHandlerContext) {
        guard !isTakingParts else { return }
        isTakingParts = true
        defer { isTakingParts = false }
        while let part = inbox.first {
            guard context.channel.isActive else { return inbox.removeAll() }
            if case .head = part, !context.channel.isWritable { return }
            inbox.removeFirst()
            switch part {
            // What follows a request that ended the connection is not answered.
            case .head(let head): if !isClosing { begin(head) }
            case .body(let bytes): receive(bytes, context)
            case .end: endRequest()
            }
        }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable {
            takeParts(context)
            readIfWanted(context)
        }
        context.fireChannelWritabilityChanged()
    }

    private func receive(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
        guard exchange != nil else { return }
        exchange?.record.requestBytes += bytes.readableBytes
        timer.allow(seconds: core.options.clientTimeout, for: self)
        guard let exchange else { return }
        if exchange.bodyLimit > 0, exchange.record.requestBytes > exchange.bodyLimit {
            return refuseLongBody(context)
        }
        guard let body = exchange.body else { return }
        if case .stopProducing = body.yield(bytes) {
            isReadingPaused = true
            timer.stop()
        }
    }

    private func endRequest() {
        line.requestEnded()
        exchange?.hasReadRequest = true
        exchange?.body?.finish()
        exchange?.body = nil
        // From here on it is the upstream that takes its time.
        if exchange?.task != nil { timer.stop() }
        if exchange?.hasEndedResponse == true { finishExchange() }
    }

    func read(context: ChannelHandlerContext) {
        if isReadingPaused || !context.channel.isWritable {
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
        guard wantsRead, !isReadingPaused, context.channel.isWritable else { return }
        wantsRead = false
        context.read()
    }

    // MARK: Writing

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(let head): noteHead(head)
        case .body(let part): exchange?.record.responseBytes += part.readableBytes
        case .end: return end(context, promise: promise)
        }
        context.write(data, promise: promise)
    }

    func noteHead(_ head: HTTPResponseHead) {
        guard head.status.code >= 200 else { return }
        exchange?.hasStartedResponse = true
        exchange?.record.status = Int(head.status.code)
    }

    /// Writes the end of a response, and closes the connection unless it is kept.
    func end(_ context: ChannelHandlerContext, promise: EventLoopPromise<Void>? = nil) {
        guard let exchange else {
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: promise)
            return
        }
        self.exchange?.hasEndedResponse = true
        self.exchange?.body?.finish()
        self.exchange?.body = nil
        resumeReading()
        report(exchange)
        if exchange.isKeptAlive {
            timer.allow(seconds: core.options.keepAliveTimeout, for: self)
            if exchange.hasReadRequest { finishExchange() }
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: promise)
            return
        }
        isClosing = true
        let written = promise ?? context.eventLoop.makePromise()
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        let hasReadRequest = exchange.hasReadRequest
        written.futureResult.whenComplete { _ in
            // What the client still sends must be read, or the system takes the answer back before it is read.
            bound.value.close(mode: hasReadRequest ? .all : .output, promise: nil)
        }
        if !hasReadRequest { timer.allow(seconds: 2, for: self) }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: written)
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
        core.log?.append(record.line(exchange.head, connection, microseconds: microseconds))
        guard core.live.isWatched, let decided = record.decision else { return }
        let event = LiveEvent(exchange.head, record, decided, microseconds: microseconds)
        core.live.note(event, shard: rules.shard)
    }

    /// The value of the Date header; made once a second.
    func date(_ time: Timestamp) -> String {
        if cachedDate.second != time.seconds { cachedDate = (time.seconds, time.httpDate) }
        return cachedDate.text
    }
}
#endif
