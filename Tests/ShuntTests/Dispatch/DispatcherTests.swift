import Shunt
import Synchronization
import Testing

/// Dispatching without any server: filters, rules, routes, interceptors, handlers.
@Suite struct DispatcherTests {
    static let rules = """
        rename_host AModule BModule;
        degrade ~ ^kl://Pay/(?<page>\\w+) https://m.example.com/pay/$page;
        block host ads.example.com;
        route GET kl://Item/:id(int) item;
        route GET kl://Item/:name named-item;
        """

    private func engine() throws -> Engine {
        Engine(try RuleSet(text: Self.rules))
    }

    private func builder() -> DispatcherBuilder<String> {
        var builder = DispatcherBuilder<String>()
        builder.on("kl://BModule/doSomething") { context in
            .handled("did \(context.match?.query["x"] ?? "nothing")")
        }
        builder.handle(route: "item") { context in .handled("item \(context["id"] ?? "?")") }
        return builder
    }

    @Test(arguments: [
        ("kl://AModule/doSomething?x=1", "did 1"),
        ("kl://BModule/doSomething?x=2", "did 2"),
        ("kl://Item/42", "item 42"),
    ])
    func reachesTheHandler(url: String, expected: String) async throws {
        let dispatcher = try builder().build(rules: try engine())
        #expect(try await dispatcher.dispatch(url).value == expected)
        #expect(dispatcher.canDispatch(url))
    }

    @Test func rulesDecideBeforeRoutes() async throws {
        let dispatcher = try builder().build(rules: try engine())
        guard case .decided(let degraded) = try await dispatcher.dispatch("kl://Pay/card") else {
            Issue.record("a degraded URL must not be handled")
            return
        }
        #expect(degraded.kind == .degrade)
        #expect(degraded.action == .degrade(Decision.Degrade(url: Array("https://m.example.com/pay/card".utf8))))
        #expect(degraded.url == "https://m.example.com/pay/card")
        #expect("\(degraded)" == "degrade       → https://m.example.com/pay/card                  rules.conf:2:1")
        guard case .decided(let blocked) = try await dispatcher.dispatch("https://ads.example.com/x") else {
            Issue.record("a blocked host must not be handled")
            return
        }
        #expect(blocked.kind == .block)
        #expect(!dispatcher.canDispatch("kl://Pay/card"))
    }

    @Test func tellsWhyNothingMatched() async throws {
        let dispatcher = try builder().build(rules: try engine())
        guard case .unmatched(let miss) = try await dispatcher.dispatch("kl://BModule/doSomethin") else {
            Issue.record("nothing handles this")
            return
        }
        #expect(miss?.reason == .noSuchPath)
        #expect(miss?.suggestion != nil)
    }

    @Test func handlersMayDeclineAndTheSearchGoesOn() async throws {
        var builder = DispatcherBuilder<String>()
        builder.handle(route: "item") { context in
            context["id"] == "7" ? .declined("sold out") : .handled("item")
        }
        builder.handle(route: "named-item") { context in .handled("named \(context["name"] ?? "?")") }
        let dispatcher = try builder.build(rules: try engine())
        #expect(try await dispatcher.dispatch("kl://Item/8").value == "item")
        #expect(try await dispatcher.dispatch("kl://Item/7").value == "named 7")
        let (_, trace) = try await dispatcher.trace(RuleRequest(url: "kl://Item/7"))
        let answers = trace.steps.compactMap { step -> String? in
            if case .route(let name, let answer) = step { "\(name): \(answer ?? "")" } else { nil }
        }
        #expect(answers == ["item: declined: sold out", "named-item: handled"])
    }

    @Test func filtersRewriteStopAndRefuse() async throws {
        var builder = builder()
        builder.addFilter(named: "legacy") { request, _ in
            guard case .url(let url) = request.subject, url.starts(with: "old:".utf8) else { return .proceed }
            var request = request
            request.subject = .url(Array("kl:".utf8) + url.dropFirst(4))
            return .rewrite(request)
        }
        builder.addFilter(named: "guard") { request, values in
            guard case .url(let url) = request.subject else { return .proceed }
            if url.starts(with: "kl://native".utf8), values.value("isLocal", as: Bool.self) != true {
                return .refuse("native actions are for local callers")
            }
            return url.starts(with: "kl://Pay".utf8) ? .stop : .proceed
        }
        builder.on("kl://Pay/:page") { context in .handled("pay \(context["page"] ?? "")") }
        builder.on("kl://native/:action") { _ in .handled("native") }
        let dispatcher = try builder.build(rules: try engine())
        #expect(try await dispatcher.dispatch("old://AModule/doSomething?x=3").value == "did 3")
        #expect(try await dispatcher.dispatch("kl://Pay/card").value == "pay card")
        guard case .refused(let filter, _) = try await dispatcher.dispatch("kl://native/delete?isLocal=true") else {
            Issue.record("a URL must not be able to pretend to be a local caller")
            return
        }
        #expect(filter == "guard")
        let local = DispatchValues(["isLocal": true])
        #expect(try await dispatcher.dispatch("kl://native/delete", values: local).value == "native")
    }

