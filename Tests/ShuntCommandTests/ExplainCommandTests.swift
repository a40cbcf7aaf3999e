import TestFolder
import Testing

@Suite("shunt explain")
struct ExplainCommandTests {
    static let rules = """
        input $version "0";
        if ($version < 3.2) {
            degrade ~ ^kl://Pay/(\\w+) https://m.test/pay/$1;
        }
        block host ads.test;
        server {
            listen 80;
            server_name www.test;
            location /old/ { rewrite ^/old/(.*)$ /new/$1 last; }
            location /new/ { if ($http_x = 1) { return 403; } set $a b; return 200 "new $a"; }
        }

        """

    private func explain(_ arguments: [String]) throws -> Outcome {
        try TestFolder(["r.conf": Self.rules]).run(["explain", "--rules", "r.conf"] + arguments)
    }

    @Test("The trace of the URL phase: verdicts, values, captures, and the rule that decided")
    func urlPhase() throws {
        let outcome = try explain(["kl://Pay/card", "--input", "version=3.1.9"])
        #expect(
            outcome.text == """
                GET kl://Pay/card {version=3.1.9}

                URL phase: kl://Pay/card
                  matched  if ($version < 3.2)                              r.conf:2:1
                             $version = "3.1.9"
                  decided  degrade ~ ^kl://Pay/(\\w+) https://m.test/pay/$1  r.conf:3:5
                             $1 = "card"

                Decision: degrade
                  url       https://m.test/pay/card
                  rule      r.conf:3:5  degrade ~ ^kl://Pay/(\\w+) https://m.test/pay/$1

                """
        )
        #expect(outcome.errors.isEmpty)
        #expect(outcome.status == 0)
    }

    @Test("An if with two tests is shown once, with its tests below it, and a share with its hash")
    func severalTests() throws {
        let rules = """
            input $device "";
            split_clients $device $share { 20% on; * off; }
            if ($share = on && $arg_x = 1) { block host a.test; }

            """
        let outcome = try TestFolder(["r.conf": rules])
            .run(["explain", "--rules", "r.conf", "kl://a.test/?x=2", "--input", "device=abc"])
        #expect(
            outcome.text.hasPrefix(
                """
                GET kl://a.test/?x=2 {device=abc}

                URL phase: kl://a.test/?x=2
                  matched  20% on                          r.conf:2:32
                             in split_clients $device $share, "abc" has the hash 324500635, at 7.56%: from 0% to 20%
                  tested   if ($share = on && $arg_x = 1)  r.conf:3:1
                  matched    $share = "on"
                  skipped    $arg_x = "2"
                """
            ),
            "\(outcome.text)"
        )
    }

    @Test("The trace of the server phase: server, locations, what a rule changed, values set")
    func serverPhase() throws {
        let outcome = try explain(["/old/a?b=c", "--host", "www.test", "--header", "X: 2"])
        #expect(
            outcome.text == """
                GET www.test/old/a?b=c {X: 2}

                URL phase: http://www.test/old/a?b=c
                  matched  if ($version < 3.2)                              r.conf:2:1
                             $version = "0"
                  skipped  degrade ~ ^kl://Pay/(\\w+) https://m.test/pay/$1  r.conf:3:5
                  skipped  block host ads.test                              r.conf:5:1

                Server phase: /old/a
                  chosen   server www.test                                  r.conf:6:1
                  chosen   location /old/                                   r.conf:9:5
                  matched  rewrite ^/old/(.*)$ /new/$1 last                 r.conf:9:22
                             $1 = "a"
                             /old/a → /new/a
                  chosen   location /new/                                   r.conf:10:5
                  skipped  if ($http_x = 1)                                 r.conf:10:22
                             $http_x = "2"
                  set      set $a b                                         r.conf:10:55
                             to "b"
                  decided  return 200 "new $a"                              r.conf:10:65

                Decision: respond 200
                  rule      r.conf:10:65  return 200 "new $a"
                  uri       /new/a
                  args      b=c
                  server    www.test
                  location  /new/
                  header    Content-Type: text/plain
                  body      "new b"

                """
        )
        #expect(outcome.status == 0)
    }

    @Test("The trace of a file that is looked for, in a server without a name")
    func file() throws {
        let rules =
            "server {\n    listen 80;\n    location / { try_files $uri /other; }\n    location = /other { }\n}\n"
        let folder = try TestFolder(["r.conf": rules, "site/there": ""])
        let outcome = try folder.run([
            "explain", "--rules", "r.conf", "/missing", "--host", "a.test", "--document-root", "site",
        ])
        #expect(
            outcome.text == """
                GET a.test/missing

                Server phase: /missing
                  chosen   server without a name  r.conf:1:1
                             for host "a.test"
                  chosen   location /             r.conf:3:5
                  missing  file site/missing      r.conf:3:18
                  moved    internal redirect      r.conf:3:18
                             to /other
                  chosen   location = /other      r.conf:4:5
                  missing  file site/other

                Decision: respond 404
                  uri       /other
                  location  = /other

                """
        )
    }

    @Test("The trace of a route")
    func route() throws {
        let folder = try TestFolder(["r.conf": "rename_host a b;\nroute GET kl://b/item/:id item;\n"])
        let outcome = try folder.run(["explain", "--rules", "r.conf", "kl://a/item/7"])
        #expect(
            outcome.text == """
                GET kl://a/item/7

                URL phase: kl://a/item/7
                  matched  rename_host a b  r.conf:1:1
                             kl://a/item/7 → kl://b/item/7

                Routes
                  matched  route item       r.conf:2:11

                Decision: forward
                  url       kl://b/item/7
                  rule      r.conf:1:1  rename_host a b
                  uri       /item/7
                  route     item id=7

                """
        )
    }

    @Test("A request that cannot be decided: the reason, and exit status 1")
    func failure() throws {
        let outcome = try explain(["nonsense"])
        #expect(
            outcome.text == """
                GET nonsense

                Decision: fail 400
                  reason    the URL is malformed: the URL has no scheme

                """
        )
        #expect(outcome.status == 1)
    }

    @Test("The trace as JSON has the steps in order, and the decision of `run`")
    func json() throws {
        let outcome = try explain(["http://www.test/old/a", "--format", "json"])
        #expect(outcome.lines.count == 1)
        let document = try JSON(outcome.output)
        #expect(document["decision"]["decision"].string == "respond")
        #expect(document["decision"]["request"].string == "http://www.test/old/a")
        #expect(document["decision"].shown("rule") == "r.conf:10:65")
        let trace = document["trace"]
        let steps = (0..<trace.count).map { trace[$0] }
        #expect(
            steps.compactMap { $0["kind"].string } == [
                "phase", "condition", "rule", "rule", "phase", "server", "location", "rule", "location", "condition",
                "assignment", "rule", "decision",
            ]
        )
        let rewrite = steps.first { $0["text"].string?.hasPrefix("rewrite ") == true }
        #expect(rewrite?["result"].string == "matched")
        #expect(rewrite?["before"].string == "/old/a")
        #expect(rewrite?["after"].string == "/new/a")
        #expect(rewrite?["captures"].strings == ["a"])
        #expect(rewrite?.shown("rule") == "r.conf:9:22")
    }

    @Test("An input that no rule looks at is warned of")
    func unusedInput() throws {
        let outcome = try explain(["kl://a", "--input", "verison=1", "--input", "$version=2", "--input", "other=3"])
        #expect(
            outcome.errors == """
                shunt: warning: the rules have no input "other"
                shunt: warning: the rules have no input "verison", did you mean "version"?

                """
        )
        #expect(outcome.text.hasPrefix("GET kl://a {other=3, verison=1, version=2}\n"))
        #expect(outcome.status == 0)
    }

    @Test(
        "The parts of the request",
        arguments: [
            (["--method", "PUT"], "PUT 127.0.0.1 80"),
            (["--remote-addr", "2001:db8::1"], "GET 2001:db8::1 80"),
            (["--at", "2026-02-03T04:05:06Z", "--listen", "127.0.0.1:80"], "2026-02-03T04:05:06+00:00"),
            (["--header", "X-A:  b", "--header", "X-C:d:e"], "[b][d:e]"),
        ]
    )
    func request(options: [String], expected: String) throws {
        let rules =
            "server { listen 80; return 200 "
            + "\"$request_method $remote_addr $server_port $time_iso8601 [$http_x_a][$http_x_c]\"; }"
        let folder = try TestFolder(["r.conf": rules])
        let arguments = ["explain", "--rules", "r.conf", "/", "--host", "a.test", "--format", "json"] + options
        let body = try JSON(folder.run(arguments).output)["decision"]["body"].string
        #expect(body?.contains(expected) == true, "\(body ?? "")")
    }
}
