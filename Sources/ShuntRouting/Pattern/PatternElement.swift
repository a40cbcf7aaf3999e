enum ParameterConstraint: Sendable, Hashable {
    /// Nothing but not being empty.
    case none
    case type(ParameterType)
    /// A regular expression that must match the whole value.
    case expression([UInt8])
}

/// A place in a pattern that binds a value.
struct PatternParameter: Sendable, Hashable {
    /// The name; nil for a `*` that has none.
    var name: String?
    var constraint: ParameterConstraint = .none
    /// True if the value may be missing.
    var isOptional = false
    /// The place where it begins in the pattern.
    var offset: Int = 0
}

/// A part of one component, or of a tail that is not split into components.
enum PatternPiece: Sendable, Hashable {
    /// Bytes that must be there, decoded.
    case literal([UInt8])
    /// One or more bytes, none of them a `/` of the path.
    case parameter(PatternParameter)
    /// Any bytes, `/` included.
    case splat(PatternParameter, isGreedy: Bool)
    /// One or more whole components, as few as what follows allows.
    case components(PatternParameter)
    /// Exactly one byte that is not `/`.
    case anyByte
}

/// A part of a pattern's path.
enum PatternElement: Sendable, Hashable {
    /// One component in one of its forms; more than one where the component has optional text in it.
    case component([[PatternPiece]])
    /// Elements that are all there or all missing.
    indirect case group([PatternElement])
    /// The rest of the path: zero or more components.
    case tail([PatternPiece])
    /// The `#` between path and fragment.
    case fragment
    /// The `/` at the end of a path, where it counts.
    case trailingSlash
}

extension PatternPiece {
    /// The parameter that the piece binds, if any.
    var parameter: PatternParameter? {
        switch self {
        case .parameter(let parameter), .splat(let parameter, _), .components(let parameter): parameter
        case .literal, .anyByte: nil
        }
    }
}

extension [PatternPiece] {
    /// True if this is the plain rest of a path, with nothing that must be in it.
    var isPlainTail: Bool {
        if count == 1, case .splat = self[0] { return true }
        return false
    }
}
