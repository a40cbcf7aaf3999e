#if Gateway
import NIOCore
import NIOHTTP1
import Shunt

/// One connection of a client: decides about its requests and answers them, or has them forwarded.
///
/// Used on its event loop only. Requests are taken one at a time: what a client sends ahead waits until the one before is read
/// and answered.
final class ConnectionHandler: ChannelDuplexHandler, TimedConnection {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    let core: GatewayCore
    let rules: LoopRules
    let metrics: LoopMetrics
    var context: ChannelHandlerContext?
    /// The connections to upstreams on this loop.
    let pool: UpstreamPool
    private let listener: Listener
    var parser: RequestParser
    private(set) var connection = ClientConnection()

    /// The exchange that is going on; nil between requests.
    var exchange: Exchange?
    /// True if reads wait because the upstream takes the body more slowly than it comes.
    private var isReadingPaused = false
    /// True if a read was asked for that waits.
    private var wantsRead = false
    var timer = ConnectionTimer()
    private var isClosing = false
    /// True if the client has said everything.
    private var hasInputEnded = false
    /// True if the gateway is stopping: there is no next request.
    private var isQuiescing = false
    /// True if what the client has sent is being read just now; what is written then is sent when all of it is read.
    private(set) var isReading = false
    let output: ResponseOutput
    private var isTakingParts = false

    init(core: GatewayCore, rules: LoopRules, listener: Listener) {
        self.core = core
        self.rules = rules
        metrics = core.metrics[rules.shard]
        output = ResponseOutput(rules)
        parser = RequestParser(headerLimit: core.options.maximumHeaderBytes)
        self.listener = listener
        pool = rules.upstreams
    }

    var timerLoop: (any EventLoop)? { context?.eventLoop }

    func timeIsUp() { context?.close(promise: nil) }

