#if compiler(>=6.3)
import CShunt
import Glibc
import ShuntC
import Testing

@Suite("Decisions through C")
struct DecideTests {
    private static let rules = """
        input $app_version 0;
        route GET /users/:id user;
        server {
            listen 80;
            server_name www.a.test;
            location /old { return 301 /new; }
            location /hello { add_header X-A b always; return 200 "hello $arg_name"; }
            location /gone { return 410; }
            location /api/ { proxy_set_header X-B c; add_header X-C d; proxy_pass http://10.0.0.1:81/v1/; }
            location /version { return 200 "version $app_version"; }
            location /agent { return 200 $http_user_agent; }
            location /client { return 200 "$remote_addr $request_method $server_protocol"; }
        }
        """

    @Test("Every part of a decision arrives")
    func parts() throws {
        let caller = try Caller(Self.rules)
        let redirect = caller.decide("http://www.a.test/old")
        #expect(redirect.kind == SHUNT_REDIRECT && redirect.code == 301)
        #expect(redirect.texts["url"] == "http://www.a.test/new")
        #expect(redirect.texts["file"] == "a.conf" && redirect.texts["place"] == "6:21")
        let answer = caller.decide("http://www.a.test/hello?name=you")
        #expect(answer.kind == SHUNT_RESPOND && answer.code == 200 && answer.texts["body"] == "hello you")
        #expect(answer.headers.contains("X-A: b"))
        let upstream = caller.decide("http://www.a.test/api/x?y=1")
        #expect(upstream.kind == SHUNT_FORWARD && upstream.code == 0)
        #expect(upstream.texts["target"] == "/v1/x?y=1" && upstream.texts["authority"] == "10.0.0.1:81")
        #expect(upstream.headers == ["success X-C: d", "upstream X-B: c"])
        let route = caller.decide("http://www.a.test/users/a%20b")
        #expect(route.texts["route"] == "user" && route.parameters == ["id: a b"])
        #expect(route.texts["path"] == "/users/a b" && route.texts["file"] == nil)
        let failure = caller.decide("http://www.a.test/%zz")
        #expect(failure.kind == SHUNT_FAIL && failure.code == 400 && failure.texts["reason"] != nil)
    }

    @Test("A request has a target and a Host, a method, headers, inputs, addresses and a version")
    func request() throws {
        let caller = try Caller(Self.rules)
        withText("www.a.test") { host in
            #expect(caller.decide("/gone") { $0.host = host }.code == 410)
            withText("POST") { method in
                withText("192.0.2.7") { address in
                    let answer = caller.decide("/client") {
                        ($0.host, $0.method, $0.client_address, $0.http_version) = (host, method, address, 0)
                    }
                    #expect(answer.texts["body"] == "192.0.2.7 POST HTTP/1.0")
                }
            }
            // What one request has, the next one has no more.
            #expect(caller.decide("/client") { $0.host = host }.texts["body"] == "127.0.0.1 GET HTTP/1.1")
        }
        withFields([("User-Agent", "curl/8")]) { fields in
            let answer = caller.decide("http://www.a.test/agent") { ($0.headers, $0.header_count) = (fields, 1) }
            #expect(answer.texts["body"] == "curl/8")
        }
        #expect(caller.decide("http://www.a.test/agent").texts["body"] == "")
        for version in ["3.1", "2.9", ""] {
            withFields([("app_version", version), ("other", "x")]) { fields in
                let answer = caller.decide("http://www.a.test/version") { ($0.inputs, $0.input_count) = (fields, 2) }
                #expect(answer.texts["body"] == "version \(version)")
            }
        }
        #expect(caller.decide("http://www.a.test/version").texts["body"] == "version 0")
    }

    @Test(
        "A buffer that is too small has the size that it needs, which then is enough",
        arguments: ["/old", "/hello", "/users/7"]
    )
    func buffers(path: String) throws {
        let caller = try Caller(Self.rules)
        let url = "http://www.a.test\(path)"
        let whole = caller.decide(url)
        for capacity in 0..<whole.needed {
            let small = caller.decide(url, capacity: capacity)
            try #require(small.status == SHUNT_TOO_SMALL && small.needed == whole.needed, "\(capacity)")
        }
        #expect(caller.decide(url, capacity: whole.needed) == whole)
    }

