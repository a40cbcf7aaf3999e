import ShuntCore
import ShuntRules
import Testing

/// Rules whose every word is right, and that can never do what was meant: each with the message and the way out.
@Suite("Mistakes that went unnoticed")
struct MistakeTests {
    /// The first line of each diagnostic with its suggestion, as `severity: message | suggestion`.
    private func messages(_ rules: String) -> [String] {
        let diagnostics: [Diagnostic]
        do throws(RuleSetError) {
            diagnostics = try RuleSet(text: rules).diagnostics
        } catch {
            diagnostics = error.diagnostics
        }
        return diagnostics.map { diagnostic in
            "\(diagnostic.location.line):\(diagnostic.location.column) \(diagnostic.severity.rawValue): \(diagnostic.message)"
                + (diagnostic.suggestion.map { " | \($0)" } ?? "")
        }
    }

    @Test(
        "Hosts that no host can be",
        arguments: [
            (
                "block host https://ads.example.com/;",
                "1:12 error: \"https://ads.example.com/\" is a URL, and a host is one part of it | write block host "
                    + "ads.example.com, or block ^~ https://ads.example.com/ for this URL and all that begin with it"
            ),
            (
                "block host ads2.example.com/path;",
                "1:12 error: \"ads2.example.com/path\" has a path, and a host is the part before it | write block host "
                    + "ads2.example.com, or block ^~ https://ads2.example.com/path for one page"
            ),
            (
                "block host ads3.example.com:8080;",
                "1:12 error: \"ads3.example.com:8080\" has a port, and a host is the part before it | write "
                    + "ads3.example.com: a rule for a host is for all its ports"
            ),
            (
                "block host ads4.example.com, ads5.example.com;",
                "1:12 error: \"ads4.example.com,\" has a comma, which no host has | put spaces between hosts, and no commas"
            ),
            (
                "block host ads,tracker;",
                "1:12 error: \"ads,tracker\" has a comma, which no host has | put spaces between hosts, and no commas"
            ),
            (
                "block host 10.0.0.0/8;",
                "1:12 error: \"10.0.0.0/8\" is a network, and no host | for hosts that are addresses write an expression, "
                    + "such as ~^10\\."
            ),
            (
                "block host a.example until 2026-12-01;",
                "1:28 error: \"2026-12-01\" is a date, and no host | put the rule into an if: if ($time < 2026-12-01) { ... }"
            ),
            (
                "block host ::1;",
                "1:12 error: \"::1\" is an address without its brackets | write [::1]"
            ),
            (
                "block host $http_host;",
                "1:12 error: \"$http_host\" has a variable, and names of hosts are literal | compare the variable "
                    + "in an if: if ($host = $name) { ... }"
            ),
            (
                "rename_host kl://Wallet Pay;",
                "1:13 error: \"kl://Wallet\" is a URL, and a host is one part of it | write Wallet; rewrite_url changes more "
                    + "than the host"
            ),
            (
                "rename_host Cash Pay/home;",
                "1:18 error: \"Pay/home\" has a path, and a host is the part before it | write Pay; rewrite_url changes "
                    + "more than the host"
            ),
            (
                "rename_host Cash Pay:80;",
                "1:18 error: \"Pay:80\" has a port, and a host is the part before it | write Pay; set $port changes the port"
            ),
            (
                "degrade host Pay kl://Other/ https://m.example.com/;",
                "1:18 error: \"kl://Other/\" is a URL, and a host is one part of it | write degrade host Other, or degrade ^~ "
                    + "kl://Other/ for this URL and all that begin with it"
            ),
        ]
    )
    func hosts(rules: String, expected: String) {
        #expect(messages(rules) == [expected])
    }

