import ShuntPatterns

/// Automata that were made, by what they are of, so that each is made once.
///
/// What is kept is bounded: when it would take too much memory, all are let go, and those that are asked for are made again.
struct KeptAutomata<Key: Hashable> {
    private var kept: [Key: Result<Automaton, AutomatonRefusal>] = [:]
    private var size = 0
    private let mostTransitions: Int
    /// The number built.
    private(set) var made = 0

    init(mostTransitions: Int) { self.mostTransitions = mostTransitions }

    /// The automaton of a key, made if it is not there.
    mutating func automaton(
        of key: Key,
        _ make: () throws(AutomatonRefusal) -> Automaton
    ) throws(AutomatonRefusal) -> Automaton {
        if let known = kept[key] { return try known.get() }
        made += 1
        let result: Result<Automaton, AutomatonRefusal>
        do throws(AutomatonRefusal) {
            result = .success(try make())
        } catch {
            result = .failure(error)
        }
        // An automaton takes some room in addition to its transitions.
        var own = 128
        if case .success(let automaton) = result { own += automaton.stateCount * automaton.letterCount }
        if size + own > mostTransitions {
            kept.removeAll()
            size = 0
        }
        size += own
        kept[key] = result
        return try result.get()
    }
}