    /// The number of requests so far.
    var requestCount = 0
    /// True if a request has come.
    private var hasBegun: Bool { requestCount > 0 }

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
        context.close(promise: nil)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let preface = event as? ProxyPreface {
            connection.take(preface, trusting: core.options.trustedProxies)
        }
        if let session = event as? TLSSession { connection.sessionInputs = session.inputs }
        if case ChannelEvent.inputClosed? = event as? ChannelEvent { inputEnded(context) }
        if event is ChannelShouldQuiesceEvent { quiesce(context) }
        context.fireUserInboundEventTriggered(event)
    }

    /// The client sends nothing more.
    ///
    /// As in nginx, a client that ends its side while an upstream works for it is gone.
    private func inputEnded(_ context: ChannelHandlerContext) {
        hasInputEnded = true
        guard !isHeld, !isClosing else { return }
        guard let exchange else { return closeWhenWritten(context) }
        if !exchange.hasReadRequest || exchange.upstream != nil { context.close(promise: nil) }
    }

    /// Ends a connection between two requests, after the answers that are written.
    private func closeWhenWritten(_ context: ChannelHandlerContext) {
        isClosing = true
        output.send(context) { context.close(promise: nil) }
    }

    /// There is no request after the one that is going on.
    private func quiesce(_ context: ChannelHandlerContext) {
        isQuiescing = true
        if exchange?.hasStartedResponse == false { exchange?.isKeptAlive = false }
        // The first request of a connection that was just accepted is on its way: its client cannot know of the shutdown.
        guard exchange == nil, !parser.hasNext, !isClosing else { return }
        if hasBegun { closeWhenWritten(context) } else { timer.allow(.seconds(1), for: self) }
    }

    /// Ends an exchange whose connection is gone.
    private func abandon() {
        guard let exchange else { return }
        self.exchange = nil
        parser.drop()
        exchange.undecided?.drop()
        exchange.upstream?.cancel()
        exchange.record.isAborted = !exchange.hasEndedResponse && !exchange.isTunnel
        if !exchange.hasEndedResponse { report(exchange) }
    }

    // MARK: Reading

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        isReading = true
        parser.append(unwrapInboundIn(data))
        takeParts(context)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        isReading = false
        exchange?.upstream?.flush()
        flushResponse()
        context.fireChannelReadComplete()
    }

    /// True if what has come waits until the request before it is answered, or is decided about.
    private var isHeld: Bool { exchange != nil && (parser.hasNext || exchange?.undecided != nil) }

    /// Takes what has come, up to a request that has to wait until the one before it is answered, and the client has taken
    /// earlier answers.
    ///
    /// Outside of a read, what is written for it is sent. Never inside itself: a client that sends many requests ahead would have
    /// them answered one inside the other, down to the end of the stack.
    func takeParts(_ context: ChannelHandlerContext) {
        guard !isTakingParts else { return }
        isTakingParts = true
        defer { isTakingParts = false }
        while true {
            let waitsForRoom = takeEach(context)
            if isReading { return }
            let begun = exchange
            begun?.upstream?.flush()
            flushResponse()
            // Sending may have made room, or ended the exchange whose upstream is gone.
            guard exchange == nil, begun != nil || waitsForRoom && context.channel.isWritable else { return }
        }
    }

    /// Takes one part after another.
    ///
    /// - Returns: Whether the next request waits until the client takes earlier answers.
    private func takeEach(_ context: ChannelHandlerContext) -> Bool {
        let channel = context.channel
        while true {
            // What follows a request that ended the connection is not answered.
            if !channel.isActive || isClosing && exchange?.hasReadRequest != false {
                parser.drop()
                return false
            }
            if parser.isAtHead, exchange != nil || !channel.isWritable { return exchange == nil }
            if exchange?.undecided != nil { return false }
            do throws(RequestParser.Failure) {
                guard let part = try parser.next() else { break }
                switch consume part {
                case .head(let head): begin(head)
                case .body(let bytes): receive(bytes, context)
                case .end: endRequest()
                }
            } catch {
                refuse(error, context)
                return false
            }
        }
        if isQuiescing && hasBegun || hasInputEnded, exchange == nil, !isClosing { closeWhenWritten(context) }
        return false
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
        guard let exchange else { return }
        exchange.record.requestBytes += bytes.readableBytes
        timer.allow(clientTimeout, for: self)
        if exchange.envoy?.text != nil { return readQuestion(bytes, exchange, context) }
        if exchange.bodyLimit > 0, exchange.record.requestBytes > exchange.bodyLimit {
            return refuseLongBody(context)
        }
        // The body is read to its end, and dropped, where sending it has shown that the upstream is gone.
        guard let upstream = exchange.upstream, !upstream.send(bytes), exchange.upstream === upstream else { return }
        isReadingPaused = true
        timer.stop()
    }

    private func endRequest() {
        guard let exchange else { return }
        exchange.hasReadRequest = true
        if let upstream = exchange.upstream {
            upstream.endBody()
            // From here on it is the upstream that takes its time.
            timer.stop()
        }
        if let text = exchange.envoy?.text, let context { return take(text, exchange, context) }
        if exchange.hasEndedResponse { finishExchange() }
    }

    func read(context: ChannelHandlerContext) {
        if isReadingPaused || isHeld || !context.channel.isWritable {
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

    func readIfWanted(_ context: ChannelHandlerContext) {
        guard wantsRead, !isReadingPaused, !isHeld, context.channel.isWritable else { return }
        wantsRead = false
        context.read()
    }

    // MARK: Writing

    /// Sends what has been written.
    func flushResponse() {
        if let context { output.flush(context) }
    }

    /// Writes the end of a response, and closes the connection unless it is kept.
    func end(_ context: ChannelHandlerContext) {
        guard let exchange else { return }
        if exchange.isChunked { output.writeLastChunk() }
        exchange.hasEndedResponse = true
        exchange.upstream = nil
        isReadingPaused = false
        let now = NIODeadline.now()
        report(exchange, at: now)
        if exchange.isKeptAlive {
            let idleTime = exchange.keepAlive ?? core.options.keepAliveTimeout * 1_000
            timer.allow(.milliseconds(Int64(idleTime)), since: now, for: self)
            if exchange.hasReadRequest { finishExchange() }
            if output.isLong { flushResponse() }
            // The next one may wait already.
            takeParts(context)
            return readIfWanted(context)
        }
        isClosing = true
        let hasReadRequest = exchange.hasReadRequest
        if !hasReadRequest { timer.allow(.seconds(2), for: self) }
        output.send(context) {
            // What the client still sends must be read, or the system takes the answer back before it is read.
            context.close(mode: hasReadRequest ? .all : .output, promise: nil)
        }
        readIfWanted(context)
    }

    /// Closes the connection without an answer, as `return 444` asks for.
    func closeUnanswered(_ context: ChannelHandlerContext) {
        exchange?.record.status = 444
        if let exchange { report(exchange) }
        exchange = nil
        // Answers to earlier requests are still sent.
        flushResponse()
        context.close(promise: nil)
    }

    /// Makes the connection ready for the next request.
    private func finishExchange() {
        exchange = nil
    }

    /// Writes the exchange to the log and the metrics.
    private func report(_ exchange: Exchange, at now: NIODeadline = .now()) {
        let microseconds = Int(clamping: (now - exchange.record.start).nanoseconds / 1000)
        metrics.count(status: exchange.record.status, microseconds: microseconds)
        metrics.requestBytes.add(exchange.record.requestBytes)
        metrics.responseBytes.add(exchange.record.responseBytes)
        // What was decided has an account where a log is for it.
        let isForRules = exchange.account != nil || !exchange.isDecided
        if core.log != nil || isForRules { log(exchange, microseconds: microseconds) }
        guard exchange.record.isShown, let decided = exchange.record.decision else { return }
        let event = LiveEvent(exchange.head, exchange.record, decided, microseconds: microseconds)
        core.live.note(event, shard: rules.shard)
    }

    /// Returns true if a log tells of an exchange.
    func isLogged(_ exchange: Exchange) -> Bool {
        core.log != nil || exchange.account?.logs?.isEmpty == false
    }

    /// Writes the exchange to the logs that are for it.
    private func log(_ exchange: Exchange, microseconds: Int) {
        let account = exchange.account
        // What was never decided is for the logs of the server that requests come to which name none.
        let logs = account?.logs ?? rules.defaultLogs(at: connection.listen)
        guard core.log != nil || !logs.isEmpty else { return }
        let logged = LoggedExchange(
            exchange.record,
            exchange.head,
            connection,
            account,
            microseconds: microseconds,
            sentBytes: account?.sentBytes(output, isTunnel: exchange.isTunnel, exchange.record) ?? 0
        )
        core.log?.append(core.options.accessLogFormat.line(logged))
        var values = account?.values[...] ?? []
        for log in logs { log.write(logged, &values) }
    }

    /// The longest time that a client may take for its part.
    var clientTimeout: TimeAmount { .seconds(Int64(core.options.clientTimeout)) }
}
#endif
