#if Gateway
import Glibc
import NginxOracle
import Shunt
import ShuntGateway
import Testing

/// Connections that go over to another protocol, such as WebSocket.
@Suite(.serialized) struct TunnelTests {
    static let upgrade =
        "GET /chat HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: k\r\n\r\n"
    static let switching =
        "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nX-A: b\r\n\r\n"

    static func rules(_ upstream: ScriptedUpstream) -> [String: String] {
        [
            "rules.conf": """
            map $http_upgrade $connection_upgrade { default upgrade; "" close; }
            server {
                location / {
                    proxy_pass \(upstream.url);
                    proxy_http_version 1.1;
                    proxy_set_header Upgrade $http_upgrade;
                    proxy_set_header Connection $connection_upgrade;
                }
                location /plain { proxy_pass \(upstream.url); }
                location /closed { return 403; }
            }
            """
        ]
    }

    /// Answers 101 and sends back what comes.
    static func echo() throws -> ScriptedUpstream {
        try ScriptedUpstream { connection in
            guard let head = connection.head() else { return }
            guard head.contains("\r\nUpgrade: websocket\r\n"), head.contains("\r\nConnection: upgrade\r\n") else {
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nplain")
                return
            }
            connection.send(switching + "first")
            while true {
                let bytes = connection.receive()
                if bytes.isEmpty { break }
                connection.send(bytes)
            }
            connection.send("last")
        }
    }

    @Test func bytesPassBothWaysUnchanged() async throws {
        let upstream = try Self.echo()
        try await RunningGateway.with(Self.rules(upstream)) { gateway in
            let port = gateway.port
            try await Blocking.run {
                let socket = try LoopbackSocket.connected(to: port, timeoutSeconds: 20)
                // The first bytes of the other protocol come with the request.
                let isSent1 = socket.send(Array((Self.upgrade + "early").utf8))
                #expect(isSent1)
                var received: [UInt8] = []
                var space = [UInt8](repeating: 0, count: 65_536)
                func read(until count: Int) {
                    while received.count < count, case .bytes = socket.receive(into: &received, space: &space) {}
                }
                while !String(decoding: received, as: UTF8.self).contains("firstearly"),
                    case .bytes = socket.receive(into: &received, space: &space)
                {}
                let head = String(decoding: received, as: UTF8.self)
                #expect(head.hasPrefix("HTTP/1.1 101 Switching Protocols\r\n"))
                #expect(head.lowercased().contains("\r\nupgrade: websocket\r\n"))
                #expect(head.lowercased().contains("\r\nconnection: upgrade\r\n"))
                #expect(head.contains("X-A: b\r\n"))
                for number in 0..<1_000 {
                    received = []
                    let message = Array("message \(number)".utf8)
                    let isSent2 = socket.send(message)
                    #expect(isSent2)
                    read(until: message.count)
                    #expect(received == message)
                }
                received = []
                let long = (0..<(1 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31) }
                let isSent3 = socket.send(long)
                #expect(isSent3)
                read(until: long.count)
                #expect(received == long)
                // The client has sent everything, and the upstream still answers.
                shutdown(socket.descriptor, Int32(SHUT_WR))
                received = []
                while case .bytes = socket.receive(into: &received, space: &space) {}
                #expect(String(decoding: received, as: UTF8.self) == "last")
            }
        }
    }

    @Test func onlyWhereRulesAndClientAskForIt() async throws {
        let upstream = try Self.echo()
        try await RunningGateway.with(Self.rules(upstream)) { gateway in
            let plain = try await gateway.send(Self.upgrade.replacing("/chat", with: "/plain")).first
            #expect(plain?.text == "plain")
            #expect(try await gateway.get("/chat").text == "plain")
            let closed = try await gateway.send(Self.upgrade.replacing("/chat", with: "/closed")).first
            #expect(closed?.status == 403)
        }
    }

