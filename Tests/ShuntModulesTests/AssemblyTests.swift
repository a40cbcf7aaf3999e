import ShuntModules
import Testing

/// Statements A1 to A17: what `build` finds.
@Suite struct AssemblyTests {
    private func errors(_ change: (inout Assembly) -> Void) -> [Diagnostic] {
        var assembly = Assembly()
        change(&assembly)
        do {
            _ = try assembly.build()
            return []
        } catch {
            return error.diagnostics.filter { $0.severity == .error }
        }
    }

    private static func service(_ name: String) -> ServiceKey<Int> { ServiceKey(name) }

    /// A module that requires and provides services of these names.
    private static func module(
        _ name: String,
        _ level: ModuleLevel = .normal,
        needs: [String] = [],
        has: [String] = []
    ) -> AnyModule {
        AnyModule(name) { definition in
            definition.level = level
            for need in needs { _ = definition.require(service(need)) }
            for service in has { definition.provide(self.service(service)) { _ in 1 } }
        }
    }

    @Test("A1: a service that no module provides is an error at the line of add")
    func missingService() throws {
        let line = #line + 1
        let found = errors { $0.add(ShopModule()) }
        let error = try #require(found.first)
        #expect(found.count == 1)
        #expect(error.code == "missing-service")
        #expect(error.message == "\"ShopModule\" requires the service \"Trade.service\", which no module provides")
        #expect(error.location.line == line)
        #expect(error.location.file.hasSuffix("AssemblyTests.swift"))
        #expect(error.suggestion == nil)
    }

    @Test("A2: the nearest name is suggested")
    func suggestion() {
        let found = errors { assembly in
            assembly.add(ShopModule())
            assembly.provide(ServiceKey<any TradeService>("Trade.servise"), TradeStore())
        }
        #expect(found.map(\.suggestion) == ["did you mean \"Trade.servise\"?"])
    }

