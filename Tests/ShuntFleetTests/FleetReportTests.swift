#if Fleet
import ShuntCore
import ShuntFleet
import Testing

@Suite("The release of each node")
struct FleetReportTests {
    static let date = Timestamp(seconds: 1_800_000_000)

    static func release(_ sequence: Int, _ key: Ed25519.SigningKey) throws -> Envelope {
        let release = Release(
            namespace: "web",
            sequence: sequence,
            set: ContentName(of: [UInt8(sequence)]),
            content: ContentName(of: [0]),
            rules: 12,
            bytes: 100,
            parent: sequence - 1,
            created: date,
            author: "alice",
            message: "number \(sequence)"
        )
        var envelope = Envelope(payloadType: Release.payloadType, payload: release.encoded)
        try envelope.sign(with: [key])
        return envelope
    }

    static func report(
        _ node: String,
        _ state: NodeStatus.State,
        serving: Int,
        error: String? = nil,
        isAlive: Bool = true,
        age: Int = 3
    ) -> NodeReport {
        let status = NodeStatus(
            node: node,
            sequence: 2,
            set: ContentName(of: [2]),
            state: state,
            serving: serving,
            at: date,
            error: error
        )
        return NodeReport(status: status, isAlive: isAlive, age: .seconds(age))
    }

    static func pointer(_ state: RolloutProgress.State) throws -> TrustedPointer {
        let key = Ed25519.SigningKey()
        let owner = KeyFile.Key(owner: "alice", publicKey: key.publicKey, roles: [.publish])
        let keys = KeyFile(namespace: "web", keys: [owner], thresholds: [.publish: 1])
        var progress = RolloutProgress(state: state, stage: 1, threshold: .max, since: date, by: "conductor")
        progress.excluded = ["edge-4"]
        let pointer = ReleasePointer(release: try release(2, key), stable: try release(1, key), progress: progress)
        return try TrustedPointer(pointer, keys: keys, Ed25519())
    }

    @Test("The JSON form")
    func json() throws {
        let reports = [
            Self.report("edge-1", .applied, serving: 2), Self.report("edge-2", .loading, serving: 1),
            Self.report("edge-3", .applied, serving: 2, isAlive: false, age: 7200),
            Self.report("edge-4", .rejected, serving: 1, error: "rules/10-app.conf:6:5: error"),
        ]
        let report = FleetReport(try Self.pointer(.running), reports)
        let golden = """
            {"namespace":"web",\
            "release":{"sequence":2,"kind":"publish","set":"dbc1b4c900ffe48d575b5da5c638040125f65db0fe3e24494b76ea986457d986",\
            "rules":12,"author":"alice","message":"number 2","created":"2027-01-15T08:00:00Z"},\
            "stable":{"sequence":1,"kind":"publish","set":"4bf5122f344554c53bde2ebb8cd2b7e3d1600ad631c385a5d7cce23c7785459a",\
            "rules":12,"author":"alice","message":"number 1","created":"2027-01-15T08:00:00Z"},\
            "state":"running","stage":2,"stages":4,"since":"2027-01-15T08:00:00Z","by":"conductor","reason":"",\
            "nodes":4,"live":3,"excluded":["edge-4"],\
            "serving":[{"release":2,"nodes":1},{"release":1,"nodes":2}],\
            "out_of_order":[\
            {"node":"edge-2","wanted":2,"serving":1,"condition":"loading","about":2,"excluded":false,"age_seconds":3,\
            "reason":"it is loading release 2"},\
            {"node":"edge-4","wanted":2,"serving":1,"condition":"rejected","about":2,"excluded":true,"age_seconds":3,\
            "reason":"rules/10-app.conf:6:5: error"},\
            {"node":"edge-3","wanted":2,"serving":2,"condition":"silent","about":2,"excluded":false,"age_seconds":7200,\
            "reason":"nothing was heard of it"}]}
            """
        #expect(String(decoding: report.encoded, as: UTF8.self) == golden)
    }

    @Test("After an abort every node is wanted at the stable release; one that still has the other is named")
    func aborted() throws {
        let reports = [
            Self.report("edge-1", .applied, serving: 2), Self.report("edge-2", .rejected, serving: 1, error: "no"),
        ]
        let report = FleetReport(try Self.pointer(.aborted), reports)
        #expect(report.nodes.map(\.wanted) == [1, 1])
        #expect(report.outOfOrder.map(\.reason) == ["it has not reported release 1 yet", "no"])
    }

    @Test("Every node of a thousand in a directory that is not in order is named")
    func thousand() async throws {
        let fleet = try ReleasedFleet()
        try await fleet.publish(ReleasedFleet.answer(201))
        for number in 0..<1000 {
            let isLate = number % 100 == 0
            var status = Self.report("edge-\(number)", isLate ? .held : .applied, serving: isLate ? 0 : 1).status
            status.sequence = 1
            try await fleet.tree.report(status)
        }
        let report = try await FleetReport(of: fleet.tree, trusted: fleet.keys)
        #expect(report.nodes.count == 1000)
        #expect(report.outOfOrder.count == 10)
        #expect(report.counts.map(\.nodes) == [990, 10])
    }
}
#endif