    @Test(
        "The rules add headers to a switch, as in nginx: those of any status; and Connection need not list Upgrade",
        arguments: [upgrade, upgrade.replacing("Connection: Upgrade\r\n", with: "")]
    )
    func addedHeaders(request: String) async throws {
        let upstream = try Self.echo()
        let rules = """
            server {
                listen 80;
                add_header X-Always "1" always;
                add_header X-Usual 2;
                location / {
                    proxy_pass \(upstream.url);
                    proxy_http_version 1.1;
                    proxy_set_header Upgrade $http_upgrade;
                    proxy_set_header Connection upgrade;
                }
            }
            """
        try await RunningGateway.expectAsNginx(rules) { port in
            let socket = try LoopbackSocket.connected(to: port, timeoutSeconds: 20)
            _ = socket.send(Array(request.utf8))
            var received: [UInt8] = []
            var space = [UInt8](repeating: 0, count: 65_536)
            var head: String { String(decoding: received, as: UTF8.self) }
            while !head.contains("\r\n\r\n"), case .bytes = socket.receive(into: &received, space: &space) {}
            return ["HTTP/1.1 101 Switching Protocols", "X-Always: 1", "X-Usual: 2", "X-A: b"]
                .filter { head.contains("\($0)\r\n") }
        }
    }

    @Test("A client asks an upstream for no other protocol than WebSocket, unless the rules name it")
    func otherProtocols() async throws {
        let upstream = try TestUpstream { .text($0["upgrade"] ?? "none") }
        let location = "proxy_pass \(upstream.url); proxy_set_header Connection upgrade; proxy_set_header Upgrade"
        let rules = """
            server {
                proxy_set_header Upgrade other;
                location /any { \(location) $http_upgrade; }
                location /named { \(location) h2c; location /named/any { \(location) $http_upgrade; } }
            }
            """
        try await RunningGateway.with(["rules.conf": rules]) { gateway in
            for (target, asked, sent) in [
                ("/any", "h2c", "none"), ("/any", "WebSocket", "WebSocket"), ("/any", "websocket, h2c", "none"),
                ("/any", "other", "none"), ("/named", "h2c", "h2c"), ("/named", "websocket", "h2c"),
                ("/named/any", "h2c", "none"),
            ] {
                let text = Self.upgrade.replacing("/chat", with: target).replacing("websocket", with: asked)
                let answer = try await gateway.send(text).first
                #expect(answer?.text == sent, "\(target) \(asked)")
            }
        }
    }

    @Test func aRefusedUpgradeIsAnAnswer() async throws {
        let upstream = try ScriptedUpstream { connection in
            _ = connection.head()
            connection.send("HTTP/1.1 403 No\r\nContent-Length: 2\r\n\r\nno")
        }
        try await RunningGateway.with(Self.rules(upstream)) { gateway in
            let response = try await gateway.send(Self.upgrade).first
            #expect(response?.status == 403)
            #expect(response?.text == "no")
        }
    }

    @Test func theEndOfOneEndIsTheEndOfTheOther() async throws {
        let hasEnded = Awaited<Bool>()
        let upstream = try ScriptedUpstream { connection in
            _ = connection.head()
            connection.send(Self.switching)
            if connection.number == 0 { hasEnded.set(connection.receive().isEmpty) }
        }
        try await RunningGateway.with(Self.rules(upstream)) { gateway in
            let port = gateway.port
            try await Blocking.run {
                for number in 0..<2 {
                    let socket = try LoopbackSocket.connected(to: port, timeoutSeconds: 20)
                    let isSent4 = socket.send(Array(Self.upgrade.utf8))
                    #expect(isSent4)
                    var received: [UInt8] = []
                    var space = [UInt8](repeating: 0, count: 65_536)
                    let begun = socket.receive(into: &received, space: &space)
                    #expect(begun == .bytes)
                    guard number == 1 else { continue }
                    while case .bytes = socket.receive(into: &received, space: &space) {}
                    let ended = socket.receive(into: &received, space: &space)
                    #expect(ended == .end)
                }
                #expect(hasEnded.get() == true)
            }
        }
    }
}
#endif
