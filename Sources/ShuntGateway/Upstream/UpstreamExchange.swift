#if Gateway
import NIOCore
import NIOHTTP1
import ShuntRules

/// Has a request answered by an upstream: passes its body there and the answer back, each no faster than it is taken.
///
/// Where the upstream is a group, the next server is asked as `proxy_next_upstream` says: usually after errors and timeouts, each
/// server once, and not after a request was sent that may not be sent twice. Used on one event loop only: the connection of the client, this and the connection to the upstream call each other.
final class UpstreamExchange {
    let request: UpstreamRequest
    private let pool: UpstreamPool
    private let servers: PeerSearch?
    /// The seconds for connecting, and for each step of the upstream, if rules set none.
    private let usualTimes: (connecting: Int, step: Int)
    /// The connection of the client; nil when the exchange has ended.
    private var client: ConnectionHandler? { didSet { if client == nil { body.forget() } } }
    private var endpoint: UpstreamEndpoint
    private var connection: UpstreamConnection?
    private var body: RequestBody
    /// True if the rules give the body, so that the client's is read and not sent.
    private let isBodyGiven: Bool
    /// True if the head of the answer has come, after which no other server is asked.
    private var isAnswered = false { didSet { body.forget() } }
    /// True if it was asked again after an idle connection was lost.
    private var isRepeated = false
    private var waiting: Scheduled<Void>?
    private let start = NIODeadline.now()

    /// - Parameters:
    ///   - request: What to ask.
    ///   - length: How long the body is.
    ///   - client: Who asks.
    ///   - pool: The connections to upstreams.
    init(
        _ request: UpstreamRequest,
        _ length: IncomingRequest.BodyLength,
        for client: ConnectionHandler,
        pool: UpstreamPool
    ) {
        self.request = request
        self.client = client
        self.pool = pool
        usualTimes = (client.core.options.connectTimeout, client.core.options.upstreamTimeout)
        servers = request.server.group.map {
            PeerSearch(
                $0,
                client: client.connection.address,
                key: request.balancingKey,
                tries: request.settings.nextServerTries
            )
        }
        endpoint = request.server.endpoint
        let mayRepeat =
            !Self.unrepeatable.contains(request.method) || request.settings.nextServer.contains(.nonIdempotent)
        isBodyGiven = request.body != nil
        body = RequestBody(isBodyGiven ? .none : length, room: mayRepeat ? pool.bodyRoom : nil)
        if let given = request.body, given.readableBytes > 0 { body.add(given, isSent: false) }
    }

    var connectTimeout: TimeAmount { Self.time(request.settings.connectTimeout, or: usualTimes.connecting) }
    private var sendTimeout: TimeAmount { Self.time(request.settings.sendTimeout, or: usualTimes.step) }
    private var readTimeout: TimeAmount { Self.time(request.settings.readTimeout, or: usualTimes.step) }

    private static func time(_ milliseconds: Int?, or seconds: Int) -> TimeAmount {
        milliseconds.map { .milliseconds(Int64($0)) } ?? .seconds(Int64(seconds))
    }

    private static var seconds: Int64 { PeerSearch.seconds(NIODeadline.now()) }

    private var account: RequestAccount? { client?.exchange?.account }

    // MARK: What the client does

    /// Asks the upstream, or the first server of a group.
    func begin() {
        if let servers {
            guard let first = servers.next(at: Self.seconds) else {
                account?.asks(request.server.group?.name ?? "")
                account?.note { $0.failed(502) }
                return end { $0.upstreamFailed(.noServer) }
            }
            endpoint = UpstreamEndpoint(first.place, tls: request.server.endpoint.tls)
            client?.asks(first)
        }
        account?.asks("\(endpoint.place)")
        pool.connect(self, to: endpoint)
    }

    /// Sends a part of the body.
    ///
    /// - Returns: Whether more of it may come.
    func send(_ part: ByteBuffer) -> Bool {
        if isBodyGiven { return true }
        body.add(part, isSent: connection != nil)
        guard let connection else { return body.mayGrow }
        for bytes in body.framed(part) { connection.write(bytes) }
        guard !connection.isWritable else { return true }
        connection.flush()
        // Writing may have shown that it is gone. Then the request has failed, or another server was asked and what is kept sent there.
        guard self.connection === connection else { return self.connection?.isWritable ?? body.mayGrow }
        guard !connection.isWritable else { return true }
        if !isAnswered { connection.expect(within: sendTimeout) }
        return false
    }

    /// The body has ended.
    func endBody() {
        guard !isBodyGiven else { return }
        body.hasEnded = true
        guard let connection else { return }
        if let end = body.end { connection.write(end) }
        if !isAnswered { connection.expect(within: readTimeout) }
    }

    /// Sends what has been written.
    func flush() { connection?.flush() }

    /// The client has caught up with the answer.
    func resumeAnswer() {
        connection?.expect(within: readTimeout)
        connection?.resumeReading()
    }

    /// The client is gone.
    func cancel() {
        client = nil
        if let connection {
            self.connection = nil
            connection.abandon()
        } else {
            pool.forget(self, at: endpoint)
        }
        waiting?.cancel()
        servers?.end(failed: false, at: Self.seconds)
    }

    // MARK: The connection

    /// All connections that there may be are in use.
    func waitForConnection(on loop: any EventLoop) {
        let bound = NIOLoopBound(self, eventLoop: loop)
        waiting = loop.scheduleTask(in: connectTimeout) { [endpoint, pool = NIOLoopBound(pool, eventLoop: loop)] in
            pool.value.forget(bound.value, at: endpoint)
            bound.value.failed(.noConnection, isStale: false)
        }
    }

