/// States as they are found, breadth first, to be made an automaton.
///
/// The search for states has its numbers for them, of which 0 accepts nothing and 1 everything.
struct TransitionTable {
    private let alphabet: Alphabet
    /// The finder's number of each state, in the order of discovery.
    private var found: [UInt32] = []
    /// Our number of each of the finder's, plus two; 0 where it is not known.
    private var numbers: [UInt32] = [0, 1]
    private var transitions: [UInt32] = []
    private var acceptsEnd: [Bool] = []
    private var initial: UInt32 = 0

    init(alphabet: Alphabet, initial: UInt32) {
        self.alphabet = alphabet
        self.initial = number(of: initial)
    }

    private mutating func number(of state: UInt32) -> UInt32 {
        if state < 2 { return state }
        if Int(state) >= numbers.count {
            numbers += [UInt32](repeating: 0, count: max(Int(state) + 1, numbers.count * 2) - numbers.count)
        }
        if numbers[Int(state)] == 0 {
            found.append(state)
            numbers[Int(state)] = UInt32(found.count) + 1
        }
        return numbers[Int(state)]
    }

    /// The next state whose row has not been added; nil when all have.
    func nextUnknown() -> UInt32? { acceptsEnd.count < found.count ? found[acceptsEnd.count] : nil }

    /// Adds the row of the state that `nextUnknown` returned: the finder's numbers of the states after each letter.
    mutating func add(_ row: ArraySlice<UInt32>, acceptsEnd accepts: Bool) {
        for state in row { transitions.append(number(of: state)) }
        acceptsEnd.append(accepts)
    }

    // MARK: Trimming

    /// The automaton, in which the only state that accepts nothing is 0, and the only one that accepts everything 1.
    consuming func trimmed() -> Automaton {
        let letterCount = alphabet.count
        let ways = backwards()
        let isLive = reaching(1, ways: ways) { acceptsEnd[$0] }
        let mayFail = reaching(0, ways: ways) { !acceptsEnd[$0] }
        var renamed: [UInt32] = [0, 1]
        var next: UInt32 = 2
        for state in acceptsEnd.indices {
            if !isLive[state] || !mayFail[state] {
                renamed.append(isLive[state] ? 1 : 0)
            } else {
                renamed.append(next)
                next += 1
            }
        }
        var kept: [UInt32] = []
        kept.reserveCapacity(Int(next) * letterCount)
        var ends: [Bool] = []
        for state in acceptsEnd.indices where renamed[state + 2] >= 2 {
            for letter in 0..<letterCount { kept.append(renamed[Int(transitions[state * letterCount + letter])]) }
            ends.append(acceptsEnd[state])
        }
        return Automaton(alphabet: alphabet, transitions: kept, acceptsEnd: ends, initial: renamed[Int(initial)])
    }

    /// For each state, 0 and 1 among them, the places of those that lead to it.
    private func backwards() -> (ends: [Int], sources: [UInt32]) {
        let letterCount = alphabet.count
        var ends = [Int](repeating: 0, count: acceptsEnd.count + 3)
        func forEachWay(_ body: (_ source: Int, _ target: Int) -> Void) {
            for state in acceptsEnd.indices {
                var last = UInt32.max
                for target in transitions[(state * letterCount)..<((state + 1) * letterCount)] where target != last {
                    body(state, Int(target))
                    last = target
                }
            }
        }
        forEachWay { ends[$1 + 1] += 1 }
        for index in 1..<ends.count { ends[index] += ends[index - 1] }
        var places = ends
        var sources = [UInt32](repeating: 0, count: ends[ends.count - 1])
        forEachWay { source, target in
            sources[places[target]] = UInt32(source)
            places[target] += 1
        }
        return (ends, sources)
    }

    /// The states from which `goal`, or a state for which `isGoal` holds, can be reached.
    private func reaching(_ goal: Int, ways: (ends: [Int], sources: [UInt32]), _ isGoal: (Int) -> Bool) -> [Bool] {
        var reaching = acceptsEnd.indices.map(isGoal)
        var stack = [goal] + acceptsEnd.indices.filter { reaching[$0] }.map { $0 + 2 }
        while let state = stack.popLast() {
            for source in ways.sources[ways.ends[state]..<ways.ends[state + 1]] where !reaching[Int(source)] {
                reaching[Int(source)] = true
                stack.append(Int(source) + 2)
            }
        }
        return reaching
    }
}
