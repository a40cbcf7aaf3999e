#if Gateway
import NIOCore
import NginxOracle
import Shunt
import TestFolder
import Testing

@testable import ShuntGateway

@Suite("Answers that take long")
struct LongAnswerTests {
    /// A client that reads the head of an answer and no more.
    final class Stream: Sendable {
        private let socket: LoopbackSocket

        init(port: UInt16) throws { socket = try LoopbackSocket.connected(to: port, timeoutSeconds: 20) }

        func ask() -> Bool { socket.send(Array("GET /stream HTTP/1.1\r\nHost: a.test\r\n\r\n".utf8)) }

        func begin(_ number: String) async throws -> Bool {
            guard ask() else { return false }
            let descriptor = socket.descriptor
            return try await Blocking.run {
                var reader = WireReader(descriptor)
                return try reader.head()?.fields.contains { $0.name == "X-Number" && $0.value == number } ?? false
            }
        }
    }

    static func rules(_ number: Int, _ port: UInt16) -> String {
        """
        server {
            listen 80;
            location / { add_header X-Number \(number); proxy_pass http://127.0.0.1:\(port); proxy_redirect ~^/(.) /$1; }
        }
        """
    }

    @Test("They do not keep the rules of their time: a metric counts the sets in memory")
    func sets() async throws {
        let upstream = try TestUpstream { _ in
            .init(parts: ["HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n"])
        }
        try await RunningGateway.with(["rules.conf": Self.rules(0, upstream.port)]) { gateway in
            var streams: [Stream] = []
            for number in 1...8 {
                let stream = try Stream(port: gateway.port)
                #expect(try await stream.begin("\(number - 1)"))
                streams.append(stream)
                try gateway.directory.replace("rules.conf", Self.rules(number, upstream.port))
                #expect(await gateway.gateway.reload().failure == nil)
            }
            try await Self.expectFewSets(gateway)
            #expect(streams.count == 8)
        }
    }

    /// As many as the newest, the one before, and on each of a few idle event loops the set that it decided by last.
    private static func expectFewSets(_ gateway: RunningGateway) async throws {
        let metrics = try await gateway.get("/metrics", from: gateway.adminPort).text
        let line = try #require(metrics.split(separator: "\n").first { $0.hasPrefix("shunt_rules_sets ") })
        #expect(try #require(Int(line.split(separator: " ")[1])) <= 2 + min(System.coreCount, 5), "\(line)")
    }

    @Test("Answers that are waited for do not keep them either")
    func polls() async throws {
        let asked = Counter()
        let upstream = try ScriptedUpstream { connection in
            guard connection.head() != nil else { return }
            asked.add()
            _ = connection.head()
        }
        try await RunningGateway.with(["rules.conf": Self.rules(0, upstream.port)]) { gateway in
            var polls: [Stream] = []
            for number in 1...12 {
                let poll = try Stream(port: gateway.port)
                #expect(poll.ask())
                polls.append(poll)
                try await Wait.until("the upstream is asked") { asked.value == number }
                try gateway.directory.replace("rules.conf", Self.rules(number, upstream.port))
                #expect(await gateway.gateway.reload().failure == nil)
            }
            try await Self.expectFewSets(gateway)
            #expect(polls.count == 12)
        }
    }
}
#endif
