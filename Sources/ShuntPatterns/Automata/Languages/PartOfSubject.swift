package import ShuntCore

/// A part of a subject that is found by the bytes around it: the host of a URL, its query.
package struct PartOfSubject: Sendable {
    /// Accepts what is before the part, and nothing that continues from there.
    private let before: Automaton
    /// The bytes that end the part; so does the end of the subject.
    private let terminators: ByteSet
    /// True if the part is read in lower case.
    private let isFolded: Bool

    /// Describes a part; of a subject that begins with two texts that may be before it, the shorter counts.
    package init(before: Automaton, terminators: ByteSet, isFolded: Bool = false) {
        self.before = before
        self.terminators = terminators
        self.isFolded = isFolded
    }

    /// The subjects that have the part, and in which it is one of `values`.
    ///
    /// - Throws: The limit that was passed.
    package func subjects(
        having values: Automaton,
        limits: AutomatonLimits = .proof
    ) throws(AutomatonRefusal) -> Automaton {
        var sets = [terminators]
        for (automaton, folds) in [(before, false), (values, isFolded)] {
            var classes = [ByteSet](repeating: ByteSet(), count: automaton.alphabet.count)
            for byte in UInt8.min...UInt8.max {
                classes[Int(automaton.alphabet.letters[Int(folds ? byte.asciiLowercased : byte)])].insert(byte)
            }
            sets += classes
        }
        let alphabet = Alphabet(telling: sets)
        let offset = UInt32(before.stateCount)

        /// Our number of a state within the part.
        func inside(_ state: UInt32) -> UInt32 { state < 2 ? state : state + offset }
        /// Our number of a state before the part.
        func outside(_ state: UInt32) -> UInt32 { before.mayEnd(state) ? inside(values.initial) : state }

        var steps = StepCounter(limits)
        var table = TransitionTable(alphabet: alphabet, initial: outside(before.initial))
        var row: [UInt32] = []
        var count = 0
        while let state = table.nextUnknown() {
            count += 1
            if count > limits.states { throw .states(limits.states) }
            try steps.take(alphabet.count)
            row.removeAll(keepingCapacity: true)
            if state < offset + 2 {
                for byte in alphabet.bytes {
                    row.append(outside(before.next(state, Int(before.alphabet.letters[Int(byte)]))))
                }
                table.add(row[...], acceptsEnd: false)
                continue
            }
            let own = state - offset
            for byte in alphabet.bytes {
                let seen = isFolded ? byte.asciiLowercased : byte
                let isEnd = terminators.contains(byte)
                row.append(
                    isEnd
                        ? (values.mayEnd(own) ? Automaton.universal : Automaton.dead)
                        : inside(values.next(own, Int(values.alphabet.letters[Int(seen)])))
                )
            }
            table.add(row[...], acceptsEnd: values.mayEnd(own))
        }
        return table.trimmed()
    }
}

extension Automaton {
    /// Returns the texts that can follow `beginning` in an accepted subject.
    package func after(_ beginning: some Sequence<UInt8>) -> Automaton {
        var state = initial
        for byte in beginning { state = next(state, Int(alphabet.letters[Int(byte)])) }
        return Automaton(alphabet: alphabet, transitions: transitions, acceptsEnd: acceptsEnd, initial: state)
    }

    package init(exactly text: [UInt8], limits: AutomatonLimits = .expression) throws(AutomatonRefusal) {
        try self.init(.sequence([.start, .literal(text, caseless: false), .absoluteEnd]), limits: limits)
    }

    package init(beginningWith text: [UInt8], limits: AutomatonLimits = .expression) throws(AutomatonRefusal) {
        try self.init(.sequence([.start, .literal(text, caseless: false)]), limits: limits)
    }

    /// The subjects in which an expression of the program's own matches.
    package init(pattern: String, limits: AutomatonLimits = .expression) throws(AutomatonRefusal) {
        let expression: RegularExpression
        do throws(PatternError) {
            expression = try RegularExpression(Array(pattern.utf8), caseless: false)
        } catch {
            throw .notRead(what: error.message, offset: error.offset)
        }
        try self.init(expression, limits: limits)
    }
}
