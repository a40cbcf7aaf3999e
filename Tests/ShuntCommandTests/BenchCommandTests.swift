import TestFolder
import Testing

@Suite("shunt bench")
struct BenchCommandTests {
    private static let rules = """
        server {
            server_name a.test;
            rewrite ^/one/(.*)$ /1/$1 last;
            rewrite ^/two/(.*)$ /2/$1 last;
            rewrite ^/three/(.*)$ /3/$1 last;
            rewrite (.*)[0-9]$ /x last;
            return 301 https://b.test$uri;
        }
        """

    private func folder(requests: String) throws -> TestFolder {
        try TestFolder(["rules.conf": Self.rules, "requests.txt": requests])
    }

    @Test("The result for programs has the members that are promised, and they are of this run")
    func json() throws {
        let requests = "http://a.test/one/page\n{\"target\": \"/four\", \"host\": \"a.test\"}\n"
        let folder = try folder(requests: requests)
        let outcome = try folder.run([
            "bench", "--rules", "rules.conf", "--requests", "requests.txt", "--seconds", "0.05", "--format", "json",
        ])
        #expect(outcome.status == 0)
        #expect(outcome.errors.isEmpty)
        let result = try JSON(outcome.text)
        #expect(
            result.names == [
                "allocations_per_request", "costly_rules", "load_seconds", "memory_bytes", "ns_per_request", "requests",
                "rules", "schema", "seconds", "slowest_requests",
            ]
        )
        #expect(result["ns_per_request"].names == ["max", "mean", "p50", "p99"])
        #expect(result["rules"].number == 5)
        let count = try #require(result["requests"].number)
        #expect(count >= 2 && count % 2 == 0)
        let median = try #require(result["ns_per_request"]["p50"].number)
        let longest = try #require(result["ns_per_request"]["max"].number)
        #expect(median > 0 && median <= longest)
        #expect(try #require(result["memory_bytes"].number) > 0)
        let costly = result["costly_rules"][0]
        #expect(costly["line"].number == 6)
        #expect(costly["rule"].string == "rewrite (.*)[0-9]$ /x last")
        #expect(costly["reason"].string?.isEmpty == false)
        #expect(result["costly_rules"].count == 1)
        #expect(result["slowest_requests"].count == 2)
        let slowest = (0..<2).map { result["slowest_requests"][$0] }
        let one = try #require(slowest.first { $0["request"].string == "http://a.test/one/page" })
        #expect(one["rules"][0]["rule"].string == "rewrite ^/one/(.*)$ /1/$1 last")
        #expect(one["rules"][0]["line"].number == 3)
        #expect(slowest.contains { $0["request"].string == "GET /four a.test" })
        #expect(try #require(slowest[0]["ns"].number) >= (try #require(slowest[1]["ns"].number)))
    }

    @Test("The mean of one request is not the cost of the clock")
    func meanOfOne() throws {
        let folder = try folder(requests: "http://a.test/one/page\n")
        let outcome = try folder.run([
            "bench", "--rules", "rules.conf", "--requests", "requests.txt", "--seconds", "0.2", "--format", "json",
        ])
        let found = try #require(outcome.text.firstMatch(of: /"mean":([0-9.]+),"p50":([0-9]+)/))
        let (mean, median) = (try #require(Double(found.1)), try #require(Double(found.2)))
        #expect(mean < median * 2, "mean \(mean), median \(median)")
    }

    @Test("The result for people names the costly rule, with and without the index", arguments: [[], ["--linear"]])
    func text(_ flags: [String]) throws {
        let folder = try folder(requests: "http://a.test/one/page\n")
        let outcome = try folder.run(
            ["bench", "--rules", "rules.conf", "--requests", "requests.txt", "--seconds", "0.05"] + flags
        )
        #expect(outcome.status == 0)
        for part in [
            "rules        5, loaded in ", "a request    mean ", "rules.conf:6:5: rewrite (.*)[0-9]$ /x last\n",
        ] {
            #expect(outcome.text.contains(part), "\(part)")
        }
    }

    @Test("Older rules are measured in turns, and each rule is listed with its requests")
    func comparison() throws {
        let folder = try TestFolder([
            "rules.conf": Self.rules,
            "requests.txt": ["/one/page", "/two/page", "/a", "/b"].map { "http://a.test\($0)\n" }.joined() + "kl://x\n",
            "old.conf": "block host c.test;",
        ])
        let arguments = [
            "bench", "--rules", "rules.conf", "--requests", "requests.txt", "--seconds", "0.1", "--compare", "old.conf",
            "--by-rule",
        ]
        let outcome = try folder.run(arguments)
        #expect(outcome.status == 0)
        #expect(
            outcome.text.firstMatch(of: /\nbefore       mean \d+ ns, .*: now \d+\.\d\d times, with old\.conf\n/) != nil
        )
        #expect(outcome.text.firstMatch(of: /\d %: 1 request, \d+ ns each: rules\.conf:3:5: rewrite/) != nil)
        #expect(outcome.text.firstMatch(of: /\d %: 2 requests, \d+ ns each: rules\.conf:7:5: return/) != nil)
        let result = try JSON(try folder.run(arguments + ["--format", "json"]).text)
        #expect(result["compared"].names == ["ns_per_request", "ratio", "rules"])
        #expect(result["by_rule"].count == 3)
        #expect(try #require(result["compared"]["ratio"].decimal) > 0)
        #expect(try folder.run(arguments.dropLast(2) + ["none.conf"]).status == 3)
    }

    @Test("It measures for as long as it was set to, in processor time")
    func duration() throws {
        let folder = try folder(requests: "http://a.test/one/page\n")
        let outcome = try folder.run([
            "bench", "--rules", "rules.conf", "--requests", "requests.txt", "--seconds", "0.4", "--format", "json",
        ])
        let seconds = try #require(outcome.text.firstMatch(of: /"seconds":([0-9.]+)/)?.1)
        // A round is far shorter than what is left of the second digit.
        #expect((0.4..<0.5).contains(try #require(Double(seconds))))
    }

    @Test("--at is the time of requests without one, and wrong names of inputs are warned of")
    func timeAndInputs() throws {
        let folder = try TestFolder([
            "rules.conf": "input $version; if ($time_iso8601 ~ ^2030) { block ~ . 410; } if ($version) { block ~ x; }",
            "requests.txt": "{\"url\": \"kl://a\", \"input\": {\"verison\": 1}}\n",
        ])
        let outcome = try folder.run([
            "bench", "--rules", "rules.conf", "--requests", "requests.txt", "--seconds", "0.01", "--at",
            "2030-01-01T00:00:00Z",
        ])
        #expect(outcome.errors == "shunt: warning: the rules have no input \"verison\", did you mean \"version\"?\n")
        #expect(outcome.status == 0)
    }

    @Test("Every line that is not a request is reported, and nothing is measured")
    func badRequests() throws {
        let folder = try folder(requests: "http://a.test/\n\n{\"url\": 1}\n{\"urk\": \"x\"}\n")
        let outcome = try folder.run(["bench", "--rules", "rules.conf", "--requests", "requests.txt"])
        #expect(outcome.status == 3)
        #expect(outcome.text.isEmpty)
        #expect(outcome.errors.contains("requests.txt:2: the line is empty"))
        #expect(outcome.errors.contains("requests.txt:3: "))
        #expect(outcome.errors.contains("requests.txt:4: unknown member \"urk\", did you mean \"url\"?"))
    }

    @Test(
        "Missing and wrong input is reported",
        arguments: [
            (["--requests", "requests.txt", "--rules", "no.conf"], Int32(3), "no.conf"),
            (["--requests", "no.txt", "--rules", "rules.conf"], 3, "cannot read no.txt: No such file or directory"),
            (["--requests", "empty.txt", "--rules", "rules.conf"], 3, "there are no requests in it"),
            (
                ["--requests", "requests.txt", "--rules", "rules.conf", "--seconds", "0"], 2,
                "--seconds must be more than 0"
            ),
            (["--rules", "rules.conf"], 2, "--requests"),
        ]
    )
    func mistakes(_ arguments: [String], _ status: Int32, _ message: String) throws {
        let folder = try TestFolder(["rules.conf": Self.rules, "requests.txt": "http://a.test/\n", "empty.txt": ""])
        let outcome = try folder.run(["bench"] + arguments)
        #expect(outcome.status == status)
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
    }
}
