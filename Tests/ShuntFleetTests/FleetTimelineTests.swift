#if Fleet
import ShuntCore
import ShuntFleet
import Testing

@Suite("The releases of nodes over time") struct FleetTimelineTests {
    static func word(
        _ node: String,
        _ sequence: Int,
        _ state: NodeStatus.State = .applied,
        serving: Int? = nil,
        at second: Int64,
        error: String? = nil
    ) -> NodeStatus {
        NodeStatus(
            node: node,
            sequence: sequence,
            set: ContentName(of: [UInt8(sequence)]),
            state: state,
            serving: serving ?? sequence,
            at: date(second),
            error: error
        )
    }

    static func date(_ second: Int64) -> Timestamp { Timestamp(seconds: 1_800_000_000 + second) }

    @Test("Spans last from one report of a node to the next; releases that it did not take are separate")
    func spans() throws {
        let key = Ed25519.SigningKey()
        let pointer = ReleasePointer(
            release: try FleetReportTests.release(12, key),
            stable: try FleetReportTests.release(11, key),
            progress: RolloutProgress(state: .running, since: Self.date(90))
        )
        let reports = [
            NodeReport(status: Self.word("edge-1", 12, at: 95), isAlive: true),
            NodeReport(status: Self.word("edge-2", 12, .rejected, serving: 11, at: 96, error: "no"), isAlive: true),
            NodeReport(status: Self.word("edge-3", 11, at: 60), isAlive: false),
        ]
        let said = [
            Self.word("edge-1", 12, at: 92), Self.word("edge-1", 11, at: 50), Self.word("edge-1", 10, at: 10),
            Self.word("edge-2", 12, .rejected, serving: 11, at: 93, error: "no"), Self.word("edge-2", 11, at: 51),
            // It came back to the release before; what it had before is not known any more.
            Self.word("edge-3", 12, .loading, serving: 11, at: 55), Self.word("edge-3", 11, at: 58),
        ]
        let entries = (1...12)
            .map { HistoryEntry(sequence: $0, action: .published, by: "alice", at: Self.date(Int64($0))) }
        let owner = KeyFile.Key(owner: "alice", publicKey: key.publicKey, roles: [.publish])
        let keys = KeyFile(namespace: "web", keys: [owner], thresholds: [.publish: 1])
        let report = FleetReport(try TrustedPointer(pointer, keys: keys, Ed25519()), reports)
        let timeline = FleetTimeline(report, entries, said: said, now: Self.date(100))
        #expect(timeline.entries.map(\.sequence) == Array(3...12))
        func shown(_ date: Timestamp?) -> String { date.map { "\($0.seconds - 1_800_000_000)" } ?? "now" }
        let rows = timeline.rows.map { row in
            let spans = row.spans.map { "\($0.release) from \(shown($0.start)) to \(shown($0.end))" }
            let refusals = row.refusals.map { "\($0.release) \($0.state.rawValue) at \(shown($0.date)): \($0.reason)" }
            return "\(row.node) \(row.isAlive ? "lives" : "silent"): " + (spans + refusals).joined(separator: ", ")
        }
        let expected = [
            "edge-1 lives: 10 from 10 to 50, 11 from 50 to 92, 12 from 92 to now",
            "edge-2 lives: 11 from 51 to now, 12 rejected at 93: no",
            "edge-3 silent: 11 from 55 to now",
        ]
        #expect(rows == expected)
    }

    @Test(
        "An etcd knows when nodes got the releases before, whatever they have reported since",
        .enabled(if: EtcdProcess.executable != nil, "etcd is not installed")
    )
    func etcd() async throws {
        let fleet = try await EtcdFleet()
        let store = try fleet.carrier()
        let carrier = try fleet.carrier()
        var dates: [Timestamp] = []
        for sequence in 1...3 {
            let release = try await fleet.publish(200 + sequence, store)
            var status = Self.word("edge-1", sequence, at: Int64(10 * sequence))
            status.set = release.set
            dates.append(status.at)
            try await carrier.report(status)
            try await eventually { try await store.said(of: sequence).count == 1 }
            // A sign of life.
            status.at = Self.date(Int64(10 * sequence + 5))
            status.counters.requests = sequence
            try await carrier.report(status)
            try await eventually { try await store.statuses().first?.status == status }
        }
        let timeline = try await FleetTimeline(of: store, trusted: fleet.released.keys)
        #expect(timeline.rows.map(\.node) == ["edge-1"])
        #expect(timeline.rows.first?.spans.map(\.release) == [1, 2, 3])
        #expect(timeline.rows.first?.spans.map(\.start) == dates)
    }
}
#endif
