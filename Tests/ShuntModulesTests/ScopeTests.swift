import ShuntModules
import ShuntModulesTesting
import Testing

/// Statements T1 to T15 and T18 to T20, M6: scopes.
@Suite struct ScopeTests {
    /// A program whose module `parent` has a slot for `trip`.
    private struct Tree: Sendable {
        let log = Log()
        let clock = TurnedClock()
        let slot = Kept<Slot<InputModule<Int>>>()
        var capacity = SlotCapacity.one
        var start: @Sendable (Int) async throws -> Void = { _ in }
        var define: @Sendable (inout ModuleDefinition<Int>) -> Void = { _ in }

        func run<Value: Sendable>(
            _ body: @escaping @Sendable (Scope, Slot<InputModule<Int>>) async throws -> Value
        ) async throws -> Value {
            let tree = self
            let trip = InputModule<Int>("trip") { definition in
                let ride = definition.input
                definition.run("positions") { scope in
                    tree.log("work \(scope[ride])")
                    try? await Gate().wait()
                    tree.log("end \(scope[ride])")
                }
                definition.onStart { scope in
                    tree.log("start \(scope[ride])")
                    try await tree.start(scope[ride])
                }
                definition.onStop { scope in tree.log("stop \(scope[ride])") }
                tree.define(&definition)
            }
            let parent = AnyModule("parent") { definition in
                tree.slot.value = definition.slot(trip, tree.capacity)
                definition.handle(Shop.count) { _, _ in 11 }
            }
            var options = Assembly.Options()
            options.clock = clock
            options.observers.append { notice in
                if case .overdue(let names) = notice.kind { tree.log("overdue \(names)") }
            }
            var assembly = Assembly(options: options)
            assembly.add(parent)
            return try await assembly.build().run { try await body($0.children[0], try tree.slot.get()) }
        }
    }

    @Test("T1, T2: an equal input finds the scope, another one replaces it")
    func slotForOne() async throws {
        let tree = Tree()
        try await tree.run { (parent, slot) async throws in
            let seven = try await parent.attach(slot, for: 7)
            #expect(try await parent.attach(slot, for: 7) === seven)
            while tree.log.count("work 7") == 0 { await Task.yield() }
            let eight = try await parent.attach(slot, for: 8)
            #expect(seven.state == .stopped && eight.state == .active)
            #expect(parent.children(in: slot).map(\.id) == [eight.id])
        }
        #expect(Array(tree.log.lines.prefix(5)) == ["start 7", "work 7", "end 7", "stop 7", "start 8"])
        #expect(tree.log.count("work 7") == 1)
    }

    @Test("T3: fifty tasks attach at once")
    func together() async throws {
        let tree = Tree()
        try await tree.run { (parent, slot) async throws in
            let scopes = try await withThrowingTaskGroup(of: Scope.self) { group in
                for _ in 0..<50 { group.addTask { try await parent.attach(slot, for: 7) } }
                return try await group.reduce(into: Set<ObjectIdentifier>()) { $0.insert($1.id) }
            }
            #expect(scopes.count == 1)
        }
        #expect(tree.log.count("start 7") == 1)
    }

    @Test("T4: a slot for two")
    func full() async throws {
        var tree = Tree()
        tree.capacity = .many(limit: 2)
        try await tree.run { (parent, slot) async throws in
            let first = try await parent.attach(slot, for: 1)
            #expect(try await parent.attach(slot, for: 1) !== first)
            #expect(await callError { try await parent.attach(slot, for: 1) } == "slotIsFull")
            await first.detach()
            try await parent.attach(slot, for: 2)
        }
    }

