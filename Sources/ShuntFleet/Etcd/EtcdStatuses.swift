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
#endif
