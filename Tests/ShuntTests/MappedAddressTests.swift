import Shunt
import Testing

/// `allow` and `deny` for clients with IPv4-mapped addresses, as a socket for both families has them.
@Suite("Mapped addresses")
struct MappedAddressTests {
    /// Rules, and the statuses for a mapped client, for its IPv4 address and for an IPv6 client; nginx 1.22.1 answered the same.
    static let rules: [(rules: String, statuses: [Int])] = [
        ("deny ::/0;", [403, 200, 403]), ("deny ::ffff:127.0.0.1;", [403, 200, 200]), ("deny ::1;", [200, 200, 403]),
        ("deny ::ffff:0:0/96;", [403, 200, 200]), ("deny 127.0.0.1;", [403, 403, 200]),
        ("deny 0.0.0.0/0;", [403, 403, 200]), ("deny 10.0.0.1; deny ::/0;", [200, 200, 403]),
        ("deny ::/0; allow all;", [200, 200, 403]), ("allow ::ffff:127.0.0.1; deny all;", [403, 403, 403]),
        ("allow 127.0.0.1; deny all;", [200, 200, 403]), ("deny unix:;", [200, 200, 200]),
        ("deny unix:; deny ::/0;", [403, 200, 403]), ("allow ::/0; deny ::/0;", [200, 200, 200]),
    ]

    @Test("They count as IPv4 addresses where there are rules for those, and only there", arguments: rules)
    func access(rules: String, statuses: [Int]) throws {
        let engine = Engine(try RuleSet(text: "server { location / { \(rules) error_page 404 =200 /; } }"))
        let found = ["::ffff:127.0.0.1", "127.0.0.1", "::1"]
            .map { address in
                var request = RuleRequest(target: "/", host: "a.test")
                request.remoteAddress = address
                return engine.decide(request).status == 403 ? 403 : 200
            }
        #expect(found == statuses)
    }
}
