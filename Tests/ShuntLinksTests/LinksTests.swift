import Shunt
import ShuntLinks
import ShuntModules
import ShuntModulesTesting
import Synchronization
import Testing

/// Statements L1 to L13, L18, L19, E8, T16, T17 and A9: from a URL to a module.
@Suite struct LinksTests {
    @Test(
        "L1 to L4: who reaches what",
        arguments: [
            ("demo://A/detail?key=value", Caller.Kind.link, #"{"title":"value"}"#),
            ("demo://A/detail?key=value", .code, #"{"title":"value"}"#),
            ("demo://A/detail?key=value", .web, "notExposed"),
            ("demo://A/detail?key=value", .network, "notExposed"),
            ("demo://A/secret", .code, "unknown"),
            ("demo://A/local", .code, "{}"),
            ("demo://A/local", .link, "notExposed"),
            ("demo://A/local", .network, "notExposed"),
            ("kl://AModule/server?value=64", .web, "64"),
            ("kl://AModule/server", .web, "parameters"),
            ("demo://A/detail?key=value&caller_kind=code", .web, "notExposed"),
        ]
    )
    func exposure(url: String, kind: Caller.Kind, expected: String) async throws {
        try await open([ModuleA(), khala]) { (links, _) async throws in
            #expect(await outcome(links, url, kind) == expected)
        }
    }

    @Test("L3: from outside, what is not exposed looks like what is not there")
    func status() {
        let caller = Caller(.web)
        #expect(LinkStatus.status(of: LinkError.notExposed(name: "A.detail", to: caller)) == 404)
        #expect(LinkStatus.status(of: LinkError.unknown(url: "", miss: nil, known: [], suggestion: nil)) == 404)
        #expect(LinkStatus.status(of: LinkError.parameters(action: "", [])) == 400)
        #expect(LinkStatus.status(of: CallError.timedOut(after: .seconds(1))) == 504)
        #expect(LinkStatus.status(of: CallError.detached(scope: "")) == 503)
        struct Unauthorized: StatusError { var status = 401 }
        #expect(LinkStatus.status(of: Unauthorized()) == 401)
        #expect(LinkStatus.status(of: CancellationError()) == 500)
    }

    @Test("L5, L6, L7, L8: rules decide before modules, and know who asks")
    func rules() async throws {
        let rules = """
            input $caller_name;
            input $caller_kind;
            rename_host Public A;
            degrade ~ ^demo://Old/ https://m.example.com/;
            if ($caller_name = com.example.bad) { block ~ ^demo: 403; }
            server { location /close { return 444; } location /long { add_header Connection x; return 200 ok; } }

            """
        try await open([ModuleA()], rules: rules) { (links, _) async throws in
            #expect(await outcome(links, "demo://Public/detail?key=v") == #"{"title":"v"}"#)
            #expect(await outcome(links, "demo://Public/local") == "notExposed")
            #expect(await outcome(links, "demo://A/detail?key=v", name: "com.example.bad") == "decided block")
            #expect(await outcome(links, "demo://A/detail?key=v&caller_name=com.example.bad") == #"{"title":"v"}"#)
            #expect(await outcome(links, "demo://Old/detail") == "decided degrade")
            let closed = try await links.respond(to: RuleRequest(url: "http://h/close"), from: Caller(.link))
            #expect(closed.status == 403)
            let long = try await links.respond(to: RuleRequest(url: "http://h/long"), from: Caller(.link))
            #expect(long.status == 200 && long.headers.map(\.name) == ["Content-Type"])
        }
    }

    @Test("L9, L10, L11: what nothing takes")
    func unknown() async throws {
        try await open([khala]) { (links, _) async throws in
            do {
                _ = try await links.open("kl://AModule/serverr?value=1", from: Caller(.link))
                Issue.record("opened")
            } catch LinkError.unknown(_, _, let known, let suggestion) {
                #expect(known == ["forClosures", "server"])
                #expect(suggestion == "kl://AModule/server")
            }
        }
        let polite = AnyModule("AModule") { definition in
            definition.handle(AModule.server) { input, _ in input.value }
            definition.handleUnknown { call, _ in
                call.name == "declined" ? nil : "no \(call.name) with \(call.parameters), but \(call.known)"
            }
        }
        var options = Links.Options()
        options.unknown = { call, _ in call.known.isEmpty ? "nothing at all" : nil }
        try await open([polite], options: options) { (links, _) async throws in
            #expect(
                await outcome(links, "kl://AModule/serverr?value=1")
                    == #""no serverr with [\"value\": [\"1\"]], but [\"server\"]""#
            )
            #expect(await outcome(links, "kl://AModule/declined") == "unknown")
            #expect(await outcome(links, "other://x/y") == #""nothing at all""#)
        }
    }

    @Test("L12, L13: a plan shows what would happen, and does it to the scopes that it found")
    func plan() async throws {
        try await open([ModuleA(), RiderModule(attachesOnDemand: false)]) { (links, app) async throws in
            let plan = try links.plan("demo://A/detail?key=v", from: Caller(.link))
            #expect(plan.target == .action("A.detail"))
            #expect(plan.chain == ["root", "ModuleA"])
            guard case .value(let page) = try await plan.perform() else { throw CancellationError() }
            #expect(page as? A.Page == A.Page(title: "v"))

            _ = try await app.call(RiderModule.attach, RideID(id: 7))
            let driver = try links.plan("ride://trip/7/driver", from: Caller(.link))
            #expect(driver.chain == ["root", "RiderModule", "TripModule"])
            #expect(driver.parameters.map(\.value) == ["7"])
            _ = try await app.call(RiderModule.detach)
            await #expect(throws: CallError.self) { try await driver.perform() }
            #expect(throws: LinkError.self) { try links.plan("demo://A/nothing", from: Caller(.link)) }
        }
    }

    @Test("A URL that is opened is a GET, and its plan is the same")
    func method() async throws {
        let post = ModuleAction<NoValue, Int>("X.post", method: "POST", at: "kl://X/post", for: .links)
        try await open([AnyModule("X") { $0.handle(post) { _, _ in 1 } }]) { (links, _) async throws in
            #expect(await outcome(links, "kl://X/post") == "unknown")
            #expect(throws: LinkError.self) { try links.plan("kl://X/post", from: Caller(.link)) }
            var request = RuleRequest(url: "kl://X/post")
            request.method = "POST"
            let answer = try await links.open(request, body: [], from: Caller(.link))
            #expect(try answer.json() == Array("1".utf8))
        }
    }

    @Test("T16, T17: URLs of scopes in slots", arguments: [false, true])
    func slots(attachesOnDemand: Bool) async throws {
        try await open([RiderModule(attachesOnDemand: attachesOnDemand)]) { (links, app) async throws in
            let url = "ride://trip/7/driver"
            #expect(await outcome(links, url) == (attachesOnDemand ? #""driver of 7""# : "notAttached"))
            _ = try await app.call(RiderModule.attach, RideID(id: 7))
            #expect(await outcome(links, url) == #""driver of 7""#)
            #expect(await outcome(links, "ride://trip/seven/driver") == "parameters")
        }
    }

    @Test("L3, L4: a slot without an exposure is open to the same process only", arguments: [false, true])
    func slotExposure(attachesOnDemand: Bool) async throws {
        let closed = RiderModule(attachesOnDemand: attachesOnDemand, exposure: .code)
        try await open([ModuleA(), closed]) { (links, app) async throws in
            _ = try await app.call(RiderModule.attach, RideID(id: 7))
            let trip = try #require(app.children.last?.children.first)
            for kind in [Caller.Kind.link, .web, .network] {
                for url in ["ride://trip/7", "ride://trip/666", "ride://trip/seven", "ride://trip/7/driver"] {
                    let request = RuleRequest(url: url)
                    #expect(!links.reaches(request, from: Caller(kind)))
                    let hidden = try await links.respond(to: request, from: Caller(kind))
                    let absent = try await links.respond(to: RuleRequest(url: "ride://trap/7"), from: Caller(kind))
                    #expect(hidden.status == 404 && "\(hidden)" == "\(absent)")
                }
            }
            #expect(trip.state == .active && app.children.last?.children.count == 1)
            #expect(await outcome(links, "ride://trip/7", .code) == "a value")
            #expect(await outcome(links, "ride://trip/8", .code) == (attachesOnDemand ? "a value" : "notAttached"))
        }
    }

    @Test("L3: what is in a slot is exposed to those that the slot lets in too")
    func exposureBehindSlots() async throws {
        let warned = try Self.warnings(RiderModule(attachesOnDemand: false, exposure: .network))
        #expect(
            warned == [
                #""Trip.driver" is exposed to .links, but a slot on the way to it is not; "#
                    + #"expose the slot of "TripModule" too: for: [.links]"#
            ]
        )
        #expect(try Self.warnings(RiderModule(attachesOnDemand: false)).isEmpty)
    }

