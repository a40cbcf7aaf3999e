import ShuntModules
import ShuntModulesTesting
import Testing

/// Statements I1 to I9 and I11: interceptors.
@Suite struct InterceptorTests {
    static let number = ModuleAction<Int, Int>("X.number")

    /// Writes down when it is passed.
    struct Noting: Interceptor {
        let name: String
        let log: Log

        func intercept<Input: Sendable, Output: Sendable>(
            _ input: Input,
            _ call: CallContext,
            next: NextCall<Input, Output>
        ) async throws -> Output {
            log("\(name) in")
            defer { log("\(name) out") }
            return try await next(input, call)
        }
    }

    private static func answering(_ log: Log, _ change: @escaping @Sendable (inout ModuleDefinition<NoValue>) -> Void)
        -> AnyModule
    {
        AnyModule("X") { definition in
            change(&definition)
            definition.handle(number) { input, _ in
                log("handler \(input)")
                return input
            }
        }
    }

    @Test("I1: assembly, module, action, handler, and back")
    func order() async throws {
        let log = Log()
        let module = Self.answering(log) { definition in
            definition.intercept(Noting(name: "module", log: log))
            definition.intercept(Self.number) { input, call, next in
                log("action in")
                defer { log("action out") }
                return try await next(input, call)
            }
        }
        _ = try await run([module]) {
            $0.intercept(Noting(name: "assembly", log: log))
        } body: {
            try await $0.call(Self.number, 1)
        }
        #expect(
            log.lines == [
                "assembly in", "module in", "action in", "handler 1", "action out", "module out", "assembly out",
            ]
        )
    }

    @Test("I2, I3, I4: one that answers itself, asks twice, throws")
    func deeds() async throws {
        let log = Log()
        let module = Self.answering(log) { definition in
            definition.intercept(Self.number) { input, call, next in
                switch input {
                case 1: return -1
                case 2: return try await next(input, call) + next(input, call)
                default: throw Failure()
                }
            }
        }
        let recorder = CallRecorder()
        try await run([module]) {
            $0.intercept(recorder.history)
        } body: { (app) async throws in
            #expect(try await app.call(Self.number, 1) == -1)
            #expect(log.lines.isEmpty)
            #expect(try await app.call(Self.number, 2) == 4)
            #expect(log.lines == ["handler 2", "handler 2"])
            await #expect(throws: Failure()) { try await app.call(Self.number, 3) }
        }
        #expect(recorder.records.map { $0.error is Failure } == [false, false, true])
    }

    @Test("I5: values that an interceptor changes are seen further in, not by the caller")
    func values() async throws {
        let key = ValueKey<String>("user")
        let who = ModuleAction<NoValue, String>("X.who")
        let module = AnyModule("X") { definition in
            definition.handle(who) { _, call in call.values[key] ?? "nobody" }
            definition.intercept(who) { input, call, next in
                var call = call
                call.values[key] = "changed"
                return try await next(input, call)
            }
        }
        try await run([module]) { (app) async throws in
            let values = CallValues(key, "me")
            #expect(try await app.call(who, values: values) == "changed")
            #expect(values[key] == "me")
        }
    }

    @Test("I6: a handler that takes too long is cancelled")
    func timeout() async throws {
        let clock = TurnedClock()
        let log = Log()
        let module = AnyModule("X") { definition in
            definition.intercept(Timeout(.seconds(1)))
            definition.handle(Self.number) { input, _ in
                do { try await clock.sleep(for: .seconds(2)) } catch { log("cancelled") }
                return input
            }
        }
        try await run([module], clock: clock) { (app) async throws in
            let task = Task { await callError { try await app.call(Self.number, 1) } }
            await clock.waitForSleeper(of: .seconds(1))
            await clock.waitForSleeper(of: .seconds(2))
            clock.turn(by: .seconds(1))
            #expect(await task.value == "timedOut")
        }
        #expect(log.lines == ["cancelled"])
    }

    @Test("I7, I9: calls with one key share one run, calls with another do not")
    func coalescing() async throws {
        let gate = Gate()
        let runs = Counter()
        let key = ValueKey<String>("user")
        let module = AnyModule("X") { definition in
            definition.intercept(Coalescing(Self.number) { input, call in "\(input) \(call.values[key] ?? "")" })
            definition.handle(Self.number) { input, _ in
                runs.increment()
                try await gate.wait()
                return input
            }
        }
        try await run([module]) { (app) async throws in
            try await withThrowingTaskGroup(of: Int.self) { (group) async throws in
                for _ in 0..<100 { group.addTask { try await app.call(Self.number, 1) } }
                group.addTask { try await app.call(Self.number, 2) }
                group.addTask { try await app.call(Self.number, 1, values: CallValues(key, "me")) }
                await gate.arrivals(3)
                // A caller that has not asked yet joins, or begins another run once the first has ended.
                for _ in 0..<1_000 { await Task.yield() }
                gate.open()
                #expect(try await group.reduce(0, +) == 103)
            }
        }
        #expect(runs.value == 3)
    }

    @Test(
        "I8: the others get the answer when the first leaves; when all leave the run is cancelled",
        arguments: [1, 2]
    )
    func coalescingCancelled(leaving: Int) async throws {
        let gate = Gate()
        let ended = Log()
        let module = AnyModule("X") { definition in
            definition.intercept(Coalescing(Self.number) { input, _ in input })
            definition.handle(Self.number) { input, _ in
                do { try await gate.wait() } catch {
                    ended("cancelled")
                    throw error
                }
                return input
            }
        }
        let joined = Counter()
        try await run([module]) { (app) async throws in
            let tasks = (0..<2)
                .map { _ in
                    Task {
                        joined.increment()
                        return try await app.call(Self.number, 1)
                    }
                }
            await gate.arrivals()
            while joined.value < 2 { await Task.yield() }
            for _ in 0..<1_000 { await Task.yield() }
            for task in tasks.prefix(leaving) {
                task.cancel()
                await #expect(throws: CancellationError.self) { try await task.value }
            }
            if leaving == 1 {
                gate.open()
                #expect(try await tasks[1].value == 1)
            }
        }
        #expect(ended.lines == (leaving == 2 ? ["cancelled"] : []))
    }

    @Test("I10: the history has what succeeded and what failed, and inputs only where they are let through")
    func history() async throws {
        let log = Log()
        let write: @Sendable (CallRecord) -> Void = { record in
            log("\(record.scopes.joined(separator: "/")) \(record.name) \(record.input ?? "-") \(record.error == nil)")
        }
        let module = Self.answering(Log()) { definition in
            definition.intercept(Self.number) { input, call, next in
                if input == 3 { throw CallError.refused(by: "test", reason: "three") }
                return try await next(input, call)
            }
        }
        try await run([module]) { assembly in
            assembly.intercept(History(describing: { input, _ in (input as? Int) == 2 ? "two" : nil }, write))
        } body: { (app) async throws in
            for input in 1...3 { _ = try? await app.call(Self.number, input) }
            _ = try? await app.call(ModuleAction<NoValue, NoValue>("X.unknown"))
        }
        #expect(
            log.lines == [
                "root/X X.number - true", "root/X X.number two true", "root/X X.number - false",
                "root X.unknown - false",
            ]
        )
    }

    @Test("I11: an interceptor of a module is around its children, not around its siblings")
    func children() async throws {
        let log = Log()
        let child = AnyModule("child") { $0.handle(ModuleAction<NoValue, NoValue>("child.do")) { _, _ in NoValue() } }
        let slot = Kept<Slot<AnyModule>>()
        let parent = AnyModule("parent") { definition in
            definition.intercept(Noting(name: "parent", log: log))
            slot.value = definition.slot(child)
        }
        let sibling = AnyModule("sibling") { $0.handle(Shop.count) { _, _ in 1 } }
        try await run([parent, sibling]) { (app) async throws in
            let scope = try await app.children[0].attach(try slot.get(), for: NoValue())
            _ = try await scope.call(ModuleAction<NoValue, NoValue>("child.do"))
            _ = try await app.call(Shop.count)
        }
        #expect(log.lines == ["parent in", "parent out"])
    }
}
