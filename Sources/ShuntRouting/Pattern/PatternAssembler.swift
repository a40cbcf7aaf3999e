/// Turns the nodes of a pattern's path into components, groups and a tail.
struct PatternAssembler {
    /// True if a slash at the end is a separate element.
    let keepsTrailingSlash: Bool
    let keepsEmptyComponents: Bool
    /// True if a wildcard may be before other components.
    private let allowsInnerWildcards: Bool
    /// The place where the pattern's path ends.
    let endOffset: Int
    private(set) var elements: [PatternElement] = []
    /// The nodes of the component that is being read.
    private var current: [PatternToken] = []
    /// True if only a slash may follow, because a group of whole components ended.
    private var needsSlash = false
    /// True if nothing may follow, because a tail was read.
    private var isClosed = false

    init(options: RoutingOptions, endOffset: Int) {
        keepsTrailingSlash = options.trailingSlash == .significant
        keepsEmptyComponents = options.emptyComponents == .kept
        allowsInnerWildcards = options.syntax.star == .component && !options.matchesPrefix
        self.endOffset = endOffset
    }

    mutating func assemble(_ nodes: [PatternToken]) throws(RoutePatternError) -> [PatternElement] {
        try append(nodes)
        try flush(at: endOffset)
        if keepsTrailingSlash, !elements.isEmpty, !isClosed, case .slash? = nodes.last {
            elements.append(.trailingSlash)
        }
        return elements
    }

    private mutating func append(_ nodes: [PatternToken]) throws(RoutePatternError) {
        var previousWasSlash = false
        for (position, node) in nodes.enumerated() {
            if isClosed { throw RoutePatternError("nothing may follow the rest of the path", at: node.offset) }
            switch node {
            case .slash(let offset):
                try flush(at: offset)
                if previousWasSlash {
                    guard keepsEmptyComponents else { throw RoutePatternError("empty component", at: offset) }
                    elements.append(.component([[.literal([])]]))
                }
                needsSlash = false
            case .fragment(let offset):
                try flush(at: offset)
                needsSlash = false
                elements.append(.fragment)
            case .group(let inner, let offset) where node.crossesComponents:
                try appendGroup(node, inner, offset: offset)
            case .star(let parameter, let isGreedy, let isTail) where isTail || !isGreedy || spansSlashes(node):
                if isTail, allowsInnerWildcards, position < nodes.count - 1 {
                    try appendWildcards(nodes[position...])
                    return
                } else if isTail || (current.isEmpty && position == nodes.count - 1) {
                    try appendTail([.splat(parameter, isGreedy: true)], at: node.offset)
                } else {
                    try appendRest(nodes[position...], firstIsGreedy: isGreedy)
                    return
                }
            default:
                if needsSlash { throw RoutePatternError("\"/\" expected after a group", at: node.offset) }
                current.append(node)
            }
            if case .slash = node { previousWasSlash = true } else { previousWasSlash = false }
        }
    }

    /// Returns true if a star that is not a tail takes any bytes, rather than one component.
    private func spansSlashes(_ node: PatternToken) -> Bool {
        if case .star(_, _, let isTail) = node { return !isTail && starSpansSlashes }
        return false
    }

    /// Set for syntaxes in which `*` is any run of bytes.
    var starSpansSlashes = false

    private mutating func appendGroup(
        _ node: PatternToken,
        _ inner: [PatternToken],
        offset: Int
    ) throws(RoutePatternError) {
        if node.beginsWithSlash {
            try flush(at: offset)
        } else if node.endsWithSlash {
            guard current.isEmpty, !needsSlash else {
                throw RoutePatternError("a group must contain whole components or stay within one", at: offset)
            }
        } else {
            throw RoutePatternError("a group must contain whole components or stay within one", at: offset)
        }
        var assembler = self
        assembler.elements = []
        assembler.needsSlash = false
        try assembler.append(inner)
        try assembler.flush(at: offset)
        guard !assembler.elements.isEmpty else { throw RoutePatternError("a group is empty", at: offset) }
        elements.append(.group(assembler.elements))
        needsSlash = !node.endsWithSlash
        isClosed = assembler.isClosed
    }

    private mutating func appendTail(_ pieces: [PatternPiece], at offset: Int) throws(RoutePatternError) {
        guard current.isEmpty, !needsSlash else {
            throw RoutePatternError("the rest of a path must begin a component", at: offset)
        }
        elements.append(.tail(pieces))
        isClosed = true
    }

    /// Makes everything from the component that holds the star to the end one tail that is matched as a whole.
    private mutating func appendRest(_ nodes: ArraySlice<PatternToken>, firstIsGreedy: Bool) throws(RoutePatternError) {
        var all = current
        current = []
        all.append(contentsOf: nodes)
        var pieces: [PatternPiece] = []
        for node in all {
            switch node {
            case .slash: Self.append(.literal([UInt8(ascii: "/")]), to: &pieces)
            case .star(let parameter, let isGreedy, _): pieces.append(.splat(parameter, isGreedy: isGreedy))
            default:
                guard let piece = Self.piece(of: node) else {
                    throw RoutePatternError("this cannot follow \"*\"", at: node.offset)
                }
                Self.append(piece, to: &pieces)
            }
        }
        try Self.checkCount(pieces, at: nodes.first?.offset ?? endOffset)
        try appendTail(pieces, at: nodes.first?.offset ?? endOffset)
    }

