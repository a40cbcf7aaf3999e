import ShuntModules
import ShuntModulesTesting
import Testing

/// Statements W1 to W5: workflows.
@Suite struct WorkflowTests {
    private static func run<Value: Sendable>(
        _ recorder: CallRecorder,
        _ clock: TurnedClock,
        _ body: @escaping @Sendable (Scope) async throws -> Value
    ) async throws -> Value {
        try await ShuntModulesTests.run([AnyModule("rider") { _ in }], clock: clock) { assembly in
            assembly.intercept(recorder.history)
        } body: {
            try await body($0.children[0])
        }
    }

    @Test("W1: steps in order, with names and durations in the history")
    func steps() async throws {
        let recorder = CallRecorder()
        let clock = TurnedClock()
        let sum = try await Self.run(recorder, clock) { (scope) async throws in
            try await scope.workflow("open a trip") { flow in
                let first = try await flow.step("sign in") {
                    clock.turn(by: .seconds(2))
                    return 1
                }
                let second = try await flow.step("show") {
                    clock.turn(by: .seconds(3))
                    return 2
                }
                return first + second
            }
        }
        #expect(sum == 3)
        #expect(recorder.records.map(\.name) == ["open a trip/sign in", "open a trip/show", "open a trip"])
        #expect(recorder.records.map(\.duration) == [.seconds(2), .seconds(3), .seconds(5)])
        #expect(recorder.records.allSatisfy { $0.scopes == ["root", "rider"] && $0.error == nil })
    }

    @Test("W2: a step that throws ends the workflow; the history names it")
    func failure() async throws {
        let recorder = CallRecorder()
        let log = Log()
        await #expect(throws: Failure()) {
            try await Self.run(recorder, TurnedClock()) { (scope) async throws in
                try await scope.workflow("flow") { flow in
                    try await flow.step("one") { log("one") }
                    try await flow.step("two") { throw Failure() }
                    try await flow.step("three") { log("three") }
                }
            }
        }
        #expect(log.lines == ["one"])
        #expect(
            recorder.records.map { $0.error == nil ? $0.name : "failed \($0.name)" } == [
                "flow/one", "failed flow/two", "failed flow",
            ]
        )
    }

    @Test("W3: one limit for all steps")
    func limit() async throws {
        let clock = TurnedClock()
        let gate = Gate()
        let error = try await Self.run(CallRecorder(), clock) { (scope) async throws in
            let task = Task {
                await callError {
                    try await scope.workflow("flow", within: .seconds(30)) { flow in
                        try await flow.step("one") { clock.turn(by: .seconds(10)) }
                        try await flow.step("two") { try await gate.wait() }
                    }
                }
            }
            await gate.arrivals()
            await clock.waitForSleeper(of: .seconds(20))
            clock.turn(by: .seconds(20))
            return await task.value
        }
        #expect(error == "timedOut")
    }

    @Test("W4: cancelled between steps")
    func cancelled() async throws {
        let log = Log()
        try await Self.run(CallRecorder(), TurnedClock()) { (scope) async throws in
            let gate = Gate()
            let task = Task {
                try await scope.workflow("flow") { flow in
                    try await flow.step("one") { try? await gate.wait() }
                    try await flow.step("two") { log("two") }
                }
            }
            await gate.arrivals()
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
        #expect(log.lines.isEmpty)
    }

    @Test("W5: a step that waits for a scope which stops")
    func stopped() async throws {
        let gate = Gate()
        let child = AnyModule("child") { $0.onStart { _ in try await gate.wait() } }
        let slot = Kept<Slot<AnyModule>>()
        let parent = AnyModule("parent") { slot.value = $0.slot(child) }
        let error = try await ShuntModulesTests.run([parent]) { (app) async throws in
            let parent = app.children[0]
            let attaching = Task { try await parent.attach(try slot.get(), for: NoValue()) }
            await gate.arrivals()
            let scope = try #require(parent.children.first)
            let task = Task {
                await callError {
                    try await parent.workflow("flow") { try await $0.step("wait") { try await scope.activated() } }
                }
            }
            await scope.detach()
            _ = await attaching.result
            return await task.value
        }
        #expect(error == "detached")
    }

    @Test("A recovery around a workflow does not make its steps again")
    func notRepeated() async throws {
        let runs = Counter()
        let module = AnyModule("X") { definition in
            definition.intercept(
                Recovery("any") { _, _ in
                    1
                } repair: { _, _ in
                    CallValues()
                }
            )
        }
        try await ShuntModulesTests.run([module]) { (app) async throws in
            let scope = app.children[0]
            await #expect(throws: Failure()) {
                try await scope.workflow("flow") { flow in
                    try await flow.step("step") {
                        runs.increment()
                        throw Failure()
                    }
                }
            }
        }
        #expect(runs.value == 1)
    }
}