    @Test("L3: a module in two slots is open where its slot is")
    func twoSlots() async throws {
        let rider = AnyModule("rider") { definition in
            for (scheme, exposure) in [("ride", Exposure.links), ("staff", .code)] {
                _ = definition.slot(TripModule(), at: "\(scheme)://trip/:id", for: exposure, attachesOnDemand: true)
            }
        }
        let line = #line - 3
        try await open([rider]) { (links, _) async throws in
            let place = "\"origin\":\"ShuntLinksTests/LinksTests.swift:\(line):1\""
            #expect(links.routes().ranges(of: place).count == 2)
            let (open, closed) = ("ride://trip/7/driver", "staff://trip/7/driver")
            #expect(await outcome(links, open) == #""driver of 7""#)
            #expect(await outcome(links, closed) == "notExposed")
            #expect(links.reaches(RuleRequest(url: open), from: Caller(.link)))
            #expect(!links.reaches(RuleRequest(url: closed), from: Caller(.link)))
            #expect(throws: LinkError.self) { try links.plan(closed, from: Caller(.link)) }
            #expect(try links.plan(closed, from: Caller(.code)).target == .action("Trip.driver"))
            #expect(await outcome(links, closed, .code) == #""driver of 7""#)
        }
    }

    private static func warnings(_ module: some ProgramModule<NoValue>) throws -> [String] {
        var assembly = Assembly()
        assembly.add(module)
        return try assembly.build().warnings.map { "\($0.message); \($0.suggestion ?? "")" }
    }

