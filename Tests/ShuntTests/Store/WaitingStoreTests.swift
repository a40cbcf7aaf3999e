import Shunt
import ShuntCore
import Testing

/// Stores in code without `async`, on a thread of the system.
@Suite("A rule store without async")
struct WaitingStoreTests {
    /// Runs a body on a thread of the system.
    private func onThread(_ body: @escaping @Sendable () throws -> Void) async throws {
        try await withCheckedThrowingContinuation { continuation in
            let isStarted = BackgroundThread.start { continuation.resume(with: Result(catching: body)) }
            if !isStarted { continuation.resume(throwing: CancellationError()) }
        }
    }

    @Test("It opens, reloads, and keeps its rules where others are wrong")
    func reloads() async throws {
        try await onThread {
            let source = MemorySource(RuleStoreTests.rules("one"))
            let store = try RuleStore.open(source)
            #expect(store.snapshot.version == 1)
            source.replace(with: RuleStoreTests.rules("two"))
            #expect(store.reload().snapshot.version == 2)
            source.replace(with: RuleStoreTests.wrong)
            #expect(store.reload(trigger: .signal).failure?.reason == .invalid)
            #expect(store.snapshot.version == 2 && store.status.lastTrigger == .signal)
        }
    }

    @Test("An error is a failure with its type")
    func failures() async throws {
        try await onThread {
            do throws(ReloadError) {
                _ = try RuleStore.open(MemorySource(RuleStoreTests.wrong))
                Issue.record("opened")
            } catch {
                #expect(error.reason == .invalid && error.diagnostics.count == 1)
            }
            do throws(ReloadError) {
                _ = try RuleStore.open(path: "/nowhere/at/all")
                Issue.record("opened")
            } catch {
                #expect(!error.summary.isEmpty)
            }
        }
    }

    @Test("It watches until the watch is freed")
    func watches() async throws {
        let source = MemorySource(RuleStoreTests.rules("one"))
        let store = try await RuleStore.open(source)
        var watch: RuleWatch? = store.startWatching()
        source.replace(with: RuleStoreTests.rules("two"))
        for _ in 0..<6_000 where store.snapshot.version == 1 { try await Task.sleep(for: .milliseconds(10)) }
        #expect(store.snapshot.version == 2)
        withExtendedLifetime(watch) {}
        weak let freed = watch
        watch = nil
        #expect(freed == nil)
        // Whatever it does next, it does not load what comes after its end.
        try await Task.sleep(for: .milliseconds(100))
        source.replace(with: RuleStoreTests.rules("three"))
        try await Task.sleep(for: .milliseconds(300))
        #expect(store.snapshot.version == 2)
    }
}