    @Test func filtersAfterTheRulesSeeWhatTheRulesLeft() async throws {
        var builder = builder()
        builder.addFilter(named: "audit", .afterRules) { request, _ in
            guard case .url(let url) = request.subject, url == Array("kl://BModule/doSomething".utf8) else {
                return .proceed
            }
            return .rewrite(RuleRequest(url: "kl://Item/5"))
        }
        let dispatcher = try builder.build(rules: try engine())
        #expect(try await dispatcher.dispatch("kl://AModule/doSomething").value == "item 5")
    }

    @Test func stoppingBeforeTheRulesIsForURLsOnly() async throws {
        var builder = DispatcherBuilder<String>()
        builder.addFilter(named: "stop", .beforeRules) { _, _ in .stop }
        let engine = Engine(try RuleSet(text: "block host b.test; server { listen 80; return 403; }"))
        let dispatcher = try builder.build(rules: engine)
        guard case .decided(let decision) = try await dispatcher.dispatch(RuleRequest(target: "/x", host: "a.test"))
        else {
            Issue.record("the rules did not decide")
            return
        }
        #expect(decision.status == 403)
        guard case .decided = try await dispatcher.dispatch("http://b.test/") else { return }
        Issue.record("the rules decided about a URL")
    }

    @Test func filtersAfterTheRulesMayChangeTheMethodByWhichARouteIsFound() async throws {
        var builder = builder()
        builder.addFilter(named: "post", .afterRules) { request, _ in
            var changed = request
            changed.method = "POST"
            return .rewrite(changed)
        }
        builder.on("kl://form/:id", methods: ["POST"]) { context in .handled("posted \(context["id"] ?? "")") }
        let dispatcher = try builder.build(rules: try engine())
        #expect(try await dispatcher.dispatch("kl://form/1").value == "posted 1")
    }

    @Test func interceptorsStandAroundHandlersOutermostFirst() async throws {
        var builder = builder()
        builder.addInterceptor(named: "outer") { context, next in
            guard case .handled(let value) = try await next(context) else { return .declined("") }
            return .handled("<\(value)>")
        }
        builder.addInterceptor(named: "inner") { context, next in
            context["id"] == "0" ? .handled("intercepted") : try await next(context)
        }
        let dispatcher = try builder.build(rules: try engine())
        #expect(try await dispatcher.dispatch("kl://Item/42").value == "<item 42>")
        #expect(try await dispatcher.dispatch("kl://Item/0").value == "<intercepted>")
    }

    @Test func fallbackAndUnmatchedHandlers() async throws {
        var builder = builder()
        builder.onFallback("/web", scheme: "https") { _ in .handled("fallback") }
        builder.onUnmatched { context in .handled("unmatched \(context.url)") }
        let dispatcher = try builder.build(rules: try engine())
        #expect(try await dispatcher.dispatch("https://x.example/web/page").value == "fallback")
        #expect(try await dispatcher.dispatch("kl://Nothing/here").value == "unmatched kl://Nothing/here")
    }

    @Test func errorsOfHandlersReachTheCaller() async throws {
        struct Broken: Error {}
        var builder = DispatcherBuilder<String>()
        builder.on("kl://x/y") { _ in throw Broken() }
        let dispatcher = try builder.build(rules: try engine())
        await #expect(throws: Broken.self) { try await dispatcher.dispatch("kl://x/y") }
    }

