#if Gateway
import NIOCore
import NIOHTTP1
import ShuntRules

extension Exchange {
    enum Event {
        // The decision.

        /// The body of the request is the question, of which so many bytes are read.
        case awaitsQuestion(limit: Int)
        /// Another thread decides.
        case awaitsDecision
        /// A limit delays the decision.
        case delayed
        /// Another thread has decided, or a delay is over.
        case decided
        /// An upstream is to answer; with the longest body, 0 for any.
        case forwarded(OutgoingRequest, limit: Int)
        /// The gateway has written an answer with so many bytes after its head.
        case written(bytes: Int)
        /// The client gets no answer.
        case unanswered

        // The client.

        case part(ByteBuffer)
        case requestEnded
        /// The rest of the request cannot be read.
        case malformed(IncomingRequest.Refusal)
        case inputEnded
        case clientClosed
        /// There is no request after this one.
        case quiescing
        case clientIsFull
        case clientIsWritable

        // The upstream.

        /// All connections that there may be are in use.
        case mustWait
        /// There is a connection; what is written is sent at once, or with what comes in the same read.
        case connected(sendsAtOnce: Bool)
        /// No server may be asked, for the first time, or after another one.
        case noServer(after: UpstreamFailure?)
        case upstreamIsFull
        case upstreamIsWritable
        /// The answer has begun; with whether another server of the group may be asked.
        case head(ResponseHead, hasOther: Bool)
        case answerPart(ByteBuffer)
        /// A part of a file is to be sent.
        case answerFile(OpenFile, Range<Int>)
        /// There is no answer but this, or no more of the answer.
        case refused(IncomingRequest.Refusal)
        /// All that has come was taken, and more is to come.
        case answerGoesOn
        case answerEnded
        /// The upstream agrees to another protocol.
        case switched(ResponseHead, hasOther: Bool)
        /// The upstream sends nothing more in another protocol.
        case upstreamEnded
        /// The connection that another protocol was spoken on is gone.
        case upstreamClosed
        /// The upstream does not answer, or has broken off; `isStale` if an idle connection was lost: one that the
        /// upstream closed at the same moment is not a failure of the upstream, and asking again on a new one may go
        /// well.
        case failed(UpstreamFailure, isStale: Bool, hasOther: Bool)
    }

    enum Effect {
        // The client.

        case sendContinue
        /// Pass on the head of the upstream's answer.
        case passHead(ResponseHead, HTTPResponseStatus, AnswerFraming)
        /// Pass on the agreement to another protocol, and what has come after it.
        case passSwitch(ResponseHead)
        case pass(ByteBuffer, isChunked: Bool)
        case passFile(OpenFile, Range<Int>)
        /// End the answer and report on it.
        case finish(Ending, isChunked: Bool)
        /// Answer why the request is not answered.
        case refuse(IncomingRequest.Refusal)
        /// Decide about the question.
        case judge(ByteBuffer)
        case refuseQuestion
        case forgetDecision
        /// Decide about the request again, with an answer of its upstream.
        case decideAgain(UpstreamAnswer)
        case clientTimer(ClientTimer)
        case readClient
        case report
        case flushClient
        case closeClient(afterFlush: Bool)
        /// Send nothing after what is written.
        case endClientOutput
        /// Close the connection after what is written.
        case endClient

        // The upstream.

        /// Ask the server, or the next one of a group.
        case ask(after: UpstreamFailure?)
        /// Ask the same one on a new connection.
        case askAgain
        /// Put the length of the body into the head that is not sent yet.
        case announce(length: Int)
        case sendHead
        case send(ByteBuffer, isChunked: Bool)
        /// Send the end of chunks.
        case sendEnd
        case flushUpstream
        case upstreamTimer(UpstreamTimer)
        case readUpstream
        /// Close the connection, or want none any more.
        case closeUpstream
        /// The server of a group is not asked any more.
        case endServer(failed: Bool)
        case endUpstreamOutput
        case leaveUpstream
        case count(UpstreamFailure)
    }

