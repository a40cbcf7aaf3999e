#if Gateway
import NIOCore
import NIOHTTP1
import ShuntCore
import ShuntRules
import Testing

@testable import ShuntGateway

/// Effects of an exchange, event by event.
@Suite struct ExchangeTests {
    private struct Row {
        let name: String
        var request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
        let events: [Exchange.Event]
        /// The names of the effects of each event.
        let effects: [String]
        let outcome: Exchange.Outcome?
    }

    private static let post = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\n"
    private static let put = "PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
    private static let upgrade = "GET / HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n"
    private static let part = ByteBuffer(string: "ab")
    private static let long = ByteBuffer(repeating: 0x61, count: RequestBody.roomyLimit)

    private static func forwarded(
        _ method: HTTPMethod = .GET,
        _ length: IncomingRequest.BodyLength = .none,
        given: ByteBuffer? = nil,
        nextServer: UpstreamSettings.Conditions = [.error, .timeout],
        limit: Int = 0,
        isBuffered: Bool = false
    ) -> Exchange.Event {
        var settings = UpstreamSettings()
        settings.nextServer = nextServer
        settings.holdsBody = isBuffered
        let asked = Exchange.OutgoingRequest(
            method: method,
            length: length,
            given: given,
            settings: settings,
            asksUpgrade: true,
            room: BodyRoom()
        )
        return .forwarded(asked, limit: limit)
    }

    private static func head(_ number: Int) -> Exchange.Event {
        .head(SimulatedMessages.heads[number], hasOther: true)
    }

    private static var connected: Exchange.Event { .connected(sendsAtOnce: false) }
    private static var lost: Exchange.Event { .failed(.closed, isStale: false, hasOther: true) }
    private static var stale: Exchange.Event { .failed(.closed, isStale: true, hasOther: true) }
    private static let begins = "sendHead upstreamTimer readClient"
    private static let leaves = "endServer leaveUpstream finish readClient"
    private static let refuses = "endServer count leaveUpstream refuse readClient"

