#if Fleet
import ShuntCore

/// The state of a fleet: the pointer, and each node with its release and its target.
public struct FleetReport: Sendable {
    /// One node.
    public struct Node: Sendable, Hashable {
        /// Its name.
        public var name: String
        /// The number of the release that it is to have.
        public var wanted: Int
        /// The number of the release that decides its requests; 0 for none.
        public var serving: Int
        /// The last status, and its release.
        public var status: NodeStatus
        /// True if it was heard of a short time ago.
        public var isAlive: Bool
        /// True if it is left out of what is counted.
        public var isExcluded: Bool
        /// The seconds since the node was last heard; nil if the store does not know.
        public var age: Int?

        /// True if it lives and has what it is to have.
        public var isInOrder: Bool { isAlive && wanted == serving && status.state == .applied }

        /// The reason why it is not in order, in words.
        public var reason: String {
            if let error = status.error { return error }
            if !isAlive { return "nothing was heard of it" }
            if status.state == .loading { return "it is loading release \(status.sequence)" }
            return wanted == serving ? "" : "it has not reported release \(wanted) yet"
        }

        /// One word for what it is: its state, or that nothing is heard of it.
        public var condition: String { isAlive ? status.state.rawValue : "silent" }
    }

    /// The release that is rolled out.
    public var release: Release
    /// The release that every node may have.
    public var stable: Release
    /// The progress of the rollout.
    public var progress: RolloutProgress
    /// The nodes in the order of their names.
    public var nodes: [Node]

    /// Those that are not in order, the silent ones last.
    public var outOfOrder: [Node] {
        let others = nodes.filter { !$0.isInOrder }
        return others.filter(\.isAlive) + others.filter { !$0.isAlive }
    }

    /// The number of living nodes with each release, the newest first.
    public var counts: [(sequence: Int, nodes: Int)] {
        Dictionary(grouping: nodes.filter(\.isAlive), by: \.serving)
            .map { (sequence: $0.key, nodes: $0.value.count) }
            .sorted { $0.sequence > $1.sequence }
    }

    /// Combines the contents of a store.
    public init(_ pointer: TrustedPointer, _ reports: [NodeReport]) {
        let (release, stable, progress) = (pointer.release, pointer.stable, pointer.progress)
        self.release = release
        self.stable = stable
        self.progress = progress
        nodes = reports.map { report in
            let name = report.status.node
            let rank = NodeRank.of(name, namespace: release.namespace, sequence: release.sequence)
            let isIncluded = release.sequence > stable.sequence && progress.includes(name, rank: rank)
            return Node(
                name: name,
                wanted: isIncluded ? release.sequence : stable.sequence,
                serving: report.status.serving,
                status: report.status,
                isAlive: report.isAlive,
                isExcluded: progress.excluded.contains(name),
                age: report.age.map { Int($0.components.seconds) }
            )
        }
    }

    /// Asks a carrier; after one that no node reports to, only the pointer is known.
    ///
    /// - Throws: Where it does not answer, or has no releases that are signed.
    public init(of carrier: any FleetCarrier, trusted: KeyFile) async throws {
        guard let store = carrier as? any ReleaseStore else {
            let pointer = try ReleasePointer(decoding: try await carrier.pointer())
            self.init(try TrustedPointer(pointer, keys: trusted, Ed25519()), [])
            return
        }
        guard let pointer = try await store.current()?.trusted(by: trusted) else {
            throw FleetError.refusal("\(store.name) has no releases")
        }
        self.init(pointer, try await store.statuses())
    }

    /// The JSON text.
    public var encoded: [UInt8] {
        let object: JSONObject = [
            "namespace": release.namespace,
            "release": Self.object(release),
            "stable": Self.object(stable),
            "state": progress.state.rawValue,
            "stage": progress.stage + 1,
            "stages": release.rollout.stages.count,
            "since": progress.since.description,
            "by": progress.by,
            "reason": progress.reason,
            "nodes": nodes.count,
            "live": nodes.count(where: \.isAlive),
            "excluded": progress.excluded,
            "serving": counts.map { count -> JSONObject in ["release": count.sequence, "nodes": count.nodes] },
            "out_of_order": outOfOrder.map(Self.object),
        ]
        return object.bytes
    }

    private static func object(_ release: Release) -> JSONObject {
        [
            "sequence": release.sequence,
            "kind": release.kind.rawValue,
            "set": release.set.hexadecimal,
            "rules": release.rules,
            "author": release.author,
            "message": release.message,
            "created": release.created.description,
        ]
    }

    private static func object(_ node: Node) -> JSONObject {
        [
            "node": node.name,
            "wanted": node.wanted,
            "serving": node.serving,
            "condition": node.condition,
            "about": node.status.sequence,
            "excluded": node.isExcluded,
            "age_seconds": node.age,
            "reason": node.reason,
        ]
    }
}
#endif
