public import ShuntCore

/// The progress of a rollout.
public struct RolloutProgress: Sendable, Hashable {
    /// True if it continues.
    public enum State: String, Sendable, Hashable, CaseIterable {
        /// Stage after stage.
        case running
        /// The nodes that have the release keep it, and no more get it.
        case paused
        /// Every node goes back to the stable release, and none takes this one any more.
        case aborted
        /// Every node has the release; it is the stable one.
        case done
    }

    /// True if it continues.
    public var state: State
    /// The stage, from 0.
    public var stage: Int
    /// Nodes whose rank is at most this have their turn; none has where it is nil.
    public var threshold: UInt64?
    /// Nodes that have their turn whatever their rank is.
    public var nodes: [String]
    /// Nodes that are not counted.
    public var excluded: [String]
    /// The number of living nodes.
    public var live: Int
    /// Nodes that failed for want of something try again when this number changes.
    public var retry: Int
    /// The time when the stage began.
    public var since: Timestamp
    /// The name of the last conductor or person that moved it.
    public var by: String
    /// The reason why it is where it is, for people.
    public var reason: String

    /// The highest number of a retry.
    static let mostRetries = 1 << 53
    /// The most nodes that are named.
    public static let mostNodes = 64

    /// Makes the state of a rollout.
    public init(
        state: State,
        stage: Int = 0,
        threshold: UInt64? = nil,
        nodes: [String] = [],
        excluded: [String] = [],
        live: Int = 0,
        retry: Int = 0,
        since: Timestamp,
        by: String = "",
        reason: String = ""
    ) {
        self.state = state
        self.stage = stage
        self.threshold = threshold
        self.nodes = nodes
        self.excluded = excluded
        self.live = live
        self.retry = retry
        self.since = since
        self.by = by
        self.reason = reason
    }

    /// Lets nodes try again that failed for want of something: any other number does.
    public mutating func callAgain() { retry = retry < Self.mostRetries ? retry + 1 : 0 }

    /// Returns true if a node has its turn.
    public func includes(_ node: String, rank: UInt64) -> Bool {
        switch state {
        case .done: true
        case .aborted: false
        case .running, .paused: nodes.contains(node) || threshold.map { rank <= $0 } ?? false
        }
    }

    /// True if every node has its turn, so that the release needs no more confirmation.
    public var isForAll: Bool { state == .done || threshold == .max }

    var object: JSONObject {
        [
            "state": state.rawValue,
            "stage": stage,
            "threshold": threshold.map { String($0, radix: 16).paddedWithZeros(to: 16) },
            "nodes": nodes,
            "excluded": excluded,
            "live": live,
            "retry": retry,
            "since": since.description,
            "by": by,
            "reason": reason,
        ]
    }

    init(_ fields: DocumentFields) throws(DocumentError) {
        state = try fields.parsed("state", what: "state of a rollout") { State(rawValue: $0) }
        stage = try fields.integer("stage", in: 0...31)
        threshold =
            fields.value("threshold") == nil
            ? nil
            : try fields.parsed("threshold", what: "number of 16 hexadecimal digits") {
                $0.utf8.count == 16 ? UInt64($0, radix: 16) : nil
            }
        nodes = try fields.texts("nodes", limit: Self.mostNodes, length: 128)
        excluded = try fields.texts("excluded", limit: Self.mostNodes, length: 128)
        live = try fields.integer("live", in: 0...Int.max)
        retry = try fields.integer("retry", in: 0...Self.mostRetries)
        since = try fields.time("since")
        by = try fields.optionalText("by") ?? ""
        reason = try fields.optionalText("reason", limit: 4096) ?? ""
    }
}
