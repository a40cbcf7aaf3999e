#if Gateway
import Glibc
import NginxOracle
import Shunt
import Synchronization
import TestFolder
import Testing

@testable import ShuntGateway

/// Limits of requests and connections at a gateway and at a real nginx.
@Suite(.serialized) struct LimitTests {
    private static func request(_ target: String, _ rest: String = "\r\n") -> String {
        "GET \(target) HTTP/1.1\r\nHost: a.test\r\n\(rest)"
    }

    private static func status(_ port: UInt16, _ target: String) throws -> Int {
        var connection = try TestConnection(port: port)
        try connection.send(request(target, "Connection: close\r\n\r\n"))
        return try connection.response()?.status ?? 0
    }

    @Test("A full zone remembers the keys that nginx remembers")
    func fullZone() async throws {
        let upstream = try TestUpstream { _ in .text("up") }
        let rules = """
            limit_req_zone $arg_k zone=small:32k rate=1r/m;
            server { listen 80; location / { limit_req zone=small; proxy_pass \(upstream.url); } }
            """
        let keys = (100..<320).map { $0 } + [100, 319, 130, 128, 129, 131, 318, 132, 127] + (100..<140)
        @Sendable func statuses(_ port: UInt16) throws -> [Int] {
            var connection = try TestConnection(port: port)
            return try keys.map { key in
                try connection.send(Self.request("/?k=\(key)"))
                return try connection.response()?.status ?? 0
            }
        }
        try await RunningGateway.with(["rules.conf": rules]) { gateway in
            let port = gateway.port
            try await Blocking.run {
                let expected = try RealNginx.with(rules, statuses)
                #expect(expected.contains(503))
                #expect(try statuses(port) == expected)
            }
        }
    }

    @Test("A delayed request is answered in its time with its body, and one whose client leaves is forgotten")
    func delay() async throws {
        let upstream = try TestUpstream { .text("\($0.line) \($0.body.count)") }
        let rules = """
            limit_req_zone $arg_k zone=z:1m rate=2r/s;
            server {
                add_header X-Status $limit_req_status always;
                location / { limit_req zone=z burst=3; proxy_pass \(upstream.url); }
            }
            """
        try await RunningGateway.with(["rules.conf": rules]) { gateway in
            let port = gateway.port
            try await Blocking.run {
                let start = ContinuousClock.now
                func send(_ connection: inout TestConnection, _ text: String) throws { try connection.send(text) }
                var first = try TestConnection(port: port)
                var second = try TestConnection(port: port)
                var third = try TestConnection(port: port)
                try first.send(Self.request("/1?k=1"))
                #expect(try first.response()?["X-Status"] == "PASSED")
                let body = String(repeating: "b", count: 200_000)
                try second.send("POST /2?k=1 HTTP/1.1\r\nHost: a.test\r\nContent-Length: 200000\r\n\r\n")
                // What it sends ahead waits, too.
                try second.send(body + Self.request("/3?k=2"))
                usleep(60_000)
                do {
                    let leaving = try TestConnection(port: port)
                    try leaving.send(Self.request("/gone?k=1"))
                    // It has to be counted before the next one, also on a busy machine.
                    usleep(120_000)
                }
                try third.send(Self.request("/4?k=1"))
                let answer = try second.response()
                #expect(answer?.text.hasSuffix(" 200000") == true && answer?["X-Status"] == "DELAYED")
                #expect(ContinuousClock.now - start >= .milliseconds(150))
                #expect(try second.response()?.status == 200)
                #expect(try third.response()?["X-Status"] == "DELAYED")
                #expect(ContinuousClock.now - start >= .milliseconds(500))
            }
            #expect(!upstream.requests.contains { $0.line.contains("gone") })
        }
    }

