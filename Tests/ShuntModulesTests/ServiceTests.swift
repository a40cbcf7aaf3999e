import ShuntModules
import Testing

/// Statements S1 to S11: services and their lifetimes.
@Suite struct ServiceTests {
    final class Thing: Sendable {
        let onDeinit: @Sendable () -> Void

        init(_ onDeinit: @escaping @Sendable () -> Void = {}) { self.onDeinit = onDeinit }

        deinit { onDeinit() }
    }

    static let key = ServiceKey<Thing>("thing")

    @Test("S1: a hundred who ask at once get one object")
    func once() async throws {
        let made = Counter()
        let module = AnyModule("X") { definition in
            definition.provide(Self.key) { _ in
                made.increment()
                await Task.yield()
                return Thing()
            }
        }
        try await run([module]) { (app) async throws in
            let things = try await withThrowingTaskGroup(of: Thing.self) { group in
                for _ in 0..<100 { group.addTask { try await app.service(Self.key) } }
                return try await group.reduce(into: [Thing]()) { $0.append($1) }
            }
            #expect(Set(things.map(ObjectIdentifier.init)).count == 1)
            #expect(made.value == 1)
        }
    }

    @Test("A service of a module that has not started is refused, not made of members that are not there")
    func tooEarly() async throws {
        let log = Log()
        let early = AnyModule("early") { definition in
            definition.onStart { scope in log(await callError { try await scope.service(Self.key) }) }
        }
        let late = AnyModule("late") { definition in
            let thing = definition.own { _ in Thing() }
            definition.provide(Self.key) { $0[thing] }
        }
        try await run([early, late]) { (app) async throws in _ = try await app.service(Self.key) }
        #expect(log.lines == ["notActive"])
    }

    @Test("S2: a service that is made each time, read twice")
    func eachTime() async throws {
        let pair = ModuleAction<NoValue, Bool>("X.pair")
        let provider = AnyModule("X") { $0.provideEachTime(Self.key) { _ in Thing() } }
        let user = AnyModule("Y") { definition in
            let thing = definition.require(Self.key)
            definition.handle(pair) { _, call in call[thing] === call[thing] }
        }
        #expect(try await run([provider, user]) { try await $0.call(pair) } == false)
    }

    @Test("S3, S4: a service that lives while it is used")
    func whileUsed() async throws {
        let freed = Counter()
        let module = AnyModule("X") { definition in
            definition.provideWhileUsed(Self.key, { _ in Thing { freed.increment() } }, as: { $0 })
        }
        try await run([module]) { (app) async throws in
            var first: Thing? = try await app.service(Self.key)
            #expect(try await app.service(Self.key) === first)
            #expect(freed.value == 0)
            first = nil
            #expect(freed.value == 1)
            let second = try await app.service(Self.key)
            #expect(freed.value == 1)
            withExtendedLifetime(second) {}
        }
    }

