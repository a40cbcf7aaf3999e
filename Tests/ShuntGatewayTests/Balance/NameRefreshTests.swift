#if Gateway
import Logging
import NIOCore
import NIOPosix
import Shunt
import Synchronization
import Testing

@testable import ShuntGateway

@Suite("Names of servers that are looked up again")
struct NameRefreshTests {
    /// A store whose rules name servers, by a system of names that is changed.
    final class Fixture: Sendable {
        let system: NameTableTests.System
        let peers: PeerTable
        let source: MemorySource
        let options: RuleStore.Options
        let refresh: NameRefresh

        static func rules(_ servers: String, _ comment: String = "") -> RuleArchive {
            RuleArchive([
                "a.conf":
                    "upstream app { \(servers) } server { listen 80; location / { proxy_pass http://app; } } # \(comment)\n"
            ])
        }

        init(_ servers: String, _ known: [String: [String]], allowsMissing: Bool = false) {
            system = NameTableTests.System(known)
            let peers = PeerTable(system.table)
            self.peers = peers
            source = MemorySource(Self.rules(servers))
            var options = RuleStore.Options()
            options.validate = { candidate in
                try peers.prepare(
                    candidate.ruleSet,
                    replacing: candidate.current?.ruleSet,
                    allowsMissing: allowsMissing || candidate.isLastKnownGood
                )
            }
            let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            let loop = MultiThreadedEventLoopGroup.singleton.next()
            let refresh = NameRefresh(peers, on: loop, unit: .milliseconds(1), logger: logger)
            options.observers.append { refresh.tell($0) }
            self.options = options
            self.refresh = refresh
        }

        func open() async throws -> RuleStore {
            let store = try await RuleStore.open(source, options: options)
            refresh.onRetry { [weak store] in _ = await store?.reload(trigger: .source) }
            return store
        }

        func addresses(_ store: RuleStore) -> [[String]] {
            peers.groups(of: store.snapshot.ruleSet).first?.addresses
                .map { $0.map { $0.place.description } } ?? []
        }
    }

    @Test("An address that has moved is found by each requested reload, though the files are unchanged")
    func moved() async throws {
        let fixture = Fixture("server app.internal:3000; server 192.0.2.7:1;", ["app.internal": ["192.0.2.1"]])
        let store = try await fixture.open()
        #expect(fixture.addresses(store) == [["192.0.2.1:3000"], ["192.0.2.7:1"]])
        var version = fixture.peers.version
        for (number, trigger) in [ReloadTrigger.signal, .call, .force].enumerated() {
            let address = "192.0.2.\(10 + number)"
            fixture.system.known.withLock { $0 = ["app.internal": [address]] }
            let report = await store.reload(trigger: trigger)
            guard case .unchanged = report.outcome else { throw TestProblem("\(report.outcome)") }
            #expect(fixture.addresses(store) == [["\(address):3000"], ["192.0.2.7:1"]])
            #expect(fixture.peers.version == version + 1)
            version += 1
        }
        // A name that has no address for a moment keeps the address that it had.
        fixture.system.known.withLock { $0 = [:] }
        _ = await store.reload(trigger: .call)
        #expect(fixture.addresses(store) == [["192.0.2.12:3000"], ["192.0.2.7:1"]])
        #expect(fixture.peers.version == version)
    }

    @Test("A reload that names refused is tried again until they have addresses")
    func retried() async throws {
        let fixture = Fixture("server app.internal:3000;", ["app.internal": ["192.0.2.1"]])
        let store = try await fixture.open()
        fixture.system.known.withLock { $0 = [:] }
        fixture.source.replace(with: Fixture.rules("server app.internal:3000;", "changed"))
        #expect(await store.reload(trigger: .call).failure != nil)
        try await Task.sleep(for: .milliseconds(20))
        #expect(store.snapshot.version == 1)
        fixture.system.known.withLock { $0 = ["app.internal": ["192.0.2.2"]] }
        try await Wait.until("the rules are loaded") { store.snapshot.version == 2 }
        #expect(fixture.addresses(store) == [["192.0.2.2:3000"]])
    }

    @Test("The copy serves without the servers that have no address, and adds them when they have one")
    func missing() async throws {
        let servers = "server app.internal:3000; server other.internal:3000; server 192.0.2.7:1;"
        let fixture = Fixture(servers, ["other.internal": ["192.0.2.3"]], allowsMissing: true)
        let store = try await fixture.open()
        #expect(fixture.addresses(store) == [[], ["192.0.2.3:3000"], ["192.0.2.7:1"]])
        let groups = fixture.peers.table(of: store.snapshot.ruleSet)
        #expect(groups.group(named: "app")?.usual.members.count == 2)
        fixture.system.known.withLock { $0["app.internal"] = ["192.0.2.1"] }
        try await Wait.until("the name is looked up again") {
            fixture.addresses(store) == [["192.0.2.1:3000"], ["192.0.2.3:3000"], ["192.0.2.7:1"]]
        }
    }
}
#endif
