import ShuntCore
import Synchronization
import TestFolder
import Testing

@testable import Shunt

/// A disk in memory, which fails when a test sets it so.
final class FaultyStorage: FileStorage {
    private struct State {
        var files: [String: [UInt8]] = [:]
        var steps = 0
        var failing: Int?
    }

    private let state = Mutex(State())

    var steps: Int { state.withLock { $0.steps } }
    var names: Set<String> { state.withLock { Set($0.files.keys) } }

    /// Makes the step of that number fail, counted from here; nil for none.
    func fail(at step: Int?) {
        state.withLock { state in
            state.steps = 0
            state.failing = step
        }
    }

    func damage(_ path: String) {
        state.withLock { state in
            guard let bytes = state.files[path] else { return }
            state.files[path] = Array(bytes.dropLast(100))
        }
    }

    private func step<Result>(
        _ body: (inout [String: [UInt8]], Bool) throws(FileError) -> Result
    ) throws(FileError) -> Result {
        try state.withLock { state throws(FileError) in
            let fails = state.steps == state.failing
            state.steps += 1
            let result = try body(&state.files, fails)
            if fails { throw FileError(.system(28)) }
            return result
        }
    }

    func write(_ path: String, _ bytes: [UInt8]) throws(FileError) {
        // A full disk takes a part.
        try step { files, fails in files[path] = fails ? Array(bytes.prefix(bytes.count / 2)) : bytes }
    }

    func rename(_ path: String, to other: String) throws(FileError) {
        try step { files, fails throws(FileError) in
            if fails { return }
            guard let bytes = files.removeValue(forKey: path) else { throw FileError(.notFound) }
            files[other] = bytes
        }
    }

    func synchronize(directory: String) throws(FileError) {
        try step { _, _ in }
    }

    func remove(_ path: String) throws(FileError) {
        try step { files, _ in files[path] = nil }
    }

    func read(_ path: String, limit: Int) throws(FileError) -> [UInt8] {
        try step { files, _ throws(FileError) in
            guard let bytes = files[path] else { throw FileError(.notFound) }
            return bytes
        }
    }
}

/// The reports of a store, for a test to read.
final class Told: Sendable {
    private let list = Mutex<[RuleStoreEvent]>([])

    var events: [RuleStoreEvent] { list.withLock { $0 } }

    func note(_ event: RuleStoreEvent) { list.withLock { $0.append(event) } }
}

@Suite("A cold start")
struct ColdStartTests {
    static func options(_ storage: FaultyStorage, _ told: Told = Told()) -> RuleStore.Options {
        var options = RuleStore.Options()
        options.lastKnownGood = LastKnownGood(path: "/state/rules", storage: storage)
        options.observers = [{ told.note($0) }]
        return options
    }

    /// A store that has served two sets.
    static func served(_ storage: FaultyStorage) async throws {
        let source = MemorySource(NumberedRules.archive(1))
        let store = try await RuleStore.open(source, options: options(storage))
        source.replace(with: NumberedRules.archive(2))
        await store.reload()
    }

    @Test func usesTheNewestCopyAndSaysSo() async throws {
        let storage = FaultyStorage()
        try await Self.served(storage)
        #expect(storage.names == ["/state/rules.a", "/state/rules.b"])
        let told = Told()
        let source = MemorySource(RuleStoreTests.wrong)
        let store = try await RuleStore.open(source, options: Self.options(storage, told))
        #expect(NumberedRules.numbers(in: store.snapshot.archive) == ["2"])
        let status = store.status
        #expect(status.isLastKnownGood && status.isStale && status.origin == "/state/rules.b")
        #expect(status.failureCount == 1 && status.recoveredCount == 1)
        #expect(status.lastFailure?.reason == .invalid)
        guard case .reload(let report) = told.events.first, case .recovered(let failure) = report.outcome else {
            Issue.record("\(told.events)")
            return
        }
        #expect(failure.description.contains("rules/10.conf:1:10"))
        // The source comes back, with the very rules of the copy: they are its own again.
        source.replace(with: NumberedRules.archive(2))
        #expect(await store.reload().failure == nil)
        #expect(!store.status.isLastKnownGood && !store.status.isStale && store.snapshot.version == 2)
    }

    @Test func usesTheOneBeforeWhenTheNewestIsDamaged() async throws {
        let storage = FaultyStorage()
        try await Self.served(storage)
        storage.damage("/state/rules.b")
        let told = Told()
        let store = try await RuleStore.open(
            MemorySource(RuleStoreTests.wrong),
            options: Self.options(storage, told)
        )
        #expect(NumberedRules.numbers(in: store.snapshot.archive) == ["1"])
        guard case .copyRejected(let problem) = told.events.first else {
            Issue.record("\(told.events)")
            return
        }
        #expect(problem == "/state/rules.b: it is not complete")
    }

    /// A directory that lost its files.
    static let empty = RuleArchive([:])

    @Test func startsWithoutRulesOnlyWhenTold() async throws {
        let told = Told()
        do throws(ReloadError) {
            _ = try await RuleStore.open(MemorySource(Self.empty), options: RuleStore.Options())
            Issue.record("it serves without rules")
        } catch {
            #expect(error.reason == .empty)
            #expect(error.summary == "there are no rules in memory")
        }
        let storage = FaultyStorage()
        var options = Self.options(storage, told)
        options.allowsEmptyRuleSet = true
        let store = try await RuleStore.open(MemorySource(Self.empty), options: options)
        #expect(store.status.ruleCount == 0 && !store.status.isStale)
        // It may serve, and is still nothing to come back to.
        #expect(storage.names.isEmpty)
    }

