import ShuntCore
import Testing

@testable import ShuntRules

/// The port and the address of a request that names no host, or came in at a Unix socket.
@Suite struct LocalPortTests {
    @Test(
        "As nginx has them, but for the brackets of an address in a Location",
        arguments: [
            ("unix:/run/a.sock", 0, nil, "[] [unix:/run/a.sock]", "http://localhost/x", "http://localhost/"),
            ("unix:/run/a.sock", 0, "b.test", "[] [unix:/run/a.sock]", "http://b.test/x", "http://b.test/"),
            ("::1", 81, nil, "[81] [::1]", "http://[::1]:81/x", "http://[::1]/"),
            ("127.0.0.1", 81, nil, "[81] [127.0.0.1]", "http://127.0.0.1:81/x", "http://127.0.0.1/"),
        ]
    )
    func localPort(
        _ address: String,
        _ port: Int,
        _ host: String?,
        _ body: String,
        _ location: String,
        _ url: String
    ) throws {
        let rules = """
            server {
                listen \(address.hasPrefix("unix:") ? address : "\(address.contains(":") ? "[\(address)]" : address):\(port)");
                location = /body { return 200 "[$server_port] [$server_addr]"; }
                location = /to { return 301 /x; }
            }
            """
        let program = try RuleSet(text: rules).program
        func decision(_ target: String) -> Decision {
            var evaluation = Evaluation(program)
            var request = RuleRequest(target: target, host: host)
            request.version = "1.0"
            request.listen = RuleRequest.Endpoint(address: address, port: port)
            evaluation.evaluate(request)
            return evaluation.decision
        }
        #expect(decision("/body").body.map { String(decoding: $0, as: UTF8.self) } == body)
        #expect(decision("/to").url == location)
        #expect(decision("/").url == url)
    }
}
