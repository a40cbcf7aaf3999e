/// The facts known about the bytes before a place: whether there are any, the last one, and the reads of lookbehinds.
struct ContextTable {
    struct Facts {
        var isStart: Bool
        var lastIsWord: Bool
        /// The letters that can come next where each lookbehind matches.
        var behind: [LetterSet] = []
        /// The place where each lookbehind goes from here.
        var ways: [Ways] = []
        /// The context after each letter; empty until one is asked for.
        var following: [UInt32] = []
    }

    private var sequences = SequenceTable()
    private(set) var facts: [Facts] = []

    /// The number of the context with these facts and these nodes of each lookbehind; nil when it is a new one.
    mutating func number(isStart: Bool, lastIsWord: Bool, nodes: [[UInt32]]) -> (number: UInt32, isNew: Bool) {
        var sequence: [UInt32] = [(isStart ? 1 : 0) + (lastIsWord ? 2 : 0)]
        for list in nodes {
            sequence.append(UInt32(list.count))
            sequence += list
        }
        let (number, isNew) = sequences.insert(sequence)
        if isNew { facts.append(Facts(isStart: isStart, lastIsWord: lastIsWord)) }
        return (number, isNew)
    }

    mutating func setLookbehinds(of context: UInt32, _ behind: [LetterSet], _ ways: [Ways]) {
        facts[Int(context)].behind = behind
        facts[Int(context)].ways = ways
    }

    mutating func setFollowing(of context: UInt32, _ following: [UInt32]) { facts[Int(context)].following = following }
}

/// The place where threads can go from one place: the nodes that ask for a byte, and those that have a match.
struct Ways {
    /// A node that is reached only if what comes next is one of `letters`, or if obligations are met.
    struct Conditional: Hashable {
        var node: UInt32
        var letters: LetterSet
        var obliged: UInt32
    }

    /// Nodes that ask for a byte and are reached in any case.
    var nodes: [UInt32] = []
    var conditional: [Conditional] = []
    /// True if a match has been found, whatever follows.
    var isAccepting = false
}
