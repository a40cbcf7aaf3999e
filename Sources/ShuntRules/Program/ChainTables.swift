import ShuntPatterns

/// The tables of a chain that are asked on each request.
struct ChainTables: Sendable {
    let hosts: UncountedReference<HostTable>?
    let hostPatterns: UncountedReference<PatternIndex>?
    let patterns: UncountedReference<PatternIndex>?
    let values: UncountedReference<ByteTable>?
    let linkCount: Int32
    /// The first link with an expression on the host; `linkCount` where there is none.
    let firstHostPattern: Int32
    /// The instruction after the last link.
    let end: InstructionIndex
    /// True if the sequence ends there.
    let endsSequence: Bool

    /// The tables of `chain`, which outlives them; it is part of `instructions`.
    init(_ chain: Chain, in instructions: Table<Instruction>) {
        linkCount = Int32(chain.links.count)
        firstHostPattern = chain.hostPatternLinks.first ?? Int32(chain.links.count)
        end = chain.end
        endsSequence = chain.end < instructions.next && instructions[chain.end].operation == .end
        hosts = chain.hosts.map { UncountedReference($0) }
        hostPatterns = chain.hostPatterns.map { UncountedReference($0) }
        patterns = chain.patterns.map { UncountedReference($0) }
        values = chain.values.map { UncountedReference($0) }
    }
}
