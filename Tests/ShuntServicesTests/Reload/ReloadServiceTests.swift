#if Reloading
import CoreMetrics
import Glibc
import InMemoryLogging
import Logging
import MetricsTestKit
import ServiceLifecycle
import ServiceLifecycleTestKit
import Shunt
import ShuntServices
import Testing

@Suite("The reload service")
struct ReloadServiceTests {
    static func rules(_ word: String) -> RuleArchive {
        RuleArchive(["10.conf": "server { return 200 \(word); }"])
    }

    static let wrong = RuleArchive(["10.conf": "server { retrun 200 two; }"])

    /// Reports when a task begins to listen for changes.
    private final class HeardSource: RuleSource {
        let rules: MemorySource
        let heard: AsyncStream<Void>.Continuation
        var name: String { rules.name }

        init(_ rules: MemorySource, heard: AsyncStream<Void>.Continuation) {
            self.rules = rules
            self.heard = heard
        }

        func load() async throws -> LoadedRules { try await rules.load() }

        func changes() -> AsyncStream<Void> {
            defer { heard.yield() }
            return rules.changes()
        }
    }

    @Test(.timeLimit(.minutes(10))) func reloadsOnChangesAndHangupAndEndsGracefully() async throws {
        // Until the service has its handler, the signal would end the process.
        signal(SIGHUP, SIG_IGN)
        let (reports, sink) = AsyncStream.makeStream(of: ReloadReport.self)
        let (listeners, heard) = AsyncStream.makeStream(of: Void.self)
        var options = RuleStore.Options()
        options.observers.append { if case .reload(let report) = $0 { sink.yield(report) } }
        let source = HeardSource(MemorySource(Self.rules("one")), heard: heard)
        let store = try await RuleStore.open(source, options: options)
        await testGracefulShutdown { trigger in
            await withTaskGroup(of: Void.self) { group in
                group.addTask { try? await RuleReloadService(store).run() }
                var seen = reports.makeAsyncIterator()
                #expect(await seen.next()?.trigger == .start)
                for await _ in listeners { break }
                source.rules.replace(with: Self.rules("two"))
                #expect(await seen.next()?.trigger == .source)
                // Nothing shows when the service begins to hear signals, so the signal is sent until it is heard.
                let hangups = Task {
                    while !Task.isCancelled {
                        kill(getpid(), SIGHUP)
                        try? await Task.sleep(for: .milliseconds(20))
                    }
                }
                #expect(await seen.next()?.trigger == .signal)
                hangups.cancel()
                trigger.triggerGracefulShutdown()
                await group.waitForAll()
            }
        }
        sink.finish()
    }

    @Test("One service keeps the rules of several stores up to date", .timeLimit(.minutes(10)))
    func severalStores() async throws {
        let (reports, sink) = AsyncStream.makeStream(of: String.self)
        let (listeners, heard) = AsyncStream.makeStream(of: Void.self)
        var options = RuleStore.Options()
        options.observers.append { event in
            if case .reload(let report) = event, report.trigger == .source { sink.yield(report.snapshot.origin) }
        }
        let sources = ["ann", "bob"]
            .map { HeardSource(MemorySource(Self.rules("one"), name: $0), heard: heard) }
        var stores: [RuleStore] = []
        for source in sources { stores.append(try await RuleStore.open(source, options: options)) }
        let service = RuleReloadService(stores, reloadsOnHangup: false)
        await testGracefulShutdown { trigger in
            await withTaskGroup(of: Void.self) { group in
                group.addTask { try? await service.run() }
                var waiting = sources.count
                for await _ in listeners {
                    waiting -= 1
                    if waiting == 0 { break }
                }
                for source in sources { source.rules.replace(with: Self.rules("two")) }
                var seen: Set<String> = []
                for await name in reports where seen.insert(name).inserted && seen.count == 2 { break }
                #expect(seen == ["ann", "bob"])
                trigger.triggerGracefulShutdown()
                await group.waitForAll()
            }
        }
        sink.finish()
    }

    @Test func writesOneWarningWithAllDiagnostics() async throws {
        let log = InMemoryLogHandler()
        let options = RuleStore.Options(logger: Logger(label: "test") { _ in log })
        let source = MemorySource(Self.rules("one"))
        let store = try await RuleStore.open(source, options: options)
        #expect(log.entries.map(\.level) == [.notice])
        // The rules are counted; the directives that a change has are others.
        #expect(log.entries.first?.metadata["rules"] == "1" && log.entries.first?.metadata["added"] == nil)
        log.clear()
        source.replace(with: Self.wrong)
        await store.reload()
        #expect(log.entries.map(\.level) == [.warning])
        let message = log.entries.first.map { "\($0.message)" } ?? ""
        #expect(message.contains("rules/10.conf:1:10: error: unknown directive \"retrun\" [unknown-directive]\n"))
        #expect(message.contains("^~~~"))
        log.clear()
        source.replace(with: Self.rules("two"))
        await store.reload()
        #expect(log.entries.map(\.level) == [.notice])
        #expect(log.entries.first?.metadata["edited"] == "1")
    }

    @Test func countsWhatHappens() async throws {
        let metrics = TestMetrics()
        let options = RuleStore.Options(logger: Logger(label: "test") { _ in InMemoryLogHandler() }, metrics: metrics)
        let source = MemorySource(Self.rules("one"))
        let store = try await RuleStore.open(source, options: options)
        source.replace(with: Self.wrong)
        await store.reload()
        #expect(try metrics.expectGauge("shunt_rules_stale").lastValue == 1)
        source.replace(with: Self.rules("two"))
        await store.reload()
        await store.reload()
        for (outcome, count) in [("loaded", 2), ("failed", 1), ("unchanged", 1)] {
            let counter = try metrics.expectCounter("shunt_rules_reloads_total", [("outcome", outcome)])
            #expect(counter.totalValue == Int64(count), "\(outcome)")
        }
        #expect(try metrics.expectGauge("shunt_rules_stale").lastValue == 0)
        #expect(try metrics.expectGauge("shunt_rules_version").lastValue == 2)
        #expect(try metrics.expectTimer("shunt_rules_reload_duration_seconds").values.count == 4)
    }
}
#endif
