#if Gateway
import Foundation
import Glibc
import SeededRandom
import TestFolder
import Testing

/// Upstreams that go away in the middle of a body, which is often noticed while a part of it is written.
@Suite(.serialized) struct ResetUpstreamTests {
    static let clients = 4

    /// An upstream that takes a head and some of a body, and resets the connection.
    private static func resetting(after most: Int) throws -> ScriptedUpstream {
        try ScriptedUpstream { connection in
            var random = SeededGenerator(seed: UInt64(connection.number))
            guard connection.head() != nil else { return }
            var rest = random.below(most)
            while rest > 0 {
                let count = connection.receive().count
                guard count > 0 else { return }
                rest -= count
            }
            // A connection to nowhere, whose family is 0, is one that is reset. Another module may import the members of sockaddr.
            let nowhere = [UInt8](repeating: 0, count: MemoryLayout<sockaddr>.size)
            _ = nowhere.withUnsafeBytes { bytes in
                connect(
                    connection.descriptor,
                    bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self),
                    socklen_t(bytes.count)
                )
            }
        }
    }

    /// Has clients send bodies, each on a separate connection.
    private static func send(_ count: Int, bytes: Int, method: String, _ port: UInt16) async throws -> [Int] {
        try await withThrowingTaskGroup(of: [Int].self) { group in
            for _ in 0..<clients {
                group.addTask {
                    try await Blocking.run {
                        try (0..<count / clients)
                            .map { _ in
                                var connection = try TestConnection(port: port)
                                let head = "\(method) /x HTTP/1.1\r\nHost: a.test\r\nContent-Length: \(bytes)\r\n\r\n"
                                do {
                                    try connection.send(Array(head.utf8) + [UInt8](repeating: 0x61, count: bytes))
                                    return try connection.response()?.status ?? 0
                                } catch let problem as TestProblem where !problem.isSilence {
                                    // The answer came before the body was sent, and the connection is closed.
                                    return 0
                                }
                            }
                    }
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
    }

    @Test("No client is left waiting, and no connection stays", .timeLimit(.minutes(10)))
    func noneStays() async throws {
        let upstream = try Self.resetting(after: 200_000)
        let rules = try TestFolder()
        try rules.replace("rules.conf", "server { client_max_body_size 0; location / { proxy_pass \(upstream.url); } }")
        let gateway = try await ServedProgram.serving(rules: rules.path, options: ["--shutdown-timeout", "60s"])
        let statuses = try await Self.send(400, bytes: 1_000_000, method: "POST", gateway.port)
        #expect(Set(statuses).isSubset(of: [0, 502]), "\(Set(statuses))")
        gateway.send(SIGTERM)
        // Nothing is under way that a shutdown would wait for.
        try await Wait.until("shunt serve says that it has stopped") {
            gateway.errors.contains("the gateway has stopped")
        }
        #expect(try await gateway.end() == 0)
    }

    @Test(
        "The kept part of a body goes to another server, and the rest after it",
        .timeLimit(.minutes(10)),
        arguments: [60_000, 1 << 20]
    )
    func anotherServer(_ bytes: Int) async throws {
        let resetting = try Self.resetting(after: bytes / 2)
        let upstream = try TestUpstream { .text("\($0.body.count)") }
        let rules = try TestFolder()
        try rules.replace(
            "rules.conf",
            """
            upstream app { server 127.0.0.1:\(resetting.port) max_fails=0; server 127.0.0.1:\(upstream.port); }
            server { client_max_body_size 0; location / { proxy_pass http://app; } }
            """
        )
        let gateway = try await ServedProgram.serving(rules: rules.path)
        let statuses = try await Self.send(400, bytes: bytes, method: "PUT", gateway.port)
        #expect(Set(statuses) == [200], "\(Set(statuses))")
        #expect(upstream.requests.allSatisfy { $0.body.count == bytes })
        #expect(resetting.connectionCount > 20)
    }
}
#endif
