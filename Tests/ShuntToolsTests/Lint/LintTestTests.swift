import Shunt
import ShuntTools
import Testing

@Suite("shunt lint: tests of an if that never hold")
struct LintTestTests {
    /// Tests in a server, with the check that finds them and a part of what it reports.
    static let never: [(test: String, check: String, reason: String)] = [
        ("$uri = \"/a?b\"", "impossible-text", "a path has no query"),
        ("$uri = a", "impossible-text", "a path begins with a slash"),
        ("$uri ~ ^a", "never-matches", "a path begins with a slash"),
        ("$uri ~ \"\\?x=1\"", "query-in-path", "a path has no query"),
        ("$uri = \"/caf%C3%A9\"", "impossible-text", "a path is decoded"),
        ("$request_uri = \"/a b\"", "impossible-text", "no spaces"),
        ("$request_uri ~ ^http://", "never-matches", "no host"),
        ("$is_args = 1", "impossible-text", "a question mark, or empty"),
        ("$https = 1", "impossible-text", "it is on, or empty"),
        ("$scheme = http://", "impossible-text", "http or https"),
        ("$scheme = HTTPS", "impossible-text", "http or https"),
        ("$host = \"a.example:8080\"", "impossible-text", "write a.example"),
        ("$host = \"https://a.example\"", "impossible-text", "a host has no scheme"),
        ("$host = \"*.a.example\"", "impossible-text", "= compares the whole text"),
        ("$host = WWW.a.example", "impossible-text", "lower case"),
        ("$request_method ~ get", "never-matches", "capital letters"),
        ("$request_method = post", "impossible-text", "capital letters"),
        ("$server_port = https", "impossible-text", "it is a number"),
        ("$server_port = :80", "impossible-text", "write 80"),
        ("$arg_q = \"new york\"", "impossible-text", "write new%20york, and new+york"),
        ("$args = \"q=caf\u{e9}\"", "impossible-text", "write q=caf%C3%A9"),
        ("$request_uri = \"/caf\u{e9}?a\"", "impossible-text", "write /caf%C3%A9?a"),
    ]

    @Test("Never", arguments: never)
    func neverTrue(_ row: (test: String, check: String, reason: String)) throws {
        try LintStatement(
            "server { listen 80; location / {\nif (\(row.test)) { return 403; }\nreturn 200 x; } }",
            finds: ["2 \(row.check)"],
            says: [row.reason]
        )
        .hold()
    }

    @Test(
        "Possible",
        arguments: [
            "$uri = /a", "$uri ~ ^/a", "$uri ~ a$", "$uri = /", "$request_uri = \"/a?b=c\"", "$is_args = \"?\"",
            "$https = on",
            "$https = \"\"", "$scheme = https", "$scheme != http", "$host = www.a.example", "$host = \"[::1]\"",
            "$host = 192.0.2.1",
            "$request_method = POST", "$request_method ~ ^(GET|HEAD)$", "$request_method !~ ^(GET|HEAD)$",
            "$server_port = 443",
            "$args = \"?x=1\"", "$arg_q = new%20york", "$request_uri = /caf%C3%A9", "$http_host = \"a.example:8080\"",
            "$uri !~ ^/a",
        ]
    )
    func possible(test: String) throws {
        try LintStatement(
            "server { listen 80; location / {\nif (\(test)) { return 403; }\nreturn 200 x; } }",
            notFinding: ["impossible-text", "never-matches", "query-in-path", "dead-branch"]
        )
        .hold()
    }

    @Test("Values that earlier rules may have changed are not claimed")
    func changed() throws {
        try LintStatement(
            "server { listen 80; rewrite ^/x b;\nif ($uri = b) { return 403; }\n"
                + "return 200 x; }",
            notFinding: ["impossible-text", "never-matches"]
        )
        .hold()
    }

    @Test(
        "A test whose values an answer before it takes",
        arguments: [
            ("$http_x ~ ^1", "$http_x ~ ^12", true), ("$arg_x = 1", "$arg_x = 1", true),
            ("$uri ~ ^/a", "$uri = /ab", true),
            ("$request_method != POST", "$request_method = GET", true), ("$host ~* ^a", "$host ~ ^ab", true),
            ("$arg_x = 1", "$arg_y = 1", false), ("$uri ~ ^/ab", "$uri ~ ^/a", false),
            ("$uri ~ b", "$uri ~ ^/a", false),
        ]
    )
    func answered(before: String, test: String, isDead: Bool) throws {
        let tests = "if (\(before)) { return 403; }\n$BETWEEN\nif (\(test)) { return 404; }\n"
        func hold(between: String, _ isDead: Bool) throws {
            let rules = "server {\n\(tests.replacing("$BETWEEN", with: between))location / { return 204; }\n}"
            try LintStatement(
                rules,
                finds: isDead ? ["4 dead-branch"] : [],
                notFinding: isDead ? [] : ["dead-branch"]
            )
            .hold()
        }
        try hold(between: "", isDead)
        // A rewrite makes another path and another query of it.
        try hold(between: "rewrite ^/q(.*)$ /ab$1?x=1;", false)
    }

    @Test("A wildcard before hostnames is a text, as in nginx")
    func hostnames() throws {
        try LintStatement(
            "map $host $x {\ndefault 0;\n*.a.example 1;\nhostnames;\n*.b.example 2;\n}\nserver { return 200 $x; }",
            finds: ["3 impossible-text"],
            says: ["write hostnames; before the keys"]
        )
        .hold()
        try LintStatement(
            "map $host $x {\nhostnames;\n*.a.example 1;\n}\nserver { return 200 $x; }",
            notFinding: ["impossible-text"]
        )
        .hold()
    }

    @Test("Times in one another that have no moment in common")
    func times() throws {
        try LintStatement(
            "if ($time_of_day >= 22:00) {\nif ($time_of_day < 06:00) { block host a.example; }\n}",
            finds: ["2 dead-branch"]
        )
        .hold()
        try LintStatement(
            "if ($time >= 2027-01-01) {\nif ($time < 2026-12-01) { block host a.example; }\n}",
            finds: ["2 dead-branch"]
        )
        .hold()
        try LintStatement(
            "if ($time >= 2027-01-01) {\nif ($time < 2027-02-01) { block host a.example; }\n}",
            notFinding: ["dead-branch"]
        )
        .hold()
    }
}
