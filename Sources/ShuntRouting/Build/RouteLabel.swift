/// The requirement of one step of a pattern for a path, without the names it binds.
///
/// Steps with equal labels share an edge.
enum RouteLabel: Sendable, Hashable {
    /// A component with exactly these decoded bytes.
    case literal([UInt8])
    /// The `#` before a routed fragment.
    case fragment
    /// The `/` at the end, where it counts.
    case trailingSlash
    case component([LabelPiece])
    /// The rest of the path, made of these pieces.
    case tail([LabelPiece])
}

/// A piece of a component or tail, without its name.
enum LabelPiece: Sendable, Hashable {
    /// Bytes that must be there.
    case literal([UInt8])
    case value(ParameterConstraint, isOptional: Bool)
    /// A whole component of any value, without a name.
    case wildcard
    case splat(isGreedy: Bool)
    case components
    /// One byte.
    case anyByte
}

extension RouteLabel {
    /// The number of values the step binds.
    var captureCount: Int {
        switch self {
        case .literal, .fragment, .trailingSlash: 0
        case .component(let pieces), .tail(let pieces): pieces.count { $0.isCapture }
        }
    }

    /// The place of a label that is not exact among those of its state: smaller is tried earlier.
    ///
    /// Components with text come first, the more text the earlier; then typed, constrained and plain parameters,
    /// unnamed wildcards, tails with text, and the plain tail.
    var rank: LabelRank {
        let pieces: [LabelPiece]
        var group: Int
        switch self {
        case .literal, .fragment, .trailingSlash: return LabelRank(group: 0, text: 0, detail: 0, tie: [])
        case .component(let all):
            pieces = all
            group = 2
        case .tail(let all):
            pieces = all
            group = 7
        }
        var text = 0
        var detail = 0
        var tie: [UInt8] = []
        for piece in pieces {
            switch piece {
            case .literal(let bytes):
                text -= bytes.count
                tie += bytes
            case .value(.type(let type), _):
                detail += ParameterType.numbered.firstIndex(of: type) ?? 0
                tie += Array(type.rawValue.utf8)
                if group == 2 { group = 3 }
            case .value(.expression(let expression), _):
                detail += 32
                tie += expression
                if group == 2 || group == 3 { group = 4 }
            case .value(.none, _), .anyByte:
                detail += 64
                tie.append(0)
                if group < 5 { group = 5 }
            case .wildcard:
                // Tails are the last of all: see `RouteAutomaton.tails`.
                if group < 7 { group = 6 } else { detail -= 1 }
            case .splat(let isGreedy): tie.append(isGreedy ? 2 : 1)
            case .components: tie.append(3)
            }
        }
        if text < 0 { group = group < 7 ? 1 : 7 } else if group == 7 { group = 8 }
        return LabelRank(group: group, text: text, detail: detail, tie: tie)
    }
}

extension LabelPiece {
    /// True if the piece binds a value.
    var isCapture: Bool {
        switch self {
        case .literal, .anyByte: false
        case .value, .wildcard, .splat, .components: true
        }
    }

    init(_ piece: PatternPiece) {
        switch piece {
        case .literal(let bytes): self = .literal(bytes)
        case .parameter(let parameter):
            self = parameter.name == nil ? .wildcard : .value(parameter.constraint, isOptional: parameter.isOptional)
        case .splat(_, let isGreedy): self = .splat(isGreedy: isGreedy)
        case .components: self = .components
        case .anyByte: self = .anyByte
        }
    }
}

/// The order of labels: by group, then more text, then narrower types, then bytes so that the order is total.
struct LabelRank: Sendable, Hashable, Comparable {
    var group: Int
    var text: Int
    var detail: Int
    var tie: [UInt8]

    static func < (first: LabelRank, second: LabelRank) -> Bool {
        let (one, two) = ((first.group, first.text, first.detail), (second.group, second.text, second.detail))
        return one == two ? first.tie.lexicographicallyPrecedes(second.tie) : one < two
    }
}
