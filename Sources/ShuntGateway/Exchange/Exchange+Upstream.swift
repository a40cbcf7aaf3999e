#if Gateway
import NIOCore
import NIOHTTP1
import ShuntRules

/// The upstream's side of an exchange.
///
/// In a group the gateway tries the next server by `proxy_next_upstream`: usually after errors and timeouts, each
/// server once, and not after a request was sent that may not be sent twice.
extension Exchange {
    mutating func handleUpstream(_ event: Event, _ effects: inout Effects) {
        switch (event, state) {
        case (.mustWait, .asking):
            state = .asking(.waiting)
            effects.append(.upstreamTimer(.connecting))
        case (.connected(let sendsAtOnce), .asking): begin(sendsAtOnce: sendsAtOnce, &effects)
        case (.noServer(let failure), .asking):
            note { if failure == nil { $0.failed(502, at: $1) } }
            giveUp(failure ?? .noServer, &effects)
        case (.upstreamIsFull, .asking(.open)) where up == .flowing:
            up = .full
            effects.append(.clientTimer(.none))
            effects.append(.upstreamTimer(.sending))
        case (.upstreamIsFull, .answering) where up == .flowing:
            up = .full
            if down != .full { effects.append(.clientTimer(.none)) }
        case (.upstreamIsFull, .tunnel) where up == .flowing: up = .full
        case (.upstreamIsWritable, .asking(.open)) where up == .ended: effects.append(.upstreamTimer(.reading))
        case (.upstreamIsWritable, _) where up == .full:
            up = .flowing
            if case .asking = state { effects.append(.upstreamTimer(.none)) }
            if !isTunnel { effects.append(.clientTimer(.step)) }
            effects.append(.readClient)
        case (.head(let head, let hasOther), .asking): take(head, hasOther: hasOther, &effects)
        case (.answerPart(let part), .answering(let isChunked)):
            note { attempt, _ in attempt.length += part.readableBytes }
            account.responseBytes += part.readableBytes
            effects.append(.pass(part, isChunked: isChunked))
        case (.answerFile(let file, let part), .answering):
            account.responseBytes += part.count
            effects.append(.passFile(file, part))
        case (.refused(let refusal), .asking), (.refused(let refusal), .answering): refuseUpstream(refusal, &effects)
        case (.answerPart(let part), .tunnel):
            account.responseBytes += part.readableBytes
            effects.append(.upstreamTimer(.reading))
            effects.append(.pass(part, isChunked: false))
        case (.answerGoesOn, .answering) where down == .flowing, (.answerGoesOn, .asking(.open)) where up == .ended:
            effects.append(.upstreamTimer(.reading))
        case (.answerEnded, .answering):
            note { $0.ended(at: $1) }
            effects.append(.endServer(failed: false))
            leaveUpstream(closing: false, &effects)
            finish(&effects)
        case (.switched(let head, let hasOther), .asking):
            switchProtocol(head, hasOther: hasOther, &effects)
        case (.upstreamEnded, .tunnel) where down != .ended:
            down = .ended
            effects.append(.endClientOutput)
        case (.upstreamClosed, .tunnel):
            (up, down) = (.ended, .ended)
            effects.append(.endClient)
        case (.answerGoesOn, .deciding(.answered)): effects.append(.upstreamTimer(.reading))
        case (.answerEnded, .deciding(.answered(let given))):
            note { $0.ended(at: $1) }
            endDropped(given, &effects)
        case (.failed(let failure, _, _), .deciding(.answered(let given))):
            // Its head has it all.
            note { $0.failed(failure.isTimeout ? 504 : 502, at: $1) }
            endDropped(given, &effects)
        case (.failed(let failure, let isStale, let hasOther), .asking):
            // An upstream that is slow has got the request, whatever the age of the connection.
            guard isStale, !failure.isTimeout, let asked, asked.repeats > 0, asked.body.isKept, asked.isIdempotent
            else {
                return fail(failure, hasOther: hasOther, &effects)
            }
            self.asked?.repeats -= 1
            state = .asking(.connecting)
            effects.append(.askAgain)
        case (.failed(let failure, _, _), .answering):
            note { $0.failed(failure.isTimeout ? 504 : 502, at: $1) }
            effects.append(.endServer(failed: false))
            giveUp(failure, &effects)
        default: break
        }
    }

