#if Gateway
import NginxOracle
import Shunt
import ShuntGateway
import TestFolder
import Testing

/// Reuse of connections to upstreams, and the end of those that misbehave.
@Suite(.serialized) struct UpstreamConnectionTests {
    static let rules = ["rules.conf": "server { location / { } }"]
    static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    static func upstream(_ upstream: ScriptedUpstream) -> RunningGateway.Change {
        RunningGateway.Change { $0.upstream = UpstreamAddress(upstream.url) }
    }

    /// Asks over one connection, so that one event loop serves all of it.
    static func ask(_ gateway: RunningGateway, _ requests: [String]) async throws -> [TestResponse] {
        let port = gateway.port
        return try await Blocking.run {
            var connection = try TestConnection(port: port)
            return try requests.map { request in
                try connection.send(request)
                guard let response = try connection.response() else { throw TestProblem("no response to \(request)") }
                return response
            }
        }
    }

    static func get(_ target: String) -> String { "GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n" }

    @Test func oneConnectionServesManyRequests() async throws {
        let upstream = try TestUpstream { _ in .text("ok") }
        try await RunningGateway.with(Self.rules, options: .upstream(upstream)) { gateway in
            let responses = try await Self.ask(gateway, Array(repeating: Self.get("/x"), count: 1_000))
            #expect(responses.allSatisfy { $0.text == "ok" })
            #expect(upstream.connectionCount == 1)
        }
    }

    static let spoiling: [String] = [
        ok + "HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nforeign", ok + "\r\n", ok + "H",
        "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok",
        "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\nX",
    ]

    @Test("A connection is not used again after these", arguments: spoiling)
    func spoiled(_ answer: String) async throws {
        let upstream = try ScriptedUpstream { connection in
            while connection.head() != nil { connection.send(answer) }
        }
        try await RunningGateway.with(Self.rules, options: Self.upstream(upstream)) { gateway in
            let responses = try await Self.ask(gateway, Array(repeating: Self.get("/x"), count: 4))
            #expect(responses.allSatisfy { $0.status == 200 && $0.text == "ok" })
            #expect(upstream.connectionCount == 4)
        }
    }

    @Test func bytesThatCameWhileNobodyAskedAreNoAnswer() async throws {
        let isSent = Awaited<Bool>()
        let upstream = try ScriptedUpstream { connection in
            guard connection.head() != nil else { return }
            connection.send(Self.ok)
            guard connection.number == 0 else { return }
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nforeign")
            // The gateway ends a connection that cannot be trusted any more.
            #expect(connection.receive().isEmpty)
            isSent.set(true)
        }
        try await RunningGateway.with(Self.rules, options: Self.upstream(upstream)) { gateway in
            let port = gateway.port
            try await Blocking.run {
                var connection = try TestConnection(port: port)
                try connection.send(Self.get("/1"))
                #expect(try connection.response()?.text == "ok")
                #expect(isSent.get() == true)
                try connection.send(Self.get("/2"))
                #expect(try connection.response()?.text == "ok")
            }
        }
    }

    static let repeated: [(String, Int)] = [
        (get("/2"), 200), ("DELETE /2 HTTP/1.1\r\nHost: a\r\n\r\n", 200),
        ("POST /2 HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n", 502),
        ("POST /2 HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi", 502),
        ("PUT /2 HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi", 200),
        ("PUT /2 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n", 200),
        ("PATCH /2 HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi", 502),
    ]

    @Test("A connection that is lost when it is used again: asked once more, where that may be", arguments: repeated)
    func stale(_ request: String, _ status: Int) async throws {
        let upstream = try ScriptedUpstream { connection in
            guard connection.head() != nil else { return }
            connection.send(Self.ok)
            _ = connection.head()
        }
        try await RunningGateway.with(Self.rules, options: Self.upstream(upstream)) { gateway in
            let responses = try await Self.ask(gateway, [Self.get("/1"), request])
            #expect(responses.map(\.status) == [200, status])
            #expect(upstream.connectionCount == (status == 200 ? 2 : 1))
        }
    }

    @Test func aNewConnectionThatIsLostIsNotAskedAgain() async throws {
        let upstream = try ScriptedUpstream { _ = $0.head() }
        try await RunningGateway.with(Self.rules, options: Self.upstream(upstream)) { gateway in
            let responses = try await Self.ask(gateway, [Self.get("/1")])
            #expect(responses.map(\.status) == [502])
            #expect(upstream.connectionCount == 1)
        }
    }

    @Test func anEarlyAnswerArrives() async throws {
        let upstream = try ScriptedUpstream { connection in
            guard connection.head() != nil else { return }
            connection.send("HTTP/1.1 403 No\r\nContent-Length: 2\r\n\r\nno")
        }
        let rules = ["rules.conf": "server { location / { proxy_request_buffering off; } }"]
        try await RunningGateway.with(rules, options: Self.upstream(upstream)) { gateway in
            let port = gateway.port
            try await Blocking.run {
                var connection = try TestConnection(port: port)
                try connection.send("POST /1 HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n0123456789")
                let response = try connection.response()
                #expect(response?.status == 403)
                #expect(response?.text == "no")
                try connection.send(String(repeating: "x", count: 99_990) + Self.get("/2"))
                #expect(try connection.response()?.status == 403)
            }
            #expect(upstream.connectionCount == 2)
        }
    }

