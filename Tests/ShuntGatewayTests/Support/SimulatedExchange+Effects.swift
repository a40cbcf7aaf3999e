#if Gateway
import NIOCore
import NIOHTTP1
import SeededRandom
import ShuntCore

@testable import ShuntGateway

/// The effects of an exchange, and what has to hold.
extension SimulatedExchange {
    func perform(_ effect: Exchange.Effect) {
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
        case .decideAgain: decideAgain()
        case .clientTimer(let timer): clientTimer = timer != .none
        case .report: reports += 1
        case .closeClient: if isClientOpen { closeClient() }
        case .endClientOutput: break
        case .endClient: if isClientOpen, random.chance(80) { closeClient() }
        default: performUpstream(effect)
        }
    }

    func performUpstream(_ effect: Exchange.Effect) {
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
        case .announce(let length):
            check((link != .open || !hasHead) && isEnded, "a length is announced late, or early")
            check(length == request.bytes, "\(length) bytes are announced of \(request.bytes)")
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

    func startConnecting() {
        link = .connecting
        switch random.below(10) {
        case 0..<3: connect(isReused: true)
        case 3:
            link = .waiting
            handle(.mustWait)
        default: break
        }
    }

    func send(_ part: ByteBuffer) {
        guard link == .open, !isSwitched else { return }
        check(hasHead && !isSentEnd, "a part is sent before the head, or after the end")
        check(part.getInteger(at: 0, as: UInt8.self) == UInt8(sent), "part \(sent) of the body is lost or sent twice")
        sent += 1
        guard random.chance(15) else { return }
        isUpstreamFull = true
        handle(.upstreamIsFull)
    }

    // MARK: Checks

    /// Something is always waited for that happens, or whose time is limited.
    func checkWaits() {
        guard !exchange.isOver, !exchange.isUndecided, !isUpstreamGone else { return }
        check(clientTimer || upstreamTimer || link == .connecting, "nothing ends \(exchange.state)")
    }

    func checkEnd() {
        check(exchange.isOver, "it goes on in \(exchange.state) after the client is gone")
        check(reports == 1, "it is reported \(reports) times")
        check(finishes <= 1, "it ends \(finishes) times")
        check(room.free == 16 << 20, "memory for the body is missing")
        check(!isServing, "a server counts as asked")
        check(leaves == forwards, "of \(forwards) upstreams \(leaves) are left")
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
#endif
