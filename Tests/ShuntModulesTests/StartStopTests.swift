import ShuntModules
import ShuntModulesTesting
import Testing

/// Statements Y1 to Y11 and Y14: start, stop and their order.
@Suite struct StartStopTests {
    /// A module that writes down when it starts and stops.
    private static func module(
        _ name: String,
        _ log: Log,
        _ level: ModuleLevel = .normal,
        priority: Int = 0,
        needs: [String] = [],
        start: @escaping @Sendable () async throws -> Void = {}
    ) -> AnyModule {
        AnyModule(name) { definition in
            definition.level = level
            definition.priority = priority
            for need in needs { _ = definition.require(ServiceKey<Int>(need)) }
            definition.provide(ServiceKey<Int>(name)) { _ in 1 }
            definition.onStart { _ in
                log("begin \(name)")
                try await start()
                log("start \(name)")
            }
            definition.onStop { _ in log("stop \(name)") }
        }
    }

    private static func started(_ log: Log) -> [String] {
        log.lines.filter { $0.hasPrefix("start") }.map { String($0.dropFirst(6)) }
    }

    private static func stopped(_ log: Log) -> [String] {
        log.lines.filter { $0.hasPrefix("stop") }.map { String($0.dropFirst(5)) }
    }

    @Test("Y1, Y2, Y3: needs, then level, then priority, then the order of add; stopped in reverse")
    func order() async throws {
        let log = Log()
        let cases: [([AnyModule], [String])] = [
            ([Self.module("Shop", log, needs: ["Trade"]), Self.module("Trade", log)], ["Trade", "Shop"]),
            (
                [
                    Self.module("normal 0", log), Self.module("normal 10", log, priority: 10),
                    Self.module("basic 0", log, .basic),
                ], ["basic 0", "normal 10", "normal 0"]
            ),
            ([Self.module("b", log), Self.module("a", log), Self.module("c", log)], ["b", "a", "c"]),
            (
                [Self.module("first", log, priority: 5, needs: ["last"]), Self.module("last", log, priority: -5)],
                ["last", "first"]
            ),
        ]
        var before = 0
        for (modules, expected) in cases {
            try await run(modules) { _ in }
            #expect(Self.started(log).dropFirst(before) == expected[...])
            #expect(Array(Self.stopped(log).dropFirst(before)) == expected.reversed())
            before += expected.count
        }
    }

    @Test("Y4: what needs a module starts when that is ready")
    func readiness() async throws {
        let log = Log()
        let clock = TurnedClock()
        let modules = [
            Self.module("Shop", log, needs: ["Trade"]),
            Self.module("Trade", log) { try await clock.sleep(for: .seconds(3)) },
        ]
        let task = Task { try await run(modules, clock: clock) { _ in } }
        await clock.waitForSleeper(of: .seconds(3))
        #expect(log.lines == ["begin Trade"])
        clock.turn(by: .seconds(3))
        try await task.value
        #expect(Array(log.lines.prefix(3)) == ["begin Trade", "start Trade", "begin Shop"])
    }

    @Test("Y5: a start that fails stops what had started, and names the module")
    func failedStart() async throws {
        let log = Log()
        let modules = [
            Self.module("first", log), Self.module("second", log) { throw Failure() }, Self.module("third", log),
        ]
        do {
            try await run(modules) { _ in log("body") }
            Issue.record("started")
        } catch let error as ModuleError {
            #expect(error.module == "second" && error.part == .start && error.error as? Failure == Failure())
        }
        #expect(log.lines == ["begin first", "start first", "begin second", "stop first"])
    }

    @Test("Y6: a start that takes too long")
    func slowStart() async throws {
        let log = Log()
        let clock = TurnedClock()
        let gate = Gate()
        let modules = [Self.module("first", log), Self.module("second", log) { try await gate.wait() }]
        let task = Task { try await run(modules, clock: clock) { _ in log("body") } }
        await gate.arrivals()
        await clock.waitForSleeper(of: .seconds(30))
        clock.turn(by: .seconds(30))
        do {
            try await task.value
            Issue.record("started")
        } catch let error as ModuleError {
            #expect(error.module == "second")
            #expect((error.error as? CallError)?.kind == "timedOut")
        }
        #expect(log.lines == ["begin first", "start first", "begin second", "stop first"])
    }

