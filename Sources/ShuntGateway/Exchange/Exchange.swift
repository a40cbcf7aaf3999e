#if Gateway
import NIOCore
import NIOHTTP1
import ShuntRules

/// A request and its answer as a state machine: what happens and the time go in, effects come out.
///
/// A value without a socket and a clock. `ConnectionHandler` carries out what concerns the client, `UpstreamExchange` what concerns
/// the upstream, each effect in its turn; what happens meanwhile is handled at once, and its effects follow.
///
/// An answer of an upstream that is not for the client, such as a consent, a target or an error that an `error_page` takes, goes to
/// the rules, which decide again with it; so do the answers of the gateway in its place.
struct Exchange {
    /// The way to a decision.
    enum Deciding {
        /// The rules are evaluated.
        case here
        /// The body of the request is read, which is the question, up to a length.
        case question(ByteBuffer, limit: Int)
        /// Another thread evaluates the rules; nothing after the head is read meanwhile.
        case elsewhere
        /// The rest of an answer for the rules is read and dropped.
        case answered(UpstreamAnswer)
        /// A limit delays the decision; nothing after the head is read meanwhile.
        case waiting
        /// The gateway is about to write its own answer.
        case answer
    }

    /// The connection to the upstream.
    enum Link {
        /// No server gets the request before the client's body is read, of which none is passed on.
        case held
        case connecting
        /// All connections that there may be are in use.
        case waiting
        case open
    }

    enum Outcome {
        case answered
        /// The connection is closed without an answer, as `return 444` asks for.
        case unanswered
        /// A connection broke off before the answer was whole.
        case aborted
        /// Another protocol was spoken to its end.
        case tunneled
    }

    enum State {
        case deciding(Deciding)
        /// The upstream has not begun to answer.
        case asking(Link)
        /// The answer of the upstream is passed on.
        case answering(isChunked: Bool)
        /// The answer is whole; the rest of the request is read and dropped.
        case answered
        /// Another protocol than HTTP is spoken.
        case tunnel
        case ended(Outcome)
    }

    /// One direction of what is passed on.
    enum Direction {
        case flowing
        /// The receiver has to catch up first.
        case full
        case ended
    }

    var account: ExchangeAccount
    var state = State.deciding(.here)
    /// The way of the request to the upstream; ended where no more of it goes there.
    var up = Direction.ended
    /// The way of the answer to the client.
    var down = Direction.flowing
    /// The question in the body of the request, if a decision service gets it in that way.
    var envoy: ExtProcExchange?
    /// The additions of the rules to answers that they do not write; nil while nothing is decided.
    var additions: RuleAdditions?
    /// True if the connection may serve another request.
    var isKeptAlive: Bool
    /// The longest time that the connection may be idle afterwards, in milliseconds, if rules set it.
    var keepAlive: Int?
    /// True if the client waits for "100 Continue".
    var awaitsContinue: Bool
    var isRequestWhole = false
    /// True if the client has sent all that it will.
    private(set) var isInputEnded = false
    /// True if the rest of the request cannot be read.
    private var isMalformed = false
    /// The longest body that goes to the upstream; 0 for any.
    var bodyLimit = 0
    /// True if the body was too long.
    var isBodyRefused = false
    /// The request to the upstream; nil if the exchange has no upstream.
    var asked: OutgoingRequest?
    /// The part of the client's body that went to an upstream whose answer is for the rules.
    var returned: RequestBody?
    /// The way of the request through the gates; nil without gates.
    var visit: GateVisit?
    /// The time after which no other server is tried; nil for any.
    private(set) var deadline: NIODeadline?
    /// The time of the last event that depends on it.
    private(set) var time: NIODeadline

    /// - Parameter account: The account with the request.
    init(_ account: ExchangeAccount) {
        self.account = account
        time = account.start
        isKeptAlive = account.head.isKeptAlive
        awaitsContinue = account.head.awaitsContinue
    }

    var isOver: Bool { if case .ended = state { true } else { false } }
    /// True if nothing is missing but the end of a request without a body.
    var isAnswered: Bool {
        guard case .answered = state, case .success(.none) = account.head.body else { return isOver }
        return true
    }
    var isTunnel: Bool { if case .tunnel = state { true } else { false } }
    /// True if nothing more of the request is read before it is decided about.
    var isUndecided: Bool {
        switch state {
        case .deciding(.here), .deciding(.elsewhere), .deciding(.waiting), .deciding(.answered): true
        case .asking: asked?.interception.isQuestion == true
        default: false
        }
    }
    /// True while an upstream has not answered to the end, and nothing of its answer is passed on.
    var hasUpstream: Bool {
        switch state {
        case .asking, .deciding(.answered): true
        default: false
        }
    }
    /// True if a client that leaves ends the exchange before it is decided about: a limit delays it, or a question is asked.
    var endsUndecided: Bool {
        switch state {
        case .deciding(.waiting): true
        case .asking: asked?.interception.isQuestion == true
        default: false
        }
    }
    /// True if more may be read from the client.
    var takesRequest: Bool { up != .full }
    /// True if more of the answer may be read from the upstream.
    var takesAnswer: Bool { down != .full }
    /// True if the upstream has all of the request.
    var isSent: Bool { up == .ended }

