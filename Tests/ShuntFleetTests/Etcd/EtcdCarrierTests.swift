#if Fleet
import Foundation
import Shunt
import ShuntCore
import ShuntFleet
import Synchronization
import TestFolder
import Testing

@Suite("Releases in a real etcd", .enabled(if: EtcdProcess.executable != nil, "etcd is not installed"))
struct EtcdCarrierTests {
    @Test("From the publisher to the answers of a node by the watch alone, and reported under a lease")
    func wholeWay() async throws {
        let fleet = try await EtcdFleet()
        let store = try fleet.carrier()
        try await fleet.publish(201, store)
        let carrier = try fleet.carrier()
        let node = fleet.node("edge-1", carrier)
        let rules = try await node.open()
        #expect(ReleasedFleet.status(rules) == 201)
        let following = Task { await node.run() }
        try await eventually { try await store.statuses().map(\.status.state) == [.applied] }
        var times: [Duration] = []
        for status in 202...211 {
            try await fleet.publish(status, store)
            let written = ContinuousClock.now
            try await eventually { ReleasedFleet.status(rules) == status }
            times.append(ContinuousClock.now - written)
        }
        print("from the pointer's write to a node's answers, ten times: at most \(times.max() ?? .zero)")
        try await eventually { try await store.statuses().first?.status.sequence == 11 }
        let reports = try await store.statuses()
        #expect(reports.map(\.isAlive) == [true])
        #expect(reports.map(\.status.node) == ["edge-1"])
        let client = EtcdClient(fleet.options)
        #expect(try await client.entries("/shunt/web/acks/0000000011/", page: 10).count == 1)
        let history = try await store.history(last: 3)
        #expect(history.map(\.sequence) == [10, 11, 11])
        #expect(history.map(\.action) == [.done, .published, .done])
        following.cancel()
        await following.value
    }

    @Test("A node continues alone after a crash, a compaction, a stop, and when everything is removed")
    func faults() async throws {
        let fleet = try await EtcdFleet()
        let store = try fleet.carrier()
        try await fleet.publish(201, store)
        let carrier = try fleet.carrier()
        let node = fleet.node("edge-1", carrier)
        let rules = try await node.open()
        let following = Task { await node.run() }
        try await eventually { try await store.statuses().first?.status.state == .applied }
        // A crash and a restart with the same data.
        fleet.etcd.kill()
        try await eventually { (try? await carrier.pointer()) == nil }
        #expect(ReleasedFleet.status(rules) == 201)
        try fleet.etcd.start()
        try await EtcdProcess.ready(fleet.options)
        try await fleet.publish(301, store)
        try await eventually { ReleasedFleet.status(rules) == 301 }
        try await eventually { try await store.statuses().first?.status.sequence == 2 }
        // Compacted behind the watch, and stopped.
        try fleet.etcd.post("/v3/kv/compaction", #"{"revision":"\#(try await store.current()?.version ?? 0)"}"#)
        fleet.etcd.signal(SIGSTOP)
        try await eventually { (try? await carrier.pointer()) == nil }
        #expect(ReleasedFleet.status(rules) == 301)
        fleet.etcd.signal(SIGCONT)
        try await eventually { (try? await carrier.pointer()) != nil }
        try await fleet.publish(302, store)
        try await eventually { ReleasedFleet.status(rules) == 302 }
        // Everything is removed while it watches.
        _ = try await EtcdClient(fleet.options).transact(EtcdTransaction(success: [.deletePrefix("/shunt/web/")]))
        try await eventually { (try? await carrier.pointer()) == nil }
        await node.look()
        #expect(await node.condition == "\(carrier.name): there is no pointer")
        #expect(ReleasedFleet.status(rules) == 302)
        following.cancel()
        await following.value
    }

    @Test("A store that compares: one pointer after the other, its history with it, one conductor at a time")
    func store() async throws {
        let fleet = try await EtcdFleet()
        let store = try fleet.carrier()
        #expect(try await store.current() == nil)
        await #expect(throws: FleetError("\(store.name): there is no pointer")) { try await store.pointer() }
        try await fleet.publish(201, store)
        let stored = try #require(try await store.current())
        let entry = HistoryEntry(sequence: 1, action: .paused, by: "bob", at: .now())
        #expect(try await !store.replace(nil, with: stored.pointer, entry: entry))
        #expect(try await !store.replace(stored.version - 1, with: stored.pointer, entry: entry))
        #expect(try await store.history(last: 10).map(\.action) == [.published])
        #expect(try await store.replace(stored.version, with: stored.pointer, entry: entry))
        #expect(try await store.history(last: 10).map(\.action) == [.published, .paused])
        // One that lives, one that does not and was seen loading, one that was seen of the stable release, one of another name.
        let nodes = EtcdClient(fleet.options)
        for (key, name) in [
            ("nodes/a", "a"), ("acks/0000000001/a", "a"), ("acks/0000000001/b", "b"), ("acks/0000000001/c", "d"),
        ] {
            let release = try Release(decoding: stored.pointer.release.payload)
            let status = NodeStatus(node: name, sequence: 1, set: release.set, state: .loading, serving: 0, at: .now())
            _ = try await nodes.transact(EtcdTransaction(success: [.put("/shunt/web/\(key)", status.encoded)]))
        }
        let reports = try await store.statuses()
        #expect(reports.map(\.status.node) == ["a", "b"])
        #expect(reports.map(\.isAlive) == [true, false])
        // Reports of nodes about releases long ago are removed; of the others it stays.
        for sequence in ["0000000001", "0000000002", "0000000003"] {
            _ = try await nodes.transact(
                EtcdTransaction(success: [.put("/shunt/web/acks/\(sequence)/edge-1", [1])])
            )
        }
        for status in 202...212 { try await fleet.publish(status, store) }
        #expect(
            try await nodes.entries("/shunt/web/acks/", page: 10).map(\.key)
                == ["/shunt/web/acks/0000000002/edge-1", "/shunt/web/acks/0000000003/edge-1"]
        )
        var large = stored.pointer
        large.progress.reason = String(repeating: "x", count: 64 << 10)
        await #expect(throws: FleetError.self) { try await store.replace(stored.version, with: large, entry: entry) }
        let first = try #require(try await store.conductorLease("a"))
        #expect(try await store.conductorLease("b") == nil)
        #expect(try await first.renew())
        await first.end()
        #expect(try await !first.renew())
        let second = try #require(try await store.conductorLease("b"))
        await second.end()
    }

