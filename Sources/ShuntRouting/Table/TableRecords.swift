/// A state of the automaton: what may come next after the components that led to it.
///
/// In the frozen table a state is a run of cells of 24 bytes: this record, then its routes, its alternatives, and its
/// hash table of exact components. What one step of a lookup needs is so within a cache line or two.
struct StateRecord: BitwiseCopyable, Sendable {
    /// The number of routes that end here.
    var terminalCount: UInt32 = 0
    /// The number of alternatives to exact components; they are tried in order.
    var alternativeCount: UInt32 = 0
    /// The size of the hash table less one; the size is a power of two.
    var edgeMask: UInt32 = 0
    /// The highest level of any route that can still be reached.
    var highestLevel: Int32 = 0
    /// The number of slots of the hash table that may have to be probed; 0 if there is none.
    var probes: UInt16 = 0
    /// 1 when several ways lead here, so that a lookup has to remember that it was here.
    var isJoin: UInt16 = 0

    /// The slot of a hash table at which the search for a hash begins.
    @inline(__always) static func slot(_ hash: UInt64, mask: Int) -> Int { Int(truncatingIfNeeded: hash) & mask }
}

/// One exact component that leads from a state to the next.
struct EdgeRecord: BitwiseCopyable, Sendable {
    /// The bytes with zeros after the last if there are at most eight, else their hash.
    var key: UInt64 = 0
    /// The first word of the bytes in the arena, if there are more than eight.
    var labelWord: UInt32 = 0
    /// The number of bytes, or one of the marks below.
    var length: UInt32 = EdgeRecord.unused
    var target: UInt32 = 0
    var label: UInt32 = 0

    /// The length of a slot that holds nothing.
    static let unused = UInt32.max
    /// The length of the `#` before a routed fragment.
    static let fragment = UInt32.max - 1
    /// The length of the `/` at the end of a path.
    static let trailingSlash = UInt32.max - 2

    /// True if the bytes are too many for the key, and are in the arena.
    var hasLongLabel: Bool { length > 8 && length < Self.trailingSlash }
}

/// An alternative that can come next: a parameter, a wildcard or the rest of the path.
struct AlternativeRecord: BitwiseCopyable, Sendable {
    enum Kind: UInt8, BitwiseCopyable, Sendable {
        case plain
        /// A component of the type with the number `constraint`.
        case typed
        /// A component that the expression with the number `constraint` matches.
        case expression
        case pieces
        case tail
        /// The rest of the path, made of pieces.
        case tailPieces
    }

    var target: UInt32 = 0
    var label: UInt32 = 0
    var pieceBase: UInt32 = 0
    /// The number of the type or expression.
    var constraint: UInt32 = 0
    var pieceCount: UInt16 = 0
    var kind: Kind = .plain
    /// The number of values it binds.
    var captureCount: UInt8 = 0

    /// True if it takes the rest of the path.
    var isTail: Bool { @inline(__always) get { kind == .tail || kind == .tailPieces } }
}

/// A piece of a component or tail.
struct PieceRecord: BitwiseCopyable, Sendable {
    enum Kind: UInt8, BitwiseCopyable, Sendable {
        /// Exactly the bytes at `offset`.
        case literal
        /// A value of any form.
        case plain
        case typed
        case expression
        /// Any bytes, as few as will do.
        case lazySplat
        /// Any bytes, as many as will do.
        case greedySplat
        /// One byte.
        case anyByte
        /// One or more components, as few as will do.
        case components
    }

    var kind: Kind = .literal
    /// True if a value may be empty.
    var isOptional = false
    /// The number of the type or expression.
    var constraint: UInt32 = 0
    /// The place of the literal.
    var offset: UInt32 = 0
    var length: UInt32 = 0
}

/// A route that ends at a state.
struct TerminalRecord: BitwiseCopyable, Sendable {
    var methods: UInt64 = 0
    /// Its index among the routes of the table.
    var route: UInt32 = 0
    /// Its level: routes with a higher priority have a higher level.
    var level: Int32 = 0
    /// The number from the builder.
    var id: Int32 = 0
    var slotCount: UInt16 = 0
    /// True if the values have to be bound by following the steps.
    var hasChoices = false
}

/// One step of a route with optional parts, for binding its values.
struct StepRecord: BitwiseCopyable, Sendable {
    /// The number of the label; `UInt32.max` at the beginning of a group.
    var label: UInt32 = 0
    /// The step to go to when a group is left out, counted from the route's first; for a form, the step after it.
    var next: UInt32 = 0
    /// The first of the slots that the form binds.
    var slotBase: UInt32 = 0
    var slotCount: UInt16 = 0
    /// The number of further forms of the same step.
    var moreForms: UInt16 = 0
}

/// The place where the steps of a route with optional parts are.
struct RouteRecord: BitwiseCopyable, Sendable {
    var stepBase: UInt32 = 0
    var stepCount: UInt32 = 0
}
