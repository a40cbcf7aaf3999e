import ShuntRules
import Testing

@testable import ShuntTools

/// Maps of HAProxy in backends, redirects and tests.
@Suite("Maps of HAProxy")
struct HAProxyMapTests {
    private static let files = [
        "red.map": "# hosts\nred.test https://new.test/x%2Fy\n",
        "moved.map": "/moved/a /one\n  /moved/A  /two \n/moved/a /three\n",
        "versions.map": "/v1/ a\n/v1/b/ b\n/none/ x\n", "nets.map": "10.0.0.0/8 bad\n10.1.0.0/16 good\n",
        "hosts.map": "api.test api\nGone gone\n", "dollar.map": "a $uri\n",
    ]

    private func check(_ lines: String, notes: [Int] = [], _ requests: String) throws {
        let text =
            "frontend w\n bind *:80\n\(lines)\n default_backend web\n"
            + ["web", "api", "bk_a", "bk_b"].map { "backend \($0)\n server s 10.0.0.1:80\n" }.joined()
        let imported = HAProxyImport.rules(named: "h", text: text) { Self.files[$0] }
        #expect(imported.notes.map(\.line) == notes, "\(imported.notes)")
        let ruleSet = try RuleSet(text: imported.text)
        let cases = try TestFile(Array(requests.utf8), named: "cases", host: nil).cases
        for outcome in RuleTests(ruleSet, cases).run().outcomes where outcome.result != .passed {
            Issue.record("\(outcome.test.request): \(outcome.decision.map { "\($0)" } ?? "")\n\(imported.text)")
        }
    }

    @Test("A map chooses the backend, and one that does not exist is the default backend")
    func backends() throws {
        try check(
            """
             use_backend bk_%[path,map_beg(versions.map)] if { path,map_beg(versions.map) -m found }
             use_backend %[req.hdr(host),field(1,:),lower,map_dom(hosts.map,web)]
             use_backend never if { path / }
            """,
            """
            GET /v1/x h -> forward http://bk_a/v1/x
            GET /v1/b/x h -> forward http://bk_b/v1/b/x
            GET /none/x h -> forward http://web/none/x
            GET /x www.API.test.org -> forward http://api/x
            GET /x myapi.test -> forward http://web/x
            GET /x gone -> forward http://web/x
            GET / other -> forward http://web/
            """
        )
        try check(
            " use_backend bk_%[req.hdr(x-b)]",
            "GET / a -> forward http://bk_b/\n    > X-B: b\nGET / a -> forward http://web/"
        )
    }

    @Test("A map supplies the target of a redirect, and its value for a sample is tested")
    func redirects() throws {
        try check(
            """
             http-request redirect location %[hdr(host),lower,map(red.map)] code 302 if { hdr(host),lower,map(red.map) -m found }
             http-request redirect location https://n.test%[path,map(moved.map,/home)] code 301 if { path_beg /moved/ }
             http-request deny if { src,map_ip(nets.map) -m str bad }
            """,
            """
            GET /x red.test -> redirect 302 https://new.test/x%2Fy
            GET /moved/a h -> redirect 301 https://n.test/one
            GET /moved/A h -> redirect 301 https://n.test/two
            GET /moved/z?q h -> redirect 301 https://n.test/home
            GET /x h -> respond 403
                @remote 10.2.0.1
            GET /x h -> forward http://web/x
                @remote 10.1.0.1
            """
        )
    }

    @Test(
        "A look-up without a counterpart is noted, and refuses where its line does",
        arguments: [
            "http-request deny if { path,map(none.map) -m found }",
            "http-request deny if { src,map(nets.map) -m found }",
            "http-request deny if { path,map(moved.map) -m len 3 }",
            "http-request deny if { path,map(dollar.map) -m found }",
            "http-request deny if { path,crc32,map(moved.map) -m found }",
        ]
    )
    func refused(line: String) throws { try check(" \(line)", notes: [3], "GET /x h -> respond 403") }

    @Test(
        "A backend or a target that is computed otherwise is noted",
        arguments: [
            "use_backend %[path,word(1,/)]", "use_backend %[path,map_regm(moved.map)]",
            "http-request redirect location %[path,map(moved.map)]",
        ]
    )
    func unsaid(line: String) throws { try check(" \(line)", notes: [3], "GET /x h -> forward http://web/x") }
}
