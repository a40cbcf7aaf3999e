import Foundation
import SeededRandom
import Shunt
import ShuntCore
import Testing

@testable import ShuntRules
@testable import ShuntTools

/// Requests that look the same to `RequestReads` are decided in one way, by whatever directive or variable.
@Suite("The parts of a request that rules read")
struct RequestReadsTests {
    /// The rule sets of `Benchmarks`, of which a test holds that they have every directive that decides.
    private static let benchmarked: [String] = {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Benchmarks/allocation-free.txt")
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { String($0) }
    }()

    /// Rule sets whose answers show each variable but the random one, and what each list and limit reads.
    private static let others: [String] =
        BuiltinVariable.names.keys.filter { $0 != "request_id" }.sorted()
        .flatMap { name in
            [
                "server { location / { return 200 \"${\(name)}\"; } }",
                "input $plan 0; map $\(name) $m { default d; ~^[a-m0-4] m; } degrade ^~ https://www.a.test/x https://m.a.test/$m;",
            ]
        } + [
            "block networks n;", "allow networks n;", "block agents a;", "allow agents a;",
            "server { block networks n; return 200; }", "server { allow agents a; return 200; }",
            "match ~ . { block agents a; block networks n; }", "redirects l.csv;", "block urls u;",
            "geo $g { default 0; include n 1; } set $args g=$g;",
            "geo $http_x_real_ip $g { default 0; 10.0.0.0/8 1; } set $args g=$g;",
            "server { client_max_body_size 5; return 200; }", "server { max_headers 2; return 200; }",
            "server { secure_link $arg_md5,$arg_e; secure_link_md5 \"$secure_link_expires$uri$remote_addr s\"; return 200 \"$secure_link\"; }",
            "server { secure_link $cookie_a; secure_link_md5 $http_x_case; return 200 \"$secure_link\"; }",
            "server { set_real_ip_from 0.0.0.0/0; real_ip_header X-Real-IP; allow 10.0.0.0/8; deny all; return 200; }",
            "server { valid_referers none b.test ~c; if ($invalid_referer) { return 403; } return 200; }",
            "server { auth_basic a; auth_basic_user_file n; return 200; }",
            "server { add_header A $http_x_case; add_header B $cookie_b; proxy_set_header C $remote_user; location / { proxy_pass http://$http_x_real_ip:80; } }",
            "server { error_page 404 =200 /$cookie_a; return 404; }",
            "server { root /n; try_files /$http_x_case =404; }",
            "server { if ($http_x_case) { return 301 /$cookie_b; } return 302 /$time_of_day; }",
        ]

    private static let names = [
        "User-Agent", "Referer", "Cookie", "Authorization", "X-Forwarded-For", "X-Real-IP", "Content-Length",
        "Content-Type", "X-Case", "X_Case", "Accept", "Accept-Language", "Range", "If-Modified-Since", "If-None-Match",
        "Transfer-Encoding", "Via", "Connection", "Upgrade", "Forwarded", "X-Forwarded-Proto", "X-Forwarded-Host",
        "Accept-Encoding", "Expect", "Origin", "Host",
    ]
    private static let values = [
        "", "1", "7", "bot", "a=1", "b=2; a=3", "Basic YTpi", "Basic Yzpk", "10.0.0.1", "192.0.2.9, 10.1.1.1",
        "http://b.test/",
        "http://c.test/x", "chunked", "text/html", "Mozilla iPhone Mobile", "h.test", "close", "websocket", "bytes=0-1",
    ]

    private static func rules(_ text: String) throws -> RuleSet {
        let files = [
            "/r/r.conf": text, "/r/n": "10.0.0.0/8 ;\n".replacing(" ;", with: ""), "/r/a": "bot\n",
            "/r/u": "a.test\n",
            "/r/l.csv": "/x,/y,302\n",
        ]
        return try RuleSet(path: "/r", from: InMemoryFileSystem(files))
    }

    private static func request(_ random: inout SeededGenerator) -> RuleRequest {
        let paths = ["/", "/x", "/x/y?id=5&lang=de", "/z/a.php", "/x/y/../q?a=10.0.0.1"]
        let path = paths.randomElement(using: &random) ?? "/"
        var request =
            Bool.random(using: &random)
            ? RuleRequest(url: "https://www.a.test" + path) : RuleRequest(target: path, host: "www.a.test")
        change(&request, &random)
        return request
    }

    /// Changes what is not the URL, the method, an input or a file.
    private static func change(_ request: inout RuleRequest, _ random: inout SeededGenerator) {
        request.headers = (0..<Int.random(in: 0...4, using: &random))
            .map { _ in
                RuleRequest.Header(
                    names.randomElement(using: &random) ?? "",
                    values.randomElement(using: &random) ?? ""
                )
            }
        if !request.isForURL { request.headers.removeAll { $0.name == "Host" } }
        request.remoteAddress = ["192.0.2.1", "10.0.0.1", "2001:db8::1"].randomElement(using: &random) ?? ""
        request.remotePort = Int.random(in: 1...3, using: &random)
        request.time = Timestamp(seconds: Int64.random(in: 1_700_000_000...1_900_000_000, using: &random))
    }

    @Test("Requests with one key are decided in one way")
    func keys() throws {
        var random = SeededGenerator(seed: 15)
        var equal = 0
        for text in Self.benchmarked + Self.others {
            let rules = try Self.rules(text)
            let (engine, reads) = (Engine(rules), RequestReads([rules]))
            for _ in 0..<60 {
                let request = Self.request(&random)
                var other = request
                Self.change(&other, &random)
                // One of them at a time, too.
                if Bool.random(using: &random) { other.headers = request.headers }
                if Bool.random(using: &random) { other.time = request.time }
                if Bool.random(using: &random) {
                    (other.remoteAddress, other.remotePort) = (request.remoteAddress, request.remotePort)
                }
                guard reads.key(of: RequestDescription(request)) == reads.key(of: RequestDescription(other)) else {
                    continue
                }
                equal += 1
                let (first, second) = (engine.decide(request), engine.decide(other))
                guard first != second else { continue }
                Issue.record("\(text): \(request.headers) \(other.headers) \(first.action) \(second.action)")
                break
            }
        }
        #expect(equal > 5_000)
    }

    @Test("A request without the headers that no rule reads is decided in the same way")
    func withoutOthers() throws {
        var random = SeededGenerator(seed: 16)
        var removed = 0
        for text in Self.benchmarked + Self.others where !text.contains("max_headers") {
            let rules = try Self.rules(text)
            let (engine, reads) = (Engine(rules), RequestReads([rules]))
            for _ in 0..<60 {
                let request = Self.request(&random)
                var other = request
                other.headers = request.headers.compactMap { reads.read($0) }
                removed += request.headers.count - other.headers.count
                guard engine.decide(request) != engine.decide(other) else { continue }
                Issue.record("\(text): \(request.headers) \(other.headers)")
                break
            }
        }
        #expect(removed > 5_000)
    }
}
