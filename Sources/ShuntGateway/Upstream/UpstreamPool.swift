#if Gateway
import NIOCore
import NIOPosix

/// The connections of one event loop to upstreams.
///
/// A request and the connection that it is sent on are on one loop, so that nothing is handed from thread to thread.
final class UpstreamPool {
    private let loop: any EventLoop
    private let tls: UpstreamTLS
    private let names: NameTable
    /// The most connections to one upstream.
    private let limit: Int
    /// The place where the bodies are kept that may have to be sent again.
    let bodyRoom = BodyRoom()
    /// True if a server is still one of a group.
    var isInUse: (_ group: String, UpstreamEndpoint) -> Bool = { _, _ in true }
    private var idle: [UpstreamEndpoint: [UpstreamConnection]] = [:]
    /// The number of connections, with those that are being made.
    private var counts: [UpstreamEndpoint: Int] = [:]
    /// Those who wait for a connection to become free.
    private var waiting: [UpstreamEndpoint: CircularBuffer<UpstreamExchange>] = [:]
    private var sweeping: RepeatedTask?

    /// The longest time that a connection outside of groups may be idle, in milliseconds.
    static let idleTime = 60_000
    /// The interval between two checks of idle connections.
    private static let sweepInterval = TimeAmount.seconds(1)

    init(_ loop: any EventLoop, tls: UpstreamTLS, names: NameTable, limit: Int) {
        self.loop = loop
        self.tls = tls
        self.names = names
        self.limit = max(1, limit)
    }

    /// Finds or makes a connection for an exchange, which is notified by `connected` or `failed`: at once, or later.
    ///
    /// - Parameters:
    ///   - exchange: The exchange that needs a connection.
    ///   - endpoint: Where.
    ///   - isNew: Whether the connection may have served no other request.
    func connect(_ exchange: UpstreamExchange, to endpoint: UpstreamEndpoint, isNew: Bool = false) {
        if !isNew, let connection = takeIdle(endpoint) { return exchange.connected(connection) }
        guard counts[endpoint, default: 0] < limit else {
            waiting[endpoint, default: CircularBuffer()].append(exchange)
            return exchange.handle(.mustWait)
        }
        open(endpoint, for: exchange)
    }

    /// An exchange waits for no connection any more.
    func forget(_ exchange: UpstreamExchange, at endpoint: UpstreamEndpoint) {
        waiting[endpoint]?.removeAll { $0 === exchange }
    }

    /// Takes a connection back that may be used again.
    func release(_ connection: UpstreamConnection) {
        let endpoint = connection.endpoint
        if let next = waiting[endpoint]?.popFirst() { return next.connected(connection) }
        idle[endpoint, default: []].append(connection)
        limitIdle(of: connection)
        guard sweeping == nil else { return }
        let bound = NIOLoopBound(self, eventLoop: loop)
        sweeping = loop.scheduleRepeatedTask(initialDelay: Self.sweepInterval, delay: Self.sweepInterval) { _ in
            bound.value.sweep()
        }
    }

    /// A connection is gone.
    func closed(_ connection: UpstreamConnection) {
        let endpoint = connection.endpoint
        if let index = idle[endpoint]?.firstIndex(where: { $0 === connection }) { idle[endpoint]?.remove(at: index) }
        leave(endpoint)
    }

    /// Closes all connections that are idle.
    func close() {
        sweeping?.cancel()
        sweeping = nil
        for connection in idle.values.joined() { connection.close() }
    }

    // MARK: Idle connections

    /// The connection that was idle for the shortest time, if it may serve another request.
    private func takeIdle(_ endpoint: UpstreamEndpoint) -> UpstreamConnection? {
        let now = NIODeadline.now()
        while let connection = idle[endpoint]?.popLast() {
            if connection.mayServe(at: now) { return connection }
            connection.close()
        }
        return nil
    }

    /// Closes the group's connection that was idle longest where `keepalive` allows fewer.
    private func limitIdle(of connection: UpstreamConnection) {
        guard let group = connection.group, let limit = connection.idleLimit else { return }
        guard idle.values.reduce(0, { $0 + $1.count }) > limit else { return }
        var oldest: UpstreamConnection?
        var count = 0
        for candidate in idle.values.joined() where candidate.group == group {
            count += 1
            if oldest.map({ candidate.idleSince < $0.idleSince }) ?? true { oldest = candidate }
        }
        if count > limit, let oldest { drop(oldest) }
    }

    private func drop(_ connection: UpstreamConnection) {
        // It is not offered any more, though it is closed only in a moment.
        idle[connection.endpoint]?.removeAll { $0 === connection }
        connection.close()
    }

    /// Closes connections that were idle for too long, and those to servers that the rules do not have any more.
    private func sweep() {
        let now = NIODeadline.now()
        for connection in Array(idle.values.joined()) {
            let isRemoved = connection.group.map { !isInUse($0, connection.endpoint) } ?? false
            if isRemoved || !connection.mayServe(at: now) { drop(connection) }
        }
        idle = idle.filter { !$0.value.isEmpty }
        guard idle.isEmpty else { return }
        sweeping?.cancel()
        sweeping = nil
    }

    // MARK: New connections

    private func open(_ endpoint: UpstreamEndpoint, for exchange: UpstreamExchange) {
        counts[endpoint, default: 0] += 1
        let bound = NIOLoopBound(self, eventLoop: loop)
        let group = exchange.request.server.group?.name
        let bootstrap = ClientBootstrap(group: loop)
            .connectTimeout(exchange.connectTimeout)
            // The bytes that have come are read to their end, and in a tunnel each end closes separately.
            .channelOption(.allowRemoteHalfClosure, value: true)
            .channelOption(.maxMessagesPerRead, value: SocketReads.most)
            .channelInitializer { [tls] channel in
                channel.eventLoop.makeCompletedFuture {
                    let operations = channel.pipeline.syncOperations
                    let connection = UpstreamConnection(to: endpoint, group: group, pool: bound.value)
                    if let peer = endpoint.tls {
                        try operations.addHandler(connection.reads)
                        try operations.addHandler(try tls.handler(for: peer))
                    }
                    try operations.addHandler(connection)
                }
            }
        let made: EventLoopFuture<any Channel> =
            switch endpoint.place {
            case .host(let host, let port):
                // An address needs no lookup on another thread.
                if let address = try? SocketAddress(ipAddress: host, port: port) {
                    bootstrap.connect(to: address)
                } else {
                    bootstrap.resolver(NameResolver(names, on: loop)).connect(host: host, port: port)
                }
            case .unix(let path): bootstrap.connect(unixDomainSocketPath: path)
            }
        made.assumeIsolated()
            .whenComplete { result in
                switch result {
                case .success(let channel):
                    let operations = channel.pipeline.syncOperations
                    if let connection = try? operations.handler(type: UpstreamConnection.self) {
                        exchange.connected(connection)
                    } else {
                        // Closed already, which was noted.
                        exchange.failed(.closed, isStale: false)
                    }
                case .failure(let error):
                    self.leave(endpoint)
                    exchange.failed(UpstreamFailure(connecting: error), isStale: false)
                }
            }
    }

    /// There is one connection less.
    private func leave(_ endpoint: UpstreamEndpoint) {
        let count = counts[endpoint, default: 0] - 1
        counts[endpoint] = count > 0 ? count : nil
        if count < limit, let next = waiting[endpoint]?.popFirst() { open(endpoint, for: next) }
        if waiting[endpoint]?.isEmpty == true { waiting[endpoint] = nil }
    }
}
#endif