    @Test("A request is counted that has a question counted, until it ends itself")
    func questions() async throws {
        let mayAnswer = Gate()
        let upstream = try TestUpstream { request in
            while request.line.contains("/slow"), !mayAnswer.isOpen.load(ordering: .relaxed) { usleep(1_000) }
            return .text("up")
        }
        let rules = """
            limit_conn_zone $server_name zone=c:1m;
            server {
                listen 80;
                server_name a.test;
                location / { auth_request /ask; proxy_pass \(upstream.url); }
                location = /ask { limit_conn c 1; proxy_pass \(upstream.url); }
            }
            """
        try await RunningGateway.with(["rules.conf": rules]) { gateway in
            let port = gateway.port
            var first = try TestConnection(port: port)
            try first.send(Self.request("/slow"))
            try await Wait.until("it is asked for consent, and sent") { upstream.requests.count == 2 }
            #expect(try Self.status(port, "/") == 500)
            mayAnswer.isOpen.store(true, ordering: .relaxed)
            #expect(try first.response()?.status == 200)
            // The last bytes of a passed answer may be read before its exchange has ended on another event loop.
            try await Wait.until("it no longer counts") { (try? Self.status(port, "/")) == 200 }
        }
    }

    @Test("No request counts any more when its client knows the answer", arguments: ["/none", "/", "/f"])
    func oneAfterAnother(path: String) async throws {
        let folder = try TestFolder(["f": "file"])
        let rules = """
            limit_conn_zone $server_name zone=c:1m;
            server { listen 80; server_name a.test; limit_conn c 1; location / { alias \(folder.path)/; } }
            """
        let change = RunningGateway.Change { $0.engine.fileSystem = LocalFileSystem() }
        try await RunningGateway.with(["rules.conf": rules], options: change) { gateway in
            let port = gateway.port
            let found = try await Blocking.run {
                Set(try (0..<300).map { _ in try Self.status(port, path) })
            }
            #expect(found == [["/none": 404, "/": 403][path] ?? 200])
        }
    }

    @Test("A connection is counted until its answer is whole or its client has left, also over a reload")
    func connections() async throws {
        let mayAnswer = Gate()
        let upstream = try TestUpstream { request in
            while request.line.contains("/slow"), !mayAnswer.isOpen.load(ordering: .relaxed) { usleep(1_000) }
            return .text("up")
        }
        func rules(_ more: String) -> String {
            """
            limit_conn_zone $arg_k zone=c:1m;
            server { listen 80; location / { limit_conn c 2; \(more) proxy_pass \(upstream.url); } }
            """
        }
        try await RunningGateway.with(["rules.conf": rules("")]) { gateway in
            let port = gateway.port
            @Sendable func slowRequests() -> Int { upstream.requests.count { $0.line.contains("/slow") } }
            do {
                let leaving = try TestConnection(port: port)
                try leaving.send(Self.request("/slow?k=1"))
                try await Wait.until("the first one waits") { slowRequests() == 1 }
                #expect(try Self.status(port, "/?k=1") == 200)
            }
            var first = try TestConnection(port: port)
            try first.send(Self.request("/slow?k=1"))
            try await Wait.until("the second one waits") { slowRequests() == 2 }
            try await Wait.until("the first one is counted no more") { (try? Self.status(port, "/?k=1")) == 200 }
            var second = try TestConnection(port: port)
            try second.send(Self.request("/slow?k=1"))
            try await Wait.until("both wait") { slowRequests() == 3 }
            #expect(
                try Self.status(port, "/?k=1") == 503 && Self.status(port, "/?k=2") == 200
                    && Self.status(port, "/?k=") == 200
            )
            try gateway.directory.replace("rules.conf", rules("limit_conn_status 429;"))
            _ = await gateway.gateway.reload()
            #expect(try Self.status(port, "/?k=1") == 429)
            mayAnswer.isOpen.store(true, ordering: .relaxed)
            #expect(try first.response()?.status == 200 && second.response()?.status == 200)
            #expect(try Self.status(port, "/slow?k=1") == 200)
        }
    }

    /// The thing that an upstream waits for.
    private final class Gate: Sendable {
        let isOpen = Atomic(false)
    }
}
#endif