    @Test("Y7: the body's error is thrown when everything has stopped")
    func failedBody() async throws {
        let log = Log()
        await #expect(throws: Failure("body")) {
            try await run([Self.module("first", log), Self.module("second", log)]) { _ in throw Failure("body") }
        }
        #expect(Self.stopped(log) == ["second", "first"])
    }

    @Test("Y8: cancelling the run stops in the same order")
    func cancelled() async throws {
        let log = Log()
        let gate = Gate()
        let modules = [Self.module("first", log), Self.module("second", log)]
        let task = Task { try await run(modules) { _ in try await gate.wait() } }
        await gate.arrivals()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(Self.stopped(log) == ["second", "first"])
    }

    @Test("Y9: a stop that never ends is named, and the next one begins")
    func endlessStop() async throws {
        let log = Log()
        let clock = TurnedClock()
        let gate = Gate()
        var options = Assembly.Options()
        options.clock = clock
        options.observers.append { notice in
            if case .overdue(let names) = notice.kind { log("\(notice.scope) overdue: \(names)") }
        }
        var assembly = Assembly(options: options)
        assembly.add(Self.module("first", log))
        assembly.add(AnyModule("second") { $0.onStop { _ in try? await gate.wait(stubborn: true) } })
        let modules = try assembly.build()
        let task = Task { try await modules.run { _ in } }
        await gate.arrivals()
        await clock.waitForSleeper(of: .seconds(10), count: 1)
        clock.turn(by: .seconds(10))
        while Self.stopped(log).isEmpty { await Task.yield() }
        #expect(log.lines.suffix(2) == ["second overdue: [\"onStop\"]", "stop first"])
        gate.open()
        try await task.value
    }

    @Test("Y10: a task that throws stops the program, and is named")
    func failedTask() async throws {
        let log = Log()
        let gate = Gate()
        let worker = AnyModule("worker") { definition in
            definition.run("positions") { _ in
                try await gate.wait()
                throw Failure()
            }
        }
        do {
            try await run([Self.module("first", log), worker]) { _ in
                gate.open()
                try await Gate().wait()
            }
            Issue.record("ran")
        } catch let error as ModuleError {
            #expect(error.module == "worker" && error.part == .task("positions"))
            #expect(error.error as? Failure == Failure())
        }
        #expect(Self.stopped(log) == ["first"])
    }

    @Test("Y11: a task that returns changes nothing")
    func endedTask() async throws {
        let gate = Gate()
        let worker = AnyModule("worker") { definition in
            definition.run("once") { _ in gate.open() }
            definition.handle(Shop.count) { _, _ in 1 }
        }
        let value = try await run([worker]) { app in
            try await gate.wait()
            return try await app.call(Shop.count)
        }
        #expect(value == 1)
    }

    @Test("Y14: each module's start has a duration")
    func startTimes() async throws {
        let clock = TurnedClock()
        var options = Assembly.Options()
        options.clock = clock
        var assembly = Assembly(options: options)
        for (name, seconds) in [("first", 2), ("second", 0), ("third", 5)] {
            assembly.add(AnyModule(name) { $0.onStart { _ in clock.turn(by: .seconds(seconds)) } })
        }
        let modules = try assembly.build()
        try await modules.run { _ in }
        #expect(modules.startTimes.map(\.module) == ["first", "second", "third"])
        #expect(modules.startTimes.map(\.duration) == [.seconds(2), .zero, .seconds(5)])
    }

    @Test("A second run at the same time is refused; one after the other is not")
    func secondRun() async throws {
        var assembly = Assembly()
        assembly.add(TradeModule())
        let modules = try assembly.build()
        try await modules.run { _ in
            #expect(await callError { try await modules.run { _ in } } == "refused")
            #expect(modules.scope != nil)
        }
        #expect(modules.scope == nil)
        try await modules.run { (app) async throws in #expect(try await app.service(Trade.service).itemCount() == 3) }
    }

    @Test("A run that was refused leaves nothing")
    func refusedRunIsFreed() async throws {
        /// Runs modules, and once more meanwhile; returns what each of the two runs kept.
        func run() async throws -> Weak<ServiceTests.Thing> {
            let thing = ServiceTests.Thing {}
            var options = Assembly.Options()
            options.observers = [{ _ in withExtendedLifetime(thing) {} }]
            var assembly = Assembly(options: options)
            assembly.add(TradeModule())
            let modules = try assembly.build()
            try await modules.run { _ in
                #expect(await callError { try await modules.run { _ in } } == "refused")
            }
            return Weak(thing)
        }
        #expect(try await run().value == nil)
    }

    @Test("M2: after the run nothing of the modules is left, although Modules is held")
    func freed() async throws {
        let freed = Counter()
        var assembly = Assembly()
        assembly.add(
            AnyModule("X") { definition in
                let thing = definition.own { _ in ServiceTests.Thing { freed.increment() } }
                definition.provide(ServiceTests.key) { $0[thing] }
                definition.run("wait") { _ in try await Gate().wait() }
            }
        )
        assembly.add(
            AnyModule("Y") { definition in
                let thing = definition.require(ServiceTests.key)
                definition.onStart { scope in _ = scope[thing] }
            }
        )
        let modules = try assembly.build()
        weak let scope = try await modules.run { app in Weak(app) }.value
        #expect(scope == nil)
        #expect(freed.value == 1)
        withExtendedLifetime(modules) {}
    }
}

/// A weak reference that can leave a task.
struct Weak<Object: AnyObject & Sendable>: Sendable {
    weak let value: Object?

    init(_ value: Object?) { self.value = value }
}