    func connected(_ connection: UpstreamConnection) {
        waiting?.cancel()
        waiting = nil
        guard let client else { return pool.release(connection) }
        self.connection = connection
        account?.note { $0.connected() }
        connection.begin(self, request.head, request.method)
        // It may have ended already.
        guard self.connection === connection else { return }
        for part in body.kept { for bytes in body.framed(part) { connection.write(bytes) } }
        if body.hasEnded {
            if let end = body.end { connection.write(end) }
            connection.expect(within: readTimeout)
        }
        // The end of what the client sent with the head comes at once.
        if isBodyGiven || !client.isReading { connection.flush() }
        client.resumeReading()
    }

    /// True if the request was sent to its end.
    var isSent: Bool { body.hasEnded }

    func upstreamIsWritable(_ isWritable: Bool) {
        guard let connection, isWritable, !isAnswered || !body.hasEnded else { return }
        if body.hasEnded { connection.expect(within: readTimeout) } else { connection.expectNothing() }
        client?.resumeReading()
    }

    // MARK: The answer

    func received(_ head: ResponseHead) {
        account?.note { $0.answered(Int(head.status.code)) }
        if let servers, servers.hasMore, let condition = UpstreamSettings.Conditions(status: Int(head.status.code)),
            mayAskAnother(after: condition, isUnsent: false)
        {
            connection?.abandon()
            connection = nil
            // These answers are none of a server that has failed.
            servers.end(failed: condition != .status403 && condition != .status404, at: Self.seconds)
            account?.note { $0.ended() }
            let failure = UpstreamFailure(status: head.status.code)
            return askNext(after: failure) ? () : end { $0.upstreamFailed(failure) }
        }
        isAnswered = true
        guard let client, !client.startResponse(head) else { return }
        // Nothing of the body is wanted.
        cancel()
    }

    func received(_ part: ByteBuffer) {
        account?.note { $0.length += part.readableBytes }
        guard let client, !client.pass(part) else { return }
        connection?.pauseReading()
        connection?.expectNothing()
    }

    /// More of the answer is to come.
    func answerGoesOn() { if isAnswered || body.hasEnded { connection?.expect(within: readTimeout) } }

    func flushAnswer() { client?.flushResponse() }

    func ended() {
        connection = nil
        servers?.end(failed: false, at: Self.seconds)
        account?.note { $0.ended() }
        end { $0.endResponse() }
    }

    /// The connection is to be used for another protocol.
    func switched(_ head: ResponseHead, on connection: UpstreamConnection) {
        guard let client else { return connection.abandon() }
        guard request.asksUpgrade, client.mayUpgrade else {
            connection.abandon()
            return failed(UpstreamFailure(ResponseFailure.status(101), isSecured: true), isStale: false)
        }
        self.client = nil
        self.connection = nil
        client.startTunnel(head, connection, idleTime: readTimeout) { [servers] in
            servers?.end(failed: false, at: Self.seconds)
        }
    }

    // MARK: Failures

    /// The upstream does not answer, or has broken off.
    ///
    /// - Parameters:
    ///   - failure: What happened.
    ///   - isStale: Whether an idle connection was lost: one that the upstream closed at the same moment is no failure of the
    ///     upstream, and asking again on a new one may go well.
    func failed(_ failure: UpstreamFailure, isStale: Bool) {
        connection = nil
        guard client != nil else { return }
        if isStale, !isRepeated, body.isKept, Self.idempotent.contains(request.method) {
            isRepeated = true
            return pool.connect(self, to: endpoint, isNew: true)
        }
        account?.note { $0.failed(failure.isTimeout ? 504 : 502) }
        let hasMore = servers?.end(failed: !isAnswered, at: Self.seconds) ?? false
        let condition: UpstreamSettings.Conditions =
            switch failure.kind {
            case .timeout: .timeout
            case .malformed: .invalidHeader
            case .unreachable, .lost, .noServer: .error
            }
        if hasMore, mayAskAnother(after: condition, isUnsent: failure.isUnsent), askNext(after: failure) { return }
        end { $0.upstreamFailed(failure) }
    }

    /// Asks the next server; false where none is in use.
    private func askNext(after failure: UpstreamFailure) -> Bool {
        guard let client, let next = servers?.next(at: Self.seconds) else { return false }
        endpoint = UpstreamEndpoint(next.place, tls: request.server.endpoint.tls)
        client.asks(next, after: failure)
        account?.asks("\(endpoint.place)")
        pool.connect(self, to: endpoint)
        return true
    }

    /// Returns true if another server may be asked: the rules say so, there is time, and nothing was sent, or sending
    /// it twice does what sending it once does.
    private func mayAskAnother(after condition: UpstreamSettings.Conditions, isUnsent: Bool) -> Bool {
        let settings = request.settings
        guard !isAnswered, body.isKept, settings.nextServer.contains(condition) else { return false }
        let limit = settings.nextServerTimeout
        if limit > 0, NIODeadline.now() - start >= .milliseconds(Int64(limit)) { return false }
        return isUnsent || !Self.unrepeatable.contains(request.method) || settings.nextServer.contains(.nonIdempotent)
    }

    /// Methods of which asking twice does what asking once does.
    ///
    /// https://www.rfc-editor.org/rfc/rfc9110#section-9.2.2
    private static let idempotent: [HTTPMethod] = [.GET, .HEAD, .OPTIONS, .PUT, .DELETE]
    /// Methods that nginx passes to one server only, once they were sent.
    private static let unrepeatable: [HTTPMethod] = [.POST, .LOCK, .PATCH]

    private func end(_ tell: (ConnectionHandler) -> Void) {
        guard let client else { return }
        self.client = nil
        tell(client)
    }
}
#endif