    @Test("T5, T18: stopped from the leaves up, by detaching and by an error", arguments: [false, true])
    func leavesFirst(byError: Bool) async throws {
        let log = Log()
        let fail = Gate()
        let slots = Kept<[Slot<AnyModule>]>()
        @Sendable func module(_ name: String, below: AnyModule?) -> AnyModule {
            AnyModule(name) { definition in
                definition.onStop { _ in log("stop \(name)") }
                if let below {
                    let slot = definition.slot(below)
                    slots.value = (slots.value ?? []) + [slot]
                }
                if name == "top" {
                    definition.run("failing") { _ in
                        try await fail.wait()
                        throw Failure()
                    }
                }
            }
        }
        let program = AnyModule("program") { definition in
            let top = module("top", below: module("middle", below: module("leaf", below: nil)))
            let slot = definition.slot(top)
            slots.value = (slots.value ?? []) + [slot]
        }
        try await run([program]) { (app) async throws in
            let slots: [Slot<AnyModule>] = try slots.get().reversed()
            let top = try await app.children[0].attach(slots[0], for: NoValue())
            let middle = try await top.attach(slots[1], for: NoValue())
            let leaf = try await middle.attach(slots[2], for: NoValue())
            if byError {
                fail.open()
                for await _ in top.states {}
            } else {
                await top.detach()
            }
            #expect(log.lines == ["stop leaf", "stop middle", "stop top"])
            #expect([top, middle, leaf].allSatisfy { $0.state == .stopped })
            #expect(app.children.count == 1)
        }
    }

    @Test("T6, T7: nothing is left after detach, however often")
    func freed() async throws {
        let freed = Counter()
        var tree = Tree()
        tree.define = { definition in _ = definition.own { _ in ServiceTests.Thing { freed.increment() } } }
        try await tree.run { (parent, slot) async throws in
            for number in 0..<1_000 {
                let scope = Weak(
                    try await { () async throws -> Scope in
                        let scope = try await parent.attach(slot, for: number)
                        await scope.detach()
                        return scope
                    }()
                )
                // The task that ran the stop lets go of the scope when it has ended.
                while scope.value != nil { await Task.yield() }
            }
            // A weak reference is nil as soon as freeing begins; the members of the last scope may be a moment late.
            for _ in 0..<100_000 where freed.value < 1_000 { await Task.yield() }
            #expect(freed.value == 1_000)
            #expect(parent.children.isEmpty)
        }
    }

    @Test("T8: a handler that does not notice: its caller is notified at once, detach returns after the stop time")
    func stuck() async throws {
        let gate = Gate()
        var tree = Tree()
        tree.define = { definition in
            definition.handle(ModuleAction<NoValue, NoValue>("trip.stuck")) { _, _ in
                try? await gate.wait(stubborn: true)
                return NoValue()
            }
        }
        let clock = tree.clock
        let log = tree.log
        try await tree.run { (parent, slot) async throws in
            let scope = try await parent.attach(slot, for: 7)
            let call = Task { await callError { try await scope.call(ModuleAction<NoValue, NoValue>("trip.stuck")) } }
            await gate.arrivals()
            let detaching = Task { await scope.detach() }
            #expect(await call.value == "detached")
            await clock.waitForSleeper(of: .seconds(10))
            #expect(scope.state == .stopping)
            clock.turn(by: .seconds(10))
            await detaching.value
            #expect(log.count("overdue [\"trip.stuck\"]") == 1)
            // The slot is free, although the handler still runs.
            try await parent.attach(slot, for: 7).detach()
            gate.open()
            for await _ in scope.states {}
        }
    }

    @Test("T9: detach in a handler of the scope begins the stop and returns")
    func fromInside() async throws {
        var tree = Tree()
        let leave = ModuleAction<NoValue, NoValue>("trip.leave")
        let log = tree.log
        tree.define = { definition in
            definition.handle(leave) { _, call in
                await call.scope.detach()
                log("returned")
                return NoValue()
            }
        }
        try await tree.run { (parent, slot) async throws in
            let scope = try await parent.attach(slot, for: 7)
            _ = try? await scope.call(leave)
            for await _ in scope.states {}
            #expect(scope.state == .stopped)
        }
        #expect(log.count("returned") == 1 && log.count("stop 7") == 1)
    }