    @Test("Manifests and blobs are written once, those of many files whole, and removed only if no node needs them")
    func contents() async throws {
        let fleet = try await EtcdFleet()
        let store = try fleet.carrier()
        var files = ["large.txt": [UInt8](repeating: 7, count: (1 << 20) + 1)]
        for number in 0..<200 {
            let path = String(repeating: "a", count: 250) + "/" + String(repeating: "b", count: 250) + "/\(number).conf"
            files[path] = Array("# \(number)\n".utf8)
        }
        let (manifest, blobs) = try Manifest.cut(files)
        try await store.write(manifest, blobs)
        let client = EtcdClient(fleet.options)
        let before = try await client.range(EtcdRange(prefix: "/shunt/web/blobs/")).entries.map(\.revision)
        #expect(before.count == 202)
        #expect(try await store.manifest(manifest.name, limit: 8 << 20) == manifest.encoded)
        for (name, bytes) in blobs { #expect(try await store.blob(name, limit: 1 << 20) == bytes) }
        await #expect(throws: EtcdError.self) { try await store.manifest(manifest.name, limit: 1000) }
        let listed = try await store.contents()
        #expect(listed.count == 203)
        #expect(listed.allSatisfy { $0.date != nil })
        // Written again, they are the same, and not to be removed by a publisher that has listed them before.
        try await store.write(manifest, blobs)
        #expect(try await client.range(EtcdRange(prefix: "/shunt/web/blobs/")).entries.map(\.revision) == before)
        for content in listed { try await store.remove(content) }
        #expect(try await store.contents().count == 203)
        for content in try await store.contents() { try await store.remove(content) }
        #expect(try await client.range(EtcdRange(prefix: "/shunt/web/")).entries.isEmpty)
    }

    @Test("A manifest of more than a MiB is cut, and put together again")
    func largeManifest() async throws {
        let fleet = try await EtcdFleet()
        let store = try fleet.carrier()
        let folder = String(repeating: "d", count: 200) + "/" + String(repeating: "e", count: 200)
        var files: [String: [UInt8]] = [:]
        for number in 0..<2100 { files["\(folder)/\(number)"] = [] }
        let (manifest, blobs) = try Manifest.cut(files)
        #expect(manifest.encoded.count > 1 << 20)
        try await store.write(manifest, blobs)
        #expect(try await store.manifest(manifest.name, limit: 8 << 20) == manifest.encoded)
        #expect(try await store.contents().map(\.name) == [manifest.name])
        for content in try await store.contents() { try await store.remove(content) }
        await #expect(throws: FleetError.self) { try await store.manifest(manifest.name, limit: 8 << 20) }
    }

    @Test("An etcd is named by its members; an invalid place is reported")
    func options() throws {
        // Etcd.
        var etcd = EtcdOptions(endpoints: ["https://10.0.0.1:2379", "https://10.0.0.2:2379", "https://10.0.0.3:2379"])
        etcd.authorities = "/etc/shunt/etcd-ca.pem"
        etcd.certificate = "/etc/shunt/node.pem"
        etcd.key = "/etc/shunt/node.key"
        let carrier = try EtcdCarrier(etcd, namespace: "web")
        #expect(carrier.name.hasSuffix("https://10.0.0.3:2379/web"))

        for endpoint in ["", "a:2379", "ftp://a:2379", "http://a:2379/v3", "http://a@b:2379"] {
            #expect(throws: FleetError.self) { try EtcdCarrier(EtcdOptions(endpoints: [endpoint]), namespace: "web") }
        }
        #expect(throws: FleetError.self) { try EtcdCarrier(EtcdOptions(endpoints: []), namespace: "web") }
        #expect(throws: FleetError.self) { try EtcdCarrier(EtcdOptions(endpoints: ["http://a:1"]), namespace: "a/b") }
        var options = EtcdOptions(endpoints: ["http://a:1"])
        options.certificate = "a.pem"
        #expect(throws: FleetError.self) { try EtcdCarrier(options, namespace: "web") }
        options = EtcdOptions(endpoints: ["http://a:1"])
        options.user = "alice"
        #expect(throws: FleetError.self) { try EtcdCarrier(options, namespace: "web") }
    }
}
#endif
