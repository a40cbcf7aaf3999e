import TestFolder
import Testing

/// Rules of a file that several servers or maps include.
@Suite("Files that are included several times")
struct SharedFileTests {
    private static func server(_ name: String, _ rules: String = "") -> String {
        "server { server_name \(name).example; \(rules) include common.inc; }\n"
    }

    /// The rules around `common.inc`, what it has, and the checks of lint that find something in it.
    static let sets: [(rules: String, common: String, checks: [String])] = [
        (server("a", "rewrite ^/old$ /z permanent;") + server("b"), "rewrite ^/old$ /new permanent;", []),
        (server("b") + server("a", "rewrite ^/old$ /z permanent;"), "rewrite ^/old$ /new permanent;", []),
        (
            server("a", "rewrite ^/old$ /z permanent;") + server("b", "rewrite ^/old$ /z permanent;"),
            "rewrite ^/old$ /new permanent;", ["unreachable-rule"]
        ),
        (server("a", "return 301 https://b.example/;") + server("b"), "location /x { return 403; }", []),
        (server("a", "return 301 https://b.example/;") + server("b"), "rewrite ^/a$ /b permanent;", []),
        (
            server("a", "return 301 https://c.example/;") + server("b", "return 301 https://c.example/;"),
            "location /x { return 403; }", ["unreachable-location"]
        ),
        (server("a", "location ~ ^/x { return 404; }") + server("b"), "location /x { return 403; }", []),
        (server("a", "location ^~ /x { return 404; }") + server("b"), "location ~ ^/x[a-f] { return 403; }", []),
        (
            "map $uri $a { ~^/x 1; include common.inc; }\nmap $uri $b { include common.inc; }\n"
                + "server { server_name a.example; return 200 $a$b; }", "~^/xy 2;", []
        ),
        (
            "map $uri $a { ~^/x 1; include common.inc; }\nmap $uri $b { ~^/x 1; include common.inc; }\n"
                + "server { server_name a.example; return 200 $a$b; }", "~^/xy 2;", ["dead-map-entry"]
        ),
        (
            "server { server_name a.example; location /a { deny all; include common.inc; }\n"
                + "location /b { include common.inc; } }", "allow 10.0.0.1; deny all;", []
        ),
    ]

    @Test("Nothing is called dead that one of their places reaches", arguments: sets)
    func dead(rules: String, common: String, checks: [String]) throws {
        let folder = try TestFolder(["r/a.conf": rules, "r/common.inc": common])
        let report = try JSON(folder.run(["lint", "r", "--format", "json"]).output)["findings"]
        var found: [String] = []
        var number = 0
        while let check = report[number]["code"].string {
            if report[number]["file"].string == "r/common.inc" { found.append(check) }
            number += 1
        }
        #expect(found == checks)
        #expect(!(try folder.run(["check", "r"]).text.contains("never reached")))
        if checks.isEmpty { #expect(!(try folder.run(["examples", "--rules", "r"]).text.contains("never reached"))) }
    }

    @Test("A rule that one server reaches stays in the file, and diff shows what its removal changes")
    func removal() throws {
        let rules = Self.server("a", "rewrite ^/old$ /z permanent;") + Self.server("b")
        let folder = try TestFolder([
            "r/a.conf": rules, "r/common.inc": "rewrite ^/old$ /new permanent;\n", "n/a.conf": rules,
            "n/common.inc": "",
        ])
        #expect(try folder.run(["lint", "--fix", "r"]).status == 0)
        #expect(try folder.read("r/common.inc") == Array("rewrite ^/old$ /new permanent;\n".utf8))
        let difference = try folder.run(["diff", "r", "n"])
        #expect(difference.status == 1 && difference.text.contains("b.example/old"))
    }

    @Test(
        "A named location that an upstream or a variable may name is not called dead",
        arguments: [
            ("location / { proxy_pass http://127.0.0.1:1; } location @one { return 200 one; }", false),
            ("set $n one; location / { try_files /none @$n; } location @one { return 200 one; }", false),
            ("set $n @one; location / { try_files /none $n; } location @one { return 200 one; }", false),
            ("error_page 404 @$uri; location @one { return 200 one; }", false),
            ("location / { try_files $uri /x$uri; } location @one { return 200 one; }", true),
        ]
    )
    func namedLocation(rules: String, isFound: Bool) throws {
        let folder = try TestFolder(["a.conf": "server { server_name a.example; \(rules) }"])
        #expect(try folder.run(["lint", "a.conf"]).text.contains("nothing names @one") == isFound)
    }

    @Test(
        "Only a target that becomes a Location is reported to split nginx's answer",
        arguments: [
            ("rewrite ^/([^/]+)\\.xml$ /index.php?s=$1 last;", false),
            ("rewrite ^/([^/]+)\\.xml$ /x/$1 permanent;", false),
            ("rewrite /admin$ $scheme://a.example$uri/ permanent;", true),
            ("rewrite ^/(?<n>[^/]+)\\.xml$ /x/$n redirect;", true),
            ("rewrite ^/(?<n>[^/]+)\\.xml$ /x/$n last;", false),
            ("rewrite ^/(?<n>[^/]+)\\.xml$ http://a.example/$n;", true),
        ]
    )
    func splitting(rule: String, isFound: Bool) throws {
        let folder = try TestFolder(["a.conf": "server { server_name a.example; \(rule) }"])
        #expect(try folder.run(["lint", "a.conf", "--target", "nginx"]).text.contains("http-splitting") == isFound)
    }

    @Test("A redirect to the scheme and the Host of the request is found as one with a literal scheme")
    func hostSpoofing() throws {
        let folder = try TestFolder([
            "a.conf": "server { server_name a.example; return 301 $scheme://$host/x$request_uri; }"
        ])
        #expect(try folder.run(["lint", "a.conf"]).text.contains("host-spoofing"))
    }
}