    @Test("T10: twice, and of the root")
    func again() async throws {
        let tree = Tree()
        await #expect(throws: CancellationError.self) {
            try await tree.run { (parent, slot) async throws in
                let scope = try await parent.attach(slot, for: 7)
                await scope.detach()
                await scope.detach()
                await parent.root.detach()
                try await Gate().wait()
            }
        }
        #expect(tree.log.count("stop 7") == 1)
    }

    @Test("T11: with detaches, also when its body throws")
    func with() async throws {
        let tree = Tree()
        try await tree.run { (parent, slot) async throws in
            #expect(try await parent.with(slot, for: 7) { $0.name } == "trip")
            #expect(parent.children.isEmpty)
            await #expect(throws: Failure()) { try await parent.with(slot, for: 8) { _ in throw Failure() } }
            #expect(parent.children.isEmpty)
        }
    }

    @Test("T12: nothing is attached while the parent stops")
    func stopping() async throws {
        let late = Kept<String>()
        let slot = Kept<Slot<AnyModule>>()
        let parent = AnyModule("parent") { definition in
            slot.value = definition.slot(AnyModule("child") { _ in })
            definition.onStop { scope in
                late.value = await callError { try await scope.attach(try slot.get(), for: NoValue()) }
            }
        }
        try await run([parent]) { _ in }
        #expect(late.value == "notActive")
    }

    @Test("T13: a start that fails leaves the slot empty")
    func failedStart() async throws {
        var tree = Tree()
        let tries = Counter()
        tree.start = { _ in if tries.increment() == 1 { throw Failure() } }
        try await tree.run { (parent, slot) async throws in
            await #expect(throws: Failure()) { try await parent.attach(slot, for: 7) }
            #expect(parent.children.isEmpty)
            #expect(try await parent.attach(slot, for: 7).state == .active)
        }
    }

    @Test("T14: a caller that attaches may be cancelled; the start continues for the others", arguments: [false, true])
    func cancelledStart(another: Bool) async throws {
        var tree = Tree()
        let gate = Gate()
        tree.start = { _ in try await gate.wait() }
        try await tree.run { (parent, slot) async throws in
            let first = Task { try await parent.attach(slot, for: 7) }
            await gate.arrivals()
            let second = another ? Task { try await parent.attach(slot, for: 7) } : nil
            if another { for _ in 0..<1_000 { await Task.yield() } }
            first.cancel()
            await #expect(throws: CancellationError.self) { try await first.value }
            if let second {
                gate.open()
                #expect(try await second.value.state == .active)
            } else {
                #expect(parent.children.isEmpty)
            }
        }
        #expect(tree.log.count("start 7") == 1)
    }

    @Test("T15: the states of a scope, from the start and from the end")
    func states() async throws {
        var tree = Tree()
        let gate = Gate()
        tree.start = { _ in try await gate.wait() }
        try await tree.run { (parent, slot) async throws in
            let attaching = Task { try await parent.attach(slot, for: 7) }
            await gate.arrivals()
            let scope = try #require(parent.children(in: slot).first)
            let states = scope.states
            gate.open()
            await (try await attaching.value).detach()
            #expect(await states.reduce(into: []) { $0.append($1) } == [.starting, .active, .stopping, .stopped])
            #expect(await scope.states.reduce(into: []) { $0.append($1) } == [.stopped])
        }
    }

    @Test("T19, T20: a child asks its parent; it does not see its sibling")
    func upwards() async throws {
        var tree = Tree()
        tree.capacity = .many(limit: 2)
        let own = ModuleAction<Int, Int>("trip.own")
        tree.define = { definition in
            let ride = definition.input
            definition.handle(own) { input, call in input + call[ride] }
        }
        try await tree.run { (parent, slot) async throws in
            let child = try await parent.attach(slot, for: 7)
            #expect(try await child.call(Shop.count) == 11)
            #expect(try await child.call(own, 1) == 8)
            let sibling = try await parent.attach(slot, for: 8)
            #expect(try await sibling.call(own, 1) == 9)
            #expect(await callError { try await parent.call(own, 1) } == "notOffered")
        }
    }

    @Test("A slot of another module is refused")
    func foreignSlot() async throws {
        let tree = Tree()
        try await tree.run { (parent, slot) async throws in
            #expect(await callError { try await parent.root.attach(slot, for: 7) } == "refused")
        }
    }

    @Test("M6: a member of another module is never read")
    func foreignMember() async {
        await #expect(processExitsWith: .failure) {
            let member = Kept<ScopeMember<Int>>()
            let modules = [
                AnyModule("one") { definition in member.value = definition.own { _ in 1 } },
                AnyModule("two") { definition in _ = definition.own { _ in 2 } },
            ]
            _ = try await run(modules) { app in app.children[1][try member.get()] }
        }
    }
}
