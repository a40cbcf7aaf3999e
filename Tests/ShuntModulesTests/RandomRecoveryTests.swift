import SeededRandom
import ShuntModules
import Synchronization
import Testing

/// Statement R18: recovery under load.
@Suite struct RandomRecoveryTests {
    @Test("R18: random failures, eight tasks, random cancellation: every call ends, one repair a generation")
    func random() async throws {
        let repairs = Counter()
        let generation = Mutex(0)
        let key = ValueKey<Int>("generation")
        let work = ModuleAction<UInt64, Int>("work")
        struct Stale: Error {}
        let recovery = Recovery("generation") { error, _ in
            error is Stale ? 1 : nil
        } repair: { _, _ in
            repairs.increment()
            await Task.yield()
            return CallValues(key, generation.withLock { $0 })
        }
        let module = AnyModule("X") { definition in
            definition.intercept(recovery)
            definition.handle(work) { random, call in
                if random % 10 == 0, call.values[key] == generation.withLock({ $0 }) { generation.withLock { $0 += 1 } }
                await Task.yield()
                guard let known = call.values[key], known == generation.withLock({ $0 }) else { throw Stale() }
                return known
            }
        }
        let outcomes = try await run([module]) { (app) async throws in
            await withTaskGroup(of: [Bool].self) { group in
                for seed in 0..<8 {
                    group.addTask {
                        var generator = SeededGenerator(seed: UInt64(seed))
                        var outcomes: [Bool] = []
                        for _ in 0..<500 {
                            let random = generator.next()
                            let task = Task { try await app.call(work, random) }
                            if random % 7 == 0 { task.cancel() }
                            let result = await task.result
                            outcomes.append((try? result.get()) != nil)
                        }
                        return outcomes
                    }
                }
                return await group.reduce(into: []) { $0 += $1 }
            }
        }
        #expect(outcomes.count == 4_000)
        #expect(outcomes.contains(true) && outcomes.contains(false))
        #expect(repairs.value <= 2 * generation.withLock { $0 } + 8)
    }
}
