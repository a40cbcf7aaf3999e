/// A set of subjects, put together from automata: the question that a walk answers.
///
/// No automaton is made of the whole: `shortestSubject` goes through the automata side by side, and only as far as it
/// must. Whether one set is part of another is whether the first without the second is empty; whether two are equal,
/// whether nothing is in just one of them.
public indirect enum Language: Sendable {
    /// The subjects that an automaton accepts.
    case automaton(Automaton)
    /// The subjects that are not in another set.
    case complement(Language)
    /// The subjects that are in all of these; every subject if there are none.
    case intersection([Language])
    /// The subjects that are in one of these; none if there are none.
    case union([Language])

    /// The subjects that are in this set and not in another.
    public func subtracting(_ other: Language) -> Language { .intersection([self, .complement(other)]) }

    /// The subjects that are in just one of two sets.
    public func symmetricDifference(_ other: Language) -> Language {
        .union([subtracting(other), other.subtracting(self)])
    }

    /// Returns true if `subject` is in the set.
    public func contains(_ subject: some Collection<UInt8>) -> Bool {
        switch self {
        case .automaton(let automaton): automaton.accepts(subject)
        case .complement(let other): !other.contains(subject)
        case .intersection(let all): all.allSatisfy { $0.contains(subject) }
        case .union(let some): some.contains { $0.contains(subject) }
        }
    }

    // MARK: Answers

    /// The shortest subject of the set, and of those of its length the one with the nicest bytes; nil if there is none.
    ///
    /// Nil is a proof: no subject of any length is in the set. Small letters are preferred to digits, then come `-`, `_`,
    /// `/`, `.`, capitals, and the rest.
    ///
    /// - Throws: the limit that was passed before there was an answer.
    /// - Complexity: in proportion to the states reached side by side, the letters, and the automata.
    public func shortestSubject(limits: AutomatonLimits = .proof) throws(AutomatonRefusal) -> [UInt8]? {
        var walk = LanguageWalk(self, limits: limits)
        return try walk.shortestSubject()
    }

    /// Returns true if there is no subject in the set.
    public func isEmpty(limits: AutomatonLimits = .proof) throws(AutomatonRefusal) -> Bool {
        try shortestSubject(limits: limits) == nil
    }

    /// Returns true if every subject of this set is in `other`.
    public func isSubset(of other: Language, limits: AutomatonLimits = .proof) throws(AutomatonRefusal) -> Bool {
        try subtracting(other).isEmpty(limits: limits)
    }

    /// Returns true if both sets have the same subjects.
    public func isEqual(to other: Language, limits: AutomatonLimits = .proof) throws(AutomatonRefusal) -> Bool {
        try symmetricDifference(other).isEmpty(limits: limits)
    }

    /// One automaton for the whole set.
    ///
    /// - Throws: the limit that was passed before it was complete.
    public func automaton(limits: AutomatonLimits = .proof) throws(AutomatonRefusal) -> Automaton {
        if case .automaton(let automaton) = self { return automaton }
        var walk = LanguageWalk(self, limits: limits)
        return try walk.automaton()
    }
}
