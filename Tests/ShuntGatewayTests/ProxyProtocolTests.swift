#if Gateway
import Foundation
import Shunt
import TestFolder
import TestSettings
import Testing

@testable import ShuntGateway

@Suite("The PROXY protocol")
struct ProxyProtocolTests {
    private static let signature = Array("\r\n\r\n\0\r\nQUIT\n".utf8)

    /// A preface of version 2.
    private static func binary(_ command: UInt8, _ family: UInt8, _ body: [UInt8], length: Int? = nil) -> [UInt8] {
        let length = length ?? body.count
        return signature + [command, family, UInt8(length >> 8 & 0xff), UInt8(length & 0xff)] + body
    }

    private static let four: [UInt8] = [192, 0, 2, 1, 192, 0, 2, 2, 0x12, 0x34, 0, 80]
    private static let six: [UInt8] =
        [0x20, 1, 0x0d, 0xb8] + [UInt8](repeating: 0, count: 11) + [1] + [0x20, 1, 0x0d, 0xb8]
        + [UInt8](repeating: 0, count: 11) + [2] + [0, 1, 1, 0xbb]

    private static func preface(_ client: String, _ port: Int, _ server: String, _ serverPort: Int) -> ProxyPreface {
        ProxyPreface(client: .init(address: client, port: port), server: .init(address: server, port: serverPort))
    }

    @Test("Both versions are read")
    func reads() {
        let table: [([UInt8], ProxyPreface)] = [
            (
                Array("PROXY TCP4 192.0.2.1 192.0.2.2 4660 80\r\n".utf8),
                Self.preface("192.0.2.1", 4660, "192.0.2.2", 80)
            ),
            (
                Array("PROXY TCP6 2001:db8::1 2001:db8::2 1 443\r\n".utf8),
                Self.preface("2001:db8::1", 1, "2001:db8::2", 443)
            ), (Array("PROXY UNKNOWN\r\n".utf8), ProxyPreface()),
            (Array("PROXY UNKNOWN ffff::1 x y z\r\n".utf8), ProxyPreface()),
            (Self.binary(0x21, 0x11, Self.four), Self.preface("192.0.2.1", 4660, "192.0.2.2", 80)),
            (Self.binary(0x21, 0x21, Self.six), Self.preface("2001:db8::1", 1, "2001:db8::2", 443)),
            // More facts follow the addresses, and are not read.
            (Self.binary(0x21, 0x11, Self.four + [4, 0, 1, 0]), Self.preface("192.0.2.1", 4660, "192.0.2.2", 80)),
            (Self.binary(0x20, 0x00, []), ProxyPreface(isLocal: true)),
            (Self.binary(0x20, 0x11, Self.four), ProxyPreface(isLocal: true)),
            (Self.binary(0x21, 0x00, []), ProxyPreface()),
            (Self.binary(0x21, 0x31, Array(repeating: 0, count: 216)), ProxyPreface()),
            (Self.binary(0x21, 0x12, Self.four), ProxyPreface()),
        ]
        for (bytes, preface) in table {
            let found = ProxyPreface.read((bytes + [0x47, 0x45])[...])
            #expect(found == .preface(preface, length: bytes.count), "\(bytes)")
            for count in 0..<bytes.count { #expect(ProxyPreface.read(bytes.prefix(count)) == .incomplete) }
        }
    }

    @Test(
        "Bytes that are not a preface",
        arguments: [
            "GET / HTTP/1.1\r\n", "PROXY  TCP4 1.2.3.4 1.2.3.4 1 2\r\n", "PROXY TCP4 1.2.3.4 1.2.3.4 1\r\n",
            "PROXY TCP4 1.2.3.4 1.2.3.4 1 65536\r\n", "PROXY TCP4 ::1 ::1 1 2\r\n",
            "PROXY TCP6 1.2.3.4 1.2.3.4 1 2\r\n",
            "PROXY TCP4 1.2.3 1.2.3.4 1 2\r\n", "PROXY TCP4 1.2.3.4 1.2.3.4 1 2\n",
            "PROXY TCP4 1.2.3.4 1.2.3.4 1 2 3\r\n",
            "PROXY TCP4 1.2.3.4 1.2.3.4 1 -2\r\n", "PROXY TCP5 1.2.3.4 1.2.3.4 1 2\r\n", "proxy UNKNOWN\r\n", "\n",
            "PROXY UNKNOWN " + String(repeating: "x", count: 107), "\r\n\r\n\0\r\nQUIT\n1", "\r\n\r\nGET",
        ]
    )
    func refuses(text: String) {
        #expect(ProxyPreface.read(Array(text.utf8)[...]) == .none)
    }

    @Test("Bytes that are not a preface of version 2")
    func refusesBinary() {
        for bytes in [
            Self.binary(0x31, 0x11, Self.four), Self.binary(0x22, 0x11, Self.four),
            Self.binary(0x21, 0x11, [192, 0, 2, 1]), Self.binary(0x21, 0x21, Self.four),
            Self.binary(0x21, 0x11, Self.four, length: 5_000),
        ] { #expect(ProxyPreface.read(bytes[...]) == .none, "\(bytes)") }
    }

    @Test("Random and truncated prefaces never end the program")
    func random() {
        let count = TestSettings.prefaces
        var generator = SystemRandomNumberGenerator()
        let seeds = [
            Self.binary(0x21, 0x11, Self.four), Self.binary(0x21, 0x21, Self.six),
            Array("PROXY TCP4 192.0.2.1 192.0.2.2 4660 80\r\n".utf8), Array("PROXY UNKNOWN\r\n".utf8),
        ]
        var found = 0
        for _ in 0..<count {
            var bytes = seeds.randomElement(using: &generator) ?? []
            for _ in 0..<Int.random(in: 0...4, using: &generator) {
                let place = Int.random(in: 0..<bytes.count, using: &generator)
                bytes[place] = UInt8.random(in: 0...255, using: &generator)
            }
            if Bool.random(using: &generator) { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &generator)) }
            if case .preface(_, let length) = ProxyPreface.read(bytes[...]) {
                found += 1
                #expect(length <= bytes.count)
            }
        }
        #expect(found > count / 20)
    }

