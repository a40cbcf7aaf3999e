#if Gateway
import NIOCore
import NIOHTTP1
import SeededRandom
import ShuntCore
import ShuntRules

@testable import ShuntGateway

/// One exchange between a client and upstreams that do anything at any time.
final class SimulatedExchange {
    private enum Link { case none, connecting, waiting, open }

    private var random: SeededGenerator
    private var exchange: Exchange
    private var effects = Exchange.Effects()
    private var isCarryingOut = false
    private var now = NIODeadline.uptimeNanoseconds(1_000_000_000)
    private let room = BodyRoom()
    private let isTold: Bool
    private var story: [String] = []
    /// The first thing that was wrong.
    private(set) var problem: String?

    // The client.
    private let request: SimulatedMessages.Request
    private var isClientOpen = true
    private var isInputOpen = true
    private var isClientFull = false
    private var isEnded = false
    private var nextPart = 0
    /// The number of parts that were read before reading paused.
    private var buffered = 2
    private var clientTimer = true
    private var heads = 0
    /// The connection that the answer is from; 0 for the gateway.
    private var source = 0
    private var passed = 0
    private var finishes = 0
    private var reports = 0

    // The upstream.
    private var link = Link.none
    private var connection = 0
    private var isReused = false
    private var hasHead = false
    private var sent = 0
    private var isSentEnd = false
    private var isUpstreamFull = false
    private var hasAnswered = false
    private var delivered = 0
    private var isAnswerWhole = false
    private var upstreamTimer = false
    private var others: Int
    private var isServing = false
    private var isForwarded = false
    private var leaves = 0
    private var isUpstreamGone = false
    private var isSwitched = false

    init(seed: UInt64, isTold: Bool = false) {
        random = SeededGenerator(seed: seed)
        self.isTold = isTold
        request = SimulatedMessages.requests[random.below(SimulatedMessages.requests.count)]
        others = random.below(3)
        let limit = random.chance(15) ? 1 + random.below(5) : 0
        let account = ExchangeAccount(request.head, time: .init(seconds: 0, nanoseconds: 0), start: now)
        exchange = Exchange(account, bodyLimit: limit)
        if random.chance(50) { exchange.account.isLogged = true }
        bodyLimit = limit
    }

    private let bodyLimit: Int

    /// All that happens in one exchange.
    static func told(seed: UInt64) -> String {
        let simulation = SimulatedExchange(seed: seed, isTold: true)
        simulation.run()
        return simulation.story.joined(separator: "\n")
    }

    var outcome: String {
        guard case .ended(let outcome) = exchange.state else { return "none" }
        return "\(outcome)"
    }

    func run() {
        decide()
        var steps = 0
        while !exchange.isOver, problem == nil, steps < 80 {
            steps += 1
            now = now + .milliseconds(1)
            step()
            checkWaits()
        }
        if isClientOpen { closeClient() }
        checkEnd()
    }

    private func check(_ holds: Bool, _ text: @autoclosure () -> String) {
        if !holds, problem == nil { problem = text() }
    }

    // MARK: What happens

    private func decide() {
        switch random.below(20) {
        case 0: handle(.unanswered)
        case 1, 2, 3: answer(status: 200)
        case 4: handle(.awaitsQuestion(limit: 1 + random.below(20)))
        case 5, 6: handle(.awaitsDecision)
        case 7: handle(.malformed(IncomingRequest.Refusal("no request")))
        default: forward()
        }
    }

    private func forward() {
        guard !exchange.isOver else { return }
        isForwarded = true
        var settings = UpstreamSettings()
        if random.chance(30) { settings.nextServer = [.error, .timeout, .status502, .invalidHeader] }
        if random.chance(10) { settings.nextServer.insert(.nonIdempotent) }
        if random.chance(10) { settings.nextServerTimeout = 1 + random.below(10) }
        if random.chance(20) { exchange.additions = RuleAdditions() }
        let asked = Exchange.Asked(
            method: request.head.method,
            length: request.length,
            given: request.isGiven ? SimulatedMessages.parts[0] : nil,
            settings: settings,
            asksUpgrade: random.chance(80),
            room: room
        )
        handle(.forwarded(asked, limit: bodyLimit))
    }

