import Shunt
import Synchronization
import Testing

/// A source that loads when it is let.
private final class GatedSource: RuleSource {
    private struct State {
        var number = 0
        var loads = 0
        var gates: [CheckedContinuation<Void, Never>] = []
        var watchers: [CheckedContinuation<Void, Never>] = []
        var isOpen = true
    }

    private let state = Mutex(State())
    let name = "gated"

    var loads: Int { state.withLock { $0.loads } }

    func close() { state.withLock { $0.isOpen = false } }

    func set(_ number: Int) { state.withLock { $0.number = number } }

    /// Returns when a load has begun and waits.
    func loading() async {
        await withCheckedContinuation { continuation in
            let isLoading = state.withLock { state in
                if state.gates.isEmpty { state.watchers.append(continuation) }
                return !state.gates.isEmpty
            }
            if isLoading { continuation.resume() }
        }
    }

    func letOne() {
        let gate = state.withLock { $0.gates.isEmpty ? nil : $0.gates.removeFirst() }
        gate?.resume()
    }

    func load() async throws -> LoadedRules {
        let number = state.withLock { state in
            state.loads += 1
            return state.number
        }
        await withCheckedContinuation { continuation in
            let (isOpen, watchers) = state.withLock { state in
                defer { state.watchers = [] }
                if !state.isOpen { state.gates.append(continuation) }
                return (state.isOpen, state.watchers)
            }
            for watcher in watchers { watcher.resume() }
            if isOpen { continuation.resume() }
        }
        return try LoadedRules(compiling: NumberedRules.archive(number))
    }

    func changes() -> AsyncStream<Void> { AsyncStream { $0.finish() } }
}

@Suite("Reloads at the same time")
struct SharedReloadTests {
    @Test func shareAnAttemptThatBeganAfterAllOfThem() async throws {
        let source = GatedSource()
        let store = try await RuleStore.open(source)
        source.close()
        source.set(1)
        async let first = store.reload()
        await source.loading()
        // The attempt under way may have read the set before this change: these calls are not its business.
        source.set(2)
        let late = await withTaskGroup(of: ReloadReport.self) { group in
            for _ in 0..<50 { group.addTask { await store.reload() } }
            // They are known to the store when it counts them; letting the first attempt go before would only make
            // further attempts, so the count is the test's only demand on the schedule.
            source.letOne()
            let helper = Task {
                while !Task.isCancelled {
                    source.letOne()
                    await Task.yield()
                }
            }
            var reports: [ReloadReport] = []
            for await report in group { reports.append(report) }
            helper.cancel()
            return reports
        }
        let one = await first
        #expect(NumberedRules.numbers(in: one.snapshot.archive) == ["1"])
        for report in late { #expect(NumberedRules.numbers(in: report.snapshot.archive) == ["2"]) }
        #expect(source.loads < 2 + 50)
    }

    @Test func outliveTheirCallers() async throws {
        let source = GatedSource()
        let store = try await RuleStore.open(source)
        source.close()
        source.set(1)
        let caller = Task { await store.reload() }
        await source.loading()
        caller.cancel()
        source.letOne()
        let report = await caller.value
        #expect(report.snapshot.version == 2)
    }
}