    /// Sends the request on a connection that was opened, or has become free.
    private mutating func begin(sendsAtOnce: Bool, _ effects: inout Effects) {
        guard let asked else { return }
        note { $0.connected(at: $1) }
        state = .asking(.open)
        effects.append(.sendHead)
        for part in asked.body.kept { effects.append(.send(part, isChunked: asked.length == .unknown)) }
        if up == .ended {
            if asked.length == .unknown { effects.append(.sendEnd) }
            effects.append(.upstreamTimer(.reading))
        } else {
            effects.append(.upstreamTimer(.none))
            if up == .full { effects.append(.clientTimer(.step)) }
            up = .flowing
        }
        // The end of what the client sent with the head comes at once.
        if asked.isBodyGiven || sendsAtOnce { effects.append(.flushUpstream) }
        effects.append(.readClient)
    }

    /// Notes something of the server that was tried last, unless a file answers.
    mutating func note(_ change: (inout UpstreamAttempt, _ now: NIODeadline) -> Void) {
        if asked?.interception.isOfFile == false { account.note { change(&$0, time) } }
    }

    // MARK: The answer

    private mutating func take(_ head: ResponseHead, hasOther: Bool, _ effects: inout Effects) {
        note { $0.answered(Int(head.status.code), at: $1) }
        if hasOther, let condition = UpstreamSettings.Conditions(status: Int(head.status.code)),
            mayAskAnother(after: condition, isUnsent: false)
        {
            note { $0.ended(at: $1) }
            effects.append(.closeUpstream)
            // A server with these answers has not failed.
            effects.append(.endServer(failed: condition != .status403 && condition != .status404))
            return askAnother(after: UpstreamFailure(status: head.status.code), &effects)
        }
        let isOfFile = asked?.interception.isOfFile == true
        if account.isLogged, !isOfFile, asked?.interception.isQuestion == false { account.upstreamFields = head.fields }
        if let given = asked?.interception.answer(head) { return keep(given, of: head, &effects) }
        forgetBody()
        // A file knows the status of an `error_page`.
        let status = isOfFile ? head.status : additions?.status ?? head.status
        account.status = Int(status.code)
        let sendsChunks = additions?.sendsChunks != false
        let framing = AnswerFraming(of: head, with: status, to: account.head, sendsChunks: sendsChunks)
        if framing == .untilEnd { isKeptAlive = false }
        state = .answering(isChunked: framing == .chunks)
        effects.append(.passHead(head, status, framing))
        // `proxy_method` may have asked for a body that a client does not wait for.
        let isUnwanted = account.head.method == .HEAD && head.body != .none
        guard isUnwanted || !status.mayHaveResponseBody && head.status.mayHaveResponseBody else { return }
        leaveUpstream(closing: true, &effects)
        finish(&effects)
    }

    /// Keeps an answer for the rules.
    private mutating func keep(_ given: UpstreamAnswer, of head: ResponseHead, _ effects: inout Effects) {
        let isShort =
            switch head.body {
            case .none: true
            case .length(let length): length <= Interception.dropLimit
            case .chunks, .untilEnd: false
            }
        guard isShort, up == .ended else {
            note { $0.ended(at: $1) }
            leaveUpstream(closing: true, keepingBody: true, &effects)
            return decideAgain(given, &effects)
        }
        state = .deciding(.answered(given))
        effects.append(.upstreamTimer(.reading))
    }

    /// Ends an answer for the rules, the rest of which was dropped.
    private mutating func endDropped(_ given: UpstreamAnswer, _ effects: inout Effects) {
        effects.append(.endServer(failed: false))
        leaveUpstream(closing: false, keepingBody: true, &effects)
        decideAgain(given, &effects)
    }

