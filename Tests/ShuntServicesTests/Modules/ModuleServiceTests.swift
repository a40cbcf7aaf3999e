#if ModuleService
import CoreMetrics
import InMemoryLogging
import InMemoryTracing
import Logging
import MetricsTestKit
import ServiceLifecycle
import ServiceLifecycleTestKit
import ShuntInterfaces
import ShuntModules
import ShuntServices
import Synchronization
import Testing
import Tracing

/// The events, in order.
final class Log: Sendable {
    private let kept = Mutex<[String]>([])

    var lines: [String] { kept.withLock { $0 } }

    func callAsFunction(_ line: String) { kept.withLock { $0.append(line) } }
}

/// A module that reports when it starts and stops.
struct Noting: ProgramModule {
    static let work = ModuleAction<Bool, Int>("Noting.work")
    let name: String
    let log: Log
    var onStart: @Sendable () async throws -> Void = {}

    func define(_ definition: inout ModuleDefinition<NoValue>) {
        definition.onStart { _ in
            log("\(name) starts")
            try await onStart()
        }
        definition.onStop { _ in log("\(name) stops") }
        if name == "one" {
            definition.handle(Self.work) { succeeds, _ in
                if !succeeds { throw CancellationError() }
                return 1
            }
        }
    }
}

/// A server: serves until it is stopped.
struct Server: Service {
    let log: Log
    let isServing: @Sendable () -> Void

    func run() async throws {
        isServing()
        try? await gracefulShutdown()
        log("server stops")
    }
}

/// Statements Y12 and Y13, and what is logged, measured and traced.
@Suite struct ModuleServiceTests {
    private static func modules(
        _ names: [String],
        _ log: Log,
        in assembly: Assembly = Assembly(),
        _ change: (inout Assembly) -> Void = { _ in },
        onStart: @escaping @Sendable () async throws -> Void = {}
    ) throws -> Modules {
        var assembly = assembly
        for name in names { assembly.add(Noting(name: name, log: log, onStart: onStart)) }
        change(&assembly)
        return try assembly.build()
    }

    @Test("Y12: at a shutdown the server stops before any module", .timeLimit(.minutes(10)))
    func order() async throws {
        let log = Log()
        let modules = try Self.modules(["one", "two"], log)
        let (serving, isServing) = AsyncStream.makeStream(of: Void.self)
        let group = ServiceGroup(
            services: [ModuleService(modules), Server(log: log) { isServing.yield() }],
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            for await _ in serving { break }
            while modules.scope?.state != .active { await Task.yield() }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
        #expect(log.lines == ["one starts", "two starts", "server stops", "two stops", "one stops"])
    }

    @Test("Y13: a shutdown before the start has ended leaves no module out", .timeLimit(.minutes(10)))
    func early() async throws {
        let log = Log()
        let (starting, begins) = AsyncStream.makeStream(of: Void.self)
        let (shutdown, isAsked) = AsyncStream.makeStream(of: Void.self)
        let modules = try Self.modules(
            ["one", "two"],
            log,
            onStart: {
                begins.yield()
                for await _ in shutdown { break }
            }
        )
        await testGracefulShutdown { trigger in
            await withTaskGroup(of: Void.self) { tasks in
                tasks.addTask { await #expect(throws: Never.self) { try await ModuleService(modules).run() } }
                for await _ in starting { break }
                trigger.triggerGracefulShutdown()
                isAsked.yield()
                isAsked.yield()
                await tasks.waitForAll()
            }
        }
        #expect(log.lines == ["one starts", "two starts", "two stops", "one stops"])
    }

    @Test("A cancelled service stops its modules and ends without an error", .timeLimit(.minutes(10)))
    func cancelled() async throws {
        let log = Log()
        let modules = try Self.modules(["one"], log)
        let task = Task { try await ModuleService(modules).run() }
        while modules.scope?.state != .active { await Task.yield() }
        task.cancel()
        try await task.value
        #expect(log.lines == ["one starts", "one stops"])
    }

    @Test("A module that cannot start ends the service with its name")
    func failing() async throws {
        let modules = try Self.modules(["one"], Log(), onStart: { throw CancellationError() })
        let failure = await #expect(throws: ModuleError.self) { try await ModuleService(modules).run() }
        #expect(failure?.module == "one")
    }

    @Test("The log has starts, stops, and calls through doors that failed; not those of code")
    func log() async throws {
        let written = InMemoryLogHandler()
        let logger = Logger(label: "test") { _ in
            var handler = written
            handler.logLevel = .debug
            return handler
        }
        var assembly = Assembly(logger: logger)
        assembly.add(Noting(name: "one", log: Log()))
        try await assembly.build()
            .run { app in
                _ = try await app.call(Noting.work, true)
                _ = try? await app.call(Noting.work, false)
                _ =
                    try? await app.failCall(
                        named: "kl://nothing",
                        caller: Caller(.web),
                        CallValues(),
                        CancellationError()
                    )
                    as Int
            }
        let lines = written.entries.map { "\($0.level) \($0.message)" }
        #expect(
            lines == [
                "debug modules: a scope is active", "warning modules: a call failed: CancellationError()",
                "debug modules: a scope has stopped", "debug modules: a scope has stopped",
            ]
        )
        #expect(written.entries.first { $0.level == .warning }?.metadata["call"] == "kl://nothing")
    }

    @Test("Metrics are named by contracts, and unanswered calls are one series")
    func metrics() async throws {
        let metrics = TestMetrics()
        let modules = try Self.modules(["one"], Log(), in: Assembly(logger: .current, metrics: metrics, prefix: "m"))
        try await modules.run { app in
            _ = try await app.call(Noting.work, true)
            _ = try? await app.call(Noting.work, false)
            for number in 0..<3 {
                _ =
                    try? await app.failCall(
                        named: "kl://\(number)",
                        caller: Caller(.web),
                        CallValues(),
                        CancellationError()
                    )
                    as Int
            }
        }
        func count(_ name: String, _ labels: [(String, String)]) throws -> Int64 {
            try metrics.expectCounter(name, labels).totalValue
        }
        #expect(try count("m_calls_total", [("call", "Noting.work"), ("outcome", "ok")]) == 1)
        #expect(try count("m_calls_total", [("call", "Noting.work"), ("outcome", "failed")]) == 1)
        #expect(try count("m_calls_total", [("call", "unknown"), ("outcome", "failed")]) == 3)
        #expect(try count("m_starts_total", [("module", "one")]) == 1)
        #expect(try count("m_stops_total", [("module", "one")]) == 1)
        #expect(try metrics.expectTimer("m_call_duration_seconds", [("call", "Noting.work")]).values.count == 2)
        #expect(try metrics.expectTimer("m_start_duration_seconds", [("module", "one")]).values.count == 1)
    }

    @Test("A call through a door has a span, a call of code has none")
    func spans() async throws {
        let tracer = InMemoryTracer()
        let modules = try Self.modules(["one"], Log()) { $0.intercept(CallSpans(tracer: tracer)) }
        try await modules.run { app in
            _ = try await app.call(Noting.work, true)
            _ =
                try? await app.failCall(named: "kl://nothing", caller: Caller(.web), CallValues(), CancellationError())
                as Int
        }
        let spans = tracer.finishedSpans
        #expect(spans.map(\.operationName) == ["unknown"])
        #expect(spans.first?.errors.count == 1)
        #expect(spans.first?.attributes["shunt.caller"]?.toSpanAttribute() == .string("web"))
    }
}
#endif