    private static let rules = """
        server {
            listen 80 proxy_protocol;
            set_real_ip_from 127.0.0.1;
            real_ip_header proxy_protocol;
            return 200 "$remote_addr|$realip_remote_addr|$proxy_protocol_addr|$proxy_protocol_port|$proxy_protocol_server_addr|$proxy_protocol_server_port";
        }
        """
    private static var listening: RunningGateway.Change {
        RunningGateway.Change {
            $0.listeners = ["proxy_protocol:127.0.0.1:0=0.0.0.0:80"].compactMap { Listener($0) }
        }
    }

    @Test("Rules see what nginx sees", .timeLimit(.minutes(10)))
    func asNginx() async throws {
        let prefaces: [[UInt8]] = [
            Array("PROXY TCP4 192.0.2.1 192.0.2.2 4660 80\r\n".utf8),
            Array("PROXY TCP6 2001:db8::1 2001:db8::2 1 443\r\n".utf8), Array("PROXY UNKNOWN\r\n".utf8),
            Self.binary(0x21, 0x11, Self.four), Self.binary(0x21, 0x21, Self.six), Self.binary(0x20, 0x00, []),
            [], Array("PROXY TCP4 1.2.3.4\r\n".utf8), Array("PROXY TCP4 1.2.3.4 1.2.3.4 1 70000\r\n".utf8),
        ]
        let request = Array(
            "GET / HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\nproxy_protocol: 192.0.2.9\r\n\r\n".utf8
        )
        let rules = "underscores_in_headers on;\n" + Self.rules
        try await RunningGateway.with(["rules.conf": rules], options: Self.listening) { gateway in
            let port = gateway.port
            try await Blocking.run {
                try RealNginx.with(rules) { nginx in
                    for preface in prefaces {
                        let expected = try BesideProxy.ask(nginx, preface + request)
                        let found = try BesideProxy.ask(port, preface + request)
                        #expect(found == expected, "\(String(decoding: preface, as: UTF8.self))")
                        #expect(found?.text == expected?.text)
                    }
                }
            }
        }
    }

    @Test("A preface that comes byte by byte is one, and what follows is the request")
    func trickles() async throws {
        try await RunningGateway.with(["rules.conf": Self.rules], options: Self.listening) { gateway in
            let port = gateway.port
            let text = try await Blocking.run {
                var connection = try TestConnection(port: port)
                for byte in Self.binary(0x21, 0x11, Self.four) { try connection.send([byte]) }
                for _ in 0..<2 { try connection.send("GET / HTTP/1.1\r\nHost: a.test\r\n\r\n") }
                _ = try connection.response()
                return try connection.response()?.text
            }
            #expect(text == "192.0.2.1|127.0.0.1|192.0.2.1|4660|192.0.2.2|80")
        }
    }

