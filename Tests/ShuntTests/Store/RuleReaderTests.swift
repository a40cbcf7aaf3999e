import Glibc
import Shunt
import Testing

@Suite("A reader of rules")
struct RuleReaderTests {
    @Test func keepsNoOldSetAlive() async throws {
        let source = MemorySource(NumberedRules.archive(0))
        let store = try await RuleStore.open(source)
        weak let first = store.snapshot
        let reader = store.makeReader()
        let inside = reader.withSnapshot { $0.version }
        #expect(inside == 1)
        source.replace(with: NumberedRules.archive(1))
        await store.reload()
        // The reader has not looked since; `release` is for those who will not for long.
        reader.release()
        // Who made the attempt is about to let go of the old set as well.
        while first != nil { await Task.yield() }
        #expect(reader.withSnapshot { $0.version } == 2)
    }

    @Test func finishesWithTheSetItBeganWith() async throws {
        let source = MemorySource(NumberedRules.archive(0))
        let store = try await RuleStore.open(source)
        let long = store.makeReader()
        let held = long.snapshot
        for number in 1...20 {
            source.replace(with: NumberedRules.archive(number))
            await store.reload()
        }
        #expect(held.version == 1)
        #expect(NumberedRules.numbers(in: held.archive) == ["0"])
        #expect(long.snapshot.version == 21)
    }

    @Test func seesVersionsInOrderOnAllThreads() async throws {
        let source = MemorySource(NumberedRules.archive(0))
        let store = try await RuleStore.open(source)
        let isDone = Flag()
        await withTaskGroup(of: Int.self) { group in
            for _ in 0..<2 {
                group.addTask {
                    let reader = store.makeReader()
                    var last = 0
                    var readings = 0
                    while !isDone.isSet {
                        let (version, numbers) = reader.withSnapshot { snapshot in
                            (snapshot.version, NumberedRules.numbers(in: snapshot.archive))
                        }
                        #expect(version >= last)
                        // Versions and numbers go up together.
                        #expect(numbers == ["\(version - 1)"])
                        last = version
                        readings += 1
                        await Task.yield()
                    }
                    return readings
                }
            }
            for number in 1...50 {
                source.replace(with: NumberedRules.archive(number))
                await store.reload()
            }
            isDone.set()
            for await readings in group { #expect(readings > 0) }
        }
    }
}
