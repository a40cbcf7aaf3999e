import Shunt
import Synchronization
import Testing

@Suite("A rule store")
struct RuleStoreTests {
    static func rules(_ word: String) -> RuleArchive {
        RuleArchive(["10.conf": "server { return 200 \(word); }"])
    }

    static func answer(_ snapshot: RuleSnapshot) -> String {
        snapshot.engine.ruleSet.contentHash
    }

    @Test func putsAnotherSetIntoUse() async throws {
        let source = MemorySource(Self.rules("one"))
        let store = try await RuleStore.open(source)
        #expect(store.snapshot.version == 1)
        let reader = store.makeReader()
        #expect(reader.withSnapshot { $0.version } == 1)
        source.replace(with: Self.rules("two"))
        #expect(reader.withSnapshot { $0.version } == 1)
        let report = await store.reload()
        guard case .loaded(let changes) = report.outcome else {
            Issue.record("not loaded: \(report.outcome)")
            return
        }
        #expect(changes.edited.map(\.after.text) == ["return 200 two"])
        #expect(changes.addedCount == 0 && changes.removedCount == 0)
        #expect(reader.withSnapshot { $0.version } == 2)
    }

    @Test func keepsTheOldSetWhenTheNewOneIsWrong() async throws {
        let source = MemorySource(Self.rules("one"))
        let store = try await RuleStore.open(source)
        source.replace(with: RuleArchive(["10.conf": "server { retrun 200 two; }"]))
        let report = await store.reload()
        #expect(report.failure?.reason == .invalid)
        #expect(report.failure?.description.contains("rules/10.conf:1:10") == true)
        let status = store.status
        #expect(status.version == 1 && status.isStale && status.consecutiveFailures == 1)
        #expect(status.lastFailure?.diagnostics.isEmpty == false)
        source.replace(with: Self.rules("one"))
        guard case .unchanged = await store.reload().outcome else {
            Issue.record("the same rules were loaded again")
            return
        }
        #expect(!store.status.isStale)
    }
}