    /// Has the rules decide again.
    private mutating func decideAgain(_ given: UpstreamAnswer, _ effects: inout Effects) {
        state = .deciding(.here)
        if !isRequestWhole { effects.append(.clientTimer(.step)) }
        effects.append(.decideAgain(given))
        effects.append(.readClient)
    }

    /// Answers in the place of an upstream, unless the rules have another answer.
    mutating func refuseUpstream(_ refusal: IncomingRequest.Refusal, _ effects: inout Effects) {
        switch state {
        case .asking, .deciding(.here): break
        default: return refuse(refusal, &effects)
        }
        guard let given = asked?.interception.answer(refusal) else { return refuse(refusal, &effects) }
        if case .asking = state { leaveUpstream(closing: true, keepingBody: true, &effects) }
        decideAgain(given, &effects)
    }

    /// Speaks another protocol from here on, where the client has asked for it and sent all of its request.
    private mutating func switchProtocol(_ head: ResponseHead, hasOther: Bool, _ effects: inout Effects) {
        guard asked?.asksUpgrade == true, account.head.asksUpgrade, isRequestWhole else {
            effects.append(.closeUpstream)
            let failure = UpstreamFailure(ResponseFailure.status(101), isSecured: true)
            return fail(failure, hasOther: hasOther, &effects)
        }
        forgetBody()
        note { $0.answered(101, at: $1) }
        if account.isLogged { account.upstreamFields = head.fields }
        account.status = 101
        state = .tunnel
        up = .flowing
        effects.append(.clientTimer(.none))
        effects.append(.upstreamTimer(.reading))
        effects.append(.passSwitch(head))
    }

    // MARK: Failures

    /// The server that was tried does not answer.
    private mutating func fail(_ failure: UpstreamFailure, hasOther: Bool, _ effects: inout Effects) {
        note { $0.failed(failure.isTimeout ? 504 : 502, at: $1) }
        effects.append(.endServer(failed: true))
        let condition: UpstreamSettings.Conditions =
            switch failure.kind {
            case .timeout: .timeout
            case .malformed: .invalidHeader
            case .unreachable, .lost, .noServer: .error
            }
        if hasOther, mayAskAnother(after: condition, isUnsent: failure.isUnsent) {
            askAnother(after: failure, &effects)
        } else {
            giveUp(failure, &effects)
        }
    }

    private mutating func askAnother(after failure: UpstreamFailure, _ effects: inout Effects) {
        account.upstreamFields = nil
        state = .asking(.connecting)
        if up == .full, asked?.body.mayGrow == true {
            up = .flowing
            effects.append(.clientTimer(.step))
        }
        effects.append(.ask(after: failure))
        effects.append(.readClient)
    }

    /// Returns true if another server may be asked: the rules allow it, there is time, and nothing was sent, or sending
    /// it twice does what sending it once does.
    private func mayAskAnother(after condition: UpstreamSettings.Conditions, isUnsent: Bool) -> Bool {
        guard let asked, asked.body.isKept, asked.nextServer.contains(condition) else { return false }
        if let deadline, time >= deadline { return false }
        return isUnsent || asked.mayRepeat
    }

    /// Answers in the place of an upstream that does not, or breaks off what it has begun.
    private mutating func giveUp(_ failure: UpstreamFailure, _ effects: inout Effects) {
        account.upstreamError = failure.text
        effects.append(.count(failure))
        guard case .asking = state else {
            leaveUpstream(closing: false, &effects)
            // The client must not take half a response for a whole one.
            abort(&effects)
            return effects.append(.closeClient(afterFlush: false))
        }
        let reason =
            switch failure.kind {
            case .noServer: "no server of the upstream is in use"
            case .timeout: "the upstream did not answer in time"
            case .unreachable, .lost, .malformed: "the upstream cannot be reached"
            }
        leaveUpstream(closing: false, keepingBody: true, &effects)
        state = .deciding(.here)
        refuseUpstream(
            IncomingRequest.Refusal(reason, status: failure.isTimeout ? .gatewayTimeout : .badGateway),
            &effects
        )
        effects.append(.readClient)
    }
}
#endif
