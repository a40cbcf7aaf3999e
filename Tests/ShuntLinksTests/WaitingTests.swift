import Shunt
import ShuntCore
import ShuntLinks
import ShuntModules
import ShuntModulesTesting
import Synchronization
import Testing

/// Statements L14, L16, L17 and P13: rules that change, modules that are starting, bodies that are too large.
@Suite struct WaitingTests {
    @Test("L14: a route of a rule that names nothing is refused when it is loaded; the old rules stay")
    func rules() async throws {
        var assembly = Assembly()
        assembly.add(khala)
        let modules = try assembly.build()
        let empty = Engine(try RuleSet(text: ""))
        let links = try Links(modules, rules: empty)
        let source = MemorySource(RuleArchive(["10.conf": "route kl://Cashier/:value AModule.server;\n"]))
        var options = RuleStore.Options()
        options.validate = { try links.check($0.engine) }
        let store = try await RuleStore.open(source, options: options)
        #expect(store.snapshot.version == 1)
        source.replace(with: RuleArchive(["10.conf": "route kl://Cashier/:value AModule.serverr;\n"]))
        let report = await store.reload()
        #expect(store.snapshot.version == 1)
        guard case .failed = report.outcome else {
            Issue.record("\(report.outcome)")
            return
        }
        do {
            try links.check(Engine(try RuleSet(text: "\nroute kl://Cashier/:value AModule.serverr;\n")))
            Issue.record("passed")
        } catch let error as AssemblyError {
            #expect(error.diagnostics.map(\.code) == ["unknown-contract"])
            #expect(error.diagnostics.first?.location.line == 2)
            #expect(error.diagnostics.first?.suggestion == #"did you mean "AModule.server"?"#)
        }
    }

    /// Modules whose start takes a time of the clock, and links to them.
    private static func slow(_ duration: Duration, _ clock: TurnedClock) throws -> (Modules, Links) {
        var options = Assembly.Options()
        options.clock = clock
        var assembly = Assembly(options: options)
        assembly.add(AnyModule("slow") { $0.onStart { _ in try await clock.sleep(for: duration) } })
        assembly.add(ModuleA())
        let modules = try assembly.build()
        let engine = Engine(try RuleSet(text: ""))
        return (modules, try Links(modules, rules: engine))
    }

    @Test("L16, L17: a URL waits for modules that are starting, and not longer than it may", arguments: [3, 20])
    func starting(seconds: Int) async throws {
        let clock = TurnedClock()
        let (modules, links) = try Self.slow(.seconds(seconds), clock)
        let run = Task { try await modules.run { _ in try await clock.sleep(for: .seconds(1_000)) } }
        await clock.waitForSleeper(of: .seconds(seconds))
        let opened = Task { await outcome(links, "demo://A/detail?key=v") }
        await clock.waitForSleeper(of: .seconds(10))
        clock.turn(by: .seconds(min(seconds, 10)))
        #expect(await opened.value == (seconds < 10 ? #"{"title":"v"}"# : "notReady"))
        run.cancel()
        await #expect(throws: (any Error).self) { try await run.value }
        #expect(LinkStatus.status(of: LinkError.notReady) == 503)
    }

    @Test("L16: URLs that came while modules start are opened one after another, as they came")
    func order() async throws {
        let clock = TurnedClock()
        let seen = Mutex<[String]>([])
        let slow = AnyModule("slow") { definition in
            definition.onStart { _ in try await clock.sleep(for: .seconds(3)) }
            definition.handle(A.detail) { input, _ in
                seen.withLock { $0.append("begin \(input.key)") }
                for _ in 0..<100 { await Task.yield() }
                seen.withLock { $0.append("end \(input.key)") }
                return A.Page(title: input.key)
            }
        }
        var options = Assembly.Options()
        options.clock = clock
        var assembly = Assembly(options: options)
        assembly.add(slow)
        let modules = try assembly.build()
        let links = try Links(modules, rules: Engine(try RuleSet(text: "")))
        let run = Task { try await modules.run { _ in try await clock.sleep(for: .seconds(1_000)) } }
        await clock.waitForSleeper(of: .seconds(3))
        var opened: [Task<String, Never>] = []
        for number in 1...5 {
            opened.append(Task { await outcome(links, "demo://A/detail?key=\(number)") })
            await clock.waitForSleeper(of: .seconds(10), count: number)
        }
        clock.turn(by: .seconds(3))
        for task in opened { #expect(await task.value.hasPrefix("{")) }
        #expect(seen.withLock { $0 } == (1...5).flatMap { ["begin \($0)", "end \($0)"] })
        run.cancel()
        await #expect(throws: (any Error).self) { try await run.value }
    }

    @Test("P13: a body of nine mebibytes is refused and not read")
    func large() async throws {
        try await open([ModuleA()]) { (links, _) async throws in
            var request = RuleRequest(url: "demo://A/detail")
            request.method = "POST"
            let body = Array(#"{"key":"v"}"#.utf8)
            let padded = body + [UInt8](repeating: 0x20, count: (9 << 20) - body.count)
            let small = try await links.respond(to: request, body: body, from: Caller(.link))
            let large = try await links.respond(to: request, body: padded, from: Caller(.link))
            #expect(small.status == 200)
            #expect(large.status == 413)
        }
    }

    @Test("L3: to the outside, what is not exposed has the same answer as what is not there")
    func hidden() async throws {
        try await open([ModuleA()]) { (links, _) async throws in
            let hidden = try await links.respond(to: RuleRequest(url: "demo://A/detail?key=v"), from: Caller(.network))
            let nothing = try await links.respond(to: RuleRequest(url: "demo://A/nothing"), from: Caller(.network))
            #expect(hidden.status == 404)
            #expect("\(hidden)" == "\(nothing)")
            #expect(!links.reaches(RuleRequest(url: "demo://A/detail"), from: Caller(.network)))
            #expect(links.reaches(RuleRequest(url: "demo://A/detail"), from: Caller(.link)))
            #expect(!links.reaches(RuleRequest(url: "demo://A/nothing"), from: Caller(.link)))
            let wrong = try await links.respond(to: RuleRequest(url: "demo://A/detail"), from: Caller(.link))
            #expect(wrong.text == #"{"status":400,"parameters":[{"name":"key","problem":"missing"}]}"#)
        }
    }
}
