import ShuntRules
import ShuntTools
import Testing

@Suite("Logs as requests")
struct LogFormatTests {
    private static func request(_ format: String, _ line: String, host: String? = nil) throws -> String {
        let description = try LogFormat(format).request(Array(line.utf8), host: host)
        return String(decoding: description.json, as: UTF8.self)
    }

    struct Case: CustomTestStringConvertible {
        var format: String
        var line: String
        var json: String
        var testDescription: String { line }
    }

    static let cases = [
        Case(
            format: "combined",
            line:
                #"192.0.2.1 - - [10/Oct/2026:13:55:36 +0200] "GET /a?b=1 HTTP/1.1" 200 5 "http://r/" "An \"agent\" \x22x\x22""#,
            json: #"{"target":"/a?b=1","headers":[["referer","http://r/"],["user-agent","An \"agent\" \"x\""]],"#
                + #""remote_addr":"192.0.2.1","time":"2026-10-10T11:55:36Z"}"#
        ),
        Case(
            format: "common",
            line: #"2001:db8::1 - bob [01/Jan/2026:00:00:00 +0000] "POST /x HTTP/1.0" 404 -"#,
            json: #"{"target":"/x","method":"POST","remote_addr":"2001:db8::1","time":"2026-01-01T00:00:00Z"}"#
        ),
        Case(
            format: "vhost",
            line: #"www.a.test:443 192.0.2.1 - - [10/Oct/2026:13:55:36 -0130] "GET / HTTP/1.1" 200 5 "-" "-""#,
            json: #"{"target":"/","host":"www.a.test","remote_addr":"192.0.2.1","listen":"*:443","#
                + #""time":"2026-10-10T15:25:36Z"}"#
        ),
        Case(
            format: "$time_iso8601|$scheme|$http_host|$request_method|$request_uri|$cookie_stay|${http_x_kind}",
            line: "2026-01-02T03:04:05+00:00|https|a.test|PUT|/p%20q|1|k",
            json: #"{"target":"/p%20q","host":"a.test","method":"PUT","headers":[["Cookie","stay=1"],["x-kind","k"]],"#
                + #""listen":"*:443","time":"2026-01-02T03:04:05Z"}"#
        ),
        Case(format: "$uri $args", line: "/a b=1", json: #"{"target":"/a?b=1"}"#),
    ]

    @Test("Lines of the usual formats, and of one's own", arguments: cases)
    func lines(_ example: Case) throws {
        #expect(try Self.request(example.format, example.line) == example.json)
    }

    @Test("A Host for logs that have none")
    func host() throws {
        #expect(try !LogFormat("combined").hasHost)
        #expect(try LogFormat("vhost").hasHost)
        #expect(try Self.request("$request", "GET /a HTTP/1.1", host: "a.test") == #"{"target":"/a","host":"a.test"}"#)
        #expect(try Self.request("$host $request", "b GET /a HTTP/1.1", host: "a") == #"{"target":"/a","host":"b"}"#)
    }

    @Test(
        "Formats that cannot be read back",
        arguments: [
            ("$remote_addr$request", "nothing in the format separates $remote_addr from $request"),
            (
                "$status",
                "the format has none of $request, $request_uri and $uri, nor is it one of combined, common, vhost"
            ),
            (
                "cmbined",
                "the format has none of $request, $request_uri and $uri, nor is it one of combined, common, vhost"
            ),
            ("$ $request", "the format has a \"$\" without a name"),
        ]
    )
    func formats(text: String, problem: String) {
        #expect(throws: RequestError(problem)) { try LogFormat(text) }
    }

    @Test(
        "Lines that have another form, or no request",
        arguments: ["", "GET /a", #""GET /a HTTP/1.1" 200 more"#, #""" 400"#, #""nonsense" 400"#]
    )
    func badLines(line: String) throws {
        let format = try LogFormat("\"$request\" $status")
        if line.hasSuffix("more") {
            // What follows the last literal is the last value.
            #expect(try format.request(Array(line.utf8)).request.url == "/a")
        } else {
            #expect(throws: RequestError.self) { try format.request(Array(line.utf8)) }
        }
    }

    @Test("Recordings of a browser")
    func browser() throws {
        let text = #"""
            {"log": {"entries": [
              {"request": {"method": "POST", "url": "https://a.test/x?y", "headers": [
                {"name": ":authority", "value": "a.test"}, {"name": "Host", "value": "a.test"},
                {"name": "Accept", "value": "text/html"}]}},
              {"response": {}}
            ]}}
            """#
        let requests = try BrowserArchive.requests(Array(text.utf8))
        #expect(
            requests.map { $0.map { String(decoding: $0.json, as: UTF8.self) } }
                == [#"{"url":"https://a.test/x?y","method":"POST","headers":[["Accept","text/html"]]}"#, nil]
        )
        #expect(throws: RequestError("the file has no \"log\" with \"entries\"")) {
            try BrowserArchive.requests(Array("{}".utf8))
        }
        #expect(throws: RequestError.self) { try BrowserArchive.requests(Array("[".utf8)) }
    }
}
