import Shunt
import Testing

/// The values of a decision that was copied: the same as the lent one, for as long as it is kept.
@Suite struct DecisionTests {
    static let rules = """
        block host ads.test;
        degrade ^~ kl://pay/ https://m.test/pay;
        server {
            server_name a.test;
            add_header X-Always yes always;
            add_header X-Usual "";
            rewrite ^/old/(.*)$ /new/$1 last;
            location ^~ /moved/ { return 301 https://b.test$request_uri; }
            location = /gone { add_header X-Gone $uri; return 410 "no $uri\\n"; }
            location /up/ { proxy_set_header X-Path $uri; proxy_set_header Accept ""; proxy_pass http://up.test:8080; }
            location /none { return 204; }
        }
        route GET /news/:id(uint) news;
        route GET /files/*path files;
        route GET /(lang/:lang/)page/:name page;
        route "/plain/:a" plain;
        """

    static let requests = [
        RuleRequest(target: "/", host: "a.test"),
        RuleRequest(target: "/old/x?a=b", host: "a.test"),
        RuleRequest(target: "/moved/%61?q", host: "a.test"),
        RuleRequest(target: "/gone", host: "a.test"),
        RuleRequest(target: "/up/x%20y?z", host: "a.test"),
        RuleRequest(target: "/none", host: "a.test"),
        RuleRequest(target: "/news/17?utm=1", host: "a.test"),
        RuleRequest(target: "/files/a/b%20c", host: "a.test"),
        RuleRequest(target: "/page/name", host: "a.test"),
        RuleRequest(target: "/lang/de/page/name", host: "a.test"),
        RuleRequest(target: "/plain/1", host: "a.test"),
        RuleRequest(target: "/bad", host: "not a host"),
        RuleRequest(url: "https://ads.test/x"),
        RuleRequest(url: "kl://pay/checkout?id=1"),
        RuleRequest(url: "kl://other/x"),
        RuleRequest(url: "no url"),
    ]

    private static func lines(_ headers: [RuleRequest.Header]) -> [String] {
        headers.map { "\($0.name): \($0.value)" }
    }

