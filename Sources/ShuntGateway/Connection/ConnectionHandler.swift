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
    let listener: Listener
    /// The version of the rules that listen where the connection came in.
    var listenedVersion: Int
    var parser: RequestParser
    private(set) var connection = ClientConnection()

    /// The state of the connection.
    private enum Phase: Comparable {
        case open
        /// The gateway is stopping: there is no next request.
        case quiescing
        /// The client has sent everything.
        case inputEnded
        case closing
    }

    /// The exchange in progress; nil between requests.
    var exchange: Exchange?
    /// The upstream that answers it; nil where none is asked.
    var upstream: UpstreamExchange?
    /// The file that answers it; nil where none does.
    var file: FileExchange?
    /// The rules that decided about it; nil where they cannot be asked again.
    var basis: DecisionBasis?
    /// The answers of upstreams with which they were asked again.
    var answers: [UpstreamAnswer] = []
    /// The decision that the request waits for.
    var undecided: PendingDecision?
    private var effects = Exchange.Effects()
    private var isCarryingOut = false
    private var phase = Phase.open
    /// True if a read was asked for that waits.
    private var wantsRead = false
    var timer = ConnectionTimer()
    /// The time that the connection may be idle once the rest of an answered request is read.
    private var idleTime: TimeAmount?
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
        listenedVersion = core.firstVersion
        pool = rules.upstreams
    }

    var timerLoop: (any EventLoop)? { context?.eventLoop }

    func timeIsUp() { context?.close(promise: nil) }

    /// The number of requests so far.
    var requestCount = 0
    /// True if the next request came in one read with the end of the one before.
    private(set) var isNextAhead = false
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
        parser.drop()
        handle(.clientClosed)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let preface = event as? ProxyPreface {
            connection.take(preface, trusting: core.options.trustedProxies)
        }
        if let session = event as? TLSSession { connection.sessionInputs = session.inputs }
        if event is PlainRequestHandler.Plain { connection.takePlain() }
        if case ChannelEvent.inputClosed? = event as? ChannelEvent { inputEnded(context) }
        if event is ChannelShouldQuiesceEvent { quiesce(context) }
        context.fireUserInboundEventTriggered(event)
    }

    /// The client sends nothing more.
    private func inputEnded(_ context: ChannelHandlerContext) {
        guard phase != .closing else { return }
        phase = .inputEnded
        guard !isHeld || exchange?.endsUndecided == true else { return }
        if exchange == nil { closeWhenWritten(.all) } else { handle(.inputEnded) }
    }

    /// There is no request after the one in progress.
    private func quiesce(_ context: ChannelHandlerContext) {
        guard phase != .closing else { return }
        phase = max(phase, .quiescing)
        handle(.quiescing)
        // The first request of a connection that was just accepted is on its way: its client cannot know of the shutdown.
        guard exchange == nil, !parser.hasNext else { return }
        if hasBegun { closeWhenWritten(.all) } else { timer.allow(.seconds(1), for: self) }
    }

    // MARK: The exchange

    /// Has the exchange handle what has happened, and carries out what it wants.
    ///
    /// What happens while effects are carried out adds to them.
    func handle(_ event: Exchange.Event, at now: @autoclosure () -> NIODeadline = .now()) {
        guard exchange != nil else { return }
        if isCarryingOut { return note(event, at: now()) }
        swap(&effects, &rules.spareEffects)
        note(event, at: now())
        isCarryingOut = true
        while let effect = effects.popFirst() { perform(effect) }
        isCarryingOut = false
        swap(&effects, &rules.spareEffects)
        guard exchange?.isOver == true else {
            if !answers.isEmpty, let context { goOn(context) }
            return
        }
        exchange = nil
        basis = nil
        answers = []
        guard let context, context.channel.isActive else { return }
        if let idle = idleTime.take() { timer.allow(idle, for: self) }
        // The next one may wait already.
        goOn(context)
    }

    /// Takes what waited for a decision, or for the end of an exchange.
    func goOn(_ context: ChannelHandlerContext) {
        takeParts(context)
        readIfWanted(context)
    }

    /// Reports to the exchange what has happened; where the answer ends, it counts for no limit before its client can
    /// know.
    private func note(_ event: Exchange.Event, at now: @autoclosure () -> NIODeadline) {
        exchange?.handle(event, at: now(), &effects)
        if exchange?.isAnswered == true { exchange?.visit?.leave() }
    }

    /// Sends what was passed on in both directions, after it is written.
    func flushesAll() {
        effects.append(.flushUpstream)
        effects.append(.flushClient)
        effects.append(.readClient)
    }

    /// Carries out an effect.
    private func perform(_ effect: Exchange.Effect) {
        switch effect {
        case .sendContinue:
            writeContinue()
            flushResponse()
        case .passHead(let head, let status, let framing): pass(head, status: status, framing: framing)
        case .passSwitch(let head): passSwitch(head)
        case .pass(let part, let isChunked): pass { output.write(body: part, isChunked: isChunked, $0) }
        case .passFile(let file, let part): pass { output.write(part, of: file, $0) }
        case .finish(let ending, let isChunked): finish(ending, isChunked: isChunked)
        case .refuse(let refusal): answer(refusal)
        case .judge(let text): judge(question: text)
        case .refuseQuestion: answerLongQuestion()
        case .decideAgain(let given): decideAgain(after: given)
        case .forgetDecision:
            undecided?.drop()
            undecided = nil
        case .clientTimer(.none): timer.stop()
        case .clientTimer(.step): timer.allow(clientTimeout, for: self)
        case .readClient: if let context { readIfWanted(context) }
        case .report: report()
        case .flushClient: flushResponse()
        case .closeClient(let afterFlush):
            if afterFlush { flushResponse() }
            phase = .closing
            context?.close(promise: nil)
        case .endClientOutput: closeWhenWritten(.output)
        case .endClient: closeWhenWritten(.all)
        case .count(let failure): count(failure)
        default: performAtSource(effect)
        }
    }

    // MARK: Reading

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        isReading = true
        let bytes = unwrapInboundIn(data)
        if exchange?.isTunnel == true { return handle(.part(bytes)) }
        parser.append(bytes)
        takeParts(context)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        isReading = false
        upstream?.flush()
        flushResponse()
        context.fireChannelReadComplete()
    }

    /// True if what has come waits until the request before it is answered, or is decided about.
    private var isHeld: Bool { exchange != nil && (parser.hasNext || exchange?.isUndecided == true) }

    /// Takes what has come, up to a request that has to wait until the one before it is answered, and the client has taken
    /// earlier answers.
    ///
    /// Outside of a read, what is written for it is sent. Never inside itself: a client that sends many requests ahead would have
    /// them answered one inside the other, down to the end of the stack.
    func takeParts(_ context: ChannelHandlerContext) {
        guard !isTakingParts, !isCarryingOut else { return }
        isTakingParts = true
        defer { isTakingParts = false }
        while true {
            let waitsForRoom = takeEach(context)
            if isReading { return }
            let hasExchange = exchange != nil
            upstream?.flush()
            flushResponse()
            // Sending may have made room, or ended the exchange whose upstream is gone.
            guard exchange == nil, hasExchange || waitsForRoom && context.channel.isWritable else { return }
        }
    }

    /// Takes one part after another.
    ///
    /// - Returns: Whether the next request waits until the client takes earlier answers.
    private func takeEach(_ context: ChannelHandlerContext) -> Bool {
        while true {
            // What follows a request that ended the connection is not answered.
            if !context.channel.isActive || phase == .closing && exchange?.isRequestWhole != false {
                parser.drop()
                return false
            }
            if parser.isAtHead, exchange != nil || !context.channel.isWritable { return exchange == nil }
            if exchange?.isUndecided == true { return false }
            do throws(RequestParser.Failure) {
                guard let part = try parser.next() else { break }
                switch consume part {
                case .head(let head): begin(head, isLast: phase == .quiescing && !parser.hasNext)
                case .body(let bytes): handle(.part(bytes))
                case .end:
                    isNextAhead = parser.hasNext
                    handle(.requestEnded)
                }
            } catch {
                refuse(error)
                return false
            }
        }
        if phase == .quiescing && hasBegun || phase == .inputEnded, exchange == nil { closeWhenWritten(.all) }
        if phase == .inputEnded, exchange?.isInputEnded == false, !isHeld { handle(.inputEnded) }
        return false
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable {
            // The client has caught up with an answer.
            handle(.clientIsWritable)
            takeParts(context)
            readIfWanted(context)
        }
        context.fireChannelWritabilityChanged()
    }

    func read(context: ChannelHandlerContext) {
        wantsRead = true
        readIfWanted(context)
    }

    /// Reads where a read waits that need not wait any more; never while parts are taken, for what follows them may have come already.
    func readIfWanted(_ context: ChannelHandlerContext) {
        guard wantsRead, !isTakingParts, exchange?.takesRequest != false else { return }
        guard exchange?.isTunnel == true || !isHeld && context.channel.isWritable else { return }
        wantsRead = false
        context.read()
    }

    // MARK: Writing

    /// Sends what has been written.
    func flushResponse() { if let context { output.flush(context) } }

    /// Sends nothing after what has been written, which a client has to take in time if that is the end of its connection.
    private func closeWhenWritten(_ mode: CloseMode) {
        guard let context else { return }
        if mode == .all {
            phase = .closing
            timer.allow(clientTimeout, for: self)
        }
        output.send(context) { context.close(mode: mode, promise: nil) }
    }

    /// Ends an answer, and closes the connection unless it is kept.
    private func finish(_ ending: Exchange.Ending, isChunked: Bool) {
        if isChunked { output.writeLastChunk() }
        let now = NIODeadline.now()
        report(at: now)
        switch ending {
        case .keeps(let idle):
            let idle = TimeAmount.milliseconds(Int64(idle ?? core.options.keepAliveTimeout * 1_000))
            let isOver = exchange?.isOver != false
            timer.allow(isOver ? idle : clientTimeout, since: now, for: self)
            idleTime = isOver ? nil : idle
            // With what is left of the request to read, nothing else is written.
            if output.isLong || !isReading && !isOver { flushResponse() }
        case .closes: closeWhenWritten(.all)
        case .closesOutput:
            phase = .closing
            timer.allow(.seconds(2), since: now, for: self)
            closeWhenWritten(.output)
        }
    }
}
#endif
