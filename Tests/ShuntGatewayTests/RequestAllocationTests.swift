#if Gateway
import CAllocationCounter
import Logging
import NIOCore
import NIOEmbedded
import Shunt
import Testing

@testable import ShuntGateway

/// Allocations of the gateway for a request on a kept connection, from the first byte read to the last byte written.
///
/// The bounds are for a build without optimization; most of it is the channel and, for a route, the answer in JSON.
@Suite struct RequestAllocationTests {
    private static let rules = """
        server {
            listen 80;
            add_header X-Rules one;
            location = /gone { return 410; }
            location /old { return 301 /new$request_uri; }
            rewrite ^/thing/(.*)$ /item/$1 last;
        }
        route GET /item/:id item;
        """

    @Test(arguments: [("/gone", 410, 90), ("/old/a/b?c=d", 301, 90), ("/thing/17", 200, 185)])
    func isBounded(target: String, status: Int, bound: Int) async throws {
        let store = try await RuleStore.open(MemorySource(RuleArchive(["a.conf": Self.rules])))
        let loop = EmbeddedEventLoop()
        let core = GatewayCore(
            options: GatewayOptions(rules: ""),
            store: store,
            counters: CounterTable(shards: 1),
            peers: PeerTable(),
            gate: nil,
            samples: [],
            log: nil,
            ruleLogs: nil,
            tls: TLSContexts(directory: ""),
            group: loop,
            logger: Logger(label: "test"),
            live: LiveEvents(loops: 1, showsValues: false),
            routeHits: RouteHits(loops: 1)
        )
        let channel = try Self.connection(core, loop)
        let request = ByteBuffer(
            string: "GET \(target) HTTP/1.1\r\nHost: a.test\r\nUser-Agent: test/1.0\r\nAccept: */*\r\n\r\n"
        )
        var most: UInt64 = 0
        var second: Int64 = 0
        for round in 0..<20 {
            let earlier = second
            second = Timestamp.now().seconds
            let before = allocation_count()
            try channel.writeInbound(request)
            let count = allocation_count() - before
            var head = ""
            while let part = try channel.readOutbound(as: ByteBuffer.self) { head += String(buffer: part) }
            #expect(head.hasPrefix("HTTP/1.1 \(status) "))
            // The first ones fill pools, and the first one of a second makes the date.
            if round >= 4, Timestamp.now().seconds == earlier { most = max(most, count) }
        }
        #expect(most > 0 && most <= bound)
        _ = try? channel.finish(acceptAlreadyClosed: true)
    }

    /// A connection of a client.
    private static func connection(_ core: GatewayCore, _ loop: EmbeddedEventLoop) throws -> EmbeddedChannel {
        let channel = EmbeddedChannel(loop: loop)
        _ = try GatewayChannel(core: core, listener: Listener(.socket(SocketEndpoint(host: "127.0.0.1", port: 0))))
            .setUp(channel).wait()
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        return channel
    }
}
#endif
