import ShuntModules
import Synchronization
import Testing

/// Statements T21 and T22: scopes that are found by their inputs.
@Suite struct ScopeSearchTests {
    @Test("T21: a slot with a scope for each input")
    func slotForEach() async throws {
        let slot = Kept<Slot<InputModule<Int>>>()
        let parent = AnyModule("parent") { definition in
            slot.value = definition.slot(InputModule<Int>("child") { _ in }, .each(limit: 2))
        }
        try await run([parent]) { (app) async throws in
            let (parent, slot) = (app.children[0], try slot.get())
            let seven = try await parent.attach(slot, for: 7)
            let eight = try await parent.attach(slot, for: 8)
            #expect(try await parent.attach(slot, for: 7) === seven && seven !== eight)
            #expect(parent.child(in: slot, for: 8) === eight && parent.child(in: slot, for: 9) == nil)
            #expect(await callError { try await parent.attach(slot, for: 9) } == "slotIsFull")
            await seven.detach()
            #expect(parent.child(in: slot, for: 7) == nil)
            let scopes = try await withThrowingTaskGroup(of: Scope.self) { group in
                for _ in 0..<50 { group.addTask { try await parent.attach(slot, for: 9) } }
                return try await group.reduce(into: Set<ObjectIdentifier>()) { $0.insert($1.id) }
            }
            #expect(scopes.count == 1)
            try await parent.with(slot, for: 8) { again in
                #expect(again !== eight && eight.state == .stopped && parent.children(in: slot).count == 2)
            }
            #expect(parent.children(in: slot).map(\.id) == Array(scopes))
        }
    }

    @Test("T21: inputs that are not Hashable have no slot for each")
    func slotForEachOfNoHash() {
        struct Plain: Sendable {}
        let parent = AnyModule("parent") { definition in
            _ = definition.slot(InputModule<Plain>("child") { _ in }, .each(limit: 2))
        }
        var assembly = Assembly()
        assembly.add(parent)
        #expect(throws: AssemblyError.self) { try assembly.build() }
    }

    @Test("T22: a scope is attached, found and detached by its input in the same steps among ten and a thousand")
    func countedInputs() async throws {
        var steps: [Int] = []
        for count in [10, 1_000] {
            let slot = Kept<Slot<InputModule<CountedInput>>>()
            let parent = AnyModule("parent") { definition in
                let child = InputModule<CountedInput>("child") { _ in }
                slot.value = definition.slot(child, .each(limit: count + 1))
            }
            steps.append(
                try await run([parent]) { (app) async throws in
                    let (parent, slot) = (app.children[0], try slot.get())
                    for number in 0..<count { try await parent.attach(slot, for: CountedInput(number: number)) }
                    CountedInput.count.store(0, ordering: .relaxed)
                    try await parent.attach(slot, for: CountedInput(number: count))
                    let last = try await parent.attach(slot, for: CountedInput(number: count))
                    #expect(parent.child(in: slot, for: CountedInput(number: count)) === last)
                    #expect(parent.child(in: slot, for: CountedInput(number: 0)) != nil)
                    #expect(parent.child(in: slot, for: CountedInput(number: -1)) == nil)
                    await last.detach()
                    return CountedInput.count.load(ordering: .relaxed)
                }
            )
        }
        // Each looks its input up once: it is hashed, and compared where a scope has the same hash.
        #expect(steps[0] == steps[1] && steps[0] <= 10)
    }

    /// An input that counts how often one is hashed or compared.
    private struct CountedInput: Hashable, Sendable {
        static let count = Atomic<Int>(0)
        var number: Int

        func hash(into hasher: inout Hasher) {
            Self.count.add(1, ordering: .relaxed)
            hasher.combine(number)
        }

        static func == (first: Self, second: Self) -> Bool {
            count.add(1, ordering: .relaxed)
            return first.number == second.number
        }
    }
}