    @Test("S5: held and let go from eight tasks")
    func whileUsedBusily() async throws {
        let module = AnyModule("X") { $0.provideWhileUsed(Self.key, { _ in Thing() }, as: { $0 }) }
        try await run([module]) { (app) async throws in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        for _ in 0..<1_000 {
                            let thing = try await app.service(Self.key)
                            // As long as one is held there is no other.
                            if try await app.service(Self.key) !== thing { Issue.record("two at one time") }
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test("S6: a service that no code asks for is never made")
    func lazy() async throws {
        let made = Counter()
        let module = AnyModule("X") { definition in
            definition.provide(Self.key) { _ in
                made.increment()
                return Thing()
            }
        }
        try await run([module]) { _ in }
        #expect(made.value == 0)
    }

    @Test("S7: a factory that throws is asked again the next time")
    func again() async throws {
        let made = Counter()
        let module = AnyModule("X") { definition in
            definition.provide(Self.key) { _ in
                if made.increment() == 1 { throw Failure() }
                return Thing()
            }
        }
        try await run([module]) { (app) async throws in
            await #expect(throws: Failure()) { try await app.service(Self.key) }
            _ = try await app.service(Self.key)
            #expect(made.value == 2)
        }
    }

    @Test("S8: services that make each other without build's knowledge are an error, not a hang", arguments: [1, 2])
    func circle(askers: Int) async throws {
        let app = Kept<Scope>()
        let other = ServiceKey<Thing>("other")
        let gate = Gate()
        let module = AnyModule("X") { definition in
            definition.provide(Self.key) { _ in
                if askers == 2 { try await gate.wait() }
                return try await app.get().service(other)
            }
            definition.provide(other) { _ in
                if askers == 2 { try await gate.wait() }
                return try await app.get().service(Self.key)
            }
        }
        try await run([module]) { (root) async throws in
            app.value = root
            await withTaskGroup(of: String.self) { group in
                group.addTask { await callError { try await root.service(Self.key) } }
                if askers == 2 {
                    group.addTask { await callError { try await root.service(other) } }
                    await gate.arrivals(2)
                    gate.open()
                }
                for await error in group { #expect(error == "circularService") }
            }
            app.value = nil
        }
    }

    protocol NotesLogin: Sendable { func ask(message: String, didFinishLogin: @escaping @Sendable () -> Void) async }
    protocol LoginView: Sendable { func show(notifyString: String, didLogin: @escaping @Sendable () -> Void) async }
    struct LoginForNotes: NotesLogin {
        let view: any LoginView
        func ask(message: String, didFinishLogin: @escaping @Sendable () -> Void) async {
            await view.show(notifyString: message, didLogin: didFinishLogin)
        }
    }
    struct Screen: LoginView {
        let log: Log
        let name: String
        func show(notifyString: String, didLogin: @escaping @Sendable () -> Void) async {
            log("\(name): \(notifyString)")
            didLogin()
        }
    }

    @Test(
        "S9, S10: a required interface is served by a provided one, whichever module provides it",
        arguments: ["first", "second"]
    )
    func adapted(provider: String) async throws {
        let log = Log()
        let wanted = ServiceKey<any NotesLogin>("Notes.login")
        let had = ServiceKey<any LoginView>("Login.view")
        let open = ModuleAction<NoValue, NoValue>("Notes.open")
        let notes = AnyModule("Notes") { definition in
            let login = definition.require(wanted)
            definition.handle(open) { _, call in
                await call[login].ask(message: "sign in") { log("did finish") }
                return NoValue()
            }
        }
        let login = AnyModule("Login") { $0.provide(had) { _ in Screen(log: log, name: provider) } }
        _ = try await run([notes, login]) {
            $0.adapt(wanted, from: had) { LoginForNotes(view: $0) }
        } body: {
            try await $0.call(open)
        }
        #expect(log.lines == ["\(provider): sign in", "did finish"])
    }

    @Test("S11: one object under two keys")
    func twoKeys() async throws {
        let second = ServiceKey<Thing>("second")
        let module = AnyModule("X") { $0.provide(Self.key) { _ in Thing() } }
        try await run([module]) {
            $0.adapt(second, from: Self.key) { $0 }
        } body: { (app) async throws in
            let one = try await app.service(Self.key)
            #expect(try await app.service(second) === one)
        }
    }

    @Test("S12: a list has the values of all modules, in the order of their start", arguments: [0, 1, 3])
    func list(count: Int) async throws {
        let plugins = ServiceListKey<String>("plugins")
        let names = ModuleAction<NoValue, [String]>("Host.names")
        let log = Log()
        let host = AnyModule("host") { definition in
            let all = definition.require(plugins)
            definition.onStart { _ in log("host") }
            definition.handle(names) { _, call in call[all] }
        }
        let providers = (0..<count)
            .map { number in
                AnyModule("plugin \(number)") { definition in
                    definition.priority = number
                    let name = definition.own { _ in "p\(number)" }
                    definition.onStart { _ in log("plugin \(number)") }
                    definition.provide(plugins) { $0[name] }
                    if number == 1 { definition.provide(plugins) { $0[name] + "b" } }
                }
            }
        try await run([host] + providers) { (app) async throws in
            let expected = (0..<count).reversed().flatMap { $0 == 1 ? ["p1", "p1b"] : ["p\($0)"] }
            #expect(try await app.call(names) == expected && log.lines.last == "host")
            #expect(try await app.services(plugins) == expected)
        }
    }

    @Test("S12: a list has one type, and its values come from modules of the program")
    func wrongLists() throws {
        let child = AnyModule("child") { $0.provide(ServiceListKey<Int>("list")) { _ in 1 } }
        let parent = AnyModule("parent") { definition in
            definition.provide(ServiceListKey<String>("list")) { _ in "" }
            _ = definition.slot(child)
        }
        var assembly = Assembly()
        assembly.add(parent)
        let error = #expect(throws: AssemblyError.self) { try assembly.build() }
        let codes = error?.diagnostics.map(\.code) ?? []
        #expect(codes.contains("list-in-slot") && codes.contains("contract-conflict"))
    }

    @Test("S13: a service that is required lazily is checked, and made when it is read")
    func requiredLazily() async throws {
        let log = Log()
        let key = ServiceKey<String>("dear")
        let read = ModuleAction<NoValue, String>("User.read")
        let user = AnyModule("user") { definition in
            let dear = definition.requireLazily(key)
            definition.onStart { _ in log("user") }
            definition.handle(read) { _, call in try await call[dear]() }
        }
        let provider = AnyModule("provider") { definition in
            definition.onStart { _ in log("provider") }
            definition.provide(key) { _ in
                log("made")
                return "dear"
            }
        }
        var assembly = Assembly()
        assembly.add(user)
        #expect(throws: AssemblyError.self) { try assembly.build() }
        assembly.add(provider)
        let modules = try assembly.build()
        #expect(modules.warnings.isEmpty)
        try await modules.run { (app) async throws in
            // It need not have started: two modules may need each other so.
            #expect(log.lines == ["user", "provider"])
            #expect(try await app.call(read) == "dear")
            #expect(try await app.call(read) == "dear")
        }
        #expect(log.lines == ["user", "provider", "made"])
    }

    @Test("S14: a key with a default needs no provider, and a provider wins", arguments: [false, true])
    func defaults(isProvided: Bool) async throws {
        let key = ServiceKey<String>("greeting", default: "hello")
        let read = ModuleAction<NoValue, [String]>("User.read")
        let user = AnyModule("user") { definition in
            let greeting = definition.require(key)
            let late = definition.requireLazily(key)
            definition.handle(read) { _, call in [call[greeting], try await call[late]()] }
        }
        try await run([user]) {
            if isProvided { $0.provide(key, "welcome") }
        } body: { (app) async throws in
            let expected = isProvided ? "welcome" : "hello"
            #expect(try await app.call(read) == [expected, expected])
            #expect(try await app.service(key) == expected)
        }
    }

    @Test("S15: a service is decorated, whichever module provides it and however often it is made")
    func decorated() async throws {
        let (once, each) = (ServiceKey<String>("once"), ServiceKey<String>("each"))
        let own = ServiceKey<String>("own")
        let provider = AnyModule("provider") { definition in
            definition.provide(once) { _ in "a" }
            definition.provideEachTime(each) { _ in "b" }
        }
        try await run([provider]) {
            $0.provide(own, "c")
            for key in [once, each, own] {
                $0.decorate(key) { "(\($0))" }
                $0.decorate(key) { "[\($0)]" }
            }
        } body: { (app) async throws in
            #expect(try await app.service(once) == "[(a)]")
            #expect(try await app.service(each) == "[(b)]")
            #expect(try await app.service(own) == "[(c)]")
        }
    }
}
