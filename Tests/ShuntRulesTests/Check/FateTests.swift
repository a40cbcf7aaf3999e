import Foundation
import ShuntCore
import Testing

@testable import ShuntRules

/// The fates of directives: done by the gateway, without effect, or not done and refused.
@Suite struct FateTests {
    /// The directives of nginx by the parts of the list.
    private static func nginxDirectives() throws -> [(part: String, names: [String])] {
        let path = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Conformance/nginx-directives.txt")
        var parts: [(part: String, names: [String])] = []
        for line in try String(contentsOf: path, encoding: .utf8).split(separator: "\n") where !line.hasPrefix("#") {
            if line.hasPrefix("[") {
                parts.append((String(line.dropFirst().dropLast()), []))
            } else {
                parts[parts.count - 1].names += line.split(separator: " ").map(String.init)
            }
        }
        return parts
    }

    @Test("No directive of nginx is without a fate")
    func everyDirective() throws {
        let parts = try Self.nginxDirectives()
        #expect(parts.reduce(0) { $0 + $1.names.count } > 950)
        let table = DirectiveTable.standard
        for (part, names) in parts {
            if part.hasPrefix("in ") {
                #expect(!table.rows(of: Array(part.dropFirst(3).utf8)).isEmpty, "\(part)")
                continue
            }
            for name in names where table.rows(of: Array(name.utf8)).isEmpty {
                #expect(part.hasPrefix("module ") && UnservedDirectives.module(of: name) != nil, "\(part): \(name)")
            }
        }
        for name in UnservedDirectives.table.keys { #expect(!table.rows(of: Array(name.utf8)).isEmpty, "\(name)") }
    }

    /// The names that a gateway refuses in rules.
    private static func refused(_ text: String, accepting accepted: Set<String> = []) throws -> [String] {
        let rules = try RuleSet(text: text)
        #expect(rules.diagnostics.allSatisfy { $0.severity != .error })
        let errors = rules.servingErrors(accepting: accepted)
        #expect(errors.allSatisfy { $0.severity == .error && !$0.sourceLine.isEmpty })
        return rules.unserved.map(\.name).filter { name in errors.contains { $0.message.contains("\(name)\"") } }
    }

    @Test(
        "A gateway refuses what decides and is not done, and nothing else",
        arguments: [
            ("server { auth_basic x; auth_basic_user_file f; }", []),
            ("server { mirror /x; mirror_request_body off; }", ["mirror"]),
            ("mirror /x; server { mirror off; }", ["mirror"]),
            (
                "server { proxy_cache off; location / { proxy_cache $zone; } } map $uri $zone { default x; }",
                ["proxy_cache"]
            ),
            ("server { mirror off; mirror_request_body off; }", []),
            ("server { set $limit_rate 10; location / { set $limit_rate $arg_r; } }", ["limit_rate"]),
            ("server { set $limit_rate 0; set $limit_rates 1; }", []),
            ("ignore_directive limit_rate; server { set $limit_rate 10; }", []),
            ("limit_req_zone $uri zone=a:1m rate=1r/s; server { return 200; }", []),
            ("proxy_cache_path /c keys_zone=a:1m; server { proxy_cache_valid 1h; proxy_cache off; }", []),
            ("server { proxy_intercept_errors OFF; limit_rate 0; gzip on; expires off; mirror off; }", []),
            ("server { location / { fastcgi_pass unix:/s; fastcgi_param A b; } }", ["fastcgi_pass"]),
            ("stream { } mail { server { } } server { return 200; }", ["mail"]),
            ("upstream u { server a; sticky cookie c; zone u 1m; } server { return 200; }", ["sticky"]),
            ("server { listen 443; ssl on; }", ["ssl"]),
            ("server { listen 443 ssl; ssl on; }", []),
            ("server { expires 30d; charset utf-8; limit_rate 1k; error_page 497 /x; }", ["limit_rate"]),
            ("charset_map a b { 80 81; } server { override_charset on; }", ["charset_map", "override_charset"]),
            ("server { location / { proxy_set_body a=$request_body; } }", ["request_body"]),
            ("map $request_body $b { default 1; } server { if ($b) { return 403; } }", ["request_body"]),
            ("map $request_body $b { default 1; } log_format f '$request_body $b'; server { access_log /l f; }", []),
            ("server { root /a; location /x/ { alias /b/; disable_symlinks on; } }", []),
        ]
    )
    func decisive(text: String, names: [String]) throws {
        #expect(try Self.refused(text) == names)
    }

    @Test("Directives that rules or the caller accept are not refused")
    func accepted() throws {
        let text = "server { mirror /x; proxy_cache a; slice 1m; }"
        #expect(try Self.refused(text) == ["mirror", "proxy_cache", "slice"])
        #expect(try Self.refused(text, accepting: ["mirror", "slice"]) == ["proxy_cache"])
        #expect(try Self.refused(text, accepting: ["all"]).isEmpty)
        #expect(try Self.refused("ignore_directive proxy_cache slice; \(text)") == ["mirror"])
    }

    @Test("A decision without the gateway is warned of the gates that only it has")
    func gateway() throws {
        let text = "server { auth_basic x; location / { auth_basic off; } location /a { auth_basic y; } }"
        let rules = try RuleSet(text: text)
        #expect(
            rules.diagnostics.map(\.message) == [
                "only the gateway does \"auth_basic\" (2 times): elsewhere requests pass without a password"
            ]
        )
        #expect(rules.unserved.isEmpty && rules.diagnostics(ofServingAccepting: []).isEmpty)
        #expect(throws: RuleSetError.self) { _ = try RuleSet(text: "ignore_directive auth_basic; \(text)") }
    }