    @Test func cancellationEndsADispatch() async throws {
        var builder = DispatcherBuilder<String>()
        builder.addFilter(named: "cancelled") { _, _ in
            withUnsafeCurrentTask { $0?.cancel() }
            return .proceed
        }
        builder.on("kl://x/y") { _ in .handled("too late") }
        let dispatcher = try builder.build(rules: try engine())
        let task = Task { try await dispatcher.dispatch("kl://x/y").value }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func completionIsCalledOnce() async throws {
        let dispatcher = try builder().build(rules: try engine())
        let value = await withCheckedContinuation { continuation in
            dispatcher.dispatch("kl://Item/9") { result in
                continuation.resume(returning: (try? result.get())?.value)
            }
        }
        #expect(value == "item 9")
    }

    @Test func duplicateRoutesAreReportedWhenItIsBuilt() throws {
        var builder = DispatcherBuilder<String>()
        builder.on("/a/:x") { _ in .handled("1") }
        builder.on("/a/:y") { _ in .handled("2") }
        #expect(throws: RouteTableError.self) { try builder.build(rules: try engine()) }
    }

    /// Rules from a source that may put others in place.
    private final class Rules: EngineSource {
        private let engine: Mutex<Engine>

        init(_ text: String) throws { engine = Mutex(Engine(try RuleSet(text: text))) }

        func replace(with text: String) throws {
            let new = Engine(try RuleSet(text: text))
            engine.withLock { $0 = new }
        }

        func currentEngine() -> Engine { engine.withLock { $0 } }
    }

    @Test func rulesRoutesWithoutAHandlerAreToldWhenItIsBuiltAndWhenRulesAreLoadedAnew() async throws {
        let told = Mutex<[String]>([])
        let rules = try Rules("route kl://Item/:id item;")
        var builder = DispatcherBuilder<String>()
        builder.handle(route: "item") { _ in .handled("item") }
        builder.onDiagnostics { found in told.withLock { $0 += found.map { "\($0.location): \($0.message)" } } }
        let dispatcher = try builder.build(rules: rules)
        #expect(told.withLock { $0 }.isEmpty && dispatcher.diagnostics.isEmpty)
        try rules.replace(with: "route kl://Item/:id item;\nroute kl://User/:id user;")
        for _ in 0..<2 { _ = try await dispatcher.dispatch("kl://Item/1") }
        let expected = ["rules.conf:2:7: no code handles the route \"user\""]
        #expect(told.withLock { $0 } == expected)
        #expect(dispatcher.diagnostics.map(\.code) == ["route-without-handler"])
        _ = try builder.build(rules: rules)
        #expect(told.withLock { $0 } == expected + expected)
        let miss = try await dispatcher.dispatch("kl://User/1").miss
        #expect(miss?.reason == .noHandler("user"))
    }

    @Test(arguments: [
        ("kl://Item/x", "\"x\" does not fit id(int)"),
        ("kl://Itme/1", "no route has this path; did you mean \"/Item/1\"?"),
        ("kl://Nothing/at/all", "no route has this path"),
    ])
    func theReasonOfAMissIsThatOfTheRulesRoutesToo(url: String, reason: String) async throws {
        var builder = DispatcherBuilder<String>()
        builder.handle(route: "item") { _ in .handled("item") }
        let dispatcher = try builder.build(rules: try Rules("route kl://app/Item/:id(int) item;"))
        let path = url.replacing("kl://", with: "kl://app/")
        #expect(try await dispatcher.dispatch(path).miss?.description.hasPrefix(reason) == true)
    }

    @Test func thereIsNoReasonWhereHandlersDeclined() async throws {
        var builder = DispatcherBuilder<String>()
        builder.handle(route: "item") { _ in .declined("no") }
        let dispatcher = try builder.build(rules: try Rules("route kl://Item/:id item;"))
        guard case .unmatched(nil) = try await dispatcher.dispatch("kl://Item/1") else {
            Issue.record("every handler declined")
            return
        }
    }

    @Test func canDispatchAsksEveryCandidateAndTakesAMethod() throws {
        var builder = DispatcherBuilder<String>()
        builder.handle(route: "any") { _ in .handled("any") }
        builder.handle(route: "post") { _ in .handled("post") }
        let rules = "route kl://Item/:id(int) number; route kl://Item/:name any; route POST kl://New/it post;"
        let dispatcher = try builder.build(rules: try Rules(rules))
        // The first route has no handler, but the second has.
        #expect(dispatcher.canDispatch("kl://Item/1"))
        #expect(!dispatcher.canDispatch("kl://New/it"))
        #expect(dispatcher.canDispatch("kl://New/it", method: "POST"))
        #expect(!dispatcher.canDispatch("kl://Other/1"))
    }

    @Test func aRouteThatReachesALimitIsAFailure() async throws {
        var builder = DispatcherBuilder<String>()
        builder.on("/:code((?:a|aa)+)") { _ in .handled("code") }
        builder.on("/:any") { _ in .handled("any") }
        builder.onUnmatched { _ in .handled("unmatched") }
        let dispatcher = try builder.build(rules: try Rules(""))
        let url = "https://a.test/" + String(repeating: "a", count: 60) + "b"
        guard case .decided(let decision) = try await dispatcher.dispatch(url) else {
            Issue.record("no route may be taken")
            return
        }
        #expect(decision.kind == .fail && decision.status == 500)
    }

    @Test func interceptorsAreChainedOnce() async throws {
        let calls = Mutex(0)
        var builder = builder()
        for name in ["a", "b", "c"] {
            builder.addInterceptor(named: name) { context, next in
                calls.withLock { $0 += 1 }
                return try await next(context)
            }
        }
        let dispatcher = try builder.build(rules: try engine())
        for _ in 0..<2 { _ = try await dispatcher.dispatch("kl://Item/42") }
        #expect(calls.withLock { $0 } == 6)
    }
}

extension DispatchOutcome {
    /// The reason why no route matched.
    fileprivate var miss: RouteMiss? {
        if case .unmatched(let miss) = self { miss } else { nil }
    }
}
