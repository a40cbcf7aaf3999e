import ShuntPatterns

/// The tables of a chain that are asked on each request.
struct ChainTables: Sendable {
    let hosts: UncountedReference<HostTable>?
    let hostPatterns: UncountedReference<PatternIndex>?
    let patterns: UncountedReference<PatternIndex>?
    let values: UncountedReference<ByteTable>?

    /// The tables of `chain`, which outlives them.
    init(_ chain: Chain) {
        hosts = chain.hosts.map { UncountedReference($0) }
        hostPatterns = chain.hostPatterns.map { UncountedReference($0) }
        patterns = chain.patterns.map { UncountedReference($0) }
        values = chain.values.map { UncountedReference($0) }
    }
}
