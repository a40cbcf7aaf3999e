#if Gateway
import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOSSL
import Shunt
import ShuntCore
import ShuntRules
import TestFolder
import Testing

@testable import ShuntGateway

@Suite("TLS that ends in the gateway")
struct TLSTests {
    private static let rules = """
        ssl_certificate a.pem;
        ssl_certificate_key a.key;
        server { listen 443 ssl; server_name a.test; location / { return 200 "$scheme $host"; } }
        server {
            listen 443 ssl;
            server_name b.test ~^sub;
            ssl_certificate b.pem;
            ssl_certificate_key b.key;
            location / { return 200 "$https $server_port"; }
            location /old { return 301 /new; }
        }
        server { listen 443 ssl; server_name shut.test; ssl_reject_handshake on; }
        """

    private static var listening: RunningGateway.Change {
        RunningGateway.Change { $0.listeners = [Listener("tls:127.0.0.1:0=0.0.0.0:443")].compactMap(\.self) }
    }

    private static func files(_ rules: String) -> [String: String] {
        TestCertificates.files.merging(["rules.conf": rules]) { first, _ in first }
    }

    /// Returns the answer to a client for a URL of the gateway that trusts one certificate only.
    private static func get(
        _ url: String,
        trusting certificate: String,
        at port: Int,
        body: ByteBuffer? = nil,
        change: (inout TLSConfiguration) -> Void = { _ in }
    ) async throws -> (status: Int, location: String?, body: String) {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(Array(certificate.utf8)))
        change(&tls)
        var configuration = HTTPClient.Configuration(tlsConfiguration: tls, redirectConfiguration: .disallow)
        let hosts = ["a.test", "b.test", "sub.test", "shut.test"]
        configuration.dnsOverride = Dictionary(uniqueKeysWithValues: hosts.map { ($0, "127.0.0.1") })
        let client = HTTPClient(configuration: configuration)
        do {
            var request = HTTPClientRequest(url: url.replacing("PORT", with: "\(port)"))
            if let body {
                request.method = .POST
                request.body = .bytes(body)
            }
            let response = try await client.execute(request, timeout: .seconds(20))
            let received = try await response.body.collect(upTo: 16 << 20)
            try await client.shutdown()
            return (Int(response.status.code), response.headers.first(name: "location"), String(buffer: received))
        } catch {
            try await client.shutdown()
            throw error
        }
    }

    @Test func eachNameHasItsCertificate() async throws {
        try await RunningGateway.with(Self.files(Self.rules), options: Self.listening) { gateway in
            let port = Int(gateway.port)
            let first = try await Self.get("https://a.test:PORT/", trusting: TestCertificates.a, at: port)
            #expect(first.body == "https a.test")
            let second = try await Self.get("https://b.test:PORT/", trusting: TestCertificates.b, at: port)
            #expect(second.body == "on 443")
            let moved = try await Self.get("https://b.test:PORT/old", trusting: TestCertificates.b, at: port)
            #expect(moved.location == "https://b.test/new")
            // A name that no server has is the default server's, one of an expression is that server's.
            let unnamed = try await Self.get("https://127.0.0.1:PORT/", trusting: TestCertificates.a, at: port) {
                $0.certificateVerification = .noHostnameVerification
            }
            #expect(unnamed.body == "https 127.0.0.1")
            let matched = try await Self.get("https://sub.test:PORT/", trusting: TestCertificates.b, at: port) {
                $0.certificateVerification = .noHostnameVerification
            }
            #expect(matched.body == "on 443")
            await #expect(throws: (any Error).self) {
                try await Self.get("https://b.test:PORT/", trusting: TestCertificates.a, at: port)
            }
            await #expect(throws: (any Error).self) {
                try await Self.get("https://shut.test:PORT/", trusting: TestCertificates.a, at: port)
            }
            // As in nginx, plain HTTP is answered with the reason.
            let plain = try await gateway.send("GET / HTTP/1.1\r\nHost: a.test\r\n\r\n")
            #expect(plain.first?.status == 400)
            #expect(plain.first?.text == "400 Bad Request: The plain HTTP request was sent to HTTPS port\n")
        }
    }

    @Test("A server without a certificate shows that of the default server, as in nginx")
    func withoutCertificate() async throws {
        let rules = """
            server {
                listen 443 ssl;
                server_name a.test;
                ssl_certificate a.pem;
                ssl_certificate_key a.key;
                return 200 first;
            }
            server { listen 443 ssl; server_name b.test; return 200 bare; }
            server { listen 443; server_name sub.test; ssl_protocols TLSv1.3; return 200 versions; }
            """
        try await RunningGateway.with(Self.files(rules), options: Self.listening) { gateway in
            for (host, text) in [("a", "first"), ("b", "bare"), ("sub", "versions")] {
                let url = "https://\(host).test:PORT/"
                let answer = try await Self.get(url, trusting: TestCertificates.a, at: Int(gateway.port)) {
                    $0.certificateVerification = .noHostnameVerification
                }
                #expect(answer.body == text)
            }
        }
    }

    @Test("A long file comes through TLS")
    func file() async throws {
        let folder = try TestFolder()
        let bytes = (0..<5_000_000).map { UInt8(truncatingIfNeeded: 97 + $0 / 3 % 26) }
        try folder.write(bytes, to: "long")
        let rules = """
            ssl_certificate a.pem;
            ssl_certificate_key a.key;
            server { listen 443 ssl; server_name a.test; root \(folder.path); }
            """
        let change = RunningGateway.Change {
            Self.listening.apply(&$0)
            $0.engine.fileSystem = LocalFileSystem()
        }
        try await RunningGateway.with(Self.files(rules), options: change) { (gateway) async throws in
            let port = Int(gateway.port)
            let answer = try await Self.get("https://a.test:PORT/long", trusting: TestCertificates.a, at: port)
            #expect(answer.status == 200 && answer.body.utf8.elementsEqual(bytes))
        }
    }

    @Test("The page for plain HTTP at a port of TLS is that of the server that is asked for")
    func plain() async throws {
        let folder = try TestFolder(["page": "file"])
        let rules = """
            ssl_certificate a.pem;
            ssl_certificate_key a.key;
            server { listen 443 ssl; server_name a.test; error_page 497 =307 https://$host$request_uri; return 200; }
            server { listen 443 ssl; server_name b.test; error_page 497 /page; location /page { return 200 "$uri"; } }
            server { listen 443 ssl; server_name c.test; add_header X-C c always; return 200; }
            server { listen 443 ssl; server_name d.test; root \(folder.path); error_page 497 = /page; }
            server {
                listen 443 ssl;
                server_name e.test;
                root \(folder.path);
                error_page 497 = /page;
                location = /page { auth_basic x; auth_basic_user_file none; }
            }
            """
        let change = RunningGateway.Change {
            Self.listening.apply(&$0)
            $0.engine.fileSystem = LocalFileSystem()
        }
        try await RunningGateway.with(Self.files(rules), options: change) { (gateway) async throws in
            func get(_ host: String) async throws -> TestResponse? {
                try await gateway.send("GET /x?y HTTP/1.1\r\nHost: \(host)\r\n\r\n").first
            }
            let moved = try await get("a.test")
            #expect(
                moved?.status == 307 && moved?["location"] == "https://a.test/x?y" && moved?["connection"] == "close"
            )
            let page = try await get("b.test")
            #expect(page?.status == 400 && page?.text == "/page")
            let usual = try await get("c.test")
            #expect(usual?.status == 400 && usual?["X-C"] == "c")
            let file = try await get("d.test")
            #expect(file?.status == 200 && file?.text == "file" && file?["connection"] == "close")
            #expect(try await get("e.test")?.status == 401)
        }
    }

    @Test("Rules see the version of TLS and the name of the handshake, and the settings of that name's server hold")
    func session() async throws {
        let rules = """
            ssl_certificate a.pem;
            ssl_certificate_key a.key;
            server { listen 443 ssl; return 200 "$uri $ssl_protocol default"; }
            server {
                listen 443 ssl;
                server_name a.test;
                merge_slashes off;
                if ($ssl_protocol = "") { return 301 https://$host$request_uri; }
                location / { return 200 "$uri $ssl_protocol $ssl_server_name"; }
            }
            """
        try await RunningGateway.with(Self.files(rules), options: Self.listening) { gateway in
            let port = Int(gateway.port)
            let named = try await Self.get("https://a.test:PORT/a//b", trusting: TestCertificates.a, at: port)
            #expect(named.body == "/a//b TLSv1.3 a.test")
            let older = try await Self.get("https://a.test:PORT/", trusting: TestCertificates.a, at: port) {
                $0.maximumTLSVersion = .tlsv12
            }
            #expect(older.body == "/ TLSv1.2 a.test")
            let unnamed = try await Self.get("https://127.0.0.1:PORT/a//b", trusting: TestCertificates.a, at: port) {
                $0.certificateVerification = .noHostnameVerification
            }
            #expect(unnamed.body == "/a/b TLSv1.3 default")
        }
    }

    @Test("The address of the PROXY protocol comes before TLS", .timeLimit(.minutes(10)))
    func prefaceComesFirst() async throws {
        let rules = """
            server {
                listen 443 ssl proxy_protocol;
                server_name a.test;
                ssl_certificate a.pem;
                ssl_certificate_key a.key;
                return 200 "$https $proxy_protocol_addr";
            }
            """
        let change = RunningGateway.Change {
            $0.listeners = [Listener("proxy_protocol:tls:127.0.0.1:0=0.0.0.0:443")].compactMap(\.self)
        }
        try await RunningGateway.with(Self.files(rules), options: change) { gateway in
            let proxy = try await RecipeProxy.haproxy(.passing(to: gateway.port, "send-proxy-v2"))
            let answer = try await Self.get("https://a.test:PORT/", trusting: TestCertificates.a, at: Int(proxy.port))
            #expect(answer.body == "on 127.0.0.1")
        }
    }

    @Test func versionsAreThoseOfTheRules() async throws {
        let own = "ssl_protocols TLSv1.2; ssl_certificate b.pem;"
        let rules = "ssl_protocols TLSv1.3;\n" + Self.rules.replacing("ssl_certificate b.pem;", with: own)
        try await RunningGateway.with(Self.files(rules), options: Self.listening) { gateway in
            let port = Int(gateway.port)
            await #expect(throws: (any Error).self) {
                try await Self.get("https://a.test:PORT/", trusting: TestCertificates.a, at: port) {
                    $0.maximumTLSVersion = .tlsv12
                }
            }
            let new = try await Self.get("https://a.test:PORT/", trusting: TestCertificates.a, at: port)
            #expect(new.status == 200)
            let old = try await Self.get("https://b.test:PORT/", trusting: TestCertificates.b, at: port) {
                $0.maximumTLSVersion = .tlsv12
            }
            #expect(old.status == 200)
        }
    }

    @Test func bodiesPassBothWays() async throws {
        let upstream = try TestUpstream { request in
            .text("\(request["x-forwarded-proto"] ?? "") \(request["host"] ?? "") \(request.body.count)")
        }
        let rules = Self.rules.replacing("location / { return 200 \"$scheme $host\"; }", with: "")
        let change = RunningGateway.Change {
            Self.listening.apply(&$0)
            $0.upstream = UpstreamAddress(upstream.url)
            $0.maximumBodyBytes = 0
        }
        try await RunningGateway.with(Self.files(rules), options: change) { gateway in
            let body = ByteBuffer(repeating: 0x61, count: 5_000_000)
            let url = "https://a.test:PORT/x"
            let answer = try await Self.get(url, trusting: TestCertificates.a, at: Int(gateway.port), body: body)
            #expect(answer.body == "https a.test:\(gateway.port) 5000000")
        }
    }

    @Test func keysMayHavePasswords() async throws {
        let rules = Self.rules.replacing("a.key", with: "a-encrypted.key") + "\nssl_password_file passwords;"
        try await RunningGateway.with(Self.files(rules), options: Self.listening) { gateway in
            let port = Int(gateway.port)
            let answer = try await Self.get("https://a.test:PORT/", trusting: TestCertificates.a, at: port)
            #expect(answer.status == 200)
        }
    }

    @Test func changedFilesAreReadAgain() async throws {
        try await RunningGateway.with(Self.files(Self.rules), options: Self.listening) { gateway in
            let port = Int(gateway.port)
            try gateway.directory.replace("a.pem", "nonsense")
            await gateway.gateway.reload()
            #expect(gateway.messages.all.contains { $0.contains("cannot use a.pem with the key a.key") })
            #expect(try await Self.get("https://a.test:PORT/", trusting: TestCertificates.a, at: port).status == 200)
            try gateway.directory.replace("a.pem", TestCertificates.b)
            try gateway.directory.replace("a.key", TestCertificates.keyOfB)
            await gateway.gateway.reload()
            let renewed = try await Self.get("https://a.test:PORT/", trusting: TestCertificates.b, at: port) {
                $0.certificateVerification = .noHostnameVerification
            }
            #expect(renewed.status == 200)
            #expect(gateway.messages.all.count { $0.contains("the new a.pem is in use") } == 1)
        }
    }

    @Test func theSchemeIsHTTPSWhateverTheListenSays() async throws {
        let rules = "ssl_certificate a.pem; ssl_certificate_key a.key; server { listen 80; return 200 $scheme; }"
        let change = RunningGateway.Change {
            $0.listeners = [Listener("tls:127.0.0.1:0=0.0.0.0:80")].compactMap(\.self)
        }
        try await RunningGateway.with(Self.files(rules), options: change) { gateway in
            let port = Int(gateway.port)
            let answer = try await Self.get("https://a.test:PORT/", trusting: TestCertificates.a, at: port)
            #expect(answer.body == "https")
        }
    }

    @Test(
        "Settings that a gateway does not start with",
        arguments: [
            ("a.pem;", "missing.pem;", "rules.conf:2:1: cannot use "),
            ("ssl_certificate a.pem;", "", "the default server has no ssl_certificate"),
            ("a.pem;", "b.pem;", "cannot use b.pem with the key a.key: the key does not belong to the certificate"),
            ("a.pem;", "rules.conf;", "cannot use rules.conf with the key a.key: the certificate is not in PEM form"),
            (
                "a.key;", "a-encrypted.key;",
                "cannot use a.pem with the key a-encrypted.key: the key is not in PEM form, or has a password"
            ),
            (
                "a.key;", "a-encrypted.key; ssl_password_file a.pem;",
                "cannot use a.pem with the key a-encrypted.key: no password of the password file opens the key"
            ),
            ("a.pem;", "$ssl_server_name.pem;", "has a variable"),
            ("a.pem;", "a.pem; ssl_certificate b.pem;", "one ssl_certificate and one ssl_certificate_key"),
            ("a.pem;", "a.pem; ssl_verify_client on;", "ssl_verify_client"),
            ("a.pem;", "a.pem; ssl_protocols SSLv3;", "no version that is still spoken"),
        ]
    )
    func refused(word: String, replacement: String, message: String) async throws {
        let rules = Self.rules.replacing(word, with: replacement, maxReplacements: 1)
        let error = await #expect(throws: ReloadError.self) {
            try await RunningGateway.with(Self.files(rules), options: Self.listening) { _ in }
        }
        #expect(error?.summary.contains(message) == true, "\(error.debugDescription)")
    }

    @Test func rulesWithCertificatesNeedNoneWhereTLSEndsInFront() async throws {
        let rules = Self.rules.replacing("a.pem", with: "/nowhere/a.pem")
        try await RunningGateway.with(["rules.conf": rules]) { gateway in
            let answer = try await gateway.get("/")
            #expect(answer.text == "https a.test")
        }
    }
}
#endif
