/// The sequences of a program, found by their steps.
struct SequenceList: Sendable {
    /// The instructions of a level, which are run from top to bottom.
    struct Entry: Sendable {
        var start: Int
        /// The instruction that ends it.
        var end: Int
        var owner: Owner
    }

    enum Owner: Hashable, Sendable {
        case urlPhase
        case server(ServerIndex)
        case location(LocationIndex)
    }

    /// By their starts.
    private(set) var sequences: [Entry] = []
    /// For each instruction, the start of the outermost block that it is in.
    private(set) var blocks: [Int32]

    init(_ tables: ProgramTables) {
        blocks = [Int32](repeating: 0, count: tables.instructions.count)
        var starts: [(start: Int, owner: Owner)] = []
        if !tables.urlPhase.isNone { starts.append((tables.urlPhase.position, .urlPhase)) }
        for (index, server) in tables.servers.enumerated() {
            let sequence = tables.settings[server.settings].sequence
            if !sequence.isNone { starts.append((sequence.position, .server(ServerIndex(index)))) }
        }
        for (index, location) in tables.locations.enumerated() {
            let sequence = tables.settings[location.settings].sequence
            if !sequence.isNone { starts.append((sequence.position, .location(LocationIndex(index)))) }
        }
        for (start, owner) in starts.sorted(by: { $0.start < $1.start }) {
            var end = start
            var reach = start
            var block = start
            while end < tables.instructions.count, tables.instructions[end].operation != .end {
                if end >= reach { block = end }
                blocks[end] = Int32(truncatingIfNeeded: block)
                if let target = tables.instructions[end].jump { reach = max(reach, target) }
                end += 1
            }
            sequences.append(Entry(start: start, end: end, owner: owner))
        }
    }

    /// The sequence that an instruction is part of; nil without any.
    func sequence(of instruction: Int) -> Entry? {
        let count = sequences.partitioningIndex { $0.start > instruction }
        guard count > 0, instruction <= sequences[count - 1].end else { return nil }
        return sequences[count - 1]
    }
}

extension Instruction {
    /// The place where it may lead other than to the next one; nil where it leads nowhere else.
    fileprivate var jump: Int? {
        switch operation {
        case .test, .testNot, .jump, .match: target.position
        default: nil
        }
    }
}
