#if Gateway
import Shunt
import Testing

@testable import ShuntGateway

/// Requests as the page hands them on.
@Suite struct RequestNotationTests {
    @Test("The query of /explain reads back as the request that it was made of")
    func query() throws {
        var request = RuleRequest(url: "kl://a/b?x=1&y=%20+ é\u{0}'\"")
        request.method = "POST"
        request.remoteAddress = "192.0.2.7"
        request.headers = [RuleRequest.Header("X-A", "1&2"), RuleRequest.Header("Cookie", "a=b; c=d")]
        request.inputs["app_version"] = "3.1=9"
        let described = try AdminArguments(query: RequestNotation.query(request)).request()
        let read = try #require(described)
        #expect(read.subject == request.subject)
        #expect(read.methodBytes == request.methodBytes)
        #expect(read.remoteAddress == request.remoteAddress)
        #expect(read.headers == request.headers)
        #expect(read.inputs.bytes == request.inputs.bytes)
    }

    @Test("Usual parts are left out, and a target becomes a URL")
    func usual() {
        #expect(RequestNotation.query(RuleRequest(url: "http://a.test/")) == "url=http%3A%2F%2Fa.test%2F")
        let target = RuleRequest(target: Array("/x".utf8), host: Array("a.test".utf8))
        #expect(RequestNotation.query(target) == "url=http%3A%2F%2Fa.test%2Fx")
    }

    @Test(
        "A command sends the request; one of another scheme asks the listener, and no byte leaves its word",
        arguments: [
            ("http://a.test/x?y=1", "curl -i 'http://a.test/x?y=1'"),
            ("HTTPS://a.test/it's", "curl -i 'HTTPS://a.test/it'\\''s'"),
            ("kl://user/1", "curl -i 'http://127.0.0.1:8081/explain?url=kl%3A%2F%2Fuser%2F1'"),
            ("https://a.test/$(id)`id`\n;", "curl -i 'https://a.test/$(id)`id`\n;'"),
        ]
    )
    func curl(url: String, command: String) {
        #expect(RequestNotation.curl(RuleRequest(url: url), asking: "127.0.0.1:8081") == command)
    }

    @Test("The command has the method and the headers")
    func curlDetails() {
        var request = RuleRequest(url: "https://a.test/")
        request.method = "POST"
        request.headers = [RuleRequest.Header("X-A", "it's")]
        #expect(
            RequestNotation.curl(request, asking: "-") == "curl -i -X 'POST' -H 'X-A: it'\\''s' 'https://a.test/'"
        )
    }
}
#endif
