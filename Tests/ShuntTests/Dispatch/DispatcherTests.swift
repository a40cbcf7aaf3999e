import Shunt
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
        Engine(try RuleSet.load(text: Self.rules))
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
        let dispatcher = try builder().build(engine: try engine())
        #expect(try await dispatcher.dispatch(url).value == expected)
        #expect(dispatcher.canDispatch(url))
    }

    @Test func rulesDecideBeforeRoutes() async throws {
        let dispatcher = try builder().build(engine: try engine())
        guard case .decided(let degraded) = try await dispatcher.dispatch("kl://Pay/card") else {
            Issue.record("a degraded URL must not be handled")
            return
        }
        #expect(degraded.action == .degrade)
        #expect(degraded.url.map { String(decoding: $0, as: UTF8.self) } == "https://m.example.com/pay/card")
        guard case .decided(let blocked) = try await dispatcher.dispatch("https://ads.example.com/x") else {
            Issue.record("a blocked host must not be handled")
            return
        }
        #expect(blocked.action == .block)
        #expect(!dispatcher.canDispatch("kl://Pay/card"))
    }

    @Test func tellsWhyNothingMatched() async throws {
        let dispatcher = try builder().build(engine: try engine())
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
        let dispatcher = try builder.build(engine: try engine())
        #expect(try await dispatcher.dispatch("kl://Item/8").value == "item")
        #expect(try await dispatcher.dispatch("kl://Item/7").value == "named 7")
        let (_, trace) = try await dispatcher.trace(Request(url: "kl://Item/7"))
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
        let dispatcher = try builder.build(engine: try engine())
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
            return .rewrite(Request(url: "kl://Item/5"))
        }
        let dispatcher = try builder.build(engine: try engine())
        #expect(try await dispatcher.dispatch("kl://AModule/doSomething").value == "item 5")
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
        let dispatcher = try builder.build(engine: try engine())
        #expect(try await dispatcher.dispatch("kl://Item/42").value == "<item 42>")
        #expect(try await dispatcher.dispatch("kl://Item/0").value == "<intercepted>")
    }

    @Test func fallbackAndUnmatchedHandlers() async throws {
        var builder = builder()
        builder.onFallback("/web", scheme: "https") { _ in .handled("fallback") }
        builder.onUnmatched { context in .handled("unmatched \(context.url)") }
        let dispatcher = try builder.build(engine: try engine())
        #expect(try await dispatcher.dispatch("https://x.example/web/page").value == "fallback")
        #expect(try await dispatcher.dispatch("kl://Nothing/here").value == "unmatched kl://Nothing/here")
    }

    @Test func errorsOfHandlersReachTheCaller() async throws {
        struct Broken: Error {}
        var builder = DispatcherBuilder<String>()
        builder.on("kl://x/y") { _ in throw Broken() }
        let dispatcher = try builder.build(engine: try engine())
        await #expect(throws: Broken.self) { try await dispatcher.dispatch("kl://x/y") }
    }

    @Test func cancellationEndsADispatch() async throws {
        var builder = DispatcherBuilder<String>()
        builder.addFilter(named: "cancelled") { _, _ in
            withUnsafeCurrentTask { $0?.cancel() }
            return .proceed
        }
        builder.on("kl://x/y") { _ in .handled("too late") }
        let dispatcher = try builder.build(engine: try engine())
        let task = Task { try await dispatcher.dispatch("kl://x/y").value }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func completionIsCalledOnce() async throws {
        let dispatcher = try builder().build(engine: try engine())
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
        #expect(throws: RouteTableError.self) { try builder.build(engine: try engine()) }
    }
}