    @Test("A3: all mistakes at once, in the order of add")
    func everything() {
        let action = ModuleAction<Int, Int>("X.a")
        let found = errors { assembly in
            assembly.add(Self.module("one", needs: ["nothing"]))
            assembly.add(Self.module("two", has: ["two"]))
            assembly.add(Self.module("three", has: ["two"]))
            assembly.add(Self.module("four", .basic, needs: ["five"]))
            assembly.add(Self.module("five", has: ["five"]))
            assembly.add(
                AnyModule("six") { definition in
                    definition.handle(action) { input, _ in input }
                    definition.handle(action) { input, _ in input }
                }
            )
            assembly.add(Self.module("six"))
        }
        #expect(
            found.map(\.code) == [
                "missing-service", "duplicate-service", "level", "duplicate-action", "duplicate-module",
            ]
        )
    }

    @Test("A4: an action that two modules handle, with both places")
    func duplicateAction() throws {
        let first = AnyModule("first") { $0.handle(Shop.count) { _, _ in 1 } }
        let line = #line + 1
        let second = AnyModule("second") { $0.handle(Shop.count) { _, _ in 2 } }
        let found = errors { assembly in
            assembly.add(first)
            assembly.add(second)
        }
        #expect(found.map(\.code) == ["duplicate-action"])
        let error = try #require(found.first)
        #expect(error.location.line == line)
        #expect(error.notes.map(\.location.line) == [line - 2])
    }

    @Test("A5: one name with two types, wherever it is mentioned")
    func conflict() {
        let found = errors { assembly in
            assembly.add(AnyModule("first") { $0.handle(ModuleAction<Int, Int>("X.a")) { input, _ in input } })
            assembly.add(AnyModule("second") { _ = $0.require(ModuleAction<String, Int>("X.a")) })
        }
        #expect(found.map(\.code) == ["contract-conflict"])
        #expect(found.first?.message == "\"X.a\" is action (Int) -> Int, and action (String) -> Int")
    }

    @Test("A5: one name with two addresses or two types of a service")
    func otherConflicts() {
        let found = errors { assembly in
            assembly.add(
                AnyModule("first") { definition in
                    definition.handle(ModuleAction<NoValue, Int>("X.a", at: "kl://a")) { _, _ in 1 }
                    definition.provide(ServiceKey<Int>("s")) { _ in 1 }
                }
            )
            assembly.add(
                AnyModule("second") { definition in
                    _ = definition.require(ModuleAction<NoValue, Int>("X.a", at: "kl://b"))
                    _ = definition.require(ServiceKey<String>("s"))
                }
            )
        }
        #expect(found.map(\.code) == ["contract-conflict", "contract-conflict"])
    }

    @Test("A6: a circle of needs is named whole")
    func circle() {
        let found = errors { assembly in
            assembly.add(Self.module("A", needs: ["b"], has: ["a"]))
            assembly.add(Self.module("B", needs: ["c"], has: ["b"]))
            assembly.add(Self.module("C", needs: ["a"], has: ["c"]))
        }
        #expect(found.map(\.code) == ["dependency-cycle"])
        #expect(found.first?.message == "these need each other: A → B → C → A")
    }

    @Test("A6: a module that requires what it has itself is the shortest circle")
    func ownNeed() {
        let found = errors { $0.add(Self.module("A", needs: ["a"], has: ["a"])) }
        #expect(found.map(\.message) == ["these need each other: A → A"])
    }

    @Test("A7: a basic module may not need a normal one", arguments: [false, true])
    func levels(throughAdapter: Bool) throws {
        let found = errors { assembly in
            assembly.add(Self.module("low", .basic, needs: [throughAdapter ? "wanted" : "had"]))
            assembly.add(Self.module("high", has: ["had"]))
            if throughAdapter { assembly.adapt(Self.service("wanted"), from: Self.service("had")) { $0 } }
        }
        let error = try #require(found.first)
        #expect(found.count == 1 && error.code == "level", "\(found)")
        #expect(error.message.contains("\"low\"") && error.message.contains("\"high\""))
    }

    @Test("A8: what leaves the process has to be Encodable", arguments: [Exposure.web, .network, .links, .code])
    func encodable(exposure: Exposure) {
        struct Opaque: Sendable {}
        let action = ModuleAction<NoValue, Opaque>("X.a", at: "kl://X", for: exposure)
        let found = errors { $0.add(AnyModule("X") { $0.handle(action) { _, _ in Opaque() } }) }
        #expect(found.map(\.code) == (exposure == .web || exposure == .network ? ["not-encodable"] : []))
    }

    @Test("A10: every build is independent; define runs once in each")
    func builds() async throws {
        let runs = Counter()
        let starts = Counter()
        var assembly = Assembly()
        assembly.add(
            AnyModule("X") { definition in
                runs.increment()
                _ = definition.own { _ in starts.increment() }
            }
        )
        let first = try assembly.build()
        let second = try assembly.build()
        #expect(runs.value == 2)
        try await first.run { _ in try await second.run { _ in #expect(starts.value == 2) } }
    }

    @Test("A11: one module that handles an action twice, both lines")
    func handledTwice() throws {
        let line = #line + 2
        let module = AnyModule("X") { definition in
            definition.handle(Shop.count) { _, _ in 1 }
            definition.handle(Shop.count) { _, _ in 2 }
        }
        let found = errors { $0.add(module) }
        #expect(found.map(\.code) == ["duplicate-action"])
        #expect(found.first?.location.line == line + 1)
        #expect(found.first?.notes.first?.location.line == line)
    }

    @Test("A12: what is required only if it is provided may be missing", arguments: [false, true])
    func optional(isProvided: Bool) async throws {
        let key = Self.service("maybe")
        let member = Kept<ScopeMember<Int?>>()
        let user = AnyModule("user") { definition in
            let value = definition.requireIfProvided(key)
            member.value = value
            definition.handle(ModuleAction<NoValue, Int?>("X.value")) { _, call in call[value] }
        }
        let value = try await run([user]) {
            if isProvided { $0.provide(key, 7) }
        } body: { (app) async throws in
            try await app.call(ModuleAction<NoValue, Int?>("X.value"))
        }
        #expect(value == (isProvided ? 7 : nil))
    }

    @Test("A12: so may an action", arguments: [false, true])
    func optionalAction(isAnswered: Bool) async throws {
        let read = ModuleAction<NoValue, Int>("User.read")
        let user = AnyModule("user") { definition in
            let count = definition.requireIfProvided(Shop.count)
            definition.handle(read) { _, call in try await call[count]?(NoValue()) ?? -1 }
        }
        let shop = AnyModule("shop") { $0.handle(Shop.count) { _, _ in 5 } }
        try await run(isAnswered ? [user, shop] : [user]) { (app) async throws in
            #expect(try await app.call(read) == (isAnswered ? 5 : -1))
        }
    }

    @Test("A13: a feed is replaced too", arguments: [false, true])
    func replacedFeed(hasModule: Bool) async throws {
        let steps = ModuleFeed<Int, String>("X.steps")
        let module = AnyModule("X") { $0.stream(steps) { _, _, _ in throw Failure() } }
        try await run(hasModule ? [module] : []) {
            $0.replace(steps) { input, _, writer in try await writer.write("stub \(input)") }
        } body: { (app) async throws in
            var heard: [String] = []
            for try await step in try app.listen(steps, 7) { heard.append(step) }
            #expect(heard == ["stub 7"])
        }
    }

    @Test("A13: a replacement answers in the place of the module")
    func replacement() async throws {
        let module = AnyModule("X") { $0.handle(Shop.count) { _, _ in throw Failure() } }
        let value = try await run([module]) {
            $0.replace(Shop.count) { _, _ in 5 }
        } body: {
            try await $0.call(Shop.count)
        }
        #expect(value == 5)
    }

    @Test("A13: a replaced service needs no provider")
    func replacedService() async throws {
        struct Stub: TradeService { func itemCount() async -> Int { 9 } }
        var assembly = Assembly()
        assembly.add(ShopModule())
        assembly.replace(Trade.service, Stub())
        let value = try await assembly.build().run { try await $0.call(Shop.count) }
        #expect(value == 9)
    }

    @Test("A14: a replacement of an action without a handler answers too")
    func replacementAlone() async throws {
        let value = try await run {
            $0.replace(Shop.count) { _, _ in 5 }
        } body: {
            try await $0.call(Shop.count)
        }
        #expect(value == 5)
    }

    @Test("A15: an adapter for what is missing, at its line")
    func adapterOfNothing() {
        var line = 0
        let found = errors { assembly in
            line = #line + 1
            assembly.adapt(Self.service("wanted"), from: Self.service("had")) { $0 }
        }
        #expect(found.map(\.code) == ["missing-service"])
        #expect(found.first?.location.line == line)
        #expect(found.first?.message.contains("the adapter for \"wanted\"") == true)
    }

    @Test("A16: adapters in a circle")
    func adaptersInACircle() {
        let found = errors { assembly in
            assembly.adapt(Self.service("a"), from: Self.service("b")) { $0 }
            assembly.adapt(Self.service("b"), from: Self.service("a")) { $0 }
        }
        #expect(found.map(\.message) == ["these need each other: a → b → a"])
    }

    @Test("The time of a build grows with the number of modules, not with its square")
    func manyModules() throws {
        func build(_ count: Int) throws -> Duration {
            var assembly = Assembly()
            for number in 0..<count {
                assembly.add(
                    Self.module("m\(number)", needs: number == 0 ? [] : ["s\(number - 1)"], has: ["s\(number)"])
                )
            }
            return try ContinuousClock().measure { _ = try assembly.build() }
        }
        // The shortest of several times: other tests run meanwhile.
        let times = try [100, 1_600].map { count in try (0..<5).map { _ in try build(count) }.min() ?? .zero }
        #expect(times[1] < times[0] * 16 * 5, "\(times)")
    }

    @Test("A17: an assembly without modules runs its body")
    func empty() async throws {
        #expect(try await run { $0.name } == "root")
    }

    @Test("One action answers another")
    func adaptedAction() async throws {
        let wanted = ModuleAction<String, String>("wanted")
        let had = ModuleAction<Int, Int>("had")
        let module = AnyModule("X") { $0.handle(had) { input, _ in input * 2 } }
        let value = try await run([module]) { assembly in
            assembly.adapt(wanted, from: had, input: { Int($0) ?? 0 }, output: { "\($0)" })
        } body: {
            try await $0.call(wanted, "21")
        }
        #expect(value == "42")
    }

    @Test("A module that has a slot for itself is refused")
    func endlessSlots() {
        struct Endless: ProgramModule {
            func define(_ definition: inout ModuleDefinition<NoValue>) { _ = definition.slot(Endless()) }
        }
        #expect(errors { $0.add(Endless()) }.map(\.code) == ["slots-too-deep"])
    }

    @Test("A service that no module requires is a warning")
    func warnings() throws {
        var assembly = Assembly()
        assembly.add(TradeModule())
        #expect(try assembly.build().warnings.map(\.code) == ["unused-service"])
    }
}
