/// A token of a pattern, before it is split into components.
enum PatternToken {
    /// `/`.
    case slash(offset: Int)
    /// `#`.
    case fragment(offset: Int)
    /// Literal bytes, decoded.
    case text([UInt8], offset: Int)
    case parameter(PatternParameter)
    /// A `*` of any kind.
    case star(PatternParameter, isGreedy: Bool, isTail: Bool)
    /// Exactly one byte.
    case anyByte(offset: Int)
    /// The mark after a component that makes it optional.
    case optional(offset: Int)
    /// `(…)`.
    indirect case group([PatternToken], offset: Int)

    var offset: Int {
        switch self {
        case .slash(let offset), .fragment(let offset), .text(_, let offset), .anyByte(let offset),
            .optional(let offset), .group(_, let offset):
            offset
        case .parameter(let parameter), .star(let parameter, _, _): parameter.offset
        }
    }

    var crossesComponents: Bool {
        switch self {
        case .slash, .fragment: true
        case .group(let nodes, _): nodes.contains { $0.crossesComponents }
        default: false
        }
    }

    var beginsWithSlash: Bool {
        switch self {
        case .slash: true
        case .group(let nodes, _): nodes.first?.beginsWithSlash ?? false
        default: false
        }
    }

    var endsWithSlash: Bool {
        switch self {
        case .slash: true
        case .group(let nodes, _): nodes.last?.endsWithSlash ?? false
        default: false
        }
    }
}
