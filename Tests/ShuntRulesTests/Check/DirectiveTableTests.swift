import ShuntCore
import Testing

@testable import ShuntRules

/// The contexts and the numbers of arguments of each deciding directive of nginx, as nginx 1.22.1 answered when it
/// was asked with every directive in every block.
@Suite struct DirectiveTableTests {
    /// Blocks around a directive.
    static let blocks: [(name: String, before: String, after: String)] = [
        ("http", "http { ", " }"),
        ("server", "server { ", " }"),
        ("location", "server { location /q { ", " } }"),
        ("ifInServer", "server { if ($z) { ", " } }"),
        ("ifInLocation", "server { location /q { if ($z) { ", " } } }"),
        ("limitExcept", "server { location /q { limit_except GET { ", " } } }"),
    ]

    /// Name, blocks, numbers of arguments up to four, whether it has a block itself.
    static let rows: [(String, String, [Int], Bool)] = [
        ("absolute_redirect", "http server location", [1], false),
        ("add_header", "http server location ifInLocation", [2, 3], false),
        ("alias", "location", [1], false),
        ("allow", "http server location limitExcept", [1, 2], false),
        ("break", "server location ifInServer ifInLocation", [0], false),
        ("default_type", "http server location", [1], false),
        ("deny", "http server location limitExcept", [1], false),
        ("error_page", "http server location ifInLocation", [2, 3, 4], false),
        ("fastcgi_pass", "location ifInLocation", [1], false),
        ("geo", "http", [1, 2], true),
        ("grpc_pass", "location ifInLocation", [1], false),
        ("if", "server location", [1, 2, 3, 4], true),
        ("ignore_invalid_headers", "http server", [1], false),
        ("index", "http server location", [1, 2, 3, 4], false),
        ("internal", "location", [0], false),
        ("large_client_header_buffers", "http server", [2], false),
        ("limit_except", "location", [1, 2, 3, 4], true),
        ("listen", "server", [1, 2, 3, 4], false),
        ("location", "server location", [1, 2], true),
        ("map", "http", [2], true),
        ("memcached_pass", "location ifInLocation", [1], false),
        ("merge_slashes", "http server", [1], false),
        ("port_in_redirect", "http server location", [1], false),
        ("proxy_pass", "location ifInLocation limitExcept", [1], false),
        ("real_ip_header", "http server location", [1], false),
        ("real_ip_recursive", "http server location", [1], false),
        ("recursive_error_pages", "http server location", [1], false),
        ("return", "server location ifInServer ifInLocation", [1, 2], false),
        ("rewrite", "server location ifInServer ifInLocation", [2, 3], false),
        ("rewrite_log", "http server location ifInServer ifInLocation", [1], false),
        ("root", "http server location ifInLocation", [1], false),
        ("satisfy", "http server location", [1], false),
        ("scgi_pass", "location ifInLocation", [1], false),
        ("secure_link", "http server location", [1], false),
        ("secure_link_md5", "http server location", [1], false),
        ("secure_link_secret", "http server location", [1], false),
        ("server", "http", [0], true),
        ("server_name", "server", [1, 2, 3, 4], false),
        ("server_name_in_redirect", "http server location", [1], false),
        ("set", "server location ifInServer ifInLocation", [2], false),
        ("set_real_ip_from", "http server location", [1], false),
        ("split_clients", "http", [2], true),
        ("try_files", "server location", [2, 3, 4], false),
        ("types", "http server location", [0], true),
        ("underscores_in_headers", "http server", [1], false),
        ("uninitialized_variable_warn", "http server location ifInServer ifInLocation", [1], false),
        ("upstream", "http", [1], true),
        ("uwsgi_pass", "location ifInLocation", [1], false),
        ("valid_referers", "server location", [1, 2, 3, 4], false),
    ]

    private func code(_ text: String) -> String? {
        var source = RuleFiles.load(text: text)
        _ = StructureCheck.run(&source)
        let codes: Set = [
            "unknown-directive", "misplaced-directive", "argument-count", "missing-block", "unexpected-block",
        ]
        return source.diagnostics.map(\.code).first { codes.contains($0) }
    }

