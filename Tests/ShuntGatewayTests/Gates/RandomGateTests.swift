#if Gateway
import NginxOracle
import SeededRandom
import ShuntCore
import TestFolder
import Testing

@testable import ShuntGateway

/// Random gates, some of which fail: no request passes that a real nginx refuses, and all get the same answer.
@Suite(.serialized) struct RandomGateTests {
    private static let passwords =
        (["#:{PLAIN}x", "", "\r", "half"] + PasswordHashTests.stored.enumerated().map { "u\($0):\($1):\($0)" })
        .joined(separator: "\n")

    /// Rules with random gates.
    private struct Generator {
        var random: SeededGenerator
        let folder: String
        let upstream: String

        private mutating func gates(_ percent: Int) -> [String] {
            var lines: [String] = []
            if random.chance(percent) { lines.append("satisfy \(random.pick(["any", "all"]));") }
            for _ in 0..<(random.chance(percent) ? random.below(3) + 1 : 0) {
                let address = random.pick(["127.0.0.1", "all", "192.0.2.0/24", "::1", "127.0.0.0/8"])
                lines.append("\(random.pick(["allow", "deny"])) \(address);")
            }
            if random.chance(percent) {
                lines.append(
                    "auth_basic \(random.pick(["closed", "closed", "\"two words\"", "off", "$arg_realm", "OFF", "\"\""]));"
                )
            }
            if random.chance(percent) {
                let file = random.pick([
                    "passwords", "passwords", "passwords", "missing", "directory", "passwords/below", "empty",
                    "$arg_file", "binary",
                ])
                lines.append("auth_basic_user_file \(folder)/\(file);")
            }
            if random.chance(percent / 2) {
                lines.append(
                    "auth_request \(random.pick(["/ask/204", "/ask/401", "/ask/403", "/ask/500", "/ask/up", "off"]));"
                )
            }
            if random.chance(percent) { lines += limits() }
            if random.chance(percent / 2) {
                let codes = random.pick(["401", "403", "500", "401 403", "401 403 500", "503", "429 503 401"])
                let target = random.pick([
                    "/open", "/gated", "@named", "=200 /open", "=418 /gated", "= /open", "= @named",
                ])
                lines.append("error_page \(codes) \(target);")
            }
            return lines
        }

        /// Limits that leak so slowly that the time of a test does not count.
        private mutating func limits() -> [String] {
            var lines: [String] = []
            for zone in ["a", "b", "small"] where random.chance(45) {
                let burst = random.pick(["", "burst=1 nodelay", "burst=3 nodelay", "burst=2 delay=2", "nodelay"])
                lines.append("limit_req zone=\(zone) \(burst);")
            }
            if random.chance(20) { lines.append("limit_req_status \(random.pick(["429", "401", "444"]));") }
            if random.chance(20) { lines += ["limit_req zone=dry burst=3;", "limit_req_dry_run on;"] }
            if random.chance(40) { lines.append("limit_conn c \(random.below(3) + 1);") }
            return lines
        }

        private static let zones = """
            limit_req_zone $arg_k zone=a:1m rate=1r/m;
            limit_req_zone $arg_l$arg_k zone=b:1m rate=2r/m;
            limit_req_zone $arg_l zone=small:32k rate=1r/m;
            limit_req_zone $arg_k zone=dry:1m rate=1r/m;
            limit_conn_zone $arg_k zone=c:1m;
            limit_req_zone $arg_none zone=none:32k rate=1r/m;
            limit_conn_zone $arg_none zone=nobody:32k;

            """

        mutating func rules(locations: Int) -> String {
            var lines = [
                Self.zones, "server { listen 80;",
                "add_header X-Limits \"$limit_req_status $limit_conn_status\" always;",
            ]
            lines += gates(15)
            // As nginx has it, a question is counted by the limits of its location where the request was not.
            for (name, answer) in [
                ("204", "return 204;"), ("401", "return 401;"), ("403", "return 403;"), ("500", "return 500;"),
                ("up", "proxy_pass \(upstream);"),
            ] {
                lines.append(
                    "location = /ask/\(name) { limit_req zone=none; limit_conn nobody 1; error_page 404 /none; \(answer) }"
                )
            }
            lines.append("location /open { satisfy all; allow all; auth_basic off; proxy_pass \(upstream); }")
            for name in ["/gated", "@named"] {
                lines.append("location \(name) { \(gates(40).joined(separator: " ")) proxy_pass \(upstream); }")
            }
            for number in 0..<locations {
                let inner = gates(50).joined(separator: " ")
                let limited = gates(60)
                    .filter { line in ["auth_basic", "allow", "deny"].contains { line.hasPrefix($0) } }
                let methods =
                    random.chance(15)
                    ? "limit_except GET { \(limited.joined(separator: " ")) proxy_pass \(upstream); }" : ""
                let nested =
                    random.chance(20)
                    ? "location /\(number)/in { \(gates(50).joined(separator: " ")) proxy_pass \(upstream); }" : ""
                lines.append("location /\(number) { \(inner) \(methods) proxy_pass \(upstream); \(nested) }")
            }
            return (lines + ["}"]).joined(separator: "\n")
        }

        private mutating func authorization() -> String {
            func basic(_ text: String) -> String { "Basic \(Base64.encode(Array(text.utf8)))" }
            let user = "u\(random.below(PasswordHashTests.stored.count))"
            switch random.below(12) {
            case 0: return ""
            case 1:
                return
                    "Authorization: \(random.pick(["Basic", "Basic ", "Basic !", "Bearer x", "", "Basic dQ", "Basicx", "Digest u"]))\r\n"
            case 2:
                return
                    "Authorization: \(basic(random.pick(["u1", ":p", "u1:", "u:secret", "#:x", "half:x", "u1:x:y"])))\r\n"
            case 3: return "Authorization: \(basic("\(user):wrong"))\r\n"
            case 4: return "authorization:  \(basic("\(user):secret").replacing("Basic ", with: "bAsIc   "))\r\n"
            case 5: return "Authorization: \(basic("\(user):secret").replacing("=", with: ""))\r\n"
            default: return "Authorization: \(basic("\(user):secret"))\r\n"
            }
        }

        mutating func request(locations: Int) -> String {
            let path =
                random.chance(5)
                ? random.pick(["/gated", "/open"]) : "/\(random.below(locations))\(random.pick(["", "/in"]))"
            let realm = random.pick(["off", "", "x", "a%22b"])
            let query =
                "?realm=\(realm)&file=\(random.pick(["passwords", "missing", "directory", ""]))"
                + "&k=\(random.pick(["", "1", "2", "3"]))&l=\(random.pick(["", "1", "2"]))"
            let method = random.pick(["GET", "GET", "POST", "HEAD"])
            return "\(method) \(path)\(query) HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\(authorization())\r\n"
        }
    }

    private static func answer(_ port: UInt16, _ request: String) throws -> String {
        var connection = try TestConnection(port: port)
        try connection.send(request)
        guard let response = try connection.response(isHead: request.hasPrefix("HEAD")) else { return "nothing" }
        let text = response.text.hasPrefix("up ") ? response.text : ""
        return "\(response.status) \(response["WWW-Authenticate"] ?? "-") \(response["X-Limits"] ?? "-") \(text)"
    }

    @Test("Every request gets nginx's answer", .timeLimit(.minutes(10)), arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
    func asNginx(seed: UInt64) async throws {
        let folder = try TestFolder(["passwords": Self.passwords, "empty": ""])
        try folder.write([0, 0xff, 0x0a] + Array("u1:{PLAIN}secret\0x\n".utf8), to: "binary")
        try folder.makeDirectory("directory")
        let upstream = try TestUpstream { .text("up \($0.line.split(separator: " ")[1])") }
        var generator = Generator(random: SeededGenerator(seed: seed), folder: folder.path, upstream: upstream.url)
        let (locations, count) = (25, 250)
        let rules = generator.rules(locations: locations)
        let requests = (0..<count).map { _ in generator.request(locations: locations) }
        try await RunningGateway.with(["rules.conf": rules]) { gateway in
            let port = gateway.port
            try await Blocking.run {
                var statuses: Set<Substring> = []
                try RealNginx.with(rules) { nginx in
                    for request in requests {
                        let expected = try Self.answer(nginx, request)
                        statuses.insert(expected.prefix(3))
                        #expect(try Self.answer(port, request) == expected, "seed \(seed)\n\(request)")
                    }
                }
                #expect(statuses.isSuperset(of: ["200", "401", "403"]))
            }
        }
    }
}
#endif