    private func answer(status: Int) {
        guard !exchange.isOver else { return }
        _ = exchange.beginAnswer(HTTPResponseStatus(statusCode: status))
        check(heads == 0, "a second answer begins")
        heads += 1
        source = 0
        handle(.written(bytes: 3))
    }

    /// Has something happen that can happen now.
    private func step() {
        switch random.below(40) {
        case 0..<14: clientGoesOn()
        case 14..<32: upstreamGoesOn()
        case 32:
            guard isClientFull else { return }
            isClientFull = false
            handle(.clientIsWritable)
        case 33:
            guard isUpstreamFull, link == .open else { return }
            isUpstreamFull = false
            handle(.upstreamIsWritable)
        case 34: if random.chance(20) { handle(.quiescing) }
        case 35:
            if random.chance(10), isClientOpen, isInputOpen, !exchange.isUndecided {
                isInputOpen = false
                handle(.inputEnded)
            }
        case 36: if random.chance(10), isClientOpen { closeClient() }
        case 37: if random.chance(20), clientTimer, isClientOpen { closeClient() }
        case 38: if random.chance(30), upstreamTimer { failUpstream(link == .waiting ? .noConnection : .timeout) }
        default:
            if exchange.isUndecided {
                handle(.decided)
                if random.chance(30) { answer(status: 200) } else { forward() }
            }
        }
    }

    private func closeClient() {
        isClientOpen = false
        handle(.clientClosed)
    }

    private func clientGoesOn() {
        guard isClientOpen, isInputOpen, !exchange.isUndecided else { return }
        if exchange.takesRequest {
            buffered = 2
        } else if buffered > 0 {
            buffered -= 1
        } else {
            return
        }
        if exchange.isTunnel { return handle(.part(SimulatedMessages.parts[0])) }
        guard !isEnded else { return }
        if request.length == .unknown, random.chance(2) { return handle(.malformed(.longTarget)) }
        if nextPart < request.count {
            nextPart += 1
            handle(.part(SimulatedMessages.parts[nextPart - 1]))
        } else {
            isEnded = true
            handle(.requestEnded)
        }
    }

    private func upstreamGoesOn() {
        switch link {
        case .none: break
        case .connecting, .waiting:
            if random.chance(15) { return failUpstream(SimulatedMessages.unreachable) }
            connect(isReused: link == .waiting || random.chance(50))
        case .open where exchange.isTunnel: tunnelGoesOn()
        case .open:
            guard hasHead, exchange.takesAnswer else { return }
            if random.chance(6) { return failUpstream(.closed) }
            for _ in 0...random.below(3) {
                answerGoesOn()
                if link != .open || exchange.isTunnel { return }
            }
            handle(.answerGoesOn)
        }
    }

    private func answerGoesOn() {
        if !hasAnswered {
            if random.chance(request.head.asksUpgrade ? 60 : 10) {
                return handle(.switched(SimulatedMessages.switching, hasOther: others > 0))
            }
            hasAnswered = true
            let head = SimulatedMessages.heads[random.below(SimulatedMessages.heads.count)]
            isAnswerWhole = head.body == .none
            handle(.head(head, hasOther: others > 0))
        } else if isAnswerWhole || random.chance(30) {
            link = .none
            upstreamTimer = false
            handle(.answerEnded)
        } else {
            delivered += 1
            handle(.answerPart(SimulatedMessages.parts[(delivered - 1) % 200]))
        }
    }

    private func tunnelGoesOn() {
        switch random.below(6) {
        case 0: handle(.upstreamEnded)
        case 1:
            (link, isUpstreamGone, upstreamTimer) = (.none, true, false)
            handle(.upstreamClosed)
        default: if exchange.takesAnswer { handle(.answerPart(SimulatedMessages.parts[0])) }
        }
    }

    private func connect(isReused: Bool) {
        link = .open
        connection += 1
        self.isReused = isReused
        (hasHead, sent, isSentEnd, isUpstreamFull) = (false, 0, false, false)
        (hasAnswered, delivered, isAnswerWhole) = (false, 0, false)
        handle(.connected(sendsAtOnce: random.chance(50)))
    }

