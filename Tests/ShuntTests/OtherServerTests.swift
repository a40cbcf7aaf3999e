import Shunt
import Testing

/// The use of decisions in a server that Shunt has no product for, as docs/embedding.md shows it.
@Suite struct OtherServerTests {
    struct Head {
        var method = "GET"
        var target: String
        var host: String? = "a.test"
        var headers: [(name: String, value: String)] = []
        var client: String? = "192.0.2.7"
    }

    struct Response {
        var status: Int
        var headers: [RuleRequest.Header] = []
        var body: String
    }

    /// The server's own code.
    private static func handle(_ target: String, _ decision: Decision) -> Response {
        Response(status: 200, body: "\(target) of item \(decision.routeParameter("id") ?? "none")")
    }

    /// Returns the response to a request; nil closes its connection.
    private static func respond(to head: Head, by store: RuleStore) -> Response? {
        var request = RuleRequest(target: head.target, host: head.host)
        request.method = head.method
        request.headers = head.headers.map { RuleRequest.Header($0.name, $0.value) }
        request.remoteAddress = head.client ?? "unix:"
        let (decision, answer) = store.snapshot.engine.withDecision(for: request) { ($0.copy(), $0.answer()) }
        if let answer {
            guard let status = answer.status else { return nil }  // return 444
            return Response(status: status, headers: answer.headers, body: answer.body ?? answer.reason ?? "")
        }
        var response = handle(decision.target ?? head.target, decision)
        if let status = decision.status { response.status = status }  // of an error page
        response.headers += decision.additions(for: response.status)
        return response
    }

    @Test("A server answers, closes, forwards and adds headers as the rules decide")
    func responds() async throws {
        let text = """
            server {
                listen 80;
                server_name a.test;
                add_header X-Served yes;
                error_page 404 /missing;
                location /old { return 301 /new; }
                location /fine { expires 1h; return 200 "fine"; }
                location /close { return 444; }
                location /admin { allow 192.0.2.0/24; deny all; }
                location /gone { return 404; }
                location = /missing { }
                rewrite ^/a/(.*)$ /item/$1;
            }
            route /item/:id item;
            """
        let store = try await RuleStore.open(MemorySource(RuleArchive(["a.conf": text])))
        let respond = { (head: Head) in Self.respond(to: head, by: store) }
        let old = try #require(respond(Head(target: "/old")))
        #expect(old.status == 301 && old.headers.last == RuleRequest.Header("Location", "http://a.test/new"))
        let fine = try #require(respond(Head(target: "/fine")))
        #expect(fine.status == 200 && fine.body == "fine")
        #expect(fine.headers.contains { $0.name == "Cache-Control" && $0.value == "max-age=3600" })
        #expect(respond(Head(target: "/close")) == nil)
        let item = try #require(respond(Head(target: "/a/7?x=1")))
        #expect(item.status == 200 && item.body == "/item/7?x=1 of item 7")
        #expect(item.headers == [RuleRequest.Header("X-Served", "yes")])
        let gone = try #require(respond(Head(target: "/gone")))
        #expect(gone.status == 404 && gone.body == "/missing of item none" && gone.headers.isEmpty)
        #expect(respond(Head(target: "/admin"))?.status == 200)
        // A client without an address is in no network.
        #expect(respond(Head(target: "/admin", client: nil))?.status == 403)
        #expect(respond(Head(target: "%"))?.status == 400)
    }
}
