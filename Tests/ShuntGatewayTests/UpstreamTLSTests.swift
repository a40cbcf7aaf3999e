#if Gateway
import NIOCore
import NIOPosix
import NIOSSL
import NIOTLS
import NginxOracle
import ShuntRules
import Synchronization
import TestFolder
import Testing

@testable import ShuntGateway

/// TLS to upstreams.
@Suite struct UpstreamTLSTests {
    /// A server with the certificate of `a.test` that answers each request, and notes the names that clients ask for.
    private final class SecureServer: Sendable {
        let port: Int
        private let channel: any Channel
        private let asked = Gathered()

        private final class Gathered: Sendable {
            let names = Mutex<[String?]>([])
        }

        /// The names of the handshakes so far; nil for one that named none.
        var names: [String?] { asked.names.withLock { $0 } }

        /// Answers as soon as anything has come: the requests of these tests are short.
        private final class Answering: ChannelInboundHandler {
            typealias InboundIn = ByteBuffer
            typealias OutboundOut = ByteBuffer

            func channelRead(context: ChannelHandlerContext, data: NIOAny) {
                let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
                context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: answer)), promise: nil)
            }
        }

        init(asksForCertificate: Bool = false) async throws {
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: [
                    .certificate(try NIOSSLCertificate(bytes: Array(TestCertificates.a.utf8), format: .pem))
                ],
                privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(TestCertificates.keyOfA.utf8), format: .pem))
            )
            configuration.minimumTLSVersion = .tlsv12
            if asksForCertificate {
                configuration.certificateVerification = .noHostnameVerification
                configuration.trustRoots = .certificates([
                    try NIOSSLCertificate(bytes: Array(TestCertificates.b.utf8), format: .pem)
                ])
            }
            let context = try NIOSSLContext(configuration: configuration)
            let asked = asked
            channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let sni = SNIHandler { result in
                            asked.names.withLock { names in
                                if case .hostname(let name) = result { names.append(name) } else { names.append(nil) }
                            }
                            return channel.eventLoop.makeCompletedFuture {
                                let operations = channel.pipeline.syncOperations
                                try operations.addHandler(NIOSSLServerHandler(context: context))
                                try operations.addHandler(Answering())
                            }
                        }
                        try channel.pipeline.syncOperations.addHandler(ByteToMessageHandler(sni))
                    }
                }
                .bind(host: "127.0.0.1", port: 0).get()
            port = try #require(channel.localAddress?.port)
        }

        func close() async { _ = try? await channel.close().get() }
    }

    /// Directives, with the resulting status and name; nil where nginx refuses the directives.
    private static let cases: [(directives: String, status: Int, name: String?, hasNginx: Bool)] = [
        ("", 200, nil, true),
        ("proxy_ssl_verify off;", 200, nil, true),
        ("proxy_ssl_name a.test;", 200, nil, true),
        ("proxy_ssl_name a.test; proxy_ssl_server_name on;", 200, "a.test", true),
        ("proxy_ssl_name $arg_name; proxy_ssl_server_name on;", 200, "b.test", true),
        ("proxy_ssl_name b.test:443; proxy_ssl_server_name on;", 200, "b.test", true),
        ("proxy_ssl_server_name on;", 200, nil, true),
        ("proxy_ssl_name $arg_none; proxy_ssl_server_name on;", 200, nil, true),
        ("proxy_ssl_verify on; proxy_ssl_trusted_certificate {a}; proxy_ssl_name a.test;", 200, "a.test", true),
        ("proxy_ssl_verify on; proxy_ssl_trusted_certificate {a}; proxy_ssl_name a.test:99;", 200, "a.test", true),
        ("proxy_ssl_verify on; proxy_ssl_trusted_certificate {a}; proxy_ssl_name b.test;", 502, "b.test", true),
        ("proxy_ssl_verify on; proxy_ssl_trusted_certificate {a};", 502, nil, true),
        ("proxy_ssl_verify on; proxy_ssl_trusted_certificate {b}; proxy_ssl_name a.test;", 502, "a.test", true),
        ("proxy_ssl_verify on; proxy_ssl_name a.test;", 502, "a.test", false),
        ("proxy_ssl_protocols TLSv1.2;", 200, nil, true),
        ("proxy_ssl_protocols TLSv1.1;", 502, nil, true),
    ]

    @Test("No certificate has an empty name")
    func emptyName() async throws {
        let folder = try TestFolder()
        try folder.replace("a.crt", TestCertificates.a)
        let server = try await SecureServer()
        let rules = """
            server {
                listen 80;
                proxy_ssl_verify on;
                proxy_ssl_trusted_certificate \(folder.path)/a.crt;
                proxy_ssl_name $arg_none;
                location /on { proxy_ssl_server_name on; proxy_pass https://127.0.0.1:\(server.port); }
                location /off { proxy_pass https://127.0.0.1:\(server.port); }
            }
            """
        try await RunningGateway.with(["rules.conf": rules]) { gateway in
            for target in ["/on", "/off"] {
                let response = try await gateway.get(target)
                #expect(response.status == 502)
            }
        }
        await server.close()
    }

    @Test("Certificates are checked only if the rules set it", arguments: cases.indices)
    func certificatesAreChecked(_ index: Int) async throws {
        let (directives, status, name, hasNginx) = Self.cases[index]
        let folder = try TestFolder()
        try folder.replace("a.crt", TestCertificates.a)
        try folder.replace("b.crt", TestCertificates.b)
        let server = try await SecureServer()
        let written = directives.replacing("{a}", with: folder.path + "/a.crt")
            .replacing("{b}", with: folder.path + "/b.crt")
        let rules = "server { listen 80; \(written) location / { proxy_pass https://127.0.0.1:\(server.port); } }"
        let target = "/?name=b.test"
        try await RunningGateway.with(["rules.conf": rules]) { gateway in
            for _ in 0..<2 {
                let response = try await gateway.get(target)
                #expect(response.status == status)
            }
            #expect(server.names.allSatisfy { $0 == name })
            #expect(!server.names.isEmpty)
        }
        if hasNginx, NginxProcess.executable != nil {
            let expected = try await Blocking.run {
                try RealNginx.with(rules) { port in
                    var connection = try TestConnection(port: port)
                    try connection.send("GET \(target) HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n")
                    return try connection.response()?.status
                }
            }
            #expect(expected == status)
        }
        await server.close()
    }

    @Test("The server is shown the certificate of the location, on separate connections")
    func clientCertificate() async throws {
        let server = try await SecureServer(asksForCertificate: true)
        let url = "https://127.0.0.1:\(server.port)"
        let rules = """
            server {
                listen 80;
                location /none { proxy_pass \(url); }
                location /b { proxy_ssl_certificate b.crt; proxy_ssl_certificate_key b.key; proxy_pass \(url); }
                location /a { proxy_ssl_certificate a.crt; proxy_ssl_certificate_key a.key; proxy_pass \(url); }
            }
            """
        var files = ["rules.conf": rules]
        for (name, text) in [("a.crt", TestCertificates.a), ("a.key", TestCertificates.keyOfA)] { files[name] = text }
        for (name, text) in [("b.crt", TestCertificates.b), ("b.key", TestCertificates.keyOfB)] { files[name] = text }
        try await RunningGateway.with(files) { gateway in
            for (target, status) in [("/b", 200), ("/none", 502), ("/a", 502), ("/b", 200)] {
                let response = try await gateway.get(target)
                #expect(response.status == status, "\(target)")
            }
        }
        await server.close()
    }

    @Test(
        "Rules whose files cannot be used are refused with the place and the file",
        arguments: [
            ("proxy_ssl_verify on; proxy_ssl_trusted_certificate none.pem;", "none.pem"),
            ("proxy_ssl_verify on; proxy_ssl_trusted_certificate $host;", "has a variable"),
            ("proxy_ssl_certificate a.crt;", "a proxy_ssl_certificate has a proxy_ssl_certificate_key"),
            ("proxy_ssl_protocols SSLv3;", "names no version that is still spoken"),
        ]
    )
    func refused(_ directives: String, _ problem: String) async throws {
        let rules = "server { location / { \(directives) proxy_pass https://127.0.0.1:1; } }"
        do {
            try await RunningGateway.with(["rules.conf": rules, "a.crt": TestCertificates.a]) { _ in }
            Issue.record("the rules were accepted")
        } catch {
            #expect("\(error)".contains(problem) && "\(error)".contains("rules.conf:1"), "\(error)")
        }
    }

    @Test("The server of --upstream has to have a certificate for its name that the system trusts")
    func optionIsChecked() async throws {
        let server = try await SecureServer()
        let options = RunningGateway.Change { $0.upstream = UpstreamAddress("https://localhost:\(server.port)") }
        try await RunningGateway.with(["rules.conf": "server { }"], options: options) { gateway in
            let response = try await gateway.get("/")
            #expect(response.status == 502)
        }
        await server.close()
    }
}
#endif
