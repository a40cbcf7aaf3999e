#if Gateway
import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import Shunt
import TestFolder
import Testing

@testable import ShuntGateway

@Suite("The addresses for requests")
struct ListenerTests {
    @Test(
        "The forms of --listen",
        arguments: [
            "127.0.0.1:8080", "0.0.0.0:8080=10.0.0.1:80", "unix:/run/a.sock", "unix:/run/a.sock=0.0.0.0:443",
            "[::1]:80=[::]:80",
        ]
    )
    func forms(text: String) throws {
        #expect(try #require(Listener(text)).description == text)
    }

    @Test("Invalid listeners", arguments: ["", "a", "unix:", "80=", "=80", "80=a:b", "127.0.0.1:99999"])
    func refused(text: String) {
        #expect(Listener(text) == nil)
    }

    private static let rules = [
        "rules.conf": """
        server { listen 80; return 200 plain; }
        server { listen 443 ssl; return 200 "$scheme $server_port"; }
        """
    ]

    @Test func eachListenerIsForAListenOfTheRules() async throws {
        let change = RunningGateway.Change {
            $0.listeners = ["127.0.0.1:0=0.0.0.0:80", "127.0.0.1:0=0.0.0.0:443"].compactMap { Listener($0) }
        }
        try await RunningGateway.with(Self.rules, options: change) { gateway in
            let ports = try await gateway.gateway.ports()
            #expect(ports.count == 2)
            #expect(try await gateway.get("/", from: UInt16(ports[0])).text == "plain")
            #expect(try await gateway.get("/", from: UInt16(ports[1])).text == "https 443")
        }
    }

    @Test func withoutListenersThoseOfTheRulesAreTaken() async throws {
        let folder = try TestFolder()
        let socket = folder.path + "/s"
        let rules = ["rules.conf": "server { listen unix:\(socket); return 200 socket; }"]
        try await RunningGateway.with(rules, options: RunningGateway.Change { $0.listeners = [] }) { gateway in
            #expect(try await gateway.gateway.ports() == [0])
            var request = HTTPClientRequest(url: "http+unix://\(socket.replacing("/", with: "%2F"))/")
            request.headers.add(name: "Host", value: "a.test")
            let response = try await HTTPClient.shared.execute(request, timeout: .seconds(20))
            let body = try await response.body.collect(upTo: 1000)
            #expect(String(buffer: body) == "socket")
        }
    }

    @Test func rulesWithoutAServerNeedAListener() async throws {
        await #expect(throws: ListenError.self) {
            try await RunningGateway.with(
                ["rules.conf": "block = https://a.test/x;"],
                options: RunningGateway.Change { $0.listeners = [] }
            ) { _ in }
        }
    }

    // MARK: Proxies in front

    private static let behindProxy = [
        "rules.conf": """
        server {
            listen 80;
            if ($scheme = http) { return 301 https://$host$request_uri; }
            location = /go { return 301 /there; }
            location / { return 200 "$host $server_port"; }
        }
        """
    ]

    /// Requests to a gateway whose proxies are these, and what comes back: a Location or a body.
    @Test(
        "Headers of proxies",
        arguments: [
            // The usual redirect does not run in circles.
            (["127.0.0.1"], [], ["X-Forwarded-Proto: https"], "a.test 443"),
            (["10.0.0.0/8", "127.0.0.0/8"], [], ["X-Forwarded-Proto: http, https"], "a.test 443"),
            ([], [], ["X-Forwarded-Proto: https"], "https://a.test/x"),
            (["10.0.0.1"], [], ["X-Forwarded-Proto: https"], "https://a.test/x"),
            (["127.0.0.1"], [], ["X-Forwarded-Proto: http"], "https://a.test/x"),
            (["127.0.0.1"], [], [], "https://a.test/x"),
            // What a proxy passes on without a look is its client's.
            (["127.0.0.1"], [], ["X-Forwarded-Proto: https", "X-Forwarded-Host: evil.test"], "a.test 443"),
            (["127.0.0.1"], [.host], ["X-Forwarded-Proto: https", "X-Forwarded-Host: shop.test"], "shop.test 443"),
            (["127.0.0.1"], [.port], ["X-Forwarded-Proto: https", "X-Forwarded-Port: 8443"], "a.test 8443"),
            (["127.0.0.1"], [], ["Forwarded: proto=https"], "https://a.test/x"),
            (
                ["127.0.0.1"], [.forwarded],
                ["Forwarded: for=\"[::1]:4711\";proto=http, for=1.2.3.4;Proto=https;host=\"b.test\""],
                "b.test 443"
            ),
            (["127.0.0.1"], [], ["X-Forwarded-Proto: gopher"], "400"),
            (["127.0.0.1"], [.host], ["X-Forwarded-Proto: https", "X-Forwarded-Host: a#b"], "400"),
            (["127.0.0.1"], [.port], ["X-Forwarded-Port: 0"], "400"),
            (["127.0.0.1"], [.forwarded], ["Forwarded: https"], "400"),
        ] as [([String], Set<TrustedProxies.Header>, [String], String)]
    )
    func forwarded(
        proxies: [String],
        more: Set<TrustedProxies.Header>,
        headers: [String],
        expected: String
    ) async throws {
        let change = RunningGateway.Change { options in
            for proxy in proxies { _ = options.trustedProxies.trust(proxy) }
            options.trustedProxies.headers = more.union([.proto])
        }
        try await RunningGateway.with(Self.behindProxy, options: change) { gateway in
            let response = try await gateway.get("/x", headers: headers)
            let result = response["location"] ?? (response.status == 200 ? response.text : "\(response.status)")
            #expect(result == expected)
        }
    }

    @Test func aRedirectNamesThePortOfTheClient() async throws {
        let change = RunningGateway.Change { _ = $0.trustedProxies.trust("127.0.0.1") }
        try await RunningGateway.with(Self.behindProxy, options: change) { gateway in
            let response = try await gateway.get("/go", headers: ["X-Forwarded-Proto: https"])
            #expect(response["location"] == "https://a.test/there")
        }
    }

    @Test(arguments: ["", "a", "10.0.0.0/33", "localhost", "unix"])
    func noProxy(text: String) {
        var proxies = TrustedProxies()
        let isTrusted = proxies.trust(text)
        #expect(!isTrusted)
        #expect(proxies.isEmpty)
    }
}
#endif
