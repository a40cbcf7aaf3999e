/// The formula of a set over the states of its automata.
indirect enum LanguageFormula {
    case leaf(Int)
    case not(LanguageFormula)
    case all([LanguageFormula])
    case any([LanguageFormula])

    /// The formula of `language`; its automata are appended to `automata`.
    init(_ language: Language, _ automata: inout [Automaton]) {
        switch language {
        case .automaton(let automaton):
            self = .leaf(automata.count)
            automata.append(automaton)
        case .complement(let other): self = .not(LanguageFormula(other, &automata))
        case .intersection(let all): self = .all(all.map { LanguageFormula($0, &automata) })
        case .union(let some): self = .any(some.map { LanguageFormula($0, &automata) })
        }
    }

    /// Returns the verdict on the subjects that continue from given states, whatever follows: all are in the set, or
    /// none is; nil if that depends on the rest.
    func verdict(_ states: [UInt32]) -> Bool? {
        switch self {
        case .leaf(let number):
            switch states[number] {
            case Automaton.dead: return false
            case Automaton.universal: return true
            default: return nil
            }
        case .not(let other): return other.verdict(states).map { !$0 }
        case .all(let formulas): return Self.verdict(of: formulas, states, decidedBy: false)
        case .any(let formulas): return Self.verdict(of: formulas, states, decidedBy: true)
        }
    }

    private static func verdict(of formulas: [Self], _ states: [UInt32], decidedBy decisive: Bool) -> Bool? {
        var isOpen = false
        for formula in formulas {
            let verdict = formula.verdict(states)
            if verdict == decisive { return decisive }
            isOpen = isOpen || verdict == nil
        }
        return isOpen ? nil : !decisive
    }

    /// Returns true if a subject that ends in given states is in the set.
    func acceptsEnd(_ states: [UInt32], _ automata: [Automaton]) -> Bool {
        switch self {
        case .leaf(let number): automata[number].mayEnd(states[number])
        case .not(let other): !other.acceptsEnd(states, automata)
        case .all(let formulas): formulas.allSatisfy { $0.acceptsEnd(states, automata) }
        case .any(let formulas): formulas.contains { $0.acceptsEnd(states, automata) }
        }
    }
}
