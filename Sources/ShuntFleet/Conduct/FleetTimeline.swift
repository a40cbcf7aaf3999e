#if Fleet
public import ShuntCore

/// The release of each node over time, as far as the store keeps it.
///
/// A store has the history, and the last report of each node about each of the newest releases. So a node's release is
/// known from the time when it last got it; what it had before it came back to a release is not.
public struct FleetTimeline: Sendable {
    /// A time in which a node had one release.
    public struct Span: Sendable, Hashable {
        /// The number of the release; 0 for none.
        public var release: Int
        /// The time when the node reported that it has it.
        public var start: Timestamp
        /// The time when it reported that it has another one; nil where it has not.
        public var end: Timestamp?
    }

    /// A release that a node did not take.
    public struct Refusal: Sendable, Hashable {
        /// The number of the release.
        public var release: Int
        /// The time of the node's report.
        public var date: Timestamp
        /// The state.
        public var state: NodeStatus.State
        /// The reason; empty if the node reported none.
        public var reason: String
    }

    /// The facts known about one node.
    public struct Row: Sendable, Hashable {
        /// Its name.
        public var node: String
        /// True if it was heard of a short time ago.
        public var isAlive: Bool
        /// The spans of its releases, the earliest first.
        public var spans: [Span]
        /// The releases it refused, the earliest first.
        public var refusals: [Refusal]
    }

    /// The most releases that are shown.
    public static let mostReleases = 10

    /// The current state of the fleet.
    public var report: FleetReport
    /// The history of these releases, the earliest first.
    public var entries: [HistoryEntry]
    /// The nodes, in the order of their names.
    public var rows: [Row]
    /// The present.
    public var now: Timestamp

    /// Combines the contents of a store; entries that are not about the newest releases are left out.
    public init(_ report: FleetReport, _ entries: [HistoryEntry], said: [NodeStatus], now: Timestamp) {
        let releases = Set(Set(entries.map(\.sequence)).sorted().suffix(Self.mostReleases))
        self.report = report
        self.entries = entries.filter { releases.contains($0.sequence) }
        self.now = now
        let words = Dictionary(grouping: said + report.nodes.map(\.status), by: \.node)
        let living = Set(report.nodes.filter(\.isAlive).map(\.name))
        rows = words.keys.sorted()
            .map { node in
                Self.row(node, words[node] ?? [], isAlive: living.contains(node))
            }
    }

    /// Asks a store; throws where it does not answer, or has no releases that are signed.
    public init(of store: any ReleaseStore, trusted: KeyFile, now: Timestamp = .now()) async throws {
        let report = try await FleetReport(of: store, trusted: trusted)
        let entries = try await store.history(last: 500)
        var said: [NodeStatus] = []
        for release in Set(entries.map(\.sequence)).sorted().suffix(Self.mostReleases) {
            said += try await store.said(of: release)
        }
        self.init(report, entries, said: said, now: now)
    }

    private static func row(_ node: String, _ words: [NodeStatus], isAlive: Bool) -> Row {
        var row = Row(node: node, isAlive: isAlive, spans: [], refusals: [])
        for word in words.sorted(by: { $0.at < $1.at }) {
            if [.rejected, .failed, .held].contains(word.state), word.sequence != row.refusals.last?.release {
                let reason = word.error ?? ""
                row.refusals.append(Refusal(release: word.sequence, date: word.at, state: word.state, reason: reason))
            }
            guard row.spans.last?.release != word.serving else { continue }
            if !row.spans.isEmpty { row.spans[row.spans.count - 1].end = word.at }
            row.spans.append(Span(release: word.serving, start: word.at))
        }
        return row
    }
}
#endif