    /// Handles what has happened.
    ///
    /// - Parameters:
    ///   - event: What has happened.
    ///   - now: When.
    ///   - effects: What is to be done, to which more is added.
    mutating func handle(_ event: Event, at now: @autoclosure () -> NIODeadline, _ effects: inout Effects) {
        switch event {
        case .awaitsQuestion, .awaitsDecision, .delayed, .decided, .forwarded, .written, .unanswered:
            if case .deciding = state { handleDecision(event, at: now, &effects) }
        case .malformed(let refusal):
            if isMalformed {
                // A page for it may be on its way.
                guard case .answered = state else { return }
            }
            (isMalformed, isKeptAlive) = (true, false)
            refuse(refusal, &effects)
        case .part(let bytes):
            startTime(now)
            take(bytes, &effects)
        case .requestEnded:
            startTime(now)
            endRequest(&effects)
        case .inputEnded:
            isInputEnded = true
            endInput(&effects)
        case .clientClosed:
            time = now()
            abandon(&effects)
        case .quiescing:
            switch state {
            case .deciding, .asking: isKeptAlive = false
            case .answering, .answered, .tunnel, .ended: break
            }
        case .clientIsFull:
            guard down == .flowing else { return }
            down = .full
            guard case .answering = state else { return }
            effects.append(.clientTimer(.step))
            effects.append(.upstreamTimer(.none))
        case .clientIsWritable:
            guard down == .full else { return }
            down = .flowing
            if case .answering = state {
                effects.append(.clientTimer(isRequestWhole || up == .full ? .none : .step))
                effects.append(.upstreamTimer(.reading))
            }
            effects.append(.readUpstream)
        case .answerPart, .answerFile, .answerGoesOn, .upstreamIsFull, .upstreamIsWritable:
            handleUpstream(event, &effects)
        default:
            time = now()
            handleUpstream(event, &effects)
        }
    }

    private mutating func handleDecision(_ event: Event, at now: () -> NIODeadline, _ effects: inout Effects) {
        switch event {
        case .awaitsQuestion(let limit): state = .deciding(.question(ByteBuffer(), limit: limit))
        case .awaitsDecision, .delayed:
            if case .delayed = event { state = .deciding(.waiting) } else { state = .deciding(.elsewhere) }
            // It is not the client that takes its time.
            effects.append(.clientTimer(.none))
        case .decided:
            switch state {
            case .deciding(.elsewhere), .deciding(.waiting): break
            default: return
            }
            state = .deciding(.here)
            effects.append(.clientTimer(.step))
        case .forwarded(let asked, let limit):
            forward(asked, limit: limit, &effects)
            limitTime(now)
        case .written(let bytes):
            account.responseBytes += bytes
            finish(&effects)
        case .unanswered:
            account.status = 444
            forgetBody()
            state = .ended(.unanswered)
            effects.append(.report)
            effects.append(.closeClient(afterFlush: true))
        default: break
        }
    }

    /// Has the time of the servers begin where none was asked while the body came.
    private mutating func startTime(_ now: () -> NIODeadline) {
        guard case .asking(.held) = state else { return }
        limitTime(now)
    }

    private mutating func limitTime(_ now: () -> NIODeadline) {
        guard let time = asked?.nextServerTime, time > 0 else { return }
        deadline = now() + .milliseconds(Int64(time))
    }

    // MARK: Answers

    /// Notes that the gateway is about to write its own answer.
    ///
    /// - Parameter status: The status.
    /// - Returns: True if the client is to be asked to send its body: as in nginx, it is read and dropped, so that the
    ///   connection stays of use.
    mutating func beginAnswer(_ status: HTTPResponseStatus) -> Bool {
        guard case .deciding = state else { return false }
        forgetBody()
        state = .deciding(.answer)
        account.status = Int(status.code)
        return takeContinue()
    }

    mutating func takeContinue() -> Bool {
        defer { awaitsContinue = false }
        return awaitsContinue
    }

    /// Makes the gateway answer if no answer has begun, and ends the connection otherwise.
    mutating func refuse(_ refusal: IncomingRequest.Refusal, _ effects: inout Effects) {
        switch state {
        case .asking, .deciding(.here), .deciding(.question), .deciding(.elsewhere), .deciding(.waiting),
            .deciding(.answered):
            if hasUpstream { leaveUpstream(closing: true, &effects) }
            state = .deciding(.answer)
            effects.append(.refuse(refusal))
        // What was answered already is sent; half an answer must not be taken for a whole one.
        case .answering, .answered: effects.append(.closeClient(afterFlush: true))
        case .deciding(.answer), .tunnel, .ended: break
        }
    }

    /// Ends the answer.
    mutating func finish(_ effects: inout Effects) {
        var isChunked = false
        if case .answering(true) = state { isChunked = true }
        let ending: Ending = isKeptAlive ? .keeps(idle: keepAlive) : isRequestWhole ? .closes : .closesOutput
        state = isRequestWhole ? .ended(.answered) : .answered
        effects.append(.finish(ending, isChunked: isChunked))
        effects.append(.readClient)
    }

    /// Ends the exchange before its answer is whole.
    mutating func abort(_ effects: inout Effects) {
        forgetBody()
        account.isAborted = true
        state = .ended(.aborted)
        effects.append(.report)
    }

    /// Keeps no part of the request's body any more.
    mutating func forgetBody() {
        asked?.body.forget()
        returned?.forget()
    }

    /// Lets go of the upstream.
    ///
    /// - Parameters:
    ///   - isClosing: Whether its connection is still the exchange's, and serves no other one after it.
    ///   - isKeepingBody: Whether the body may have to be sent to another one.
    ///   - effects: What is to be done.
    mutating func leaveUpstream(
        closing isClosing: Bool,
        keepingBody isKeepingBody: Bool = false,
        _ effects: inout Effects
    ) {
        if !isKeepingBody {
            forgetBody()
        } else if let asked, asked.takesBody {
            returned = asked.body
            self.asked?.body = RequestBody(room: nil)
        } else {
            asked?.body.forget()
        }
        (up, down) = (.ended, .flowing)
        if isClosing {
            effects.append(.closeUpstream)
            effects.append(.endServer(failed: false))
        }
        effects.append(.leaveUpstream)
    }
}
#endif
