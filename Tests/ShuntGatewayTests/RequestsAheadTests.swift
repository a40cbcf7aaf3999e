#if Gateway
import Glibc
import NginxOracle
import TestFolder
import Testing

/// Requests that a client sends without waiting for answers, more than anyone would keep.
@Suite struct RequestsAheadTests {
    /// The memory that the program may have to itself; see `LargeBodyTests`.
    private static let memory = 12 << 20

    @Test("Requests ahead of one that an upstream answers stay with the client", arguments: ["GET", "PUT"])
    func bounded(method: String) async throws {
        let upstream = try TestUpstream { _ in .text("ok") }
        let folder = try TestFolder(["r.conf": "server { location / { proxy_pass \(upstream.url); } }"])
        let gateway = try await ServedProgram.serving(rules: folder.path)
        let port = gateway.port
        let answered = try await Blocking.run {
            let socket = try LoopbackSocket.connected(to: port, timeoutSeconds: 20)
            let body = method == "PUT" ? "Content-Length: 2\r\n\r\nhi" : "\r\n"
            let request = "\(method) /x HTTP/1.1\r\nHost: a.test\r\n\(body)"
            let many = Array(String(repeating: request, count: 1_000).utf8)
            var sent = 0
            for _ in 0..<20_000 where upstream.requests.count < 600 {
                let rest = many[(sent % many.count)...]
                let count = rest.withUnsafeBytes {
                    send(socket.descriptor, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
                }
                if count > 0 { sent += count } else { usleep(1_000) }
            }
            return upstream.requests.count
        }
        #expect(answered >= 600)
        let taken = try gateway.ownBytes()
        #expect(taken < Self.memory, "\(taken >> 10) KiB")
    }
}
#endif
