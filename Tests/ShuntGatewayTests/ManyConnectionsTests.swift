#if Gateway
import Foundation
import Glibc
import NginxOracle
import TestFolder
import Testing

/// Connections that are there and do nothing, and others each of which waits for its upstream.
///
/// Where the system does not allow so many open files, there are as many as it allows, and the limit of memory is less in proportion.
@Suite(.serialized) struct ManyConnectionsTests {
    static let idle = 10_000
    static let active = 1_000
    static let bytes = 200_000_000

    /// A connection of the test, which is closed with it.
    final class Connection: Sendable {
        let descriptor: Int32

        init(_ descriptor: Int32) { self.descriptor = descriptor }

        convenience init(port: UInt16) throws {
            let socket = try LoopbackSocket.connected(to: port, timeoutSeconds: 20)
            self.init(fcntl(socket.descriptor, F_DUPFD_CLOEXEC, 0))
        }

        deinit { close(descriptor) }

        var wire: ScriptedUpstream.Connection { ScriptedUpstream.Connection(descriptor: descriptor, number: 0) }

        /// Sends a request.
        func ask(_ target: String) throws {
            guard wire.send("GET \(target) HTTP/1.1\r\nHost: a.test\r\nUser-Agent: many\r\nAccept: */*\r\n\r\n") else {
                throw TestProblem("the connection is closed")
            }
        }

        /// The status of the next answer, whose body has two bytes.
        func status() throws -> Int {
            guard let head = wire.head(), wire.receive(2).count == 2,
                let status = Int(head.dropFirst(9).prefix(3))
            else { throw TestProblem("no answer") }
            return status
        }
    }

    @Test("10,000 idle connections and 1,000 that wait for their upstream take at most 200 MB")
    func together() async throws {
        let count = min(Self.idle + Self.active, Self.allowed() / 2 - 100)
        let idle = count - Self.active
        try #require(idle > 0, "the limit of open files is too low")
        let most = Self.bytes / (Self.idle + Self.active) * count
        let upstream = try LoopbackSocket.listening()
        let rules = try TestFolder()
        try rules.replace(
            "rules.conf",
            """
            server {
                location / { return 200 ok; }
                location /up { proxy_pass http://127.0.0.1:\(upstream.port); }
            }
            """
        )
        let gateway = try await ServedProgram.serving(
            rules: rules.path,
            // A busy machine takes long for so many.
            options: ["--max-connections", "\(count)", "--keep-alive-timeout", "10m", "--upstream-timeout", "10m"]
        )
        let descriptor = upstream.descriptor
        let port = gateway.port
        let statuses = try await Blocking.run {
            // Each has been used, as one that a browser keeps.
            let others = try (0..<idle)
                .map { _ in
                    let connection = try Connection(port: port)
                    try connection.ask("/x")
                    guard try connection.status() == 200 else { throw TestProblem("no answer to an idle connection") }
                    return connection
                }
            let clients = try (0..<Self.active)
                .map { number in
                    let connection = try Connection(port: port)
                    try connection.ask("/up/\(number)")
                    return connection
                }
            let asked = try clients.map { _ in
                let connection = Connection(accept(descriptor, nil, nil))
                guard connection.wire.head() != nil else { throw TestProblem("no request at the upstream") }
                return connection
            }
            // All requests are under way now.
            let bytes = try gateway.residentBytes()
            print("\(idle) idle and \(Self.active) active connections: \(bytes / 1_000_000) MB of \(most / 1_000_000)")
            #expect(bytes <= most)
            for connection in asked { connection.wire.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nup") }
            let statuses = try clients.map { try $0.status() }
            // The idle ones still serve.
            for connection in others.prefix(100) { try connection.ask("/y") }
            return statuses + (try others.prefix(100).map { try $0.status() })
        }
        #expect(statuses == [Int](repeating: 200, count: Self.active + 100))
        #expect(!gateway.errors.contains("the limit of open files"), "\(gateway.errors)")
    }

    /// The number of files that this process may have open, raised as far as the system allows.
    private static func allowed() -> Int {
        let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        guard getrlimit(kind, &limit) == 0 else { return 0 }
        limit.rlim_cur = limit.rlim_max
        setrlimit(kind, &limit)
        return Int(clamping: limit.rlim_cur)
    }
}
#endif
