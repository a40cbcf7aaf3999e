import Shunt
import Synchronization
import Testing

/// A source that loads when it is let.
private final class GatedSource: RuleSource {
    private struct State {
        var number = 0
        var loads = 0
        var gates: [CheckedContinuation<Void, Never>] = []
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
        var isOpen = true
    }

    private let state = Mutex(State())
    private let (told, teller) = AsyncStream<Void>.makeStream()
    let name = "gated"

    var loads: Int { state.withLock { $0.loads } }

    func close() { state.withLock { $0.isOpen = false } }

    func set(_ number: Int) { state.withLock { $0.number = number } }

    /// Returns when some loads have begun and wait.
    func loading(_ count: Int = 1) async {
        await withCheckedContinuation { continuation in
            let isLoading = state.withLock { state in
                if state.gates.count < count { state.watchers.append((count, continuation)) }
                return state.gates.count >= count
            }
            if isLoading { continuation.resume() }
        }
    }

    func letOne() {
        let gate = state.withLock { $0.gates.isEmpty ? nil : $0.gates.removeFirst() }
        gate?.resume()
    }

    func letAll() {
        let gates = state.withLock { state in
            defer { state.gates = [] }
            state.isOpen = true
            return state.gates
        }
        for gate in gates { gate.resume() }
    }

    /// Reports a change.
    func tell() { teller.yield() }

    func load() async throws -> LoadedRules {
        let number = state.withLock { state in
            state.loads += 1
            return state.number
        }
        await withCheckedContinuation { continuation in
            let (isOpen, watchers) = state.withLock { state in
                if !state.isOpen { state.gates.append(continuation) }
                let waiting = state.gates.count
                defer { state.watchers.removeAll { $0.count <= waiting } }
                return (state.isOpen, state.watchers.filter { $0.count <= waiting })
            }
            for watcher in watchers { watcher.continuation.resume() }
            if isOpen { continuation.resume() }
        }
        return try LoadedRules(compiling: NumberedRules.archive(number))
    }

    func changes() -> AsyncStream<Void> { told }
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
        let report = await caller.value
        #expect(report.failure?.reason == .cancelled)
        #expect(report.snapshot.version == 1)
        async let later = store.reload()
        source.letOne()
        await source.loading()
        #expect(store.snapshot.version == 2)
        source.letOne()
        #expect(await later.failure == nil)
    }

    @Test func giveUpOneThatIsStuckOnceAnotherWaits() async throws {
        let source = GatedSource()
        let clock = HandClock()
        let told = Mutex<[ReloadTrigger]>([])
        var options = RuleStore.Options()
        options.clock = clock
        options.loadLimit = .seconds(10)
        options.observers = [
            { event in if case .reload(let report) = event { told.withLock { $0.append(report.trigger) } } }
        ]
        let store = try await RuleStore.open(source, options: options)
        source.close()
        source.set(1)
        async let stuck = store.reload(trigger: .signal)
        await source.loading()
        // Slowness alone is not a reason.
        clock.advance(by: .seconds(60))
        source.set(2)
        async let newer = store.reload()
        let failure = await stuck.failure
        #expect(failure?.reason == .timedOut)
        #expect(store.status.failureCount == 1)
        #expect(store.snapshot.version == 1)
        await source.loading(2)
        // The first ends after all: nothing is reported, and nothing is swapped.
        source.letOne()
        source.letOne()
        let report = await newer
        #expect(report.failure == nil)
        #expect(NumberedRules.numbers(in: store.snapshot.archive) == ["2"])
        #expect(store.snapshot.version == 2)
        #expect(store.status.loadCount == 2)
        #expect(told.withLock { $0 } == [.start, .signal, .call])
    }

    @Test func giveUpNoMoreThanAFewThatNeverEnd() async throws {
        let source = GatedSource()
        let clock = HandClock()
        var options = RuleStore.Options()
        options.clock = clock
        options.loadLimit = .seconds(10)
        let store = try await RuleStore.open(source, options: options)
        source.close()
        var calls = [Task { await store.reload() }]
        for number in 1...4 {
            await source.loading(number)
            calls.append(Task { await store.reload() })
            await clock.sleeper(in: .seconds(10))
            clock.advance(by: .seconds(10))
            #expect(await calls[number - 1].value.failure?.reason == .timedOut)
        }
        await source.loading(5)
        let last = Task { await store.reload() }
        // One that was given up ends: the fifth may be given up now.
        source.letOne()
        await clock.sleeper(in: .seconds(10))
        clock.advance(by: .seconds(10))
        #expect(await calls[4].value.failure?.reason == .timedOut)
        await source.loading(5)
        source.letAll()
        #expect(await last.value.failure == nil)
    }

    @Test func doNotKeepAWatchThatIsCancelled() async throws {
        let source = GatedSource()
        let store = try await RuleStore.open(source)
        source.close()
        source.tell()
        let watch = Task { await store.watch() }
        await source.loading()
        watch.cancel()
        await watch.value
        source.letAll()
    }
}
