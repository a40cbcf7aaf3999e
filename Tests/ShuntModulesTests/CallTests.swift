import ShuntModules
import Testing

/// Statements C1 to C14: typed calls.
@Suite struct CallTests {
    @Test("C1: the handler's answer, without anything encoded")
    func answer() async throws {
        struct Opaque: Sendable { var number = 7 }
        let action = ModuleAction<Opaque, Opaque>("X.opaque")
        var assembly = Assembly()
        assembly.add(ModuleA())
        assembly.add(AnyModule("X") { $0.handle(action) { input, _ in Opaque(number: input.number + 1) } })
        try await assembly.build()
            .run { (app) async throws in
                #expect(try await app.call(A.detail, .init(key: "value")) == A.Page(title: "value"))
                #expect(try await app.call(action, Opaque()).number == 8)
            }
    }

    @Test("C2: ten megabytes are handed over without a copy")
    func noCopy() async throws {
        var assembly = Assembly()
        assembly.add(ModuleA())
        try await assembly.build()
            .run { (app) async throws in
                let image = [UInt8](repeating: 1, count: 10 << 20)
                let address = image.withUnsafeBytes { Int(bitPattern: $0.baseAddress) }
                #expect(try await app.call(A.presentImage, image) == address)
            }
    }

    @Test("C3: a call without a handler is an error that knows what there is")
    func notOffered() async throws {
        var assembly = Assembly()
        assembly.add(ModuleA())
        try await assembly.build()
            .run { (app) async throws in
                do {
                    _ = try await app.call(ModuleAction<NoValue, NoValue>("A.detial"))
                    Issue.record("answered")
                } catch CallError.notOffered(let name, let known, let suggestion) {
                    #expect(name == "A.detial")
                    #expect(known == ["A.detail", "A.presentImage"])
                    #expect(suggestion == "A.detail")
                }
            }
    }

    @Test("An action that is answered with other types is an error")
    func otherTypes() async throws {
        var assembly = Assembly()
        assembly.add(ModuleA())
        try await assembly.build()
            .run { (app) async throws in
                #expect(
                    await callError { try await app.call(ModuleAction<Int, Int>("A.detail"), 1) } == "differentTypes"
                )
                #expect(await callError { try app.bind(ModuleAction<Int, Int>("A.detail")) } == "differentTypes")
            }
    }

    @Test("C4: what a handler throws is not wrapped")
    func errors() async throws {
        let module = AnyModule("X") { $0.handle(Shop.count) { _, _ in throw Payments.Unauthorized() } }
        try await run([module]) { (app) async throws in
            await #expect(throws: Payments.Unauthorized()) { try await app.call(Shop.count) }
        }
    }

    @Test("C5: a task that is cancelled calls no handler")
    func cancelledBefore() async throws {
        let log = Log()
        let module = AnyModule("X") { definition in
            definition.handle(Shop.count) { _, _ in
                log("ran")
                return 1
            }
        }
        try await run([module]) { (app) async throws in
            let gate = Gate()
            let task = Task {
                try? await gate.wait()
                return try await app.call(Shop.count)
            }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(log.lines.isEmpty)
        }
    }

    @Test("C6: a handler sees that its caller was cancelled, and decides what the caller gets")
    func cancelledWhile() async throws {
        let gate = Gate()
        let module = AnyModule("X") { definition in
            definition.handle(Shop.count) { _, _ in
                do { try await gate.wait() } catch { throw Failure("cancelled") }
                return 1
            }
        }
        try await run([module]) { (app) async throws in
            let task = Task { try await app.call(Shop.count) }
            await gate.arrivals()
            task.cancel()
            await #expect(throws: Failure("cancelled")) { try await task.value }
        }
    }

    @Test("C7, C12: calls after the end are errors, bound ones too")
    func afterTheEnd() async throws {
        var assembly = Assembly()
        assembly.add(ModuleA())
        let (app, bound) = try await assembly.build().run { ($0, try $0.bind(A.detail)) }
        for call in [
            { try await app.call(A.detail, .init(key: "")) }, { try await bound(.init(key: "")) },
        ] as [@Sendable () async throws -> A.Page] {
            do {
                _ = try await call()
                Issue.record("answered")
            } catch CallError.notActive(_, let state) {
                #expect(state == .stopped)
            }
        }
    }

    @Test("C8: handlers call each other a thousand deep")
    func deep() async throws {
        let down = ModuleAction<Int, Int>("X.down")
        let across = ModuleAction<Int, Int>("X.across")
        let module = AnyModule("X") { definition in
            definition.handle(down) { depth, call in depth == 0 ? 0 : try await call.call(across, depth) + 1 }
            definition.handle(across) { depth, call in try await call.scope.call(down, depth - 1) }
        }
        #expect(try await run([module]) { try await $0.call(down, 1_000) } == 1_000)
    }

    @Test("C9: many tasks at once")
    func parallel() async throws {
        let double = ModuleAction<Int, Int>("X.double")
        let module = AnyModule("X") { $0.handle(double) { input, _ in input * 2 } }
        try await run([module]) { (app) async throws in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for start in 0..<8 {
                    group.addTask {
                        for number in start * 2_000..<(start + 1) * 2_000 {
                            let answer = try await app.call(double, number)
                            if answer != number * 2 { Issue.record("\(answer)") }
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test("C10, C11: a call from the main actor stays there")
    @MainActor func mainActor() async throws {
        let marked = ModuleAction<NoValue, Bool>("X.marked")
        let unmarked = ModuleAction<NoValue, Bool>("X.unmarked")
        let module = AnyModule("X") { definition in
            definition.handle(marked) { @MainActor _, _ in
                MainActor.assertIsolated()
                return true
            }
            definition.handle(unmarked) { _, _ in
                MainActor.assertIsolated()
                return true
            }
        }
        var assembly = Assembly()
        assembly.add(module)
        try await assembly.build()
            .run { @MainActor (app) async throws in
                #expect(try await app.call(marked))
                #expect(try await app.call(unmarked))
                let bound = try app.bind(unmarked)
                #expect(try await bound(NoValue()))
            }
    }

    @Test("C13, C14: what goes along with a call that a handler makes")
    func contexts() async throws {
        let outer = ModuleAction<Bool, String>("X.outer")
        let inner = ModuleAction<NoValue, String>("X.inner")
        let key = ValueKey<String>("user")
        let module = AnyModule("X") { definition in
            definition.handle(outer) { alone, call in
                alone ? try await call.scope.call(inner) : try await call.call(inner, NoValue())
            }
            definition.handle(inner) { _, call in "\(call.caller.kind) \(call.values[key] ?? "nobody")" }
        }
        try await run([module]) { (app) async throws in
            #expect(try await app.call(outer, false, values: CallValues(key, "me")) == "code me")
            #expect(try await app.call(outer, true, values: CallValues(key, "me")) == "code nobody")
        }
    }
}
