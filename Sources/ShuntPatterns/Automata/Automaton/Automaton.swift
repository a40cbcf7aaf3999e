/// A set of subjects as a deterministic automaton over bytes: complete, without superfluous states.
///
/// The automaton of an expression accepts exactly the subjects in which PCRE2 finds a match of it. Immutable; may be used by
/// any number of threads. The same expression has the same automaton, state by state.
public struct Automaton: Sendable {
    let alphabet: Alphabet
    /// The states after each letter, of state 2, then of state 3, and so on.
    ///
    /// State 0 accepts nothing and leads to itself,
    /// state 1 accepts everything. No other state does.
    let transitions: [UInt32]
    /// True if the subject may end in state 2, 3, and so on.
    let acceptsEnd: [Bool]
    let initial: UInt32

    static let dead: UInt32 = 0
    static let universal: UInt32 = 1

    init(alphabet: Alphabet, transitions: [UInt32], acceptsEnd: [Bool], initial: UInt32) {
        self.alphabet = alphabet
        self.transitions = transitions
        self.acceptsEnd = acceptsEnd
        self.initial = initial
    }

    /// No subject at all.
    public static let nothing = Automaton(
        alphabet: Alphabet(telling: []),
        transitions: [],
        acceptsEnd: [],
        initial: dead
    )
    /// Every subject.
    public static let everything = Automaton(
        alphabet: Alphabet(telling: []),
        transitions: [],
        acceptsEnd: [],
        initial: universal
    )

    /// The subjects in which an expression matches.
    ///
    /// - Parameters:
    ///   - expression: the expression.
    ///   - limits: the bounds on the work and on the size of what comes out.
    /// - Throws: the reason why there is no exact automaton, or the limit that was passed.
    /// - Complexity: in proportion to the number of states and letters; the number of states may be exponential in the
    ///   length of the expression, and is then refused.
    public init(_ expression: RegularExpression, limits: AutomatonLimits = .expression) throws(AutomatonRefusal) {
        let tree: PatternNode
        do throws(NotUnderstood) {
            tree = try PatternNode(expression)
        } catch {
            throw .notRead(what: error.what, offset: error.offset)
        }
        try self.init(tree, limits: limits)
    }

    /// The subjects in which the expression matches that a tree stands for.
    ///
    /// - Throws: as for an expression.
    package init(_ tree: PatternNode, limits: AutomatonLimits = .expression) throws(AutomatonRefusal) {
        let graph = try PatternGraphBuilder.graph(of: tree, limits: limits)
        var explorer = try Explorer(graph, limits: limits)
        var table = try TransitionTable(alphabet: explorer.alphabet, initial: explorer.initialState())
        while let state = table.nextUnknown() {
            let row = try explorer.row(of: state)
            table.add(row.next, acceptsEnd: row.acceptsEnd)
        }
        self = table.trimmed()
    }

    /// The number of states, without the states that accept nothing and everything.
    public var stateCount: Int { acceptsEnd.count }

    /// The number of classes of bytes that it does not distinguish; from 1 to 256.
    public var letterCount: Int { alphabet.count }

    /// True if no subject is accepted.
    public var isEmpty: Bool { initial == Self.dead }

    /// True if every subject is accepted.
    public var isUniversal: Bool { initial == Self.universal }

    /// Returns true if `subject` is accepted; one look-up for each byte.
    public func accepts(_ subject: some Sequence<UInt8>) -> Bool {
        var state = initial
        for byte in subject {
            state = next(state, Int(alphabet.letters[Int(byte)]))
            if state <= Self.universal { break }
        }
        return mayEnd(state)
    }

    @inline(__always) func next(_ state: UInt32, _ letter: Int) -> UInt32 {
        state <= Self.universal ? state : transitions[Int(state - 2) * alphabet.count + letter]
    }

    @inline(__always) func mayEnd(_ state: UInt32) -> Bool {
        state <= Self.universal ? state == Self.universal : acceptsEnd[Int(state - 2)]
    }
}