    @Test(
        "Matchers that no URL matches, and tests that never hold",
        arguments: [
            (
                "rewrite_url ^/shop/(.*)$ https://a.example/$1;",
                "1:13 warning: no URL matches \"^/shop/(.*)$\" | a URL begins with its scheme: write ^https?://[^/]+/shop/(.*)$, "
                    + "or use rewrite in a server"
            ),
            (
                "block = /foo;",
                "1:9 warning: no URL is \"/foo\" | a URL begins with its scheme: write = https://HOST/foo"
            ),
            (
                "match ^~ www.example.com/ { block ~ x; }",
                "1:10 warning: no URL begins with \"www.example.com/\" | a URL begins with its scheme: write ^~ "
                    + "https://HOST/www.example.com/"
            ),
            (
                "if ($host = Wallet) { block ~ x; }",
                "1:13 warning: $host is in lower case: the test is never true | write \"wallet\""
            ),
            (
                "server { if ($request_method != get) { return 405; } }",
                "1:33 warning: $request_method is in capitals: the test is always true | write \"GET\""
            ),
            (
                "if ($remote_addr = 10.0.0.0/8) { block ~ x; }",
                "1:20 warning: $remote_addr is one address, and never the network \"10.0.0.0/8\" | write geo $is_near { default 0; "
                    + "10.0.0.0/8 1; } and test $is_near"
            ),
            (
                "if ($time_of_day >= 22:00 && $time_of_day < 06:00) { block ~ x; }",
                "1:45 warning: $time_of_day is never above 22:00 and below 06:00: the test is never true | write || for the hours "
                    + "from 22:00 over midnight to 06:00"
            ),
            (
                "if ($time < 2026-11-01 && $arg_a = b && $time > 2026-12-01) { block ~ x; }",
                "1:49 warning: $time is never above 2026-12-01 and below 2026-11-01: the test is never true | write || if one of the "
                    + "two is enough"
            ),
            (
                "if ($arg_v > 2.0 && $arg_v < 2.0) { block ~ x; }",
                "1:30 warning: $arg_v is never above 2.0 and below 2.0: the test is never true | write || if one of the two is enough"
            ),
            (
                "split_clients device_id $d { 10% on; * off; } if ($d = on) { block ~ x; }",
                "1:15 warning: \"device_id\" is the same for everybody, so that everybody has the same share | write "
                    + "\"$device_id\" for a variable"
            ),
            (
                "split_clients $arg_d $rollout { 10% web; * native; } if ($rollout = wbe) { block ~ x; }",
                "1:69 warning: $rollout is never \"wbe\": the test is never true | did you mean \"web\"?"
            ),
            (
                "map $host $kind { a 1; b 2; } server { if ($kind = other) { return 404; } }",
                "1:52 warning: $kind is never \"other\": the test is never true | its values are nothing, 1, 2"
            ),
        ]
    )
    func neverHolds(rules: String, expected: String) {
        #expect(messages(rules) == [expected])
    }

    @Test(
        "The value of a list is one of the values of a map",
        arguments: [("1", true), ("$arg_q", true), ("2", false)]
    )
    func valueOfList(value: String, isPossible: Bool) throws {
        let files = InMemoryFileSystem([
            "/a.conf": "map $http_user_agent $y { default 0; include g.txt \(value); } if ($y = 1) { block ~ x; }",
            "/g.txt": "bot\n",
        ])
        let found = try RuleSet(path: "/a.conf", from: files).diagnostics
        #expect(found.map(\.code) == (isPossible ? [] : ["never-equal"]))
    }

    @Test(
        "Rules that come too late",
        arguments: [
            ("block host a.example;\nblock host b.example a.example;", "2:22", "\"a.example\"", "1:12"),
            (
                "block host *.example.com;\ndegrade host sub.ads.example.com https://m.example/;", "2:14",
                "\"sub.ads.example.com\"", "1:12"
            ),
            ("block host .example.com;\nblock host example.com;", "2:12", "\"example.com\"", "1:12"),
            ("block host www.*;\nblock host www.a.b;", "2:12", "\"www.a.b\"", "1:12"),
            ("block host *.a;\nmatch ~ x { block host *.b.a; }", "2:24", "\"*.b.a\"", "1:12"),
            ("rename_host Module7 Target7;\nrename_host module7 Other7;", "2:13", "\"module7\"", "1:13"),
            (
                "block ^~ https://a/private/;\nblock = https://a/private/x 410;", "2:9", "\"https://a/private/x\"",
                "1:10"
            ),
            (
                "degrade ^~ kl://Pay/ https://m/a;\ndegrade ^~ kl://Pay/x/ https://m/b;", "2:12", "\"kl://Pay/x/\"",
                "1:12"
            ),
            (
                "rewrite_url ^kl://a https://b redirect;\nrewrite_url ^kl://a https://c redirect;", "2:13",
                "\"^kl://a\"", "1:13"
            ),
            ("block host ~^ad;\nblock host ~^ad 410;", "2:12", "\"~^ad\"", "1:12"),
        ]
    )
    func tooLate(rules: String, place: String, name: String, earlier: String) throws {
        let diagnostics = try RuleSet(text: rules).diagnostics
        #expect(diagnostics.count == 1, "\(diagnostics)")
        let diagnostic = try #require(diagnostics.first)
        #expect("\(diagnostic.location.line):\(diagnostic.location.column)" == place)
        #expect(diagnostic.message == "no URL that \(name) matches reaches this")
        #expect(diagnostic.severity == .warning)
        let note = try #require(diagnostic.notes.first)
        #expect("\(note.location.line):\(note.location.column)" == earlier)
    }

