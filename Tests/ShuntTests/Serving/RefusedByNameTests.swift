import Shunt
import Testing

/// Malformed requests over TLS: the server of the name in the handshake answers, as in nginx, and else the default server.
@Suite struct RefusedByNameTests {
    private static let rules = """
        server { listen 443 ssl default_server; server_name d.test; add_header X-Server default always; return 200; }
        server {
            listen 443 ssl;
            server_name n.test;
            add_header X-Server named always;
            error_page 400 /bad;
            location = /bad { return 200 page; }
            location / { return 200; }
        }
        """

    @Test(
        "The server that answers a request whose path is invalid",
        arguments: [
            ("n.test", "n.test", "respond page named"), ("d.test", "n.test", "respond page named"),
            ("n.test", "d.test", "fail  default"), ("n.test", nil, "fail  default"),
            ("n.test", "x.test", "fail  default"),
        ] as [(String, String?, String)]
    )
    func server(host: String, name: String?, expected: String) throws {
        let engine = Engine(try RuleSet(text: Self.rules))
        var request = RuleRequest(target: "/a%00b", host: host)
        request.listen = RuleRequest.Endpoint(port: 443)
        request.inputs["ssl_server_name"] = name.map { Array($0.utf8) }
        let decision = engine.decide(request)
        let server = decision.headers.first { $0.nameBytes.elementsEqual("X-Server".utf8) }?.valueBytes ?? []
        let body = String(decoding: decision.body ?? [], as: UTF8.self)
        #expect("\(decision.kind.rawValue) \(body) \(String(decoding: server, as: UTF8.self))" == expected)
    }
}