    @Test func aClientThatGoesAwayEndsTheRequest() async throws {
        let hasEnded = Awaited<Bool>()
        let isAsked = Awaited<Bool>()
        let upstream = try ScriptedUpstream { connection in
            guard connection.head() != nil else { return }
            isAsked.set(true)
            hasEnded.set(connection.receive().isEmpty)
        }
        try await RunningGateway.with(Self.rules, options: Self.upstream(upstream)) { gateway in
            let port = gateway.port
            try await Blocking.run {
                let connection = try TestConnection(port: port)
                try connection.send(Self.get("/1"))
                #expect(isAsked.get() == true)
            }
            let isEnded = try await Blocking.run { hasEnded.get(milliseconds: 2_000) }
            #expect(isEnded == true)
        }
    }

    @Test func keepaliveLimitsIdleConnections() async throws {
        let ended = Awaited<Int>()
        let upstream = try ScriptedUpstream { connection in
            while connection.head() != nil { connection.send(Self.ok) }
            ended.set(connection.number)
        }
        let rules = """
            upstream one { server 127.0.0.1:\(upstream.port); keepalive 1; }
            server { location / { proxy_pass http://one; } }
            """
        try await RunningGateway.with(["rules.conf": rules]) { gateway in
            let port = gateway.port
            try await Blocking.run {
                // Enough of them that one event loop has two at the same time.
                for _ in 0..<3 {
                    var connections: [Box] = []
                    for _ in 0..<4 { connections.append(try Box(TestConnection(port: port))) }
                    for connection in connections { try connection.connection.send(Self.get("/1")) }
                    for connection in connections {
                        let response = try connection.connection.response()
                        #expect(response?.status == 200)
                    }
                }
                #expect(ended.get() != nil)
            }
        }
    }

    /// Holds a connection, so that there may be many.
    private final class Box {
        var connection: TestConnection
        init(_ connection: consuming TestConnection) { self.connection = connection }
    }

    @Test func aReloadThatRemovesAServerClosesItsConnections() async throws {
        let ended = Awaited<Bool>()
        let upstream = try ScriptedUpstream { connection in
            while connection.head() != nil { connection.send(Self.ok) }
            ended.set(true)
        }
        let other = try TestUpstream { _ in .text("other") }
        func rules(_ port: UInt16) -> String {
            "upstream one { server 127.0.0.1:\(port); } server { location / { proxy_pass http://one; } }"
        }
        try await RunningGateway.with(["rules.conf": rules(upstream.port)]) { gateway in
            #expect(try await gateway.get("/").text == "ok")
            try gateway.directory.replace("rules.conf", rules(other.port))
            _ = await gateway.gateway.reload()
            let isEnded = try await Blocking.run { ended.get() }
            #expect(isEnded == true)
            #expect(try await gateway.get("/").text == "other")
        }
    }

    @Test func moreRequestsThanConnectionsWait() async throws {
        let upstream = try TestUpstream { _ in .text("ok") }
        let options = RunningGateway.Change {
            $0.upstream = UpstreamAddress(upstream.url)
            $0.maximumUpstreamConnections = 1
        }
        try await RunningGateway.with(Self.rules, options: options) { gateway in
            let port = gateway.port
            try await Blocking.run {
                var connections: [Box] = []
                for _ in 0..<8 { connections.append(try Box(TestConnection(port: port))) }
                for _ in 0..<20 {
                    for connection in connections { try connection.connection.send(Self.get("/1")) }
                    for connection in connections {
                        let response = try connection.connection.response()
                        #expect(response?.text == "ok")
                    }
                }
            }
            // One for each event loop.
            #expect(upstream.connectionCount <= 2)
        }
    }

    @Test func bodiesAreTakenNoFasterThanTheyAreWanted() async throws {
        let size = 24 << 20
        let upstream = try ScriptedUpstream { connection in
            guard let head = connection.head() else { return }
            var received = 0
            if head.hasPrefix("POST") {
                while received < size { received += connection.receive().count }
                connection.send(Self.ok)
            } else {
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n")
                connection.send([UInt8](repeating: 0x61, count: size))
            }
        }
        let options = RunningGateway.Change {
            $0.upstream = UpstreamAddress(upstream.url)
            $0.maximumBodyBytes = 0
        }
        try await RunningGateway.with(Self.rules, options: options) { gateway in
            let port = gateway.port
            try await Blocking.run {
                var up = try TestConnection(port: port)
                try up.send("POST /1 HTTP/1.1\r\nHost: a\r\nContent-Length: \(size)\r\n\r\n")
                try up.send([UInt8](repeating: 0x62, count: size))
                #expect(try up.response()?.text == "ok")
                var down = try TestConnection(port: port)
                try down.send(Self.get("/1"))
                #expect(try down.response()?.body.count == size)
            }
        }
    }
}
#endif