    @Test(
        "Rules that look alike and are right",
        arguments: [
            "if ($time_of_day >= 22:00 || $time_of_day < 06:00) { block ~ x; }",
            "if ($arg_v >= 2.0 && $arg_v <= 2.0) { block ~ x; }",
            "if (($arg_v > 2 && $arg_w = a) && ($arg_v < 1)) { block ~ x; }",
            "if ($time > 2026-11-02T00:00:00+08:00 && $time < 2026-11-01T20:00) { block ~ x; }",
            "block host a.example *.a.example .b.example www.* ~^ads [::1] 127.0.0.1 a_b.example;",
            "rename_host ~^m-(?<shop>\\w+)\\.example$ $shop.example.net;",
            "rename_host a b; rename_host b c; rename_host c a; rename_host a d;",
            "block host sub.a; block host *.a; block host a;",
            "block host *.a; rename_host b x.a; block host x.a;",
            "if ($arg_x) { block host a; } block host a;",
            "rewrite_url ^kl://a/(.*)_(.*)$ kl://a/$1-$2; rewrite_url ^kl://a/(.*)_(.*)$ kl://a/$1-$2;",
            "block ^~ https://a/x; rewrite_url ^https://b https://a/x; block ^~ https://a/x;",
            "block ^~ htt; block ~ ^/?x; block ~ ^/a|^kl:; block = kl:x;",
            "map $host $k { default 0; a $arg_x; } if ($k = y) { block ~ x; }",
            "map $host $k { default 0; a 1; } if ($k = 1) { block ~ x; } if ($k != \"0\") { block ~ y; }",
            "split_clients $arg_x $k { 10% a; } if ($k = \"\") { block ~ x; }",
            "if ($host = wallet) { block ~ x; } if ($scheme = $arg_x) { block ~ y; }",
            "server { set $time now; return 200 $time; } map $host $weekday { default any; } input $time_of_day;",
            "block ~ a; block ~* a; block host ~a; match ~ a { set $x 1; }",
        ]
    )
    func right(rules: String) {
        #expect(messages(rules) == [])
    }

    @Test(
        "Words that people try first",
        arguments: [
            ("redirect /old /new;", "write rewrite_url ^https?://HOST/old$ https://HOST/new permanent;"),
            ("rewrite_host a b;", "write rename_host FROM TO;"),
            ("if ($arg_a) { block ~ x; } elseif ($arg_b) { block ~ y; }", "write } else if (...) { ... }"),
            ("deny host a.example b.example;", "write block host a.example b.example;"),
            ("if ($arg_a and $arg_b) { block ~ x; }", "write \"&&\" for \"and\""),
            ("if ($arg_a = \"and\" x) { block ~ x; }", "the operators are"),
            ("if ($msec =< 5) { block ~ x; }", "write \"<=\""),
            ("if ($msec<5) { block ~ x; }", "put spaces around the operator"),
            ("server { if ($arg_a && $arg_b) { return 404; } }", "an if in a server has one test"),
            ("degrade host Pay;", "write: degrade host Pay URL;"),
            ("block ads.example;", "write host ads.example"),
            ("route /users/<id> user;", "write :id"),
            ("route /users/{id} user;", "write :id for a parameter"),
            ("set_escape_uri $a $uri;", "write encode $name value; in its place"),
            ("set_unescape_uri $a $arg_a;", "write decode $name value; in its place"),
            ("echo hi;", "write ignore_directive echo;"), ("// a\nblock ~ x;", "a comment begins with #"),
            ("/* a */ block ~ x;", "a comment begins with #"),
            ("RewriteRule ^/a$ /b [L]\nblock ~ x;", "shunt import apache FILE"),
            ("<IfModule x>\nblock ~ x;", "shunt import apache FILE"),
            ("geo $a { 10.0.0.0-10.0.0.255 1; }", "a geo that begins with ranges;"),
            ("geo $a { 10.0.0.0-x 1; }", "write an address such as"),
        ]
    )
    func triedFirst(rules: String, suggestion: String) {
        #expect(messages(rules).first?.contains(suggestion) == true, "\(messages(rules))")
    }
}
