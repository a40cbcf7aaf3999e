import ShuntCore

/// The plan of a rollout: its stages and times.
public struct RolloutPlan: Sendable, Hashable {
    /// The size of a stage, with the stages before it.
    public enum Stage: Sendable, Hashable {
        /// A number of nodes.
        case nodes(Int)
        /// A share of the nodes that live, in percent.
        case percent(Int)
    }

    /// The stages; the last one is every node.
    public var stages: [Stage]
    /// The seconds that each stage but the last has to be quiet before the next one begins.
    public var bakeSeconds: [Int]
    /// The seconds that the nodes of a stage have to acknowledge.
    public var acknowledgeSeconds: Int
    /// After how many seconds without progress a node goes back without an order.
    public var confirmSeconds: Int
    /// Over how many milliseconds the nodes of a stage spread what they fetch.
    public var spreadMilliseconds: Int

    /// Makes a plan: one node, 5 %, 25 %, all.
    public init(
        stages: [Stage] = [.nodes(1), .percent(5), .percent(25), .percent(100)],
        bakeSeconds: [Int] = [120, 300, 600],
        acknowledgeSeconds: Int = 60,
        confirmSeconds: Int = 900,
        spreadMilliseconds: Int = 2000
    ) {
        self.stages = stages
        self.bakeSeconds = bakeSeconds
        self.acknowledgeSeconds = acknowledgeSeconds
        self.confirmSeconds = confirmSeconds
        self.spreadMilliseconds = spreadMilliseconds
    }

    /// For a return to what has served before: one node for five seconds, then all.
    public static let rollback = RolloutPlan(
        stages: [.nodes(1), .percent(100)],
        bakeSeconds: [5],
        acknowledgeSeconds: 20,
        spreadMilliseconds: 0
    )

    /// All nodes at once.
    public static let atOnce = RolloutPlan(stages: [.percent(100)], bakeSeconds: [], spreadMilliseconds: 0)

    private static let mostStages = 32
    private static let nodes = 1...1_000_000
    private static let day = 86_400
    private static let baking = 0...day
    private static let acknowledging = 1...day
    private static let confirming = 1...7 * day
    private static let spreading = 0...600_000

    /// The problem of the plan; nil if it is valid.
    public var problem: String? {
        guard let last = stages.last, last == .percent(100) else { return "the last stage is not 100 %" }
        if stages.count > Self.mostStages { return "there are more than \(Self.mostStages) stages" }
        for case .nodes(let number) in stages where !Self.nodes.contains(number) {
            return "a stage has \(Self.nodes.lowerBound) to \(Self.nodes.upperBound) nodes, and not \(number)"
        }
        for (name, value, range) in [
            ("to answer", acknowledgeSeconds, Self.acknowledging), ("to confirm", confirmSeconds, Self.confirming),
        ] + bakeSeconds.map({ ("to be quiet", $0, Self.baking) }) where !range.contains(value) {
            return "a time \(name) is \(range.lowerBound) to \(range.upperBound) s, and not \(value)"
        }
        if !Self.spreading.contains(spreadMilliseconds) {
            return "nodes spread over 0 to \(Self.spreading.upperBound) ms, and not \(spreadMilliseconds)"
        }
        if bakeSeconds.count != stages.count - 1 { return "each stage but the last needs its seconds to be quiet" }
        if let longest = bakeSeconds.max(), longest + acknowledgeSeconds >= confirmSeconds {
            return
                "a stage takes up to \(longest + acknowledgeSeconds) s, but nodes go back automatically after \(confirmSeconds) s"
        }
        return nil
    }

    /// Returns the number of nodes of each stage for a number of living nodes.
    ///
    /// A share is rounded up, and each stage has at least one more than the one before it, as long as there are more.
    public func sizes(live: Int) -> [Int] {
        var sizes: [Int] = []
        for stage in stages {
            let size =
                switch stage {
                case .nodes(let number): number
                case .percent(let percent): (live * percent + 99) / 100
                }
            sizes.append(min(live, max(size, (sizes.last ?? 0) + 1)))
        }
        return sizes
    }

    /// The share of the ranks that a stage has where no node reports that it lives.
    public func share(stage: Int) -> UInt64 {
        guard stages.indices.contains(stage) else { return 0 }
        switch stages[stage] {
        case .nodes: return 0
        case .percent(let percent) where percent >= 100: return .max
        case .percent(let percent): return UInt64.max / 100 * UInt64(max(0, percent))
        }
    }

    var object: JSONObject {
        let stages = stages.map { stage -> JSONObject in
            switch stage {
            case .nodes(let number): ["nodes": number]
            case .percent(let percent): ["percent": percent]
            }
        }
        return [
            "stages": stages,
            "bake_seconds": bakeSeconds,
            "ack_seconds": acknowledgeSeconds,
            "confirm_seconds": confirmSeconds,
            "spread_ms": spreadMilliseconds,
        ]
    }

    init(_ fields: DocumentFields) throws(DocumentError) {
        stages = []
        for stage in try fields.objects("stages", limit: Self.mostStages) {
            if let number = try stage.optionalInteger("nodes", in: Self.nodes) {
                stages.append(.nodes(number))
            } else {
                stages.append(.percent(try stage.integer("percent", in: 1...100)))
            }
        }
        bakeSeconds = try fields.integers("bake_seconds", limit: Self.mostStages, in: Self.baking)
        acknowledgeSeconds = try fields.integer("ack_seconds", in: Self.acknowledging)
        confirmSeconds = try fields.integer("confirm_seconds", in: Self.confirming)
        spreadMilliseconds = try fields.integer("spread_ms", in: Self.spreading)
        if let problem { throw DocumentError(fields.document, problem) }
    }
}
