#if Gateway
import NIOCore
import NginxOracle
import Testing

@testable import ShuntGateway

/// The bytes of headers that rules add.
@Suite(.serialized) struct HeaderBytesTests {
    @Test("Bytes of headers that are not UTF-8 pass unchanged, and control bytes never")
    func bytes() async throws {
        var buffer = ByteBuffer()
        buffer.writeHeader("X", [0x61, 0xff, 0x0a, 0x7f, 0xc3].span)
        #expect(Array(buffer.readableBytesView) == Array("X: a".utf8) + [0xff, 0x20, 0x20, 0xc3, 0x0d, 0x0a])
        let upstream = try TestUpstream { _ in .text("up") }
        let rules = """
            server {
                location ~ ^/own/(.*)$ { add_header X-Bytes $1; return 200 x; }
                location ~ ^/go/(.*)$ { return 302 /$1; }
                location ~ ^/up/(.*)$ { add_header X-Bytes $1; proxy_pass \(upstream.url); }
            }
            """
        try await RunningGateway.with(["r.conf": rules]) { gateway in
            let port = gateway.port
            for target in ["/own/a%ffb", "/go/a%ffb", "/up/a%ffb"] {
                let head = try await Blocking.run {
                    let socket = try LoopbackSocket.connected(to: port, timeoutSeconds: 20)
                    let isSent = socket.send(
                        Array("GET \(target) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".utf8)
                    )
                    #expect(isSent)
                    var received: [UInt8] = []
                    var space = [UInt8](repeating: 0, count: 65_536)
                    while case .bytes = socket.receive(into: &received, space: &space) {}
                    return received
                }
                #expect(head.contains([0x61, 0xff, 0x62]), "\(String(decoding: head, as: UTF8.self))")
            }
        }
    }
}
#endif
