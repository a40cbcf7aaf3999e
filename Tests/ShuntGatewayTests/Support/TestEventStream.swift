#if Gateway
import NginxOracle

/// A listener of `/events`: a separate connection, closed when the value goes away.
final class TestEventStream: @unchecked Sendable {
    private let socket: LoopbackSocket
    private var received: [UInt8] = []
    private var space = [UInt8](repeating: 0, count: 65_536)

    init(port: UInt16, target: String = "/events") throws {
        socket = try LoopbackSocket.connected(to: port, timeoutSeconds: 20)
        guard socket.send(Array("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)) else {
            throw TestProblem("the connection is closed")
        }
    }

    /// All that has come, as soon as a condition holds for it.
    func text(until condition: @escaping @Sendable (String) -> Bool) async throws -> String {
        try await Blocking.run {
            while true {
                let text = String(decoding: self.received, as: UTF8.self)
                if condition(text) { return text }
                guard case .bytes = self.socket.receive(into: &self.received, space: &self.space) else {
                    throw TestProblem("the events end with: \(text.suffix(500))")
                }
            }
        }
    }
}
#endif
