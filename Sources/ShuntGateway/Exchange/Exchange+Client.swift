#if Gateway
import NIOCore
import NIOHTTP1

/// The client's side of an exchange.
extension Exchange {
    mutating func forward(_ asked: OutgoingRequest, limit: Int, _ effects: inout Effects) {
        self.asked = asked
        let isQuestion = asked.interception.isQuestion
        if !isQuestion, !asked.interception.isOfFile { account.upstreamFields = nil }
        if asked.takesBody, let returned {
            self.asked?.body = returned
            self.returned = nil
        }
        if !isQuestion { bodyLimit = isBodyRefused && !asked.takesBody ? 0 : limit }
        if asked.takesBody, isLong(for: limit) || limit > 0 && asked.ahead > limit {
            effects.append(.leaveUpstream)
            return refuseLongBody(limit: limit, &effects)
        }
        if isQuestion {
            effects.append(.clientTimer(.none))
        } else if takeContinue() {
            effects.append(.sendContinue)
        }
        if isRequestWhole { announceLength(&effects) }
        up = asked.length == .none || isRequestWhole ? .ended : .flowing
        if !isQuestion, !isRequestWhole, waitsForBody(asked) {
            state = .asking(.held)
        } else {
            state = .asking(.connecting)
            effects.append(.ask(after: nil))
        }
    }

    /// Returns true if an upstream gets the request after the client has sent the beginning of its body.
    private func waitsForBody(_ asked: OutgoingRequest) -> Bool {
        switch account.head.body {
        case .success(.none), .failure: return false
        // One that is not sent may still be too long or cut, and the server would have acted on a request that has another one.
        case .success: return asked.isBuffered || asked.isBodyGiven
        }
    }

    /// Announces the length of a body in chunks that is there, as nginx does for servers that know no chunks.
    private mutating func announceLength(_ effects: inout Effects) {
        guard let asked, asked.isBuffered, asked.takesBody, asked.length == .unknown, asked.body.isKept else { return }
        self.asked?.length = .known(asked.body.length)
        effects.append(.announce(length: asked.body.length))
    }

    /// Returns true if the request announces a longer body; 0 is any length.
    func isLong(for limit: Int) -> Bool {
        guard limit > 0, case .success(.known(let bytes)) = account.head.body else { return false }
        return bytes > limit
    }

    /// A part of the request's body has come, or of what the client sends in another protocol.
    mutating func take(_ bytes: ByteBuffer, _ effects: inout Effects) {
        account.requestBytes += bytes.readableBytes
        if isTunnel {
            effects.append(.upstreamTimer(.reading))
            return effects.append(.send(bytes, isChunked: false))
        }
        switch state {
        // What is dropped has no more time in all than one part.
        case .answered: return
        // An upstream would wait for what is lost, and take the next request for it.
        case .deciding(.here), .deciding(.elsewhere), .deciding(.waiting), .deciding(.answered):
            isKeptAlive = false
            let refusal = IncomingRequest.Refusal("a part of the body came too early", status: .internalServerError)
            return refuse(refusal, &effects)
        default: break
        }
        effects.append(.clientTimer(.step))
        if case .deciding(.question(var text, let limit)) = state {
            state = .deciding(.here)
            guard account.requestBytes <= limit else { return effects.append(.refuseQuestion) }
            text.writeImmutableBuffer(bytes)
            state = .deciding(.question(text, limit: limit))
        } else if bodyLimit > 0, account.requestBytes > bodyLimit {
            refuseLongBody(limit: bodyLimit, &effects)
        } else if up != .ended {
            send(bytes, &effects)
        } else if case .asking = state, asked?.isBodyGiven == true {
            // Another upstream may get what this one does not.
            if returned == nil { returned = RequestBody(room: asked?.room) }
            returned?.add(bytes, isSent: true)
        }
    }

    private mutating func send(_ bytes: ByteBuffer, _ effects: inout Effects) {
        switch state {
        case .asking(let link):
            asked?.body.add(bytes, isSent: link == .open)
            guard link != .open else { break }
            guard asked?.holdsMore() == false else { return }
            up = .full
            if link == .held {
                state = .asking(.connecting)
                effects.append(.ask(after: nil))
            }
            return effects.append(.clientTimer(.none))
        case .answering: break
        case .deciding, .answered, .tunnel, .ended: return
        }
        effects.append(.send(bytes, isChunked: asked?.length == .unknown))
    }

    private mutating func refuseLongBody(limit: Int, _ effects: inout Effects) {
        if asked?.interception.isQuestion != true {
            bodyLimit = 0
            (isBodyRefused, isKeptAlive) = (true, false)
            forgetBody()
            returned = asked?.body
        }
        refuseUpstream(.longBody(limit), &effects)
    }

    mutating func endRequest(_ effects: inout Effects) {
        isRequestWhole = true
        switch state {
        case .deciding(.question(let text, _)):
            state = .deciding(.here)
            effects.append(.judge(text))
        case .asking(.held):
            state = .asking(.connecting)
            up = .ended
            announceLength(&effects)
            effects.append(.ask(after: nil))
            effects.append(.clientTimer(.none))
        case .asking(let link):
            if link == .open, up != .ended {
                if asked?.length == .unknown { effects.append(.sendEnd) }
                effects.append(.upstreamTimer(.reading))
            }
            up = .ended
            // From here on it is the upstream that takes its time.
            effects.append(.clientTimer(.none))
        case .answering:
            if asked?.length == .unknown, up != .ended { effects.append(.sendEnd) }
            up = .ended
            if down != .full { effects.append(.clientTimer(.none)) }
        case .answered: state = .ended(.answered)
        case .deciding, .tunnel, .ended: break
        }
    }

    /// The client sends nothing more.
    ///
    /// As in nginx, a client that ends its side while an upstream works for it is gone; one that a file is for still gets it, and
    /// so does any with `proxy_ignore_client_abort`.
    mutating func endInput(_ effects: inout Effects) {
        switch state {
        case .tunnel:
            up = .ended
            effects.append(.endUpstreamOutput)
        case .asking where asked?.ignoresAbort == true, .answering where asked?.ignoresAbort == true:
            if !isRequestWhole { isKeptAlive = false }
        case .asking, .answering, .deciding(.waiting): effects.append(.closeClient(afterFlush: false))
        case .deciding, .answered: if !isRequestWhole { effects.append(.closeClient(afterFlush: false)) }
        case .ended: break
        }
    }

    /// The connection of the client is gone.
    mutating func abandon(_ effects: inout Effects) {
        switch state {
        case .asking, .answering, .deciding(.answered):
            note { $0.ended(at: $1) }
            leaveUpstream(closing: true, &effects)
        case .deciding: effects.append(.forgetDecision)
        case .tunnel:
            // The upstream still gets the end if both have sent everything.
            if up != .ended || down != .ended { effects.append(.closeUpstream) }
            note { $0.ended(at: $1) }
            effects.append(.endServer(failed: false))
            leaveUpstream(closing: false, &effects)
            state = .ended(.tunneled)
            return effects.append(.report)
        case .answered:
            state = .ended(.answered)
            return
        case .ended: return
        }
        abort(&effects)
    }
}
#endif
