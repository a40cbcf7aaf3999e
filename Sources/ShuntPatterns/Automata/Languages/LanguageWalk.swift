/// Goes through several automata side by side, breadth first, making only the states that are reached.
struct LanguageWalk {
    private let automata: [Automaton]
    private let formula: LanguageFormula
    private let alphabet: Alphabet
    /// For each of our letters, the letter of each automaton.
    private let letters: [[Int]]
    private let limits: AutomatonLimits
    private var steps: StepCounter

    /// The states of all automata side by side, as found.
    ///
    /// Numbers 0 and 1 are kept for nothing and everything.
    private var tuples = SequenceTable()
    /// From where, and by which letter, each was first reached.
    private var origins: [(tuple: UInt32, letter: UInt8)] = []

    init(_ language: Language, limits: AutomatonLimits) {
        var automata: [Automaton] = []
        formula = LanguageFormula(language, &automata)
        let alphabet = Alphabet(joining: automata.map(\.alphabet))
        letters = alphabet.bytes.map { byte in automata.map { Int($0.alphabet.letters[Int(byte)]) } }
        self.alphabet = alphabet
        self.automata = automata
        self.limits = limits
        steps = StepCounter(limits)
        for reserved in [[], [UInt32.max]] {
            _ = tuples.insert(reserved)
            origins.append((0, 0))
        }
    }

    private mutating func number(
        of states: [UInt32],
        from origin: UInt32,
        by letter: Int
    ) throws(AutomatonRefusal) -> (number: UInt32, isNew: Bool) {
        if let verdict = formula.verdict(states) { return (verdict ? 1 : 0, false) }
        let (number, isNew) = tuples.insert(states)
        if isNew {
            if tuples.count > limits.states + 2 { throw .states(limits.states) }
            origins.append((origin, UInt8(letter)))
        }
        return (number, isNew)
    }

    private mutating func follow(_ states: ArraySlice<UInt32>, _ letter: Int, into next: inout [UInt32])
        throws(AutomatonRefusal)
    {
        try steps.take(max(1, automata.count))
        let own = letters[letter]
        for index in automata.indices {
            next[index] = automata[index].next(states[states.startIndex + index], own[index])
        }
    }

    private func path(to tuple: UInt32) -> [UInt8] {
        var path: [UInt8] = []
        var current = tuple
        while current > 2 {
            path.append(alphabet.bytes[Int(origins[Int(current)].letter)])
            current = origins[Int(current)].tuple
        }
        return path.reversed()
    }

    mutating func shortestSubject() throws(AutomatonRefusal) -> [UInt8]? {
        let initial = automata.map(\.initial)
        let first = try number(of: initial, from: 0, by: 0).number
        if first < 2 { return first == 1 ? [] : nil }
        if formula.acceptsEnd(initial, automata) { return [] }
        var next = initial
        var current = first
        while Int(current) < tuples.count {
            let states = Array(tuples[current])
            for letter in 0..<alphabet.count {
                try follow(states[...], letter, into: &next)
                let (number, isNew) = try number(of: next, from: current, by: letter)
                if number == 1 || (isNew && formula.acceptsEnd(next, automata)) {
                    return path(to: current) + [alphabet.bytes[letter]]
                }
            }
            current += 1
        }
        return nil
    }

    mutating func automaton() throws(AutomatonRefusal) -> Automaton {
        let initial = automata.map(\.initial)
        var table = TransitionTable(alphabet: alphabet, initial: try number(of: initial, from: 0, by: 0).number)
        var next = initial
        while let current = table.nextUnknown() {
            let states = Array(tuples[current])
            var row: [UInt32] = []
            row.reserveCapacity(alphabet.count)
            for letter in 0..<alphabet.count {
                try follow(states[...], letter, into: &next)
                row.append(try number(of: next, from: current, by: letter).number)
            }
            table.add(row[...], acceptsEnd: formula.acceptsEnd(states, automata))
        }
        return table.trimmed()
    }
}
