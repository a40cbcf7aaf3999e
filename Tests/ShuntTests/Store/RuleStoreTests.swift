import Shunt
import ShuntCore
import Synchronization
import Testing

@Suite("A rule store")
struct RuleStoreTests {
    static func rules(_ word: String) -> RuleArchive {
        RuleArchive(["10.conf": "server { return 200 \(word); }"])
    }

    static let wrong = RuleArchive(["10.conf": "server { retrun 200 two; }"])

    struct Refused: Error {}

    @Test func putsAnotherSetIntoUse() async throws {
        let source = MemorySource(Self.rules("one"))
        let store = try await RuleStore.open(source)
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
        #expect(report.previousVersion == 1 && report.snapshot.version == 2)
        #expect(reader.withSnapshot { $0.version } == 2)
        #expect(reader.snapshot === store.snapshot)
        #expect(store.status.loadCount == 2)
    }

    @Test func loadsWhatWasReplacedBeforeItWatched() async throws {
        let source = MemorySource(Self.rules("one"))
        let store = try await RuleStore.open(source)
        source.replace(with: Self.rules("two"))
        let watching = Task { await store.watch() }
        defer { watching.cancel() }
        for _ in 0..<6_000 where store.snapshot.version == 1 { try await Task.sleep(for: .milliseconds(10)) }
        #expect(store.snapshot.version == 2)
    }

    @Test func keepsTheOldSetWhenTheNewOneIsWrong() async throws {
        let source = MemorySource(Self.rules("one"))
        let store = try await RuleStore.open(source)
        source.replace(with: Self.wrong)
        let report = await store.reload()
        #expect(report.failure?.reason == .invalid)
        #expect(report.failure?.description.contains("rules/10.conf:1:10: error") == true)
        var status = store.status
        #expect(status.version == 1 && status.isStale && status.consecutiveFailures == 1)
        #expect(status.lastFailure?.diagnostics.isEmpty == false)
        await store.reload()
        #expect(store.status.consecutiveFailures == 2)
        source.replace(with: Self.rules("one"))
        guard case .unchanged = await store.reload().outcome else {
            Issue.record("the same rules were loaded again")
            return
        }
        status = store.status
        #expect(!status.isStale && status.consecutiveFailures == 0 && status.failureCount == 2)
    }

    @Test func doesNotOpenWithoutRules() async throws {
        await #expect(throws: ReloadError.self) {
            try await RuleStore.open(MemorySource(Self.wrong))
        }
    }

    @Test func keepsRulesWhenThereAreNoneAnyMore() async throws {
        for allows in [false, true] {
            let source = MemorySource(Self.rules("one"))
            var options = RuleStore.Options()
            options.allowsEmptyRuleSet = allows
            let store = try await RuleStore.open(source, options: options)
            source.replace(with: RuleArchive(["10.conf": "\n"]))
            let report = await store.reload()
            #expect(report.failure?.reason == (allows ? nil : .empty))
            #expect(store.snapshot.version == (allows ? 2 : 1))
        }
    }

    @Test func asksTheProgramBeforeTheSwap() async throws {
        let source = MemorySource(Self.rules("one"))
        var options = RuleStore.Options()
        options.validate = { candidate in
            // A limit on what may change at once, as a program could have it.
            if candidate.current != nil, candidate.changes().removedCount > 1 { throw Refused() }
        }
        let store = try await RuleStore.open(source, options: options)
        source.replace(with: RuleArchive(["10.conf": "server { return 200 two; }\nserver { return 200 x; }"]))
        #expect(await store.reload().failure == nil)
        source.replace(with: Self.rules("three"))
        let report = await store.reload()
        #expect(report.failure?.reason == .refused)
        #expect(store.snapshot.version == 2)
    }

    @Test func keepsRulesWhoseSuccessorsFailTheirOwnTests() async throws {
        let tests = """
            expect https://a.test/ block 403;
            expect kl://Pay/x degrade https://m.test/ { input $v 3.1.9; }

            """
        let degrade = "input $v \"0\"; if ($v < 3.2) { degrade ^~ kl://Pay/ https://m.test/; }\n"
        let source = MemorySource(RuleArchive(["10.conf": "block host a.test;\n" + degrade, "99-tests.conf": tests]))
        let store = try await RuleStore.open(source)
        let successors = [
            "block host a.test 410;\n" + degrade, "block host a.test;\n" + degrade.replacing("3.2", with: "3.1"),
        ]
        for rules in successors {
            source.replace(with: RuleArchive(["10.conf": rules, "99-tests.conf": tests]))
            let report = await store.reload()
            #expect(report.failure?.diagnostics.map(\.code) == ["unmet-expectation"])
            #expect(store.snapshot.version == 1)
            #expect(store.status.lastFailure?.diagnostics.count == 1)
        }
    }

    @Test func refusesASetForWhichThereIsNoEngine() async throws {
        let source = MemorySource(Self.rules("one"))
        var options = RuleStore.Options()
        options.makeEngine = { ruleSet in
            if ruleSet.contentHash.isEmpty { throw Refused() }
            return Engine(ruleSet)
        }
        let store = try await RuleStore.open(source, options: options)
        options.makeEngine = { _ in throw Refused() }
        #expect(store.snapshot.ruleCount == 1)
        await #expect(throws: ReloadError.self) { try await RuleStore.open(source, options: options) }
    }

    @Test func tellsOfEachAttemptInOrder() async throws {
        let seen = Mutex<[String]>([])
        let source = MemorySource(Self.rules("one"))
        var options = RuleStore.Options()
        options.observers.append { event in
            guard case .reload(let report) = event else { return }
            let outcome =
                switch report.outcome {
                case .loaded: "loaded"
                case .unchanged: "unchanged"
                case .failed: "failed"
                case .recovered: "recovered"
                }
            seen.withLock { $0.append("\(report.trigger) \(outcome) \(report.snapshot.version)") }
        }
        let store = try await RuleStore.open(source, options: options)
        source.replace(with: Self.wrong)
        await store.reload(trigger: .signal)
        source.replace(with: Self.rules("two"))
        await store.reload()
        await store.reload()
        #expect(
            seen.withLock { $0 } == ["start loaded 1", "signal failed 1", "call loaded 2", "call unchanged 2"]
        )
    }

    @Test func measuresAgeByItsOwnClock() async throws {
        let clock = HandClock()
        var options = RuleStore.Options()
        options.clock = clock
        let store = try await RuleStore.open(MemorySource(Self.rules("one")), options: options)
        clock.advance(by: .seconds(90))
        #expect(store.status.age == .seconds(90))
        #expect(store.status.loadedAt == Timestamp(seconds: 1_700_001_000))
    }
}
