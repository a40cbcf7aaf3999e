import Shunt
import Testing

@Suite("The place where a request arrived, as its server knows")
struct RequestEndpointTests {
    @Test func theSchemeOfARequestIsThatOfTheClientAndSoIsThePort() throws {
        let engine = Engine(
            try RuleSet(
                text: """
                    server {
                        listen 8080;
                        if ($scheme = http) { return 301 https://$host$request_uri; }
                        location = /where { return 200 "$scheme $https $server_port"; }
                        location = /go { return 301 /there; }
                    }
                    server { listen 8443 ssl; location / { return 200 tls; } }
                    """
            )
        )
        func decision(_ target: String, _ endpoint: RuleRequest.Endpoint?) -> String? {
            var request = RuleRequest(target: target, host: "a.test")
            request.listen = endpoint
            return switch engine.decide(request).action {
            case .redirect(let redirect): redirect.location
            case .respond(let response): response.body
            default: nil
            }
        }
        let plain = RuleRequest.Endpoint(port: 8080)
        let behindProxy = RuleRequest.Endpoint(port: 8080, isSecure: true, publicPort: 443)
        #expect(decision("/where", plain) == "https://a.test/where")
        #expect(decision("/where", behindProxy) == "https on 443")
        // The port that everybody takes for https is left out.
        #expect(decision("/go", behindProxy) == "https://a.test/there")
        let other = RuleRequest.Endpoint(port: 8080, isSecure: true, publicPort: 4443)
        #expect(decision("/go", other) == "https://a.test:4443/there")
        // A listen with the port that the client asked for is meant.
        #expect(decision("/", RuleRequest.Endpoint(port: 8080, publicPort: 8443)) == "tls")
    }

    @Test("A name in a handshake may end in a dot, as a Host may", arguments: ["b.test", "b.test.", "B.TEST."])
    func finalDot(name: String) throws {
        let rules = try RuleSet(
            text: "server { listen 443; server_name a.test; }\nserver { listen 443; server_name b.test; }"
        )
        #expect(rules.server(named: Array(name.utf8), at: RuleRequest.Endpoint(port: 443)) == 1)
    }

    @Test("The port of a Host is for Locations, and chooses no server")
    func hostPort() throws {
        let engine = Engine(
            try RuleSet(
                text: """
                    server { listen 80; server_name a.test; location /go { return 301 /there; } return 200 public; }
                    server { listen 8081; server_name a.test; return 200 inside; }
                    """
            )
        )
        var endpoint = RuleRequest.Endpoint(port: 8080, publicPort: 80)
        endpoint.hostPort = 8081
        var request = RuleRequest(target: "/", host: "a.test:8081")
        request.listen = endpoint
        guard case .respond(let response) = engine.decide(request).action else {
            Issue.record("no answer")
            return
        }
        #expect(response.body == "public")
    }
}
