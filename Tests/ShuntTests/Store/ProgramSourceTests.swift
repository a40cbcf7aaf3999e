import Shunt
import Synchronization
import Testing

/// Short links of a program, which may change at any time.
private final class LinkTable: Sendable {
    private let rows = Mutex<[String: String]>([:])
    private let signal = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    var links: [String: String] { rows.withLock { $0 } }
    var changes: AsyncStream<Void> { signal.stream }

    func add(_ name: String, _ target: String) {
        rows.withLock { $0[name] = target }
        signal.continuation.yield()
    }
}

private struct LinkSource: RuleSource {
    let table: LinkTable
    var name: String { "short links" }

    func load() async throws -> LoadedRules {
        let links = table.links.sorted { $0.key < $1.key }.map { "location = /\($0) { return 302 \"\($1)\"; }\n" }
        let text = "server { \(links.joined()) location / { return 404; } }"
        return try LoadedRules(compiling: RuleArchive(["links.conf": text]))
    }

    func changes() -> AsyncStream<Void> { table.changes }
}

/// A source that a program writes itself, as docs/embedding.md shows it.
@Suite struct ProgramSourceTests {
    @Test("Rows of a program are rules, and a wrong one leaves the rules in use")
    func rows() async throws {
        let table = LinkTable()
        table.add("q4", "https://a.test/report?q=4")
        let store = try await RuleStore.open(LinkSource(table: table))
        func location(_ name: String) -> String? {
            store.snapshot.engine.decide(RuleRequest(target: "/\(name)", host: "go.test")).url
        }
        #expect(location("q4") == "https://a.test/report?q=4" && location("new") == nil)
        table.add("new", "https://a.test/new")
        #expect(await store.reload().failure == nil && location("new") == "https://a.test/new")
        table.add("x y", "https://a.test/")
        #expect(await store.reload().failure?.reason == .invalid && location("q4") == "https://a.test/report?q=4")
    }

    @Test("A store that watches follows the source", .timeLimit(.minutes(10)))
    func following() async throws {
        let table = LinkTable()
        var options = RuleStore.Options()
        let (events, continuation) = AsyncStream.makeStream(of: Int.self)
        options.observers.append { event in
            if case .reload(let report) = event { continuation.yield(report.snapshot.version) }
        }
        let store = try await RuleStore.open(LinkSource(table: table), options: options)
        let watch = store.startWatching()
        table.add("q4", "https://a.test/report")
        for await version in events where version > 1 { break }
        #expect(store.snapshot.engine.decide(RuleRequest(target: "/q4", host: "go.test")).status == 302)
        watch.cancel()
    }
}