    @Test func prefersAnOlderCopyToNoRules() async throws {
        let storage = FaultyStorage()
        try await Self.served(storage)
        // The directory loses its files, and the process starts again.
        let store = try await RuleStore.open(MemorySource(Self.empty), options: Self.options(storage))
        #expect(store.status.isLastKnownGood && store.status.lastFailure?.reason == .empty)
        #expect(NumberedRules.numbers(in: store.snapshot.archive) == ["2"])
        // A copy without rules, as an earlier version wrote it, is passed over for the one before it.
        let copies = LastKnownGood(path: "/state/rules", storage: storage)
        try copies.write(Self.empty, contentHash: "none", source: "memory", date: Timestamp(seconds: 0))
        let told = Told()
        let restarted = try await RuleStore.open(
            MemorySource(RuleStoreTests.wrong),
            options: Self.options(storage, told)
        )
        #expect(NumberedRules.numbers(in: restarted.snapshot.archive) == ["2"])
        guard case .copyRejected("/state/rules.a: it has no rules") = told.events.first else {
            Issue.record("\(told.events)")
            return
        }
    }

    @Test func keepsTheCopyWhenFilesVanishWhileItServes() async throws {
        let storage = FaultyStorage()
        let source = MemorySource(NumberedRules.archive(1))
        var options = Self.options(storage)
        options.allowsEmptyRuleSet = true
        let store = try await RuleStore.open(source, options: options)
        source.replace(with: Self.empty)
        #expect(await store.reload().failure == nil)
        #expect(store.status.ruleCount == 0)
        #expect(storage.names == ["/state/rules.a"])
    }

    @Test func failsWhenThereIsNoValidCopy() async throws {
        let storage = FaultyStorage()
        try await Self.served(storage)
        storage.damage("/state/rules.a")
        storage.damage("/state/rules.b")
        await #expect(throws: ReloadError.self) {
            try await RuleStore.open(MemorySource(RuleStoreTests.wrong), options: Self.options(storage))
        }
    }

    @Test func usesNoCopyOfAnotherSource() async throws {
        let storage = FaultyStorage()
        try await Self.served(storage)
        await #expect(throws: ReloadError.self) {
            try await RuleStore.open(
                MemorySource(RuleStoreTests.wrong, name: "other"),
                options: Self.options(storage)
            )
        }
    }

    @Test func asksTheProgramAboutACopyToo() async throws {
        let storage = FaultyStorage()
        try await Self.served(storage)
        var options = Self.options(storage)
        options.validate = { candidate in
            if NumberedRules.numbers(in: candidate.archive) == ["2"] { throw RuleStoreTests.Refused() }
        }
        let store = try await RuleStore.open(MemorySource(RuleStoreTests.wrong), options: options)
        #expect(NumberedRules.numbers(in: store.snapshot.archive) == ["1"])
    }

    @Test func writesNothingForTheSameRules() async throws {
        let storage = FaultyStorage()
        let source = MemorySource(NumberedRules.archive(1))
        let store = try await RuleStore.open(source, options: Self.options(storage))
        await store.reload()
        _ = try await RuleStore.open(source, options: Self.options(storage))
        #expect(storage.names == ["/state/rules.a"])
    }

    /// Each step of writing the third copy fails in turn: the rules are served, the failure shows, and a restart finds
    /// a whole copy.
    @Test func survivesADiskThatFailsAtAnyStep() async throws {
        let quiet = FaultyStorage()
        try await Self.served(quiet)
        quiet.fail(at: nil)
        _ = try await RuleStore.open(MemorySource(NumberedRules.archive(3)), options: Self.options(quiet))
        let count = quiet.steps
        #expect(count == 5)
        for step in 0..<count {
            let storage = FaultyStorage()
            try await Self.served(storage)
            storage.fail(at: step)
            let told = Told()
            let store = try await RuleStore.open(
                MemorySource(NumberedRules.archive(3)),
                options: Self.options(storage, told)
            )
            #expect(NumberedRules.numbers(in: store.snapshot.archive) == ["3"])
            storage.fail(at: nil)
            let restarted = try await RuleStore.open(
                MemorySource(RuleStoreTests.wrong),
                options: Self.options(storage)
            )
            let numbers = NumberedRules.numbers(in: restarted.snapshot.archive)
            #expect(numbers == ["2"] || numbers == ["3"], "step \(step)")
            // Reading fails in the first two steps, which is made up for; writing in the others.
            if step >= 2 {
                #expect(store.status.copyFailure?.contains("No space left on device") == true, "step \(step)")
                #expect(told.events.contains { if case .copyFailed = $0 { true } else { false } }, "step \(step)")
            }
        }
    }

    @Test func readsWhatItWroteToARealDisk() async throws {
        let folder = try TestFolder()
        var options = RuleStore.Options()
        options.lastKnownGood = LastKnownGood(path: folder.path + "/copy")
        let source = MemorySource(NumberedRules.archive(1))
        let store = try await RuleStore.open(source, options: options)
        source.replace(with: NumberedRules.archive(2))
        await store.reload()
        #expect(store.status.copyFailure == nil)
        let restarted = try await RuleStore.open(MemorySource(RuleStoreTests.wrong), options: options)
        #expect(NumberedRules.numbers(in: restarted.snapshot.archive) == ["2"])
        options.lastKnownGood = LastKnownGood(path: folder.path + "/missing/copy")
        let other = try await RuleStore.open(source, options: options)
        #expect(other.status.copyFailure?.contains("no such file") == true)
    }
}
