#if Fleet
import Shunt
import ShuntFleet
import TestFolder
import Testing

/// An etcd with releases, and nodes that follow them by the clock of the machine.
struct EtcdFleet: Sendable {
    let etcd: EtcdProcess
    let released: ReleasedFleet

    private let interval: Duration

    /// - Parameter interval: How often the pointer is read next to the watch.
    /// - Throws: Where etcd cannot be started.
    init(interval: Duration = .seconds(3)) async throws {
        self.interval = interval
        etcd = try await EtcdProcess.running()
        released = try ReleasedFleet(inMemory: true)
    }

    var options: EtcdOptions {
        var options = EtcdOptions(endpoints: [etcd.url])
        options.patience = .seconds(3)
        options.interval = interval
        return options
    }

    func carrier() throws -> EtcdCarrier { try EtcdCarrier(options, namespace: "web") }

    func node(_ name: String, _ carrier: EtcdCarrier) -> FleetFollower {
        var options = FleetFollower.Options()
        // What comes within a test comes by the watch.
        options.interval = .seconds(60)
        return FleetFollower(
            NodeConfiguration(name: name, keys: released.keys, version: "0.1.0"),
            directory: released.folder.path + "/" + name,
            carriers: [carrier],
            options: options
        )
    }

    /// Publishes for all nodes at once.
    @discardableResult
    func publish(_ status: Int, _ store: EtcdCarrier) async throws -> Release {
        let rules = try ReleasedFleet.rules(ReleasedFleet.answer(status))
        let release = try await ReleasePublisher(store).publish(rules, released.order()).release
        try await settle(store)
        return release
    }

    /// Makes the release that is rolled out the stable one.
    func settle(_ store: EtcdCarrier) async throws {
        guard var stored = try await store.current(), stored.pointer.progress.state != .done else { return }
        stored.pointer.stable = stored.pointer.release
        stored.pointer.progress.state = .done
        let sequence = try Release(decoding: stored.pointer.release.payload).sequence
        let entry = HistoryEntry(sequence: sequence, action: .done, by: "test", at: .now())
        #expect(try await store.replace(stored.version, with: stored.pointer, entry: entry))
    }
}
#endif