    private func failUpstream(_ failure: UpstreamFailure) {
        let isStale = link == .open && isReused && !hasAnswered
        if exchange.isTunnel {
            (link, isUpstreamGone, upstreamTimer) = (.none, true, false)
            return handle(.upstreamClosed)
        }
        link = .none
        upstreamTimer = false
        handle(.failed(failure, isStale: isStale, hasOther: others > 0))
    }

    // MARK: Effects

    private func handle(_ event: Exchange.Event) {
        if isTold { story.append(String("- \(event)".prefix(100))) }
        exchange.handle(event, at: now, &effects)
        guard !isCarryingOut else { return }
        isCarryingOut = true
        while let effect = effects.popFirst() {
            if isTold { story.append(String("    \(effect)".prefix(100))) }
            perform(effect)
            // Carrying out may show that a connection is gone.
            if random.below(300) == 0, isClientOpen { closeClient() }
            if random.below(300) == 0, link == .open { failUpstream(.closed) }
        }
        isCarryingOut = false
    }

    private func perform(_ effect: Exchange.Effect) {
        switch effect {
        case .sendContinue, .flushClient, .readClient, .flushUpstream, .count: break
        case .passHead, .passSwitch:
            check(heads == 0, "a second answer begins")
            check(finishes == 0, "an answer begins after the end of one")
            heads += 1
            source = connection
            if case .passSwitch = effect { isSwitched = true }
        case .pass(let part, _):
            guard !isSwitched else { break }
            check(
                heads == 1 && source == connection,
                "a part is from connection \(connection), the head from \(source)"
            )
            check(finishes == 0, "a part comes after the end")
            check(part.getInteger(at: 0, as: UInt8.self) == UInt8(passed % 200), "part \(passed) is lost or sent twice")
            passed += 1
            if random.chance(20), isClientOpen, !isClientFull {
                isClientFull = true
                handle(.clientIsFull)
            }
        case .finish:
            finishes += 1
            reports += 1
            check(heads == 1 && finishes == 1, "\(heads) answers end \(finishes) times")
            check(source == 0 || passed == delivered, "\(passed) of \(delivered) parts were passed on")
            clientTimer = true
        case .refuse(let refusal): answer(status: Int(refusal.status.code))
        case .judge, .refuseQuestion: if random.chance(50) { answer(status: 200) } else { handle(.unanswered) }
        case .forgetDecision: break
        case .clientTimer(let timer): clientTimer = timer != .none
        case .report: reports += 1
        case .closeClient: if isClientOpen { closeClient() }
        case .endClientOutput: break
        case .endClient: if isClientOpen, random.chance(80) { closeClient() }
        default: performUpstream(effect)
        }
    }

    private func performUpstream(_ effect: Exchange.Effect) {
        switch effect {
        case .ask(let failure):
            check(link == .none && !isServing, "a server is asked while another one is")
            if failure != nil { others -= 1 }
            if random.chance(8) { return handle(.noServer(after: failure)) }
            isServing = true
            startConnecting()
        case .askAgain:
            check(link == .none && isServing, "a server is asked again that is not asked")
            startConnecting()
        case .sendHead:
            guard link == .open else { return }
            check(!hasHead, "a head is sent twice")
            hasHead = true
        case .send(let part, _): send(part)
        case .sendEnd:
            guard link == .open else { return }
            check(!isSentEnd && sent == request.count, "the body ends after \(sent) parts of \(request.count)")
            isSentEnd = true
        case .upstreamTimer(let timer): upstreamTimer = timer != .none && link != .none
        case .closeUpstream: (link, upstreamTimer) = (.none, false)
        case .endServer: isServing = false
        case .leaveUpstream: leaves += 1
        default: break
        }
    }

    private func startConnecting() {
        link = .connecting
        switch random.below(10) {
        case 0..<3: connect(isReused: true)
        case 3:
            link = .waiting
            handle(.mustWait)
        default: break
        }
    }

