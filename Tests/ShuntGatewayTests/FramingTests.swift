#if Gateway
import NIOCore
import NIOHTTP1
import Shunt
import Testing

@testable import ShuntGateway

/// The ends and the headers of requests and responses: client, gateway and upstream agree, or there is an error.
@Suite(.serialized) struct FramingTests {
    static let rules = ["rules.conf": "server { location / { } }"]

    @Test(
        "Framing that is not plain is refused",
        arguments: [
            ("POST /x HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
            ("POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", 501),
            ("POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 9223372036854775808\r\n\r\n", 400),
            ("POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 18446744073709551615\r\n\r\n", 400),
            ("POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nContent-Length: 4\r\n\r\nabcd", 400),
            ("POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: +4\r\n\r\nabcd", 400),
        ]
    )
    func refused(_ text: String, _ status: Int) async throws {
        let upstream = try TestUpstream { _ in .text("reached") }
        try await RunningGateway.with(Self.rules, options: .upstream(upstream)) { gateway in
            let response = try await gateway.send(text).first
            #expect(response?.status == status)
            #expect(upstream.requests.isEmpty)
        }
    }

    @Test(
        "A target that is neither a path nor a URL of HTTP is refused, whatever the method",
        arguments: ["abc", ",", ":", ":abc", "*", "?a", "a.test:80", "abc://a.test/", "//", "/ok"]
    )
    func noTarget(_ target: String) async throws {
        let upstream = try TestUpstream { _ in .text("reached") }
        try await RunningGateway.with(Self.rules, options: .upstream(upstream)) { gateway in
            for method in ["GET", "OPTIONS"] {
                let response = try await gateway.send("\(method) \(target) HTTP/1.1\r\nHost: a.test\r\n\r\n").first
                #expect(response?.status == (target.hasPrefix("/") ? 200 : 400), "\(method) \(target)")
            }
            #expect(upstream.requests.count == (target.hasPrefix("/") ? 2 : 0))
        }
    }

    @Test("HTTP/1.0 is sent no 100")
    func continues() async throws {
        let upstream = try TestUpstream { .text(String(decoding: $0.body, as: UTF8.self)) }
        try await RunningGateway.with(Self.rules, options: .upstream(upstream)) { gateway in
            let text = "POST /x HTTP/1.0\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\nhi"
            let response = try await gateway.send(text).first
            #expect(response?.status == 200)
            #expect(response?.text == "hi")
        }
    }

    @Test("Rules cannot set where a response ends")
    func addedFraming() async throws {
        let upstream = try TestUpstream { _ in .text("hello") }
        let added = "add_header Transfer-Encoding chunked; add_header Content-Length 1; add_header X-Added 1;"
        let rules = ["rules.conf": "server { \(added) location = /own { return 200 own; } location / { } }"]
        try await RunningGateway.with(rules, options: .upstream(upstream)) { gateway in
            for (target, text) in [("/own", "own"), ("/x", "hello")] {
                let response = try await gateway.get(target)
                #expect(response.text == text)
                #expect(response["transfer-encoding"] == nil)
                #expect(response["content-length"] == "\(text.utf8.count)")
                #expect(response["x-added"] == "1")
            }
        }
    }

    @Test("An answer has a length or chunks, whatever becomes of the upstream's header with the length")
    func hiddenLength() async throws {
        let upstream = try TestUpstream { request in
            let isListed = request.line.contains("listed")
            return .text("hello", headers: isListed ? ["Connection: x, content-Length"] : [])
        }
        let rules = """
            server {
                location /hidden { proxy_hide_header Content-Length; proxy_pass \(upstream.url); }
                location / { proxy_pass \(upstream.url); }
            }
            """
        try await RunningGateway.with(["rules.conf": rules]) { gateway in
            for target in ["/listed", "/hidden", "/plain"] {
                let requests = "GET \(target) HTTP/1.1\r\nHost: a\r\n\r\nHEAD \(target) HTTP/1.1\r\nHost: a\r\n\r\n"
                let port = gateway.port
                try await Blocking.run {
                    var connection = try TestConnection(port: port)
                    try connection.send(requests)
                    for isHead in [false, true] {
                        let response = try connection.response(isHead: isHead)
                        #expect(response?["content-length"] == "5", "\(target)")
                        #expect(response?.text == (isHead ? "" : "hello"), "\(target)")
                    }
                }
            }
        }
    }

    @Test("An answer without a body has no length of one under a status with a body", arguments: ["304 NM", "204 NC"])
    func emptied(_ status: String) async throws {
        let upstream = try TestUpstream { _ in
            .init(parts: ["HTTP/1.1 \(status)\r\nContent-Length: 43\r\n\r\n"])
        }
        let rules = """
            server {
                location = /own { return 200 own; }
                location / { error_page 404 =200 /x; return 404; }
                location = /x { proxy_pass \(upstream.url); }
            }
            """
        try await RunningGateway.with(["rules.conf": rules]) { gateway in
            let requests = "GET /a HTTP/1.1\r\nHost: a\r\n\r\nGET /own HTTP/1.1\r\nHost: a\r\n\r\n"
            let answers = try await gateway.send(requests, responses: 2)
            #expect(answers.map(\.status) == [200, 200])
            #expect(answers.map { $0["content-length"] } == ["0", "3"])
            #expect(answers.last?.text == "own")
        }
    }

    @Test("The end of an answer follows from what is sent")
    func framing() throws {
        func head(_ method: HTTPMethod, version: Int = 1) throws -> RequestHead {
            let text = "\(method.rawValue) / HTTP/1.\(version)"
            let line = RequestLine(Array(text.utf8).span)
            return RequestHead(try #require(line), HeaderFields())
        }
        let table: [(String, Int, HTTPMethod, AnswerFraming)] = [
            ("200 OK\r\nContent-Length: 5", 200, .GET, .length(5)),
            ("200 OK\r\nContent-Length: 0", 200, .GET, .length(0)),
            ("200 OK\r\nContent-Length: 5", 200, .HEAD, .bodiless(length: 5)),
            ("200 OK\r\nContent-Length: 5", 204, .GET, .bodiless(length: nil)),
            ("200 OK\r\nContent-Length: 5", 304, .GET, .bodiless(length: nil)),
            ("304 N\r\nContent-Length: 5", 304, .GET, .bodiless(length: 5)),
            ("304 N\r\nContent-Length: 5", 200, .GET, .length(0)),
            ("304 N\r\nContent-Length: 5", 200, .HEAD, .bodiless(length: nil)),
            ("204 N\r\nContent-Length: 5", 204, .GET, .bodiless(length: nil)),
            ("200 OK\r\nTransfer-Encoding: chunked", 200, .GET, .chunks), ("200 OK\r\nX: y", 200, .GET, .chunks),
            ("200 OK\r\nTransfer-Encoding: chunked", 200, .HEAD, .bodiless(length: nil)),
        ]
        for (text, status, method, framing) in table {
            let received = try ResponseHead(ByteBuffer(string: "HTTP/1.1 \(text)\r\n\r\n"), answering: method)
            let found = AnswerFraming(of: received, with: HTTPResponseStatus(statusCode: status), to: try head(method))
            #expect(found == framing, "\(text) \(status) \(method)")
        }
        let endless = try ResponseHead(ByteBuffer(string: "HTTP/1.1 200 OK\r\n\r\n"), answering: .GET)
        #expect(AnswerFraming(of: endless, with: .ok, to: try head(.GET, version: 0)) == .untilEnd)
        let unchunked = AnswerFraming(of: endless, with: .ok, to: try head(.GET), sendsChunks: false)
        #expect(unchunked == .untilEnd)
    }

    @Test("A status without a body has none, whatever the upstream sends", arguments: [204, 304])
    func bodiless(_ status: Int) async throws {
        let smuggled = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nSMUGG"
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        let chunks = "\(String(smuggled.utf8.count, radix: 16))\r\n\(smuggled)\r\n0\r\n\r\n"
        let upstream = try TestUpstream { request in
            request.line.contains("chunks")
                ? .init(parts: [head + chunks])
                : .text(smuggled)
        }
        let rules = [
            "rules.conf": """
            server {
                location /length { error_page 404 =\(status) /l; return 404; }
                location /chunks { error_page 404 =\(status) /chunks-too; return 404; }
                location /l { proxy_pass \(upstream.url); }
                location /chunks-too { proxy_pass \(upstream.url); }
                location = /own { return 200 own; }
            }
            """
        ]
        try await RunningGateway.with(rules) { gateway in
            let port = gateway.port
            for target in ["/length", "/chunks"] {
                try await Blocking.run {
                    var connection = try TestConnection(port: port)
                    try connection.send("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n")
                    let response = try #require(try connection.response())
                    #expect(response.status == status)
                    #expect(response["content-length"] == nil)
                    #expect(response["transfer-encoding"] == nil)
                    try connection.send("GET /own HTTP/1.1\r\nHost: a\r\n\r\n")
                    #expect(try connection.response()?.text == "own")
                }
            }
        }
    }

    @Test("Names that nginx does not take for headers reach neither rules nor the upstream")
    func oddNames() async throws {
        let upstream = try TestUpstream { _ in .text("reached") }
        let odd = ["X_Role: admin", "X_Forwarded_For: 1.2.3.4", "Content_Length: 4", "X.Dot: 1", "X-Plain: 1"]
        let rule = "location / { if ($http_x_role = admin) { return 403; } }"
        try await RunningGateway.with(["r.conf": "server { \(rule) }"], options: .upstream(upstream)) { gateway in
            let response = try await gateway.get("/x", headers: odd)
            #expect(response.text == "reached")
            let names = try #require(upstream.requests.first).headers.map { $0.name.lowercased() }
            #expect(names.contains("x-plain"))
            #expect(!names.contains { $0.contains("_") || $0.contains(".") }, "\(names)")
        }
        let taken = ["r.conf": "server { underscores_in_headers on; \(rule) }"]
        try await RunningGateway.with(taken, options: .upstream(upstream)) { gateway in
            let blocked = try await gateway.get("/x", headers: odd)
            #expect(blocked.status == 403)
            let other = try await gateway.get("/x", headers: ["X_Role: user"])
            #expect(other.text == "reached")
            #expect(upstream.requests.last?["x_role"] == "user")
        }
    }
}
#endif