    @Test("Answers have the headers of expires, for the time of the request; forwarded requests have none")
    func expiry() throws {
        let caller = try Caller(
            "server { listen 80; expires 1h; add_header X-A b; location /a { return 200 a; } location /b { expires off; return 200 b; } }"
        )
        for (path, expected) in [
            ("/a", ["Expires: Tue, 14 Nov 2023 23:13:20 GMT", "Cache-Control: max-age=3600"]), ("/b", []), ("/c", []),
        ] {
            let found = caller.decide("http://a.test\(path)") { $0.seconds = 1_700_000_000 }.headers
            #expect(found.filter { $0.hasPrefix("Expires") || $0.hasPrefix("Cache-Control") } == expected, "\(path)")
        }
    }

    @Test("An explanation is a text or an object")
    func explanation() throws {
        let caller = try Caller(Self.rules)
        for (format, start) in [
            (SHUNT_TEXT, "redirect 301"), (SHUNT_JSON, #"{"schema":"shunt-explain/1","decision":{"request":"#),
        ] {
            withText("http://www.a.test/old") { url in
                var request = shunt_request()
                request.size = MemoryLayout<shunt_request>.size
                request.url = url
                var text: UnsafeMutablePointer<CChar>?
                #expect(shunt_explain(caller.rules, &request, format, &text) == SHUNT_OK)
                let explanation = takeText(text) ?? ""
                #expect(explanation.hasPrefix(start), "\(explanation)")
                #expect(explanation.contains("return 301 /new"))
            }
        }
    }

    @Test("Wrong arguments are refused, and nothing is decided")
    func arguments() throws {
        let caller = try Caller(Self.rules)
        let url = "http://www.a.test/old"
        let changes: [(inout shunt_request) -> Void] = [
            { $0.size = 8 }, { $0.size += 8 }, { $0.security = 3 }, { $0.nanoseconds = 1_000_000_000 },
            { $0.url = shunt_text(bytes: nil, length: 3) }, { $0.host = shunt_text(bytes: nil, length: 3) },
            { $0.url.length = -1 }, { $0.method = shunt_text(bytes: nil, length: 1) }, { $0.header_count = 1 },
            { $0.header_count = -1 }, { $0.input_count = 1 }, { $0.client_address = shunt_text(bytes: nil, length: 1) },
        ]
        for (index, change) in changes.enumerated() {
            #expect(caller.decide(url, change).status == SHUNT_INVALID_ARGUMENT, "\(index)")
        }
        var request = shunt_request()
        var decision = shunt_decision()
        decision.size = MemoryLayout<shunt_decision>.size
        #expect(shunt_decide(nil, &request, nil, 0, &decision) == SHUNT_INVALID_ARGUMENT)
        #expect(shunt_decide(caller.rules, nil, nil, 0, &decision) == SHUNT_INVALID_ARGUMENT)
        #expect(shunt_decide(caller.rules, &request, nil, 0, nil) == SHUNT_INVALID_ARGUMENT)
        #expect(decision.kind == SHUNT_FAIL && decision.status == 500)
        decision.size = 3
        #expect(shunt_decide(caller.rules, &request, nil, 0, &decision) == SHUNT_INVALID_ARGUMENT)
        #expect(shunt_store_decide(nil, &request, nil, 0, &decision) == SHUNT_INVALID_ARGUMENT)
        #expect(shunt_explain(nil, &request, SHUNT_TEXT, nil) == SHUNT_INVALID_ARGUMENT)
        #expect(shunt_rules_load(nil, nil, nil, nil) == SHUNT_INVALID_ARGUMENT)
        #expect(shunt_store_open(nil, nil, nil, nil, nil, nil) == SHUNT_INVALID_ARGUMENT)
        #expect(shunt_store_reload(nil, nil) == SHUNT_INVALID_ARGUMENT)
        #expect(shunt_rules_count(nil) == 0 && shunt_rules_hash(nil) == nil && shunt_store_rules(nil) == nil)
        shunt_rules_release(nil)
        shunt_store_close(nil)
        shunt_free(nil)
        #expect(caller.report(shunt_report(rawValue: 9)) == nil)
    }
}

/// Lends fields to C.
func withFields(_ fields: [(String, String)], _ body: (UnsafePointer<shunt_field>?) -> Void) {
    var texts: [UnsafeMutablePointer<CChar>] = []
    defer { for text in texts { free(text) } }
    func lend(_ text: String) -> shunt_text {
        guard let copy = strdup(text) else { return shunt_text() }
        texts.append(copy)
        return shunt_text(bytes: copy, length: text.utf8.count)
    }
    let all = fields.map { shunt_field(name: lend($0.0), value: lend($0.1)) }
    all.withUnsafeBufferPointer { body($0.baseAddress) }
}
#endif
