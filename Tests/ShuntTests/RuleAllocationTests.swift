import CAllocationCounter
import Foundation
import Shunt
import Testing

@testable import ShuntRules

/// The rule sets that allocate nothing, one for each directive and each variable.
///
/// `scripts/check-costs` counts what they allocate in an optimized build. Without optimization the language itself allocates, and
/// what is tested is that none is left out.
@Suite("Rules that allocate nothing")
struct RuleAllocationTests {
    /// Directives that only loading or the gateway reads, or that need files.
    private static let unread: Set<String> = [
        "http", "include", "upstream", "blocklist", "redirects", "log_format", "ssl_certificate", "ssl_certificate_key",
        "ssl_password_file", "ssl_protocols", "ssl_reject_handshake", "ssl_verify_client",
        "proxy_ssl_trusted_certificate", "proxy_ssl_certificate", "proxy_ssl_certificate_key",
        "proxy_ssl_password_file", "auth_basic", "auth_basic_user_file", "auth_request", "auth_request_set",
        "limit_conn",
        "limit_conn_dry_run", "limit_conn_log_level", "limit_conn_status", "limit_conn_zone", "limit_req",
        "charset", "charset_types", "chunked_transfer_encoding", "disable_symlinks", "etag", "expires",
        "if_modified_since", "max_ranges",
        "proxy_cookie_domain", "proxy_cookie_flags", "proxy_cookie_path", "limit_req_dry_run", "limit_req_log_level",
        "limit_req_status", "limit_req_zone",
    ]
    /// Directives that allocate: a signature is decoded and compared with a hash.
    private static let allocating: Set<String> = ["secure_link", "secure_link_md5", "secure_link_secret"]
    /// Variables that allocate: Base64 is decoded, and the gateway has the texts of limits.
    private static let allocatingVariables: Set<String> = ["remote_user", "limit_req_status", "limit_conn_status"]

    private static let ruleSets: [String] = {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Benchmarks/allocation-free.txt")
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { String($0) }
    }()

    @Test("Every directive that decides and every variable is among them")
    func completeness() {
        #expect(Self.ruleSets.count > 100)
        for row in DirectiveTable.standard.all where row.role.isDeciding {
            if Self.unread.contains(row.name) || Self.allocating.contains(row.name) { continue }
            let isUsed = Self.ruleSets.contains { $0.contains("\(row.name) ") || $0.contains("\(row.name);") }
            #expect(isUsed, "\(row.name)")
        }
        for name in BuiltinVariable.names.keys where !Self.allocatingVariables.contains(name) {
            #expect(Self.ruleSets.contains { $0.contains("if ($\(name) = never)") }, "\(name)")
        }
    }

    @Test("All of them load, and allocate nothing where the compiler optimizes")
    func allocations() throws {
        var url = RuleRequest(url: "https://www.a.test/x/y?id=5&lang=de")
        url.headers = [
            .init("User-Agent", "Mozilla (iPhone) Mobile"), .init("X-Forwarded-For", "198.51.100.7, 192.0.2.1"),
        ]
        for rules in Self.ruleSets {
            let engine = Engine(try RuleSet(text: rules))
            for request in [url, RuleRequest(target: "/x/y?id=5", host: "www.a.test")] {
                let count = allocations(engine, request)
                #if DEBUG
                _ = count
                #else
                #expect(count == 0, "\(rules)")
                #endif
            }
        }
    }

    private func allocations(_ engine: Engine, _ request: RuleRequest) -> UInt64 {
        var least = UInt64.max
        for _ in 0..<5 {
            let before = allocation_count()
            engine.withDecision(for: request) { decision in _ = decision.kind }
            least = min(least, allocation_count() - before)
        }
        return least
    }
}
