#if Gateway
import NIOCore
import NIOHTTP1
import SeededRandom
import ShuntCore
import ShuntRules

@testable import ShuntGateway

/// One exchange between a client and upstreams that do anything at any time.
final class SimulatedExchange {
    enum Link { case none, connecting, waiting, open }

    var random: SeededGenerator
    var exchange: Exchange
    var effects = Exchange.Effects()
    private var isCarryingOut = false
    private var now = NIODeadline.uptimeNanoseconds(1_000_000_000)
    let room = BodyRoom()
    private let isTold: Bool
    private var story: [String] = []
    /// The first thing that was wrong.
    private(set) var problem: String?

    // The client.
    let request: SimulatedMessages.Request
    var isClientOpen = true
    private var isInputOpen = true
    var isClientFull = false
    var isEnded = false
    private var nextPart = 0
    /// The number of parts that were read before reading paused.
    private var buffered = 2
    var clientTimer = true
    var heads = 0
    /// The connection that the answer is from; 0 for the gateway.
    var source = 0
    var passed = 0
    var finishes = 0
    var reports = 0

    // The upstream.
    var link = Link.none
    var connection = 0
    var isReused = false
    var hasHead = false
    var sent = 0
    var isSentEnd = false
    var isUpstreamFull = false
    private var hasAnswered = false
    var delivered = 0
    private var isAnswerWhole = false
    var upstreamTimer = false
    var others: Int
    var isServing = false
    var forwards = 0
    /// The number of decisions after the first.
    var decisions = 0
    var leaves = 0
    var isUpstreamGone = false
    var isSwitched = false

    init(seed: UInt64, isTold: Bool = false) {
        random = SeededGenerator(seed: seed)
        self.isTold = isTold
        request = SimulatedMessages.requests[random.below(SimulatedMessages.requests.count)]
        others = random.below(3)
        let limit = random.chance(15) ? 1 + random.below(5) : 0
        let account = ExchangeAccount(request.head, time: .init(seconds: 0, nanoseconds: 0), start: now)
        exchange = Exchange(account)
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

    func check(_ holds: Bool, _ text: @autoclosure () -> String) {
        if !holds, problem == nil { problem = text() }
    }

    // MARK: What happens

    private func decide() {
        switch random.below(20) {
        case 0: handle(.unanswered)
        case 1, 2, 3: answer(status: 200)
        case 4: handle(.awaitsQuestion(limit: 1 + random.below(20)))
        case 5: handle(.awaitsDecision)
        case 6: handle(.delayed)
        case 7: handle(.malformed(IncomingRequest.Refusal("no request")))
        default: forward()
        }
    }

    func forward() {
        guard !exchange.isOver else { return }
        forwards += 1
        var interception = Interception(isQuestion: random.chance(15), interceptsErrors: random.chance(60))
        if random.chance(40) { interception.statuses = [502, 504, 413, 404, 503] }
        interception.followsRedirects = random.chance(80)
        // What is not kept cannot be sent again.
        let hasBody = !interception.isQuestion && exchange.returned?.isKept != false
        var settings = UpstreamSettings()
        if random.chance(30) { settings.nextServer = [.error, .timeout, .status502, .invalidHeader] }
        if random.chance(10) { settings.nextServer.insert(.nonIdempotent) }
        settings.holdsBody = random.chance(60)
        settings.ignoresAbort = random.chance(10)
        if random.chance(10) { settings.nextServerTimeout = 1 + random.below(10) }
        if random.chance(20) { exchange.additions = RuleAdditions() }
        let asked = Exchange.OutgoingRequest(
            method: request.head.method,
            length: hasBody ? request.length : .none,
            given: request.isGiven ? SimulatedMessages.parts[0] : nil,
            settings: settings,
            asksUpgrade: random.chance(80) && !interception.isQuestion,
            interception: interception,
            room: room
        )
        handle(.forwarded(asked, limit: bodyLimit))
    }

    /// Has the rules decide again.
    func decideAgain() {
        decisions += 1
        switch random.below(10) {
        case _ where decisions > 4, 0..<3: answer(status: 200)
        case 3: handle(.awaitsDecision)
        case 4: handle(.unanswered)
        default: forward()
        }
    }

    func answer(status: Int) {
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
            if case .deciding(.elsewhere) = exchange.state {
                handle(.decided)
                if random.chance(30) { answer(status: 200) } else { forward() }
            }
        }
    }

    func closeClient() {
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

    func connect(isReused: Bool) {
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

    func handle(_ event: Exchange.Event) {
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
}
#endif