    @Test("The client that a trusted proxy names is the client everywhere, and its headers are its own")
    func trusted() async throws {
        let upstream = try TestUpstream { _ in .text("up") }
        let change = RunningGateway.Change { options in
            Self.listening.apply(&options)
            _ = options.trustedProxies.trust("127.0.0.1")
            options.upstream = UpstreamAddress(upstream.url)
            options.accessLog = options.rules + "/log"
        }
        let rules =
            "server { listen 80 proxy_protocol; location = /a { return 200 \"$remote_addr $remote_port $scheme\"; } }"
        try await RunningGateway.with(["rules.conf": rules], options: change) { gateway in
            let preface = Self.binary(0x21, 0x11, Self.four)
            let request =
                "GET /a HTTP/1.1\r\nHost: a.test\r\nX-Forwarded-Proto: https\r\nX-Forwarded-For: 192.0.2.9\r\n\r\n"
            let answers = try await gateway.send(
                preface + Array((request + request.replacing("/a", with: "/b")).utf8),
                responses: 2
            )
            #expect(answers.first?.text == "192.0.2.1 4660 http")
            #expect(upstream.requests.first?["X-Forwarded-For"] == "192.0.2.1")
            try await Wait.until("the log is written") {
                try String(contentsOfFile: gateway.directory.path + "/log", encoding: .utf8)
                    .contains(#""client":"192.0.2.1","port":4660"#)
            }
        }
    }

    /// The prefaces of a sender that is trusted, and the scheme of a request that claims to come by https.
    private static let unknown: [([UInt8], String)] = [
        (Array("PROXY UNKNOWN\r\n".utf8), "http"), (binary(0x21, 0x00, []), "http"),
        (binary(0x21, 0x31, Array(repeating: 0, count: 216)), "http"), (binary(0x21, 0x12, four), "http"),
        (binary(0x21, 0x11, four), "http"), (binary(0x20, 0x00, []), "https"),
    ]

    @Test("A client whose address the proxy does not know is not believed; the proxy itself is", arguments: unknown)
    func unknownClients(_ preface: [UInt8], _ scheme: String) async throws {
        let change = RunningGateway.Change { options in
            Self.listening.apply(&options)
            _ = options.trustedProxies.trust("127.0.0.1")
        }
        let rules = "server { listen 80 proxy_protocol; return 200 \"$remote_addr $scheme\"; }"
        try await RunningGateway.with(["rules.conf": rules], options: change) { gateway in
            let request = "GET / HTTP/1.1\r\nHost: a.test\r\nX-Forwarded-Proto: https\r\n\r\n"
            let answer = try await gateway.send(preface + Array(request.utf8)).first
            let address = preface == Self.binary(0x21, 0x11, Self.four) ? "192.0.2.1" : "127.0.0.1"
            #expect(answer?.text == "\(address) \(scheme)")
        }
    }

    @Test("HAProxy sends both versions", .timeLimit(.minutes(10)), arguments: ["send-proxy", "send-proxy-v2"])
    func haproxy(option: String) async throws {
        try await RunningGateway.with(["rules.conf": Self.rules], options: Self.listening) { gateway in
            let proxy = try await RecipeProxy.haproxy(.passing(to: gateway.port, option))
            let port = proxy.port
            let text = try await Blocking.run {
                try BesideProxy.ask(port, "GET / HTTP/1.1\r\nHost: a.test\r\n\r\n")?.text ?? ""
            }
            let parts = text.split(separator: "|")
            #expect(parts.count == 6)
            #expect(parts.first == "127.0.0.1" && parts.last.map { String($0) } == "\(port)", "\(text)")
        }
    }

    @Test("Listeners state whether connections begin with a preface")
    func listeners() throws {
        #expect(Listener("proxy_protocol:tls:8443")?.description == "proxy_protocol:tls:0.0.0.0:8443")
        let listeners = Listener.all(of: try .init(text: "server { listen 443 ssl proxy_protocol; listen 80; }"))
        #expect(listeners.map(\.takesProxyProtocol) == [true, false])
        #expect(listeners.map(\.isSecure) == [true, false])
    }
}
#endif
