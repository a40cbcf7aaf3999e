#if Fleet
public import ShuntCore
public import ShuntRelease

/// Which node had which release over time, as far as a store still knows it.
///
/// A store has the history, and what each node said last of each of the newest releases. So a node's release is known from
/// when it last came to it on; what it had before it came back to a release is not.
public struct FleetTimeline: Sendable {
    /// A time in which a node had one release.
    public struct Span: Sendable, Hashable {
        /// The number of the release; 0 for none.
        public var release: Int
        /// When the node said that it has it.
        public var start: Timestamp
        /// When it said that it has another one; nil where it has not.
        public var end: Timestamp?
    }

    /// A release that a node did not take.
    public struct Refusal: Sendable, Hashable {
        /// The number of the release.
        public var release: Int
        /// When the node said so.
        public var date: Timestamp
        /// What it said.
        public var state: NodeStatus.State
        /// Why; empty where it did not say.
        public var reason: String
    }

    /// What is known of one node.
    public struct Row: Sendable, Hashable {
        /// Its name.
        public var node: String
        /// Whether it was heard of a short time ago.
        public var isAlive: Bool
        /// What it had, the earliest first.
        public var spans: [Span]
        /// What it did not take, the earliest first.
        public var refusals: [Refusal]
    }

    /// Of how many releases at most.
    public static let mostReleases = 10

    /// Who has what now.
    public var report: FleetReport
    /// What was done about these releases, the earliest first.
    public var entries: [HistoryEntry]
    /// The nodes, in the order of their names.
    public var rows: [Row]
    /// The present.
    public var now: Timestamp

    /// Puts together what a store says.
    ///
    /// - Parameters:
    ///   - report: Who has what now.
    ///   - entries: The history, the earliest first; what is not about the newest releases is left out.
    ///   - said: What nodes said last of each of the releases.
    ///   - now: The present.
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

    /// Asks a store.
    ///
    /// - Throws: Where it does not answer, or has no releases that are signed.
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
                row.refusals.append(
                    Refusal(release: word.sequence, date: word.at, state: word.state, reason: reason)
                )
            }
            guard row.spans.last?.release != word.serving else { continue }
            if !row.spans.isEmpty { row.spans[row.spans.count - 1].end = word.at }
            row.spans.append(Span(release: word.serving, start: word.at))
        }
        return row
    }
}
#endif
