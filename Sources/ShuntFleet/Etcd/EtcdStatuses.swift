#if Fleet
import Shunt

/// The statuses of nodes in etcd, of which only changes are requested again.
actor EtcdStatuses {
    private let client: EtcdClient
    private let keys: EtcdKeys
    private let clock: any StoreClock
    private var living: EtcdStatusTable
    private var said: [Int: EtcdStatusTable] = [:]

    init(_ client: EtcdClient, _ keys: EtcdKeys, clock: any StoreClock) {
        self.client = client
        self.keys = keys
        self.clock = clock
        living = EtcdStatusTable(prefix: keys.nodes)
    }

    /// Returns the last statuses in the order of the nodes' names: those of living nodes, and of others those about one
    /// of these releases.
    func reports(about sequences: Set<Int>) async throws(EtcdError) -> [NodeReport] {
        // Concurrent readers begin with what is known now; each result is valid without the others.
        var (living, earlier) = (self.living, self.said)
        try await living.refresh(client, at: nil, now: clock.now)
        var reports: [String: NodeReport] = [:]
        for node in living.nodes {
            reports[node] = living.status(of: node).map { NodeReport(status: $0, isAlive: true) }
        }
        var said: [Int: EtcdStatusTable] = [:]
        for sequence in sequences.sorted(by: >) {
            var table =
                earlier.removeValue(forKey: sequence) ?? EtcdStatusTable(prefix: keys.acknowledgements(sequence))
            // Of the same moment: a node that begins to speak in between is not one that speaks no more.
            try await table.refresh(client, at: living.revision, now: clock.now)
            for node in table.nodes where reports[node] == nil {
                reports[node] = table.status(of: node).map { NodeReport(status: $0, isAlive: false) }
            }
            said[sequence] = table
        }
        (self.living, self.said) = (living, said)
        return reports.values.sorted { $0.status.node < $1.status.node }
    }
}

/// The statuses of nodes under one prefix at a revision.
///
/// A thousand nodes report every 20 seconds, and a conductor looks twice a second: nearly all that it would read it has
/// read before. So it reads only the keys that were changed since, and the count of all keys. If that is not the count of the
/// known keys, some are gone, and everything is read.
struct EtcdStatusTable: Sendable {
    private enum Value: Sendable {
        case text([UInt8])
        /// The status in the text; nil if it is invalid.
        case status(NodeStatus?)
    }

    /// The most keys of one request.
    private static let page = 250
    /// The time during which only changes are requested: a store that was rebuilt may count on from any revision.
    private static let longestTrust = Duration.seconds(30)

    private let prefix: String
    private var values: [String: Value] = [:]
    /// The revision; 0 if nothing was read.
    private(set) var revision: Int64 = 0
    private var readWhole = Duration.zero

    init(prefix: String) { self.prefix = prefix }

    var nodes: [String] { values.keys.map { String($0.dropFirst(prefix.count)) } }

    /// Returns the status of a node; nil if it is invalid.
    mutating func status(of node: String) -> NodeStatus? {
        let key = prefix + node
        switch values[key] {
        case nil: return nil
        case .status(let status)?: return status
        case .text(let text)?:
            // A report about another node is left out.
            let status = (try? NodeStatus(decoding: text)).flatMap { $0.node == node ? $0 : nil }
            values[key] = .status(status)
            return status
        }
    }

    /// Reads what has changed up to a revision, nil for the newest; what is known stays if etcd does not answer.
    mutating func refresh(_ client: EtcdClient, at moment: Int64?, now: Duration) async throws(EtcdError) {
        var range = EtcdRange(prefix: prefix)
        range.revision = moment ?? 0
        if revision > 0, now - readWhole < Self.longestTrust, moment ?? revision >= revision {
            range.changedSince = revision + 1
            let changed = try await client.all(range, page: Self.page)
            if changed.revision >= revision {
                take(changed)
                if values.count == changed.count { return }
            }
            range.changedSince = 0
        }
        let all = try await client.all(range, page: Self.page)
        values = [:]
        take(all)
        readWhole = now
    }

    private mutating func take(_ answer: EtcdRangeAnswer) {
        for entry in answer.entries { values[entry.key] = .text(entry.value) }
        revision = answer.revision
    }
}
#endif