    /// Makes everything from the component of a wildcard to the end one tail of whole components.
    private mutating func appendWildcards(_ nodes: ArraySlice<PatternToken>) throws(RoutePatternError) {
        var pieces: [PatternPiece] = []
        var nodes = nodes
        if !keepsTrailingSlash, case .slash? = nodes.last { nodes.removeLast() }
        let start = nodes.first?.offset ?? endOffset
        for (index, node) in zip(nodes.indices, nodes) {
            var piece = Self.piece(of: node)
            switch node {
            case .slash: piece = .literal([UInt8(ascii: "/")])
            case .star(let parameter, _, true):
                piece = .components(parameter)
                if index + 1 < nodes.endIndex, case .slash = nodes[index + 1] { break }
                guard index + 1 == nodes.endIndex else {
                    throw RoutePatternError("\"*\" must be a whole component", at: parameter.offset)
                }
            case .text(let bytes, let offset) where bytes.contains(UInt8(ascii: "/")):
                throw RoutePatternError("an escaped slash cannot follow \"*\"", at: offset)
            case .parameter(let parameter) where parameter.isOptional: piece = nil
            default: break
            }
            guard let piece else {
                let advice = "write two patterns under one name"
                throw RoutePatternError("an optional part cannot follow \"*\"", at: node.offset, suggestion: advice)
            }
            if piece.parameter != nil, let last = pieces.last?.parameter {
                throw RoutePatternError("two parameters touch", at: piece.parameter?.offset ?? last.offset)
            }
            Self.append(piece, to: &pieces)
        }
        try Self.checkCount(pieces, at: start)
        // With nothing but a slash after it the wildcard is the plain rest of the path.
        if pieces.count == 1, case .components(let parameter) = pieces[0] {
            pieces = [.splat(parameter, isGreedy: true)]
        }
        try appendTail(pieces, at: start)
    }

    /// Ends the component that is being read.
    private mutating func flush(at offset: Int) throws(RoutePatternError) {
        guard !current.isEmpty else { return }
        var nodes = current
        current = []
        if nodes.count == 1, case .group(let inner, _) = nodes[0] {
            elements.append(.group([.component(try Self.forms(of: inner))]))
            return
        }
        var isOptional = false
        if case .optional? = nodes.last {
            isOptional = true
            nodes.removeLast()
        }
        if nodes.count == 1, case .parameter(var parameter) = nodes[0], parameter.isOptional {
            isOptional = true
            parameter.isOptional = false
            nodes[0] = .parameter(parameter)
        }
        let component = PatternElement.component(try Self.forms(of: nodes))
        elements.append(isOptional ? .group([component]) : component)
    }

    /// Every form of a component whose nodes may hold groups; each form has some bytes.
    private static func forms(of nodes: [PatternToken]) throws(RoutePatternError) -> [[PatternPiece]] {
        if nodes.count == 1, let piece = piece(of: nodes[0]) { return [[piece]] }
        let start = nodes.first?.offset ?? 0
        var forms: [[PatternPiece]] = [[]]
        for node in nodes {
            if case .group(let inner, let offset) = node {
                let choices = try Self.forms(of: inner)
                var longer: [[PatternPiece]] = []
                for form in forms {
                    for choice in choices {
                        var joined = form
                        for piece in choice { append(piece, to: &joined) }
                        longer.append(joined)
                    }
                }
                forms = longer + forms
                guard forms.count <= RoutingLimits.componentForms else {
                    let message = "a component has more than \(RoutingLimits.componentForms) forms"
                    throw RoutePatternError(message, at: offset)
                }
            } else if let piece = piece(of: node) {
                for index in forms.indices { append(piece, to: &forms[index]) }
            } else {
                throw RoutePatternError("\"*\" must be a whole component", at: node.offset)
            }
        }
        guard !forms.contains([]) else { throw RoutePatternError("a component may be empty", at: start) }
        for form in forms { try check(form, at: start) }
        var unique: [[PatternPiece]] = []
        for form in forms where !unique.contains(form) { unique.append(form) }
        return unique
    }

    private static func piece(of node: PatternToken) -> PatternPiece? {
        switch node {
        case .text(let bytes, _): .literal(bytes)
        case .parameter(let parameter): .parameter(parameter)
        case .star(let parameter, _, false): .parameter(parameter)
        case .anyByte: .anyByte
        case .optional: .literal([UInt8(ascii: "?")])
        case .slash, .fragment, .star, .group: nil
        }
    }

    /// Appends a piece; literals that touch become one.
    private static func append(_ piece: PatternPiece, to pieces: inout [PatternPiece]) {
        if case .literal(let added) = piece, case .literal(let bytes)? = pieces.last {
            pieces[pieces.count - 1] = .literal(bytes + added)
        } else {
            pieces.append(piece)
        }
    }

    private static func checkCount(_ pieces: [PatternPiece], at offset: Int) throws(RoutePatternError) {
        guard pieces.count <= RoutingLimits.pieces else {
            throw RoutePatternError("a component has more than \(RoutingLimits.pieces) pieces", at: offset)
        }
    }

    private static func check(_ pieces: [PatternPiece], at offset: Int) throws(RoutePatternError) {
        try checkCount(pieces, at: offset)
        if pieces.count > 1, let star = pieces.lazy.compactMap(\.parameter).first(where: { $0.name == nil }) {
            throw RoutePatternError("\"*\" must be a whole component", at: star.offset)
        }
        for (first, second) in zip(pieces, pieces.dropFirst()) {
            guard first.parameter != nil, let parameter = second.parameter else { continue }
            throw RoutePatternError("two parameters touch", at: parameter.offset, suggestion: "put text between them")
        }
    }
}
