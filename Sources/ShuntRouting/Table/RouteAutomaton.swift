import ShuntPatterns

/// The frozen automaton of a table: flat records that refer to each other by index.
///
/// Immutable and thread safe. Its parts are read by `RouteSearch`, `PieceMatching` and `ValueBinding`.
final class RouteAutomaton: Sendable {
    /// The options for reading paths.
    struct Traits: Sendable {
        var keepsEmptyComponents: Bool
        var trailingSlashCounts: Bool
        var foldsCase: Bool
        var hasLevels: Bool
        var hasJoins: Bool
        var hasChoices: Bool
        /// True if a label has a `%`, so that a component that looks like it may stand for another.
        var hasPercentLabels: Bool

        /// True if paths are read in the plain way and the automaton is a trie.
        var isSimple: Bool {
            !(keepsEmptyComponents || trailingSlashCounts || foldsCase || hasLevels || hasJoins || hasChoices
                || hasPercentLabels)
        }
    }

    let cells: CellArena
    let pieces: FrozenArray<PieceRecord>
    let routes: FrozenArray<RouteRecord>
    let steps: FrozenArray<StepRecord>
    let slots: FrozenArray<UInt16>
    /// The number of values each label binds.
    let captureCounts: FrozenArray<UInt8>
    let labelBytes: FrozenArray<UInt8>
    let expressions: [RegularExpression]
    let traits: Traits

    /// Makes an automaton of records that refer to each other.
    init(
        cells: consuming CellArena,
        pieces: [PieceRecord],
        routes: [RouteRecord],
        steps: [StepRecord],
        slots: [UInt16],
        captureCounts: [UInt8],
        labelBytes: [UInt8],
        expressions: [RegularExpression],
        traits: Traits
    ) {
        self.cells = cells
        self.pieces = FrozenArray(pieces)
        self.routes = FrozenArray(routes)
        self.steps = FrozenArray(steps)
        self.slots = FrozenArray(slots)
        self.captureCounts = FrozenArray(captureCounts)
        self.labelBytes = FrozenArray(labelBytes)
        self.expressions = expressions
        self.traits = traits
    }
}
