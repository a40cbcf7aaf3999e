#if Gateway
import NIOCore
import ShuntRules

/// The upstream's end of one exchange: has a connection of the loop, and carries out what the exchange wants of it.
///
/// Used on one event loop only.
final class UpstreamExchange {
    let request: UpstreamRequest
    private let pool: UpstreamPool
    private let servers: PeerSearch?
    /// The seconds for connecting, and for each step of the upstream, if rules set none.
    private let usualTimes: (connecting: Int, step: Int)
    /// The connection of the client; nil when the exchange has let go of the upstream.
    private var client: ConnectionHandler?
    private var endpoint: UpstreamEndpoint
    private var connection: UpstreamConnection?
    private var waiting: Scheduled<Void>?

    /// - Parameters:
    ///   - request: The request to send.
    ///   - client: The exchange that gets the answer.
    ///   - pool: The connections to upstreams.
    init(_ request: UpstreamRequest, for client: ConnectionHandler, pool: UpstreamPool) {
        self.request = request
        self.client = client
        self.pool = pool
        usualTimes = (client.core.options.connectTimeout, client.core.options.upstreamTimeout)
        servers = request.server.group.map {
            PeerSearch($0, key: request.balancingKey, tries: request.settings.nextServerTries)
        }
        endpoint = request.server.endpoint
    }

    var connectTimeout: TimeAmount { Self.time(request.settings.connectTimeout, or: usualTimes.connecting) }

    private static func time(_ milliseconds: Int?, or seconds: Int) -> TimeAmount {
        milliseconds.map { .milliseconds(Int64($0)) } ?? .seconds(Int64(seconds))
    }

    private static var seconds: Int64 { PeerSearch.seconds(NIODeadline.now()) }

    /// True if another server of the group may be tried.
    var hasOther: Bool { servers?.hasMore ?? false }

    // MARK: What is to be done

    /// Carries out an effect.
    func perform(_ effect: Exchange.Effect) {
        switch effect {
        case .ask(let failure): ask(after: failure)
        case .askAgain: pool.connect(self, to: endpoint, isNew: true)
        case .announce(let length): request.announce(length: length)
        case .sendHead: connection?.begin(self, head: request.head, method: request.method)
        case .send(let part, let isChunked): send(part, isChunked: isChunked)
        case .sendEnd: connection?.write(Self.lastChunk)
        case .flushUpstream: flush()
        case .upstreamTimer(let timer): setTimer(timer)
        case .readUpstream: connection?.resumeReading()
        case .closeUpstream:
            if let connection {
                self.connection = nil
                connection.abandon()
            } else {
                pool.forget(self, at: endpoint)
            }
        case .endServer(let failed): servers?.end(failed: failed, at: Self.seconds)
        case .endUpstreamOutput: connection?.finishOutput()
        case .leaveUpstream:
            client = nil
            waiting?.cancel()
        default: break
        }
    }

    /// Sends the request to the upstream, or to the next server of a group.
    private func ask(after failure: UpstreamFailure?) {
        if failure == nil { client?.notes(request) }
        if let servers {
            guard let next = servers.next(at: Self.seconds) else {
                if failure == nil { client?.asks(request.server.group?.name ?? "") }
                return handle(.noServer(after: failure))
            }
            endpoint = UpstreamEndpoint(next.place, tls: request.server.endpoint.tls)
            client?.asks(next, after: failure)
        }
        client?.asks("\(endpoint.place)")
        pool.connect(self, to: endpoint, isNew: request.closes)
    }

    private func send(_ part: ByteBuffer, isChunked: Bool) {
        guard let connection else { return }
        if isChunked, part.readableBytes > 0 {
            connection.write(ByteBuffer(string: String(part.readableBytes, radix: 16) + "\r\n"))
            connection.write(part)
            connection.write(Self.lineEnd)
        } else {
            connection.write(part)
        }
        guard !connection.isWritable else { return }
        connection.flush()
        // Writing may have shown that it is gone, or has made room.
        if self.connection === connection, !connection.isWritable { handle(.upstreamIsFull) }
    }

    private static let lineEnd = ByteBuffer(string: "\r\n")
    private static let lastChunk = ByteBuffer(string: "0\r\n\r\n")

    /// Sends what has been written.
    func flush() { connection?.flush() }

    private func setTimer(_ timer: Exchange.UpstreamTimer) {
        let settings = request.settings
        switch timer {
        case .none: connection?.expectNothing()
        case .sending: connection?.expect(within: Self.time(settings.sendTimeout, or: usualTimes.step))
        case .reading: connection?.expect(within: Self.time(settings.readTimeout, or: usualTimes.step))
        case .connecting:
            guard let loop = client?.timerLoop else { return }
            let bound = NIOLoopBound((exchange: self, pool: pool), eventLoop: loop)
            waiting = loop.scheduleTask(in: connectTimeout) { [endpoint] in
                bound.value.pool.forget(bound.value.exchange, at: endpoint)
                bound.value.exchange.failed(.noConnection, isStale: false)
            }
        }
    }

    // MARK: What happens

    /// Has the exchange handle what has happened.
    func handle(_ event: Exchange.Event) { client?.handle(event) }

    func connected(_ connection: UpstreamConnection) {
        waiting?.cancel()
        guard let client else { return pool.release(connection) }
        self.connection = connection
        client.handle(.connected(sendsAtOnce: !client.isReading))
    }

    /// True if the request was sent to its end.
    var isSent: Bool { client?.exchange?.isSent ?? false }
    /// True if more of the answer may be read.
    var takesAnswer: Bool { client?.exchange?.takesAnswer ?? true }

    func flushAnswer() { client?.flushResponse() }

    /// The answer has ended, or the connection that another protocol was spoken on.
    func ended(_ event: Exchange.Event) {
        connection = nil
        handle(event)
    }

    /// Speaks another protocol on the connection.
    ///
    /// - Returns: What has come already.
    func becomeTunnel() -> ByteBuffer { connection?.becomeTunnel() ?? ByteBuffer() }

    /// The upstream does not answer, or has broken off.
    func failed(_ failure: UpstreamFailure, isStale: Bool) {
        ended(.failed(failure, isStale: isStale, hasOther: hasOther))
    }
}
#endif