    private static var rows: [Row] {
        [
            Row(
                name: "the gateway answers",
                events: [.written(bytes: 3), .requestEnded],
                effects: ["finish readClient", ""],
                outcome: .answered
            ),
            Row(
                name: "an early answer of the gateway, and what still comes of the body",
                request: post,
                events: [.written(bytes: 3), .part(part), .part(part), .requestEnded],
                effects: ["finish readClient", "", "", ""],
                outcome: .answered
            ),
            Row(name: "no answer", events: [.unanswered], effects: ["report closeClient"], outcome: .unanswered),
            Row(
                name: "an upstream answers",
                events: [
                    forwarded(), .requestEnded, connected, head(0), .answerPart(part), .answerGoesOn, .answerEnded,
                ],
                effects: ["ask", "clientTimer", begins, "passHead", "pass", "upstreamTimer", leaves],
                outcome: .answered
            ),
            Row(
                name: "a body that waits for a connection",
                request: put,
                events: [forwarded(.PUT, .unknown), .part(part), .part(part), .requestEnded, connected],
                effects: [
                    "ask", "clientTimer", "clientTimer", "clientTimer",
                    "sendHead send send sendEnd upstreamTimer readClient",
                ],
                outcome: nil
            ),
            Row(
                name: "a body in chunks that comes before an upstream is asked, which gets its length",
                request: put,
                events: [
                    forwarded(.PUT, .unknown, isBuffered: true), .part(part), .part(part), .requestEnded, connected,
                ],
                effects: [
                    "", "clientTimer", "clientTimer", "announce ask clientTimer",
                    "sendHead send send upstreamTimer readClient",
                ],
                outcome: nil
            ),
            Row(
                name: "a long body, of which an upstream gets the beginning before the rest has come",
                request: put,
                events: [
                    forwarded(.PUT, .unknown, isBuffered: true), .part(long), connected, .part(part), .requestEnded,
                ],
                effects: [
                    "", "clientTimer ask clientTimer", "sendHead send upstreamTimer clientTimer readClient",
                    "clientTimer send", "sendEnd upstreamTimer clientTimer",
                ],
                outcome: nil
            ),
            Row(
                name: "a client that leaves before its body has come",
                request: post,
                events: [forwarded(.POST, .known(4), isBuffered: true), .part(part), .inputEnded],
                effects: ["", "clientTimer", "closeClient"],
                outcome: nil
            ),
            Row(
                name: "a body that comes faster than the upstream takes it",
                request: put,
                events: [
                    forwarded(.PUT, .unknown), connected, .part(part), .upstreamIsFull, .upstreamIsWritable,
                    .requestEnded,
                ],
                effects: [
                    "ask", begins, "clientTimer send", "clientTimer upstreamTimer",
                    "upstreamTimer clientTimer readClient",
                    "sendEnd upstreamTimer clientTimer",
                ],
                outcome: nil
            ),
            Row(
                name: "an answer that comes faster than the client takes it",
                events: [
                    forwarded(), .requestEnded, connected, head(0), .answerPart(part), .clientIsFull, .clientIsWritable,
                ],
                effects: [
                    "ask", "clientTimer", begins, "passHead", "pass", "clientTimer upstreamTimer",
                    "clientTimer upstreamTimer readUpstream",
                ],
                outcome: nil
            ),
            Row(
                name: "an idle connection that is lost, once",
                events: [forwarded(), .requestEnded, connected, stale, connected, stale],
                effects: ["ask", "clientTimer", begins, "askAgain", begins, "endServer ask readClient"],
                outcome: nil
            ),
            Row(
                name: "a server that is slow on an idle connection is not asked twice",
                events: [
                    forwarded(), .requestEnded, connected, .failed(.timeout, isStale: true, hasOther: false),
                ],
                effects: ["ask", "clientTimer", begins, refuses],
                outcome: nil
            ),
            Row(
                name: "a POST on an idle connection that is lost",
                request: post,
                events: [forwarded(.POST, .known(4)), connected, stale],
                effects: ["ask", begins, refuses],
                outcome: nil
            ),
            Row(
                name: "a server that does not answer, and the next one",
                events: [forwarded(), connected, lost, connected, head(0), .answerEnded],
                effects: ["ask", begins, "endServer ask readClient", begins, "passHead", leaves],
                outcome: nil
            ),
            Row(
                name: "a POST that was not sent goes to the next server, and not one that was",
                request: post,
                events: [
                    forwarded(.POST, .known(4)), .failed(SimulatedMessages.unreachable, isStale: false, hasOther: true),
                    connected, lost,
                ],
                effects: ["ask", "endServer ask readClient", begins, refuses],
                outcome: nil
            ),
            Row(
                name: "no server is left",
                events: [forwarded(), connected, lost, .noServer(after: .closed)],
                effects: ["ask", begins, "endServer ask readClient", "count leaveUpstream refuse readClient"],
                outcome: nil
            ),
            Row(
                name: "a status after which another server is asked",
                events: [forwarded(nextServer: .status502), connected, head(4), connected, head(0)],
                effects: ["ask", begins, "closeUpstream endServer ask readClient", begins, "passHead"],
                outcome: nil
            ),
            Row(
                name: "an answer that breaks off",
                events: [forwarded(), .requestEnded, connected, head(0), lost],
                effects: [
                    "ask", "clientTimer", begins, "passHead", "endServer count leaveUpstream report closeClient",
                ],
                outcome: .aborted
            ),
            Row(
                name: "an answer whose body no peer waits for",
                request: "HEAD / HTTP/1.1\r\nHost: a\r\n\r\n",
                events: [forwarded(.GET), .requestEnded, connected, head(0)],
                effects: [
                    "ask", "clientTimer", begins, "passHead closeUpstream endServer leaveUpstream finish readClient",
                ],
                outcome: .answered
            ),
            Row(
                name: "a body that is announced as too long",
                request: post,
                events: [forwarded(.POST, .known(4), limit: 3), .written(bytes: 0), .part(part)],
                effects: ["leaveUpstream refuse", "finish readClient", ""],
                outcome: nil
            ),
            Row(
                name: "a body that turns out too long",
                request: put,
                events: [forwarded(.PUT, .unknown, limit: 3), connected, .part(part), .part(part)],
                effects: [
                    "ask", begins, "clientTimer send", "clientTimer closeUpstream endServer leaveUpstream refuse",
                ],
                outcome: nil
            ),
            Row(
                name: "a body that rules give",
                request: post,
                events: [forwarded(.POST, .known(4), given: part), .part(part), .part(part), .requestEnded, connected],
                effects: [
                    "", "clientTimer", "clientTimer", "ask clientTimer",
                    "sendHead send upstreamTimer flushUpstream readClient",
                ],
                outcome: nil
            ),
            Row(
                name: "another protocol, to the end of both",
                request: upgrade,
                events: [
                    forwarded(), .requestEnded, connected, .switched(SimulatedMessages.switching, hasOther: true),
                    .part(part),
                    .answerPart(part), .upstreamEnded, .inputEnded, .clientClosed,
                ],
                effects: [
                    "ask", "clientTimer", begins, "clientTimer upstreamTimer passSwitch", "upstreamTimer send",
                    "upstreamTimer pass", "endClientOutput", "endUpstreamOutput", "endServer leaveUpstream report",
                ],
                outcome: .tunneled
            ),
            Row(
                name: "another protocol that was not asked for",
                events: [
                    forwarded(nextServer: .off), .requestEnded, connected,
                    .switched(SimulatedMessages.switching, hasOther: true),
                ],
                effects: ["ask", "clientTimer", begins, "closeUpstream " + refuses],
                outcome: nil
            ),
            Row(
                name: "a client that goes away while it is waited for a connection",
                events: [forwarded(), .mustWait, .clientClosed],
                effects: ["ask", "upstreamTimer", "closeUpstream endServer leaveUpstream report"],
                outcome: .aborted
            ),
            Row(
                name: "a client that goes away while another thread decides",
                events: [.awaitsDecision, .clientClosed, .decided],
                effects: ["clientTimer", "forgetDecision report", ""],
                outcome: .aborted
            ),
            Row(
                name: "a client that goes away while a limit delays its request",
                events: [.delayed, .inputEnded, .clientClosed],
                effects: ["clientTimer", "closeClient", "forgetDecision report"],
                outcome: .aborted
            ),
            Row(
                name: "a request that a limit delays twice, as it were, and the rules answer",
                events: [.delayed, .decided, .delayed, .requestEnded, .decided, .written(bytes: 1)],
                effects: ["clientTimer", "clientTimer", "clientTimer", "", "clientTimer", "finish readClient"],
                outcome: .answered
            ),
            Row(
                name: "a question in a body",
                request: post,
                events: [.awaitsQuestion(limit: 4), .part(part), .part(part), .requestEnded, .written(bytes: 2)],
                effects: ["", "clientTimer", "clientTimer", "judge", "finish readClient"],
                outcome: .answered
            ),
            Row(
                name: "a question that is too long",
                request: post,
                events: [.awaitsQuestion(limit: 3), .part(part), .part(part)],
                effects: ["", "clientTimer", "clientTimer refuseQuestion"],
                outcome: nil
            ),
            Row(
                name: "a body that breaks HTTP, before an answer and after it",
                request: put,
                events: [
                    forwarded(.PUT, .unknown), connected, .malformed(.longTarget), .written(bytes: 2),
                    .malformed(.longTarget),
                ],
                effects: [
                    "ask", begins, "closeUpstream endServer leaveUpstream refuse", "finish readClient", "closeClient",
                ],
                outcome: nil
            ),
        ]
    }

    @Test("Each event has its effects")
    func effects() throws {
        for row in Self.rows {
            var parser = RequestParser(headerLimit: 1_000)
            parser.append(ByteBuffer(string: row.request))
            guard case .head(let head)? = try parser.next() else {
                Issue.record("\(row.name): no request")
                continue
            }
            let now = NIODeadline.uptimeNanoseconds(1)
            let account = ExchangeAccount(head, time: .init(seconds: 0, nanoseconds: 0), start: now)
            var exchange = Exchange(account)
            var seen: [String] = []
            for event in row.events {
                var effects = Exchange.Effects()
                exchange.handle(event, at: now, &effects)
                var names: [String] = []
                while let effect = effects.popFirst() { names.append(String("\(effect)".prefix { $0 != "(" })) }
                seen.append(names.joined(separator: " "))
            }
            #expect(seen == row.effects, "\(row.name)")
            var outcome: Exchange.Outcome?
            if case .ended(let ended) = exchange.state { outcome = ended }
            #expect(outcome == row.outcome, "\(row.name)")
        }
    }
}
#endif