    @Test("Values are text, and their bytes have a name of their own")
    func texts() throws {
        var request = RuleRequest(target: "/", host: "a.test")
        request.url = "/old/x?a=b"
        request.method = "POST"
        request.headers = [.init("X-A", "b")]
        request.headers[0].value = "c"
        #expect(request.urlBytes == Array("/old/x?a=b".utf8) && request.methodBytes == Array("POST".utf8))
        #expect(request.headers == [.init(name: Array("X-A".utf8), value: Array("c".utf8))])
        #expect(RuleRequest(url: [0x2f, 0xff]).url == "/\u{FFFD}")
        let decision = Engine(try RuleSet(text: Self.rules)).decide(request)
        #expect(
            decision.url == "http://a.test/new/x?a=b" && decision.target == "/new/x?a=b"
                && decision.authority == "a.test"
        )
        guard case .forward(let forward) = decision.action else { throw CancellationError() }
        #expect(forward.url == decision.url && forward.target == "/new/x?a=b" && forward.path == "/new/x")
        #expect(forward.authority == "a.test" && forward.arguments == "a=b")
        let redirect = Decision.Redirect(status: 301, location: "https://b.test/")
        #expect(
            redirect.locationBytes == Array("https://b.test/".utf8)
                && Decision(.redirect(redirect)).url == redirect.location
        )
        #expect(Decision(.respond(.init(status: 410, body: "gone"))).answer?.body == "gone")
        #expect(Decision(.degrade(.init(url: "https://m.test/"))).url == "https://m.test/")
    }

    @Test("All parts of a copied decision are those of the lent one", arguments: requests.indices)
    func parts(_ index: Int) throws {
        let engine = Engine(try RuleSet(text: Self.rules))
        engine.withDecision(for: Self.requests[index]) { lent in
            let copied = lent.copy()
            #expect(copied.kind == lent.kind && copied.status == lent.status && copied.rule == lent.rule)
            #expect(copied.route == lent.route && copied.reason == lent.reason)
            #expect(copied.isUpstream == lent.isUpstream && copied.position == lent.position)
            #expect(copied.urlBytes == lent.withURL { Array(copying: $0) })
            #expect(copied.url == lent.url && copied.url == lent.withURL { String(repairing: $0) })
            #expect(copied.uri == lent.withURI { Array(copying: $0) })
            #expect(copied.body == lent.withBody { Array(copying: $0) })
            #expect(copied.version == engine.ruleSet.contentHash)
            var headers: [String] = []
            lent.withHeaders { headers.append("\(String(repairing: $0)): \(String(repairing: $1))") }
            #expect(Self.lines(copied.headers) == headers)
            headers = []
            lent.withSuccessHeaders { headers.append("\(String(repairing: $0)): \(String(repairing: $1))") }
            #expect(Self.lines(copied.successHeaders) == headers)
            headers = []
            lent.withUpstreamHeaders { headers.append("\(String(repairing: $0)): \(String(repairing: $1))") }
            #expect(Self.lines(copied.upstreamHeaders) == headers)
        }
    }

    @Test("The parts are those of the rules")
    func values() throws {
        let engine = Engine(try RuleSet(text: Self.rules))
        let decisions = Self.requests.map { engine.decide($0) }
        #expect(
            decisions.map(\.kind) == [
                .forward, .forward, .redirect, .respond, .forward, .respond, .forward, .forward, .forward, .forward,
                .forward, .fail, .block, .degrade, .forward, .fail,
            ]
        )
        #expect(decisions[1].uri == Array("/new/x".utf8) && decisions[1].arguments == Array("a=b".utf8))
        #expect(decisions[1].server == Array("a.test".utf8) && decisions[1].location == nil)
        #expect(Self.lines(decisions[1].headers) == ["X-Always: yes"])
        #expect(decisions[2].url == "https://b.test/moved/%61?q" && decisions[2].location == "^~ /moved/")
        #expect(Self.lines(decisions[3].headers).contains("X-Gone: /gone") == false)
        #expect(decisions[3].body == Array("no /gone\n".utf8) && decisions[3].status == 410)
        #expect(Self.lines(decisions[4].upstreamHeaders).contains("X-Path: /up/x y"))
        #expect(Self.lines(decisions[4].upstreamHeaders).contains("Accept: "))
        #expect(decisions[5].body == nil && decisions[5].status == 204)
        #expect(decisions[6].route == "news" && decisions[6].parameters == [.init(name: "id", value: "17")])
        #expect(decisions[7].parameters == [.init(name: "path", value: "a/b c")])
        #expect(decisions[8].parameters == [.init(name: "name", value: "name")])
        #expect(decisions[9].parameters == [.init(name: "lang", value: "de"), .init(name: "name", value: "name")])
        #expect(decisions[10].route == "plain" && decisions[10].parameters == [.init(name: "a", value: "1")])
        #expect(decisions[11].reason == "the Host is malformed" && decisions[11].urlBytes == nil)
        #expect(decisions[12].status == 403 && decisions[12].rule?.line == 1 && decisions[12].server == nil)
        #expect(decisions[15].parameters.isEmpty && decisions[15].route == nil && decisions[15].rule == nil)
    }

    @Test("Decisions are equal if all of their parts are equal")
    func equality() throws {
        let engine = Engine(try RuleSet(text: Self.rules))
        let again = Engine(try RuleSet(text: Self.rules))
        let other = Engine(try RuleSet(text: Self.rules + "\nblock host other.test;"))
        let decisions = Self.requests.map { engine.decide($0) }
        #expect(Set(decisions).count == decisions.count)
        for (request, decision) in zip(Self.requests, decisions) {
            #expect(decision == again.decide(request))
            #expect(decision.hashValue == again.decide(request).hashValue)
            #expect(decision != other.decide(request), "the version is another one")
        }
    }

    @Test("Decisions of two tables differ where the routes do")
    func routeEquality() throws {
        // Comments are not part of a decision, so the routes alone distinguish these.
        let first = Engine(try RuleSet(text: "route /a/:b one;")).decide(RuleRequest(url: "kl:/a/1"))
        let second = Engine(try RuleSet(text: "route /a/:c one;")).decide(RuleRequest(url: "kl:/a/1"))
        #expect(first.route == second.route && first.parameters != second.parameters && first != second)
    }

    @Test("A decision that no rules made returns its action")
    func actions() {
        let headers = [RuleRequest.Header("A", ""), RuleRequest.Header("", "b"), RuleRequest.Header("C", "d\u{e9}")]
        let long = [UInt8](repeating: 0x61, count: 70_000)
        let actions: [Decision.Action] = [
            .forward(.init(url: [])),
            .forward(.init(url: [0xff], path: [], arguments: [])),
            .forward(.init(url: long, path: long, headers: [RuleRequest.Header(name: long, value: long)])),
            .forward(
                .init(
                    url: [1],
                    path: [2],
                    arguments: [3],
                    status: 404,
                    headers: headers,
                    successHeaders: Array(headers.dropFirst()),
                    upstreamHeaders: [headers[0]],
                    isUpstream: true
                )
            ),
            .redirect(.init(status: 308, location: Array("/x".utf8), headers: headers)),
            .degrade(.init(url: Array("https://m.test/".utf8))),
            .respond(.init(status: 200)),
            .respond(.init(status: 200, body: [])),
            .respond(.init(status: 201, location: [4], body: [5], headers: headers)),
            .block(.init(status: 403, headers: headers)),
            .fail(.init(status: 400, reason: "“why”")),
        ]
        for action in actions {
            let decision = Decision(action)
            #expect(decision.action == action)
            #expect(decision.version == nil && decision.rule == nil && decision.match == nil)
        }
        #expect(Set(actions.map(Decision.init)).count == actions.count)
    }

    @Test("A decision outlives its rules, which it does not keep")
    func lifetime() throws {
        var engine: Engine? = Engine(try RuleSet(text: Self.rules))
        weak let rules = engine?.ruleSet
        let version = try #require(rules?.contentHash)
        let decisions = Self.requests.compactMap { engine?.decide($0) }
        let shown = decisions.map { "\($0)" }
        engine = nil
        #expect(rules == nil)
        #expect(decisions.map { "\($0)" } == shown)
        #expect(decisions.allSatisfy { $0.version == version })
        #expect(decisions[6].parameters == [.init(name: "id", value: "17")])
        #expect(decisions[12].rule?.line == 1)
    }
}
