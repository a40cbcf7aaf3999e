import Shunt
import ShuntTools
import Testing

/// Tests that other tools have written.
@Suite("Tests from other tools")
struct TestSourceTests {
    private static let rules = """
        rewrite_url ^http://up.example/(.*)$ https://up.example/$1;
        server {
            server_name localhost;
            location = /q { return 302 https://a.example/?$args; }
            location /old/ { return 301 https://localhost/new/; }
            location = /gone { return 410; }
            location = /head { if ($http_x_a = b) { return 303 /yes; } }
        }

        """

    private static func run(_ cases: [TestCase]) throws -> TestReport {
        RuleTests(try RuleSet(text: rules), cases).run()
    }

    @Test("Hurl: requests, parameters, headers, statuses and assertions about headers")
    func hurl() throws {
        let text = """
            # A remark
            GET {{host}}/old/x
            HTTP 301
            [Asserts]
            header "Location" == "https://localhost/new/"
            header "Location" contains "/new"
            header "Location" startsWith "https:"
            header "Location" matches "^https://[a-z]+/new/$"
            header "Location" matches /new.$/
            header "X-None" not exists
            body contains "x"

            POST {{host}}/q
            [Query]
            a: b c
            d: /
            HTTP/1.1 302
            Location: https://a.example/?a=b%20c&d=%2F

            GET {{host}}/head
            X-A: b
            HTTP 303

            GET {{host}}/gone
            HTTP 410

            GET {{host}}/page
            HTTP 200
            [Asserts]
            header "Surrogate-Key" == "x"
            body contains "y"

            """
        let cases = try HurlFile(Array(text.utf8), named: "a.hurl").cases
        let report = try Self.run(cases)
        for outcome in report.outcomes { #expect(outcome.result != .failed, "\(outcome.message)") }
        #expect(report.outcomes.map(\.result) == [.passed, .passed, .passed, .passed, .notChecked])
        let kinds = report.notChecked.map { "\($0.count) \($0.kind)" }
        #expect(kinds == ["2 a body", "1 a header of a forwarded request", "1 the status of a forwarded request"])
    }

    @Test("Hurl: bodies and sections that are not read are passed over and reported")
    func hurlPassedOver() throws {
        let text = """
            POST {{host}}/gone
            Content-Type: application/json
            {
              "a": "b",
              "c": [
                1
              ]
            }
            HTTP 410
            {
              "d": 1
            }

            GET {{host}}/old/x
            [Options]
            retry: 3
            [Cookies]
            a: b
            HTTP 301
            [Captures]
            x: header "Location"
            [Asserts]
            duration < 100

            """
        let report = try Self.run(try HurlFile(Array(text.utf8), named: "a.hurl").cases)
        #expect(report.outcomes.map(\.result) == [.passed, .passed])
        #expect(report.outcomes.map(\.test.request.request.headers.count) == [1, 0])
        #expect(
            report.notChecked.map(\.kind) == [
                "a body", "a body of the request", "captures", "duration", "the section [Cookies]",
                "the section [Options]",
            ]
        )
    }

    @Test("Hurl: the answer at the end of redirects is not compared with the first")
    func hurlFollows() throws {
        let text = "GET {{host}}/old/x\n[Options]\nlocation: true\nHTTP 404\n[Asserts]\nheader \"X\" == \"y\"\n"
        let report = try Self.run(try HurlFile(Array(text.utf8), named: "a.hurl").cases)
        #expect(report.outcomes.map(\.result) == [.notChecked])
        #expect(report.notChecked.map(\.kind) == ["the answer at the end of redirects", "the section [Options]"])
    }

    @Test(
        "Hurl: what does not hold fails",
        arguments: [
            "GET {{host}}/old/x\nHTTP 302\n", "GET {{host}}/gone\nHTTP 404\n", "GET {{host}}/page\nHTTP 301\n",
            "GET {{host}}/old/x\nHTTP 301\n[Asserts]\nheader \"Location\" == \"https://localhost/\"\n",
            "GET {{host}}/old/x\nHTTP *\n[Asserts]\nheader \"Location\" matches \"^http:\"\n",
            "GET {{host}}/old/x\nHTTP *\n[Asserts]\nheader \"Location\" endsWith \"/old/\"\n",
            "GET {{host}}/old/x\nHTTP *\n[Asserts]\nheader \"Location\" contains \"old\"\n",
            "GET {{host}}/old/x\nHTTP *\n[Asserts]\nheader \"Location\" not exists\n",
        ]
    )
    func hurlFails(text: String) throws {
        let report = try Self.run(try HurlFile(Array(text.utf8), named: "a.hurl").cases)
        #expect(report.outcomes.map(\.result) == [.failed])
    }

