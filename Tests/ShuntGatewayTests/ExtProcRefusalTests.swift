#if Gateway
import TestFolder
import Testing

@testable import ShuntGateway

@Suite("Questions of Envoy's ext_proc that a decision service refuses")
struct ExtProcRefusalTests {
    private static let rules = "server { listen 80; return 200 yes; }"

    private static let malformed: [(String, String)] = [
        ("", "not JSON"), ("{", "not JSON"), ("[]", "an array"), ("{} {}", "not JSON"),
        ("{}", "none of request_headers"),
        (#"{"request_headers": {}, "response_headers": {}}"#, "several of"),
        (#"{"request_headers": {}, "requestHeaders": {}}"#, "several of"),
        (#"{"request_headers": []}"#, "an array"), (#"{"request_headers": {}}"#, "no list"),
        (#"{"request_headers": {"headers": {"headers": {}}}}"#, "no list"),
        (#"{"request_headers": {"headers": {"headers": [1]}}}"#, "a number"),
        (#"{"request_headers": {"headers": {"headers": [{"value": "a"}]}}}"#, "no key"),
        (#"{"request_headers": {"headers": {"headers": [{"key": 1}]}}}"#, "no string"),
        (#"{"request_headers": {"headers": {"headers": [{"key": "a", "value": 1}]}}}"#, "no string"),
        (#"{"request_headers": {"headers": {"headers": [{"key": "a", "raw_value": "%"}]}}}"#, "not base64"),
        (#"{"request_headers": {"headers": {"headers": [{"key": "a", "raw_value": "YQ"}]}}}"#, "not base64"),
        (
            #"{"request_headers": {"headers": {"headers": [{"key": "a", "value": "a", "raw_value": "YQ=="}]}}}"#,
            "two values"
        ),
        (
            #"{"request_headers": {"headers": {"headers": [{"key": "a", "rawValue": "", "raw_value": "YQ=="}]}}}"#,
            "two values"
        ),
        (#"{"request_headers": {"headers": {"headers": []}}, "attributes": []}"#, "an array"),
        (
            #"{"request_headers": {"headers": {"headers": []}}, "attributes": {"envoy.filters.http.ext_proc": 1}}"#,
            "a number"
        ),
        (String(repeating: "[", count: 10_000), "not JSON"),
    ]

    @Test("A target without its first slash is refused", arguments: ["/api.evil.test/x", "/api:80/x"])
    func withoutSlash(target: String) async throws {
        let rules = "server { listen 80; rewrite ^/api(.*) $1 break; location / { proxy_pass http://127.0.0.1:3000; } }"
        try await BesideProxy.with(rules, .extProc) { beside in
            let answer = try await EnvoyQuestion("GET \(target)").ask(beside.service)
            #expect(answer.kind == "immediateResponse" && answer.status == 404)
        }
    }

    @Test("A message that is not a question is refused with the reason", arguments: malformed.indices)
    func noQuestions(_ index: Int) async throws {
        let (text, reason) = Self.malformed[index]
        try await BesideProxy.with(Self.rules, .extProc) { beside in
            let response = try await EnvoyQuestion.post(text, beside.service)
            #expect(response.status == 400)
            #expect(response.text.contains(reason), "\(response.text)")
        }
    }

    private static let requests: [(EnvoyQuestion, Int)] = [
        (EnvoyQuestion("GET /").with(":path", nil), 400), (EnvoyQuestion("GET /").with(":method", nil), 400),
        (EnvoyQuestion("GET /").with(":scheme", nil), 400), (EnvoyQuestion("GET /").with(":authority", nil), 400),
        (EnvoyQuestion("GET /", [(":path", "/b")]), 400), (EnvoyQuestion("GET /", [(":authority", "b.test")]), 400),
        (EnvoyQuestion("GET /", [(":protocol", "websocket")]), 400),
        (EnvoyQuestion("GET /", [("host", "b.test")]), 400),
        (EnvoyQuestion("GET /", scheme: "ftp"), 400), (EnvoyQuestion("GET /", host: "a b"), 400),
        (EnvoyQuestion("GET /", host: ""), 400), (EnvoyQuestion("GET /", host: "a.test,b.test"), 400),
        (EnvoyQuestion("GET /", host: "a.test\r\nx: y"), 400), (EnvoyQuestion("GET a"), 400),
        (EnvoyQuestion("GET http://b.test/"), 400), (EnvoyQuestion("GET /a b"), 400),
        (EnvoyQuestion("GET /a HTTP/1.1\r\nx: y"), 400), (EnvoyQuestion("GET /").with(":path", Array("/ä".utf8)), 400),
        (EnvoyQuestion("get /"), 400), (EnvoyQuestion("GET /").with(":method", Array("GE T".utf8)), 400),
        (EnvoyQuestion("GET /", [("a b", "c")]), 400), (EnvoyQuestion("GET /", [("", "c")]), 400),
        (EnvoyQuestion("GET /", [("a:", "c")]), 400), (EnvoyQuestion("GET /", [("a", "b\r\nc: d")]), 400),
        (EnvoyQuestion("GET /").with("a", [0xff]), 400), (EnvoyQuestion("GET /").with("a", [0]), 400),
        (EnvoyQuestion("POST /", [("content-length", "1"), ("content-length", "2")]), 400),
        (EnvoyQuestion("POST /", [("content-length", "1"), ("transfer-encoding", "chunked")]), 400),
        (EnvoyQuestion("GET /", [("x-forwarded-proto", "ftp")]), 400),
        (EnvoyQuestion("GET /", [("x-forwarded-for", "somebody")]), 400),
        (EnvoyQuestion("GET /" + String(repeating: "a", count: 65_537)), 414),
        (EnvoyQuestion("GET /", [("a", String(repeating: "a", count: 65_537))]), 431),
        (EnvoyQuestion("GET /", Array(repeating: ("a", "b"), count: 300)), 431),
    ]

    @Test(
        "The client gets the mistake of a request, and no failure lets it through",
        arguments: requests.indices
    )
    func clientsFaults(_ index: Int) async throws {
        let (question, status) = Self.requests[index]
        try await BesideProxy.with(Self.rules, .extProc) { beside in
            let answer = try await question.ask(beside.service)
            #expect(answer.kind == "immediateResponse")
            #expect(answer.status == status)
            #expect(answer.body.contains(":"), "\(answer.body)")
        }
    }

    @Test("A question that is too long is not read to its end, and the client gets an answer")
    func longQuestions() async throws {
        try await BesideProxy.with(Self.rules, .extProc) { beside in
            let known = "POST / HTTP/1.1\r\nHost: shunt\r\nContent-Length: 1000000\r\n\r\n"
            let chunk = "POST / HTTP/1.1\r\nHost: shunt\r\nTransfer-Encoding: chunked\r\n\r\n61a80\r\n"
            for text in [known, chunk + String(repeating: " ", count: 400_000)] {
                let response = try #require(try await beside.service.send(text).first)
                #expect(try EnvoyAnswer(response).status == 431)
                #expect(response["Connection"] == "close")
            }
        }
    }

    @Test("Only a proxy that is trusted may ask, and only by POST")
    func askers() async throws {
        try await RunningGateway.with(
            ["rules.conf": Self.rules],
            options: BesideProxy.change(.extProc, trusting: "10.0.0.1")
        ) { service in
            let response = try await EnvoyQuestion.post(EnvoyQuestion("GET /").json, service)
            #expect(response.status == 403)
            #expect(response.text.contains("--trusted-proxy"))
        }
        try await BesideProxy.with(Self.rules, .extProc) { beside in
            let response = try await beside.service.get("/")
            #expect(response.status == 405)
            #expect(response.text.contains("POST"))
            let smuggling = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n"
            #expect(try await beside.service.send(smuggling).first?.status == 400)
        }
    }

    private static let options: [([String], String)] = [
        (["--form", "ext-proc"], "--form ext-proc needs --trusted-proxy: the addresses whose questions are trusted"),
        (["--form", "observe", "--question", "ext-proc"], "--question ext-proc needs --trusted-proxy"),
        (["--form", "forward", "--question", "ext-proc"], "is answered by --form ext-proc and --form observe."),
        (["--form", "ext-proc", "--question", "x-original"], "leave out --question x-original."),
        (["--form", "ext_proc"], "--form is accel, forward, ext-proc or observe."),
        (["--form", "observe", "--question", "body"], "--question is request, x-forwarded, x-original or ext-proc."),
    ]

    @Test("Options that do not fit are refused with the way out", arguments: options.indices)
    func unfittingOptions(_ index: Int) async throws {
        let (words, message) = Self.options[index]
        let program = try ServedProgram.running(["decide", "--rules", "none", "--listen", "127.0.0.1:0"] + words)
        #expect(try await program.end() == 2)
        #expect(program.errors.contains(message), "\(program.errors)")
    }
}
#endif
