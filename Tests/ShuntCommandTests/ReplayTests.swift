import TestFolder
import Testing

@Suite("Requests from elsewhere")
struct ReplayTests {
    private static let rules = """
        input $version "0";
        if ($time_iso8601 ~ ^2030-) { degrade ^~ kl://Pay/ https://m.test/pay; }
        if ($version = 9) { block ~ /version; }
        server { listen 80; location /who { return 200 "$remote_addr $host $server_protocol $time_iso8601 $request_method"; }
            location /self { return 301 http://$host$request_uri; } location /s { return 301 https://$host$request_uri; } }

        """

    @Test("A line of the gateway's access log is read as its request")
    func accessLog() throws {
        let folder = try TestFolder(["r.conf": Self.rules])
        let log = """
            {"time":"2026-11-22T10:00:00+00:00","client":"203.0.113.9","port":4711,"method":"POST","host":"a.test",\
            "target":"/who","protocol":"HTTP/1.1","status":301,"bytes_in":0,"bytes_out":0,"microseconds":55,\
            "decision":"redirect","rule":"old.conf:1:1","url":"http://elsewhere.test/","rules":1}
            {"time":"2026-11-22T10:00:01+00:00","client":"203.0.113.9","port":4711,"method":"GET","host":"",\
            "target":"/who","protocol":"HTTP/1.0","status":200,"bytes_in":0,"bytes_out":0,"microseconds":55,"rules":1}

            """
        let outcome = try folder.run(["run", "--rules", "r.conf", "--format", "json"], input: log)
        let bodies = try outcome.lines.map { try JSON($0)["body"].string }
        #expect(
            bodies == [
                "203.0.113.9 a.test HTTP/1.1 2026-11-22T10:00:00+00:00 POST",
                "203.0.113.9  HTTP/1.0 2026-11-22T10:00:01+00:00 GET",
            ]
        )
        #expect(outcome.status == 0)
        try folder.write("log.txt", log)
        #expect(
            try folder.run(["bench", "--rules", "r.conf", "--requests", "log.txt", "--seconds", "0.01"]).status == 0
        )
    }

    @Test("A redirect shows where it goes, also to itself and to another scheme")
    func redirects() throws {
        let folder = try TestFolder(["r.conf": Self.rules])
        let input = """
            http://a.test/self
            http://a.test/s
            {"target": "/self", "host": "a.test"}
            {"target": "/s", "host": "a.test"}

            """
        let lines = try folder.run(["run", "--rules", "r.conf"], input: input).lines

        for (line, target) in zip(
            lines,
            ["http://a.test/self", "https://a.test/s", "http://a.test/self", "https://a.test/s"]
        ) {
            #expect(line.contains("→ \(target) "), "\(line)")
        }
    }

    @Test("--at is the time of requests that name none")
    func time() throws {
        let folder = try TestFolder(["r.conf": Self.rules])
        let input = "kl://Pay/x\n{\"url\": \"kl://Pay/x\", \"time\": \"2029-01-01T00:00:00Z\"}\n"
        let outcome = try folder.run(["run", "--rules", "r.conf", "--at", "2030-06-01T00:00:00Z"], input: input)
        #expect(outcome.lines.map { String($0.prefix(7)) } == ["degrade", "forward"])
    }

    @Test("Names of inputs that no rule declares are warned of, each once")
    func inputNames() throws {
        let folder = try TestFolder(["r.conf": Self.rules])
        let line = "{\"url\": \"kl://a\", \"input\": {\"verison\": 1, \"$version\": 2}}\n"
        let outcome = try folder.run(["run", "--rules", "r.conf"], input: line + line)
        #expect(outcome.errors == "shunt: warning: the rules have no input \"verison\", did you mean \"version\"?\n")
    }

    @Test(
        "A request with more than one Host is refused",
        arguments: [
            #"{"target": "/", "host": "a.test", "headers": {"Host": "b.test"}}"#,
            #"{"target": "/", "host": "a.test", "headers": {"hOST": "a.test"}}"#,
            #"{"target": "/", "headers": [["Host", "a.test"], ["host", "b.test"]]}"#,
        ]
    )
    func twoHosts(line: String) throws {
        let outcome = try TestFolder(["r.conf": Self.rules]).run(["run", "--rules", "r.conf"], input: line + "\n")
        #expect(outcome.text.contains("fail 400"))
        #expect(outcome.text.contains("the request has more than one Host"))
        #expect(outcome.status == 1)
    }
}