    private func send(_ part: ByteBuffer) {
        guard link == .open, !isSwitched else { return }
        check(hasHead && !isSentEnd, "a part is sent before the head, or after the end")
        check(part.getInteger(at: 0, as: UInt8.self) == UInt8(sent), "part \(sent) of the body is lost or sent twice")
        sent += 1
        guard random.chance(15) else { return }
        isUpstreamFull = true
        handle(.upstreamIsFull)
    }

    // MARK: What has to hold

    /// Something is always waited for that happens, or whose time is limited.
    private func checkWaits() {
        guard !exchange.isOver, !exchange.isUndecided, !isUpstreamGone else { return }
        check(clientTimer || upstreamTimer || link == .connecting, "nothing ends \(exchange.state)")
    }

    private func checkEnd() {
        check(exchange.isOver, "it goes on in \(exchange.state) after the client is gone")
        check(reports == 1, "it is reported \(reports) times")
        check(finishes <= 1, "it ends \(finishes) times")
        check(room.free == 16 << 20, "memory for the body is missing")
        check(!isServing, "a server counts as asked")
        check(leaves == (isForwarded ? 1 : 0), "the upstream is left \(leaves) times")
        guard case .ended(let outcome) = exchange.state else { return }
        check(exchange.account.isAborted == (outcome == .aborted), "\(outcome), and aborted in the log")
        switch outcome {
        case .answered:
            check(finishes == 1 && link == .none, "answered without an end, or with an upstream")
        case .unanswered: check(heads == 0, "unanswered, and answered")
        case .aborted: check(finishes == 0 && link == .none, "aborted, and ended")
        case .tunneled: check(heads == 1 && finishes == 0, "a tunnel with \(heads) heads")
        }
        check(link == .none || outcome == .tunneled, "a connection is left")
    }
}

/// The requests, answers and parts of simulated exchanges.
enum SimulatedMessages {
    struct Request: Sendable {
        let head: RequestHead
        let length: IncomingRequest.BodyLength
        /// The number of parts of its body.
        let count: Int
        /// True if rules give the body.
        let isGiven: Bool
    }

    static let unreachable = UpstreamFailure(connecting: ChannelError.connectPending)

    /// Parts that begin with their number; some are so long that not all of them can be kept.
    static let parts = (0..<200)
        .map { number in
            var part = ByteBuffer(integer: UInt8(number))
            if number == 3 || number == 5 { part.writeRepeatingByte(0, count: 40_000) }
            return part
        }

    private static let lengths: [(IncomingRequest.BodyLength, Int)] = [
        (.none, 0), (.none, 0), (.known(3), 3), (.known(80_008), 8), (.unknown, 4), (.unknown, 9),
    ]

    static let requests: [Request] = ["GET", "GET", "HEAD", "POST", "PUT", "DELETE"]
        .flatMap { method in
            lengths.flatMap { length, count in
                [false, true]
                    .compactMap { isGiven in
                        let fields =
                            switch length {
                            case .none: method == "GET" ? "Connection: upgrade\r\nUpgrade: x\r\n" : ""
                            case .known(let bytes): "Content-Length: \(bytes)\r\nExpect: 100-continue\r\n"
                            case .unknown: "Transfer-Encoding: chunked\r\n"
                            }
                        var parser = RequestParser(headerLimit: 1_000)
                        parser.append(ByteBuffer(string: "\(method) / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n"))
                        guard case .head(let head)? = try? parser.next() else { return nil }
                        return Request(head: head, length: length, count: count, isGiven: isGiven)
                    }
            }
        }

    static let heads: [ResponseHead] = [
        "200 OK\r\nContent-Length: 1000", "200 OK\r\nTransfer-Encoding: chunked", "200 OK\r\nX: until the end",
        "204 No", "502 No\r\nContent-Length: 10", "404 No\r\nContent-Length: 0",
    ]
    .compactMap { head(of: $0) }

    static let switching = head(of: "101 Yes\r\nUpgrade: x") ?? heads[0]

    private static func head(of text: String) -> ResponseHead? {
        try? ResponseHead(ByteBuffer(string: "HTTP/1.1 \(text)\r\n\r\n"), answering: .GET)
    }
}
#endif
