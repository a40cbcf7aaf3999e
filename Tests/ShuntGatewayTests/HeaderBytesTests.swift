#if Gateway
import Glibc
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

    @Test("Bytes of a client's headers that are not UTF-8 reach rules, logs and upstreams as in nginx")
    func clientBytes() async throws {
        let echo = try SocketServer { connection, _ in
            var received: [UInt8] = []
            var byte: UInt8 = 0
            while !received.ends(in: "\r\n\r\n"), recv(connection, &byte, 1, 0) == 1 { received.append(byte) }
            let lines = received.split(separator: 0x0a)
                .filter { $0.starts(with: "X-".utf8) && $0[$0.startIndex + 2] != 0x46 }
            let body = Array(lines.sorted { $0.lexicographicallyPrecedes($1) }.joined(separator: [0x0a]))
            let answer = Array("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n".utf8) + body
            _ = send(connection, answer, answer.count, Int32(MSG_NOSIGNAL))
        }
        let rules = """
            server {
                listen 80;
                location /up { proxy_set_header X-Set "$uri|$http_x_a"; proxy_pass http://127.0.0.1:\(echo.port); }
                location /test { if ($http_x_a ~ "\\xe9b$") { add_header X-Seen $http_x_a; return 200 "yes $http_x_a"; } return 200 no; }
            }
            """
        @Sendable func answer(at port: UInt16) throws -> [[UInt8]] {
            try ["/up/%ff", "/test", "/up?a"]
                .map { target in
                    let socket = try LoopbackSocket.connected(to: port, timeoutSeconds: 20)
                    let head = Array("GET \(target) HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX-A: ".utf8)
                    let isSent = socket.send(head + [0x61, 0xe9, 0x62, 0x0d, 0x0a, 0x0d, 0x0a])
                    #expect(isSent)
                    var received: [UInt8] = []
                    var space = [UInt8](repeating: 0, count: 65_536)
                    while case .bytes = socket.receive(into: &received, space: &space) {}
                    let end = received.firstRange(of: "\r\n\r\n".utf8)?.upperBound ?? 0
                    #expect(received[end...].contains(0xe9))
                    return Array(received[end...])
                }
        }
        try await RunningGateway.expectAsNginx(rules, answer(at:))
    }
}

extension [UInt8] {
    fileprivate func ends(in text: String) -> Bool { suffix(text.utf8.count).elementsEqual(text.utf8) }
}
#endif