    @Test(arguments: rows)
    func agreesWithNginx(name: String, places: String, counts: [Int], hasBlock: Bool) {
        let places = Set(places.split(separator: " ").map(String.init))
        for block in Self.blocks {
            for count in 0...4 {
                let directive = name + String(repeating: " on", count: count)
                let right = block.before + directive + (hasBlock ? " {}" : ";") + block.after
                let wrong = block.before + directive + (hasBlock ? ";" : " {}") + block.after
                if !places.contains(block.name) {
                    #expect(code(right) == "misplaced-directive", "\(right)")
                } else {
                    #expect(code(right) == (counts.contains(count) ? nil : "argument-count"), "\(right)")
                    #expect(code(wrong) == (hasBlock ? "missing-block" : "unexpected-block"), "\(wrong)")
                }
            }
        }
    }

    /// Our own directives: where they may be, and the fewest and most arguments.
    static let own: [(String, String, ClosedRange<Int>, Bool)] = [
        ("rename_host", "top match if", 2...2, false), ("rewrite_url", "top match if", 2...3, false),
        ("degrade", "top match if", 2...9, false), ("block", "top match if server", 1...9, false),
        ("blocklist", "top match if", 1...2, false), ("redirects", "top match if server", 1...9, false),
        ("set", "top match if", 2...2, false),
        ("break", "top match if", 0...0, false), ("match", "top match if", 1...9, true),
        ("if", "top match if", 1...9, true), ("input", "top", 1...2, false), ("route", "top", 2...36, false),
        ("map", "top", 2...2, true), ("server", "top", 0...0, true), ("upstream", "top", 1...1, true),
    ]

    @Test(arguments: own)
    func placesOurOwn(name: String, places: String, counts: ClosedRange<Int>, hasBlock: Bool) {
        for (place, before, after) in [
            ("top", "", ""), ("match", "match host a { ", " }"), ("if", "if ($a) { } else { ", " }"),
            ("server", "server { ", " }"),
        ] {
            for count in [0, 1, 2, 3, 6, 7, 9] {
                let text = before + name + String(repeating: " x", count: count) + (hasBlock ? " {}" : ";") + after
                let expected: String? =
                    places.contains(place)
                    ? (counts.contains(count) ? nil : "argument-count")
                    : ["set", "break", "if"].contains(name) ? nil : "misplaced-directive"
                if place == "server", expected == nil { continue }
                #expect(code(text) == expected, "\(text)")
            }
        }
    }

    /// The result has only right directives, with keywords, and nothing that is ignored.
    @Test func keepsOnlyWhatIsRight() {
        var source = RuleFiles.load(
            text: """
                user www; events { anything; }
                http {
                    gzip on; merge_slashes off; merge_slashes on;
                    map $a $b { default 1; ~^/x{2} 2; hostnames; gzip; }
                    upstream u { server 127.0.0.1 weight=2; keepalive 4; }
                    server { wrong; location = /a { return; return 204; } }
                    types { text/html html; }
                }
                if ($x) { break; } else if ($y) { block host a; } else { }
                """
        )
        let directives = StructureCheck.run(&source)
        #expect(directives.map(\.keyword) == [nil, nil, .map, .upstream, .server, .types, .if, .else, .else])
        #expect(directives.prefix(2).map(\.name.text) == ["events", "merge_slashes"])
        #expect(directives[2].entries.map(\.name.text) == ["default", "~^/x{2}", "hostnames", "gzip"])
        #expect(directives[2].block.isEmpty)
        #expect(directives[4].block.map(\.keyword) == [.location])
        #expect(directives[4].block.first?.block.map { $0.arguments.map(\.text) } == [["204"]])
        #expect(directives[7].block.map(\.keyword) == [.block])
        #expect(
            source.diagnostics.filter { $0.severity == .error }.map(\.code).sorted() == [
                "argument-count", "duplicate-directive", "unknown-directive", "unquoted-brace",
            ]
        )
    }

    /// A directive with a name of nginx's is never two things in one place.
    @Test func hasOneMeaningInAPlace() {
        for (name, specifications) in Dictionary(grouping: DirectiveTable.standard.all, by: \.name) {
            var seen = Contexts()
            for specification in specifications {
                let overlap = seen.intersection(specification.contexts)
                #expect(overlap.isEmpty, "\(name) \(overlap.description)")
                seen.formUnion(specification.contexts)
            }
        }
        for keyword in Keyword.allCases {
            #expect(!DirectiveTable.standard.rows(of: Array(keyword.rawValue.utf8)).isEmpty, "\(keyword)")
        }
    }
}