    /// The effects that are still to be carried out, in order.
    struct Effects {
        private var list: [Effect] = []
        private var next = 0

        mutating func append(_ effect: Effect) { list.append(effect) }

        /// The next effect; nil where all are carried out.
        mutating func popFirst() -> Effect? {
            guard next < list.count else {
                list.removeAll(keepingCapacity: true)
                next = 0
                return nil
            }
            defer { next += 1 }
            return list[next]
        }
    }

    /// The end of an answer.
    enum Ending {
        /// The connection waits for another request, so many milliseconds if rules set it.
        case keeps(idle: Int?)
        case closes
        /// The rest of what the client sends must be read, or the system takes the answer back before it is read.
        case closesOutput
    }

    /// The time that the client has: any, or that of one step.
    enum ClientTimer { case none, step }

    /// The time that the upstream has: any, until a connection becomes free, until it takes more, or until it sends
    /// something.
    enum UpstreamTimer { case none, connecting, sending, reading }

    /// The request to an upstream, as far as the exchange depends on it.
    struct OutgoingRequest {
        let method: HTTPMethod
        /// The length of the part of the client's body that is sent.
        var length: IncomingRequest.BodyLength
        /// The beginning of the body, which can be sent again; all of one that the rules set.
        var body = RequestBody(room: nil)
        /// The place where a body that may be sent again has more room.
        private(set) var room: BodyRoom?
        let isBodyGiven: Bool
        /// True if it is sent after the beginning of the client's body has come.
        let isBuffered: Bool
        /// True if the upstream answers for a client that has closed its side, too.
        let ignoresAbort: Bool
        let asksUpgrade: Bool
        let interception: Interception
        /// The conditions for asking another server of a group.
        let nextServer: UpstreamSettings.Conditions
        /// The milliseconds after which no other server is tried; 0 for any time.
        let nextServerTime: Int
        /// The number of bytes of the client's body that have come already, where none of it is held.
        var ahead = 0
        /// The number of times that it may be tried again after an idle connection was lost.
        var repeats = 1

        init(
            method: HTTPMethod,
            length: IncomingRequest.BodyLength,
            given: ByteBuffer?,
            settings: UpstreamSettings,
            asksUpgrade: Bool,
            interception: Interception = Interception(),
            room: BodyRoom
        ) {
            self.method = method
            self.length = given == nil ? length : .none
            self.asksUpgrade = asksUpgrade
            self.interception = interception
            isBodyGiven = given != nil
            isBuffered = settings.holdsBody && !interception.isOfFile
            ignoresAbort = settings.ignoresAbort || interception.isOfFile
            nextServer = settings.nextServer
            nextServerTime = settings.nextServerTimeout ?? 0
            let isRepeatable = mayRepeat || !interception.statuses.isEmpty
            if isRepeatable { self.room = room }
            if isRepeatable || isBuffered && length == .unknown {
                body = RequestBody(room: room, isRepeatable: isRepeatable)
            }
            if let given, given.readableBytes > 0 { body.add(given, isSent: false) }
        }

        /// True if the upstream gets the client's body.
        var takesBody: Bool { length != .none && !isBodyGiven }

        /// Reserves room for more of the body before any of it is sent.
        ///
        /// - Returns: False where it is time to send what there is. A body without a known length may still be too long, and
        ///   then nginx asks no one.
        mutating func holdsMore() -> Bool { isBuffered && length == .unknown ? body.grow() : body.mayGrow }

        /// True if asking twice does what asking once does.
        ///
        /// https://www.rfc-editor.org/rfc/rfc9110#section-9.2.2
        var isIdempotent: Bool { [.GET, .HEAD, .OPTIONS, .PUT, .DELETE].contains(method) }

        /// True if it may be sent twice: nginx passes some methods to one server only, once they were sent.
        var mayRepeat: Bool { ![.POST, .LOCK, .PATCH].contains(method) || nextServer.contains(.nonIdempotent) }
    }
}
#endif