    @Test("A table of redirects: columns by name, paths, and statuses alone")
    func table() throws {
        let text = """
            Code,From,"To"
            301,/old/x,/new/
            301,http://localhost/old/y,"https://localhost/new/"
            410,/gone,

            ,/old/z,https://localhost/new/

            """
        let report = try Self.run(try RedirectTable(Array(text.utf8), named: "a.csv", host: "localhost").cases)
        for outcome in report.outcomes { #expect(outcome.result == .passed, "\(outcome.message)") }
        #expect(report.outcomes.map(\.test.location.line) == [2, 3, 4, 6])
        let wrong = "url,target\n/old/x,/old/\n"
        let other = try Self.run(try RedirectTable(Array(wrong.utf8), named: "a.csv", host: "localhost").cases)
        #expect(other.outcomes.map(\.result) == [.failed])
        let open = "/a,/b,301\n\"/c,/d,301\n/e,/f,301\n\"/g\",\"/\"\"h\n\",302\n/i,\"/j\n"
        let table = try RedirectTable(Array(open.utf8), named: "a.csv", host: "localhost")
        #expect(table.cases.count == 3)
        #expect(table.leftOut.map(\.message) == ["a quote is not closed", "a quote is not closed"])
        #expect {
            try RedirectTable([0xff, 0xfe] + Array("/\0a\0".utf8), named: "a.csv")
        } throws: {
            ($0 as? TestFileError)?.diagnostics.map(\.message) == ["the table is in UTF-16"]
        }
        let request = try RedirectTable(Array("/ü x,/b\n".utf8), named: "a.csv", host: "x").cases.map(\.request.request)
        #expect(request.map(\.url) == ["/%C3%BC%20x"])
        #expect(throws: TestFileError.self) { try RedirectTable(Array("a,b\n1,2\n".utf8), named: "a.csv") }
        #expect(throws: TestFileError.self) { try RedirectTable(Array("from\n1\n".utf8), named: "a.csv") }
        #expect(throws: TestFileError.self) { try RedirectTable(Array("from,code\n/a,x\n".utf8), named: "a.csv") }
    }

    @Test(
        "The heads, separators and orders that people have",
        arguments: [
            "Old URL,New URL,Status\n/a,/b,301\n", "source_url;target_url;status_code\n/a;/b;301\n",
            "\u{feff}SOURCE\tDESTINATION\r\n/a\t/b\r\n", "/a,/b,301\n", "localhost/a,http://localhost/b\n",
            "localhost/a,localhost/b\n", "/a?ü,/b,301\n",
            "Redirect from,\"Redirect to\"\n\"/a\",/b\n",
        ]
    )
    func tableHeads(text: String) throws {
        let rules = try RuleSet(text: "server { location = /a { return 301 /b; } }")
        let table = try RedirectTable(Array(text.utf8), named: "a.csv", host: "localhost")
        let report = RuleTests(rules, table.cases, options: RuleTests.Options()).run()
        #expect(report.outcomes.map(\.result) == [.passed])
        #expect(table.leftOut.isEmpty)
    }