    @Test("L15: a route of a rule file sets another address for an action")
    func ruleRoutes() async throws {
        let rules = "route kl://Cashier/:value AModule.server;\nroute kl://Till/at/:value AModule.server;\n"
        try await open([ModuleA(), khala], rules: rules) { (links, _) async throws in
            #expect(await outcome(links, "kl://Cashier/5") == "5")
            #expect(await outcome(links, "kl://Till/at/6") == "6")
            #expect(await outcome(links, "kl://Cashier/5", .network) == "notExposed")
            #expect(try links.plan("kl://Cashier/5", from: Caller(.link)).target == .action("AModule.server"))
        }
    }

    @Test("L18: URLs that open themselves end")
    func depth() async throws {
        let links = Box<Links>()
        let again = ModuleAction<NoValue, NoValue>("again", at: "kl://again/now")
        let module = AnyModule("again") { definition in
            definition.handle(again) { _, call in
                _ = try await links.value?.open("kl://again/now", from: call.caller)
                return NoValue()
            }
        }
        try await open([module]) { (found, _) async throws in
            links.value = found
            do {
                _ = try await found.open("kl://again/now", from: Caller(.code))
                Issue.record("ended")
            } catch LinkError.tooDeep(let urls) {
                #expect(urls.count == 16)
            }
        }
    }

    @Test("L19: the URL of an input, and back")
    func generated() async throws {
        try await open([ModuleA()]) { (links, _) async throws in
            let url = try links.url(of: A.detail, .init(key: "a b/c"))
            #expect(url == "demo://a/detail?key=a%20b/c")
            #expect(try await links.open(url, from: Caller(.link), as: A.Page.self) == A.Page(title: "a b/c"))
        }
    }

    @Test("F1 and E8 by URL: elements one after another, replies by module")
    func feedsAndEvents() async throws {
        try await open([khala]) { (links, _) async throws in
            guard case .stream(let steps) = try await links.open("kl://AModule/forClosures", from: Caller(.web)) else {
                throw CancellationError()
            }
            var heard: [String] = []
            for try await step in steps { heard.append("\(step)") }
            #expect(heard == ["success", "failure"])
            #expect(await outcome(links, "kl://doSomething?value=888") == #"{"AModule":"did 888"}"#)
        }
    }

    @Test("A9: addresses that cannot be distinguished are refused, with both names")
    func ambiguous() throws {
        let first = ModuleAction<AModule.Value, Int>("X.first", at: "kl://X/:value")
        let second = ModuleAction<A.Detail, Int>("X.second", at: "kl://X/:key")
        var assembly = Assembly()
        assembly.add(
            AnyModule("X") { definition in
                definition.handle(first) { _, _ in 1 }
                definition.handle(second) { _, _ in 2 }
            }
        )
        let modules = try assembly.build()
        let engine = Engine(try RuleSet(text: ""))
        #expect(throws: AssemblyError.self) { try Links(modules, rules: engine) }
    }

    @Test("An address in a slot without one leads nowhere")
    func unreachable() throws {
        var assembly = Assembly()
        assembly.add(AnyModule("X") { _ = $0.slot(khala) })
        let modules = try assembly.build()
        let engine = Engine(try RuleSet(text: ""))
        do {
            _ = try Links(modules, rules: engine)
            Issue.record("built")
        } catch {
            #expect(Set(error.diagnostics.map(\.code)) == ["unreachable-address"])
        }
    }

    @Test("I10: the history has URLs that reach nothing")
    func history() async throws {
        let recorder = CallRecorder()
        try await open([khala]) {
            $0.intercept(recorder.history)
        } body: { (links, _) async throws in
            _ = await outcome(links, "kl://AModule/server?value=1")
            _ = await outcome(links, "kl://nothing/here")
            _ = await outcome(links, "kl://AModule/server?value=1", .network)
        }
        #expect(recorder.records.map(\.name) == ["AModule.server", "kl://nothing/here", "kl://AModule/server?value=1"])
        #expect(recorder.records.map { $0.error == nil } == [true, false, false])
    }

    @Test("Nothing is opened when no modules run")
    func stopped() async throws {
        var assembly = Assembly()
        assembly.add(ModuleA())
        let engine = Engine(try RuleSet(text: ""))
        let links = try Links(try assembly.build(), rules: engine)
        #expect(await outcome(links, "demo://A/detail?key=v") == "notReady")
    }
}

/// Hands a value to a handler that is older than it.
final class Box<Value: Sendable>: Sendable {
    private let kept = Mutex<Value?>(nil)

    var value: Value? {
        get { kept.withLock { $0 } }
        set { kept.withLock { $0 = newValue } }
    }
}