    @Test("A directive that decides still decides where the rules accept that the gateway does not do it")
    func named() throws {
        let rules = try RuleSet(
            text: "ignore_directive fastcgi_pass; server { location ~ ^/(.)$ { fastcgi_pass 127.0.0.1:1; } }"
        )
        let sent = try RuleSet(text: "server { root /a; location /b { fastcgi_pass 127.0.0.1:1; } }")
        #expect(sent.unserved.map(\.name) == ["fastcgi_pass"] && sent.diagnostics.isEmpty)
        #expect(rules.unserved.isEmpty && rules.ignored.isEmpty && rules.diagnostics.isEmpty)
        #expect(throws: RuleSetError.self) { _ = try RuleSet(text: "ignore_directive proxy_pass;") }
    }

    @Test("http2 of a listen is reported as the directive is")
    func http2() throws {
        let rules = try RuleSet(
            text: "server { listen 443 ssl http2; listen [::]:443 http2 ssl; http2 on; return 200; }"
        )
        #expect(rules.ignored.map(\.name) == ["http2"] && rules.ignored.map(\.count) == [3])
        #expect(rules.ignored.first?.note == "the gateway speaks HTTP/1.1")
        #expect(rules.ignored.first?.location.column == 25)
    }

    @Test("Directives without effect are counted in one line, and listed on request")
    func withoutEffect() throws {
        let rules = try RuleSet(
            text: "user x; pid p;\nserver { gzip on; gzip off; resolver a; tcp_nodelay on; return 200; }"
        )
        #expect(rules.ignored.map(\.name) == ["user", "pid", "gzip", "resolver", "tcp_nodelay"])
        #expect(rules.ignored.map(\.count) == [1, 1, 2, 1, 1])
        #expect(rules.ignored[3].note == "names are looked up as the system does")
        #expect(
            DiagnosticRenderer().render(rules.diagnostics)
                == "rules.conf: note: 5 directives have no effect on answers and upstreams; shunt check --ignored lists them "
                + "[ignored-directives]\n"
        )
        let two = try RuleSet(text: "user x; pid p; server { return 200; }").diagnostics
        #expect(two.map(\.message) == ["\"user\", \"pid\" have no effect on answers and upstreams"])
        // The settings of a protocol that the gateway does not speak are listed only.
        let settings = "fastcgi_pass unix:/s; fastcgi_intercept_errors on; fastcgi_pass_request_headers off;"
        let spoken = try RuleSet(text: "pid p; server { location / { \(settings) } }")
        #expect(spoken.ignored.map(\.name) == ["pid", "fastcgi_intercept_errors", "fastcgi_pass_request_headers"])
        #expect(spoken.diagnostics.map(\.message) == ["\"pid\" has no effect on answers and upstreams"])
    }
}