    @Test("Columns by name or number, and rows that are not tests")
    func tableColumns() throws {
        let text =
            "id,now,then,x\n1,/b,/a,301\n2,,/c,\n3,/b,a b,\n4,/b,/d#e,\n,,,\n5,/b,,\n6,/b,/e,gone\n7,b,/f,301\n8,/b,/g h,\n"
        for columns in [["then", "now", "x"], ["3", "2", "4"]] {
            let table = try RedirectTable(Array(text.utf8), named: "a.csv", host: "localhost", columns: columns)
            #expect(table.cases.map(\.location.line) == [2, 10])
            #expect(table.leftOut.map(\.location.line) == [3, 4, 5, 7, 8, 9])
        }
        let bare = try RedirectTable(Array("/a;/b\n".utf8), named: "a.csv", host: "x", columns: ["from", "to"])
        #expect(bare.cases.count == 1)
        let paths = Array("/a,/b\n".utf8)
        #expect {
            try RedirectTable(paths, named: "a.csv")
        } throws: {
            ($0 as? TestFileError)?.diagnostics.map(\.suggestion) == ["write --host NAME"]
        }
    }

    @Test("Redirects of a table that lead into a circle fail")
    func tableCircle() throws {
        let rules = try RuleSet(
            text:
                "server { location = /a { return 301 /b; } location = /b { return 301 /a; } location = /c { return 301 /d; } }"
        )
        let table = try RedirectTable(Array("/a,/b\n/c,/d\n".utf8), named: "a.csv", host: "localhost")
        let report = RuleTests(rules, table.cases, options: RuleTests.Options()).run()
        #expect(report.outcomes.map(\.result) == [.failed, .passed])
        #expect(
            report.outcomes[0].problems.map(\.found) == [
                "a circle: http://localhost/b → http://localhost/a → http://localhost/b"
            ]
        )
    }

    @Test(
        "A host with a path, as reports show it, is read as a request",
        arguments: [
            ("www.example.com/x?y", "www.example.com", "/x?y"), ("localhost:8080", "localhost:8080", "/"),
            ("kl://Pay/x", nil, nil), ("com.example.app:pay", nil, nil), ("https://a.example/x", nil, nil),
        ]
    )
    func written(text: String, host: String?, target: String?) {
        switch RuleRequest(written: Array(text.utf8)).subject {
        case .url: #expect(host == nil)
        case .target(let found, let name):
            #expect(name.map { String(decoding: $0, as: UTF8.self) } == host)
            #expect(String(decoding: found, as: UTF8.self) == target)
        }
    }

    @Test("Lines with the URL that is expected")
    func expected() throws {
        let text = """
            {"url":"http://up.example/a b","expected":"https://up.example/a%20b","ruleset":"x"}
            {"url":"http://other.example/","expected":null}
            {"url":"http://up.example/","expected":null}

            """
        let report = try Self.run(try ExpectedURLs(Array(text.utf8), named: "a.jsonl").cases)
        #expect(report.outcomes.map(\.result) == [.passed, .passed, .failed])
        for wrong in ["x", "[]", "{\"url\":1}", "{\"expected\":\"x\"}"] {
            #expect(throws: TestFileError.self) { try ExpectedURLs(Array(wrong.utf8), named: "a.jsonl") }
        }
    }
}

/// Tests that are picked from traffic.
@Suite("Tests from traffic")
struct TrafficSampleTests {
    private static let rules = """
        block host ads.example;
        server {
            server_name a.example;
            if ($arg_kind = x) { return 403; }
            if ($arg_old = 1) { return 301 /new; }
            location /a { return 200 a; }
            location /b { deny 10.0.0.0/8; }
        }
        """

    private static func sample(_ lines: [String], perRule: Int = 1) throws -> TrafficSample {
        var sample = TrafficSample(try RuleSet(text: rules), perRule: perRule)
        for line in lines { sample.add([try RequestDescription(line: Array(line.utf8))]) }
        return sample
    }

    private static let lines =
        (0..<50).map { "http://a.example/a?user=u\($0)&old=0" } + [
            "http://ads.example/x", "http://a.example/b?token=secret", "http://a.example/a?old=1&user=kim",
            #"{"target":"/b","host":"a.example","remote_addr":"10.1.2.3","time":"2026-01-01T00:00:00Z"}"#,
        ]

    @Test("The fewest requests reach all that the traffic reaches, without its values")
    func fewest() throws {
        let sample = try Self.sample(Self.lines)
        #expect(sample.count == 54)
        let text = sample.testFile()
        let expected = """
            http://a.example/a?user=x&old=x -> respond 200 "a"
            http://ads.example/x -> block 403
            http://a.example/b?token=x -> forward http://a.example/b?token=x
            http://a.example/a?old=1&user=x -> redirect 301 http://a.example/new
            GET /b a.example -> respond 403
                @remote 10.1.2.3

            """
        #expect(text == expected)
    }

    @Test("The minimal set passes as tests, and covers what all of the log covers")
    func passes() throws {
        for perRule in [1, 3] {
            let text = try Self.sample(Self.lines, perRule: perRule).testFile()
            var options = RuleTests.Options()
            options.collectsCoverage = true
            let ruleSet = try RuleSet(text: Self.rules)
            let file = try TestFile(Array(text.utf8), named: "a")
            let report = RuleTests(ruleSet, file.cases, options: options).run()
            #expect(report.isPassed)
            let cases = try Self.lines.map {
                TestCase(
                    at: SourceLocation(file: "log", line: 1, column: 1),
                    try RequestDescription(line: Array($0.utf8)),
                    expecting: nil
                )
            }
            let all = RuleTests(ruleSet, cases, options: options).run()
            #expect(report.coverage?.items == all.coverage?.items)
        }
    }
}
