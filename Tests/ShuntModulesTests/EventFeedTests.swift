import ShuntModules
import Testing

/// Statements E1 to E7 and F1 to F6: events and feeds.
@Suite struct EventFeedTests {
    static let doSomething = ModuleEvent<Int, String>("doSomething")
    static let steps = ModuleFeed<Int, Int>("AModule.steps")

    private static func hearer(_ name: String, _ body: @escaping @Sendable (Int) throws -> String) -> AnyModule {
        AnyModule(name) { $0.on(doSomething) { input, _ in try body(input) } }
    }

    private static func text(_ replies: [EventReply<String>]) -> [String] {
        replies.map { reply in
            switch reply.result {
            case .success(let text): "\(reply.module): \(text)"
            case .failure(let error as CallError): "\(reply.module): \(error.kind)"
            case .failure(let error): "\(reply.module): \(type(of: error))"
            }
        }
    }

    @Test("E1, E2, E3: replies in the order of the start, failures among them, no hearer is no reply")
    func replies() async throws {
        let modules = [
            Self.hearer("A") { _ in throw Failure() }, Self.hearer("B") { "did \($0)" }, AnyModule("C") { _ in },
        ]
        #expect(
            Self.text(try await run(modules) { await $0.send(Self.doSomething, 888) }) == ["A: Failure", "B: did 888"]
        )
        #expect(Self.text(try await run { await $0.send(Self.doSomething, 888) }).isEmpty)
    }

    @Test("E4: an event that a handler sends is finished before the outer one continues")
    func nested() async throws {
        let inner = ModuleEvent<NoValue, NoValue>("inner")
        let log = Log()
        let first = AnyModule("A") { definition in
            definition.on(Self.doSomething) { _, call in
                _ = await call.scope.root.send(inner, NoValue())
                log("outer A")
                return ""
            }
        }
        let second = AnyModule("B") { definition in
            definition.on(inner) { _, _ in
                log("inner B")
                return NoValue()
            }
            definition.on(Self.doSomething) { _, _ in
                log("outer B")
                return ""
            }
        }
        _ = try await run([first, second]) { await $0.send(Self.doSomething, 1) }
        #expect(log.lines == ["inner B", "outer A", "outer B"])
    }

    @Test("E5, E6, E7: scopes that come and go meanwhile; events of a child stay below it")
    func scopes() async throws {
        let child = InputModule<Int>("child") { definition in
            let number = definition.input
            definition.on(Self.doSomething) { _, call in "\(call[number])" }
        }
        let parent = AnyModule("parent") { definition in
            let slot = definition.slot(child, .many(limit: 4))
            definition.on(Self.doSomething) { input, call in
                switch input {
                case 1: try await call.scope.attach(slot, for: 2)
                case 2: await call.scope.children(in: slot)[0].detach()
                default: break
                }
                return "parent"
            }
            definition.onStart { scope in try await scope.attach(slot, for: 1) }
        }
        let replies = try await run([parent, Self.hearer("sibling") { _ in "sibling" }]) { app in
            var replies: [[String]] = []
            for input in [1, 2] { replies.append(Self.text(await app.send(Self.doSomething, input))) }
            replies.append(Self.text(await app.children[0].children[0].send(Self.doSomething, 3)))
            return replies
        }
        #expect(
            replies == [
                ["parent: parent", "child: 1", "sibling: sibling"],
                ["parent: parent", "child: detached", "child: 2", "sibling: sibling"],
                ["child: 2"],
            ]
        )
    }

    @Test("Hearers that were not notified when the sender was cancelled reply so")
    func cancelledSender() async throws {
        let gate = Gate()
        let first = AnyModule("A") { definition in
            definition.on(Self.doSomething) { _, _ in
                try? await gate.wait()
                return "told"
            }
        }
        let replies = try await run([first, Self.hearer("B") { _ in "told" }]) { app in
            let task = Task { await app.send(Self.doSomething, 1) }
            await gate.arrivals()
            task.cancel()
            return Self.text(await task.value)
        }
        #expect(replies == ["A: told", "B: CancellationError"])
    }

    // MARK: Feeds

    /// Writes numbers up to the input, then throws if it is odd.
    private static func counting(_ runs: Counter) -> AnyModule {
        AnyModule("X") { definition in
            definition.stream(steps) { count, _, writer in
                runs.increment()
                for number in 0..<count { try await writer.write(number) }
                if count % 2 == 1 { throw Failure() }
            }
        }
    }

    @Test("F1, F2, F6: each listener hears everything, then the end or the error", arguments: [0, 2, 3, 40, 41])
    func elements(count: Int) async throws {
        let runs = Counter()
        try await run([Self.counting(runs)]) { app in
            for _ in 0..<2 {
                var heard: [Int] = []
                var error: (any Error)?
                do { for try await number in try app.listen(Self.steps, count) { heard.append(number) } } catch let
                    caught
                {
                    error = caught
                }
                #expect(heard == Array(0..<count))
                #expect((error != nil) == (count % 2 == 1))
            }
        }
        #expect(runs.value == 2)
    }

    @Test("F3: a writer waits when sixteen elements were not read")
    func buffer() async throws {
        let written = Counter()
        let blocked = Gate()
        let feed = AnyModule("X") { definition in
            definition.stream(Self.steps) { count, _, writer in
                for number in 0..<count {
                    if written.value == 16 { blocked.open() }
                    try await writer.write(number)
                    written.increment()
                }
            }
        }
        try await run([feed]) { app in
            let stream = try app.listen(Self.steps, 100_000)
            try await blocked.wait()
            #expect(written.value == 16)
            var iterator = stream.makeAsyncIterator()
            var sum = 0
            while let number = try await iterator.next() { sum += number }
            #expect(sum == 100_000 * 99_999 / 2)
        }
    }

    @Test("F4: a listener that leaves ends the handler", arguments: [true, false])
    func leaves(isReading: Bool) async throws {
        let ended = Gate()
        let feed = AnyModule("X") { definition in
            definition.stream(Self.steps) { _, _, writer in
                defer { ended.open() }
                while true { try await writer.write(1) }
            }
        }
        try await run([feed]) { app in
            if isReading {
                for try await _ in try app.listen(Self.steps, 1) { break }
            } else {
                _ = try app.listen(Self.steps, 1)
            }
            try await ended.wait()
        }
    }

    @Test("F4: a handler that waits for something else is cancelled when its listener leaves")
    func leavesWhileWaiting() async throws {
        let waiting = Gate()
        let ended = Gate()
        let feed = AnyModule("X") { definition in
            definition.stream(Self.steps) { _, _, writer in
                defer { ended.open() }
                try await writer.write(1)
                try await waiting.wait()
            }
        }
        try await run([feed]) { app in
            for try await _ in try app.listen(Self.steps, 1) {
                await waiting.arrivals()
                break
            }
            try await ended.wait()
        }
    }

    @Test("F5: a feed of a scope that is detached throws")
    func detached() async throws {
        let gate = Gate()
        let child = AnyModule("child") { definition in
            definition.stream(Self.steps) { _, _, writer in
                try await writer.write(1)
                try await gate.wait()
            }
        }
        let slot = Kept<Slot<AnyModule>>()
        let parent = AnyModule("parent") { slot.value = $0.slot(child) }
        try await run([parent]) { app in
            let scope = try await app.children[0].attach(try slot.get(), for: NoValue())
            let error = await callError {
                for try await _ in try scope.listen(Self.steps, 1) {
                    await gate.arrivals()
                    await scope.detach()
                }
            }
            #expect(error == "detached")
        }
    }
}
