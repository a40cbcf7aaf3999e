import ShuntCore

/// A pattern's path as a list of steps, for the compiler and for binding values.
struct RouteProgram: Sendable {
    /// One form of a step: its label, and the slot of each value that it binds.
    struct Form: Sendable {
        var label: UInt32
        var slots: [UInt16]
    }

    enum Step: Sendable {
        case take([Form])
        /// The beginning of a group: either continue, or go to `end`.
        case option(end: Int)
    }

    /// The labels of a pattern without choices, in order; its values have the slots in order too.
    private(set) var labels: [UInt32] = []
    /// The steps of a pattern with choices; empty without.
    private(set) var steps: [Step] = []
    /// True if there is more than one way through the pattern.
    let hasChoices: Bool
    /// The slot of the part of the path that the pattern leaves, where patterns match prefixes.
    private(set) var remainderSlot: Int?
    private(set) var tailSlot: Int?
    /// True if the pattern takes all of a path.
    private var hasTail = false
    private(set) var slotCount: Int

    /// Makes the program of `pattern`, after which the path may continue if it `takesRemainder`; `labels` numbers its labels.
    init(_ pattern: RoutePattern, takesRemainder: Bool, foldsCase: Bool, labels: inout LabelTable) {
        slotCount = pattern.parameters.count
        hasChoices = pattern.elements.contains { element in
            switch element {
            case .group: true
            case .component(let forms): forms.count > 1
            case .tail, .fragment, .trailingSlash: false
            }
        }
        if !hasChoices { self.labels.reserveCapacity(pattern.elements.count + 1) }
        append(pattern.elements, slots: pattern.parameters, foldsCase: foldsCase, labels: &labels)
        guard takesRemainder, !hasTail else { return }
        let label = labels.number(of: .tail([.splat(isGreedy: true)]))
        remainderSlot = slotCount
        if hasChoices {
            steps.append(.take([Form(label: label, slots: [UInt16(slotCount)])]))
        } else {
            self.labels.append(label)
        }
        slotCount += 1
    }

    var count: Int { hasChoices ? steps.count : labels.count }

    private mutating func append(
        _ elements: [PatternElement],
        slots: [PatternParameter],
        foldsCase: Bool,
        labels: inout LabelTable
    ) {
        for element in elements {
            switch element {
            case .component(let forms):
                if !hasChoices, let form = forms.first {
                    self.labels.append(Self.label(form, foldsCase: foldsCase, labels: &labels))
                    continue
                }
                steps.append(
                    .take(
                        forms.map { pieces in
                            Form(
                                label: Self.label(pieces, foldsCase: foldsCase, labels: &labels),
                                slots: Self.slots(of: pieces, in: slots)
                            )
                        }
                    )
                )
            case .group(let inner):
                let start = steps.count
                steps.append(.option(end: 0))
                append(inner, slots: slots, foldsCase: foldsCase, labels: &labels)
                steps[start] = .option(end: steps.count)
            case .tail(let pieces):
                let bound = Self.slots(of: pieces, in: slots)
                append(labels.number(of: .tail(Self.pieces(pieces, foldsCase: foldsCase))), bound)
                // The components of wildcards that others follow are read by their names.
                hasTail = true
                let isRest = !pieces.contains { if case .components = $0 { true } else { false } }
                if isRest { tailSlot = bound.last.map(Int.init) }
            case .fragment: append(labels.number(of: .fragment), [])
            case .trailingSlash: append(labels.number(of: .trailingSlash), [])
            }
        }
    }

    private mutating func append(_ label: UInt32, _ slots: [UInt16]) {
        if hasChoices { steps.append(.take([Form(label: label, slots: slots)])) } else { labels.append(label) }
    }

    private static func label(_ pieces: [PatternPiece], foldsCase: Bool, labels: inout LabelTable) -> UInt32 {
        if pieces.count == 1 {
            switch pieces[0] {
            case .literal(let bytes): return labels.number(ofLiteral: foldsCase ? folded(bytes) : bytes)
            case .parameter(let parameter) where parameter.name != nil && parameter.constraint == .none:
                return labels.plainParameter
            default: break
            }
        }
        return labels.number(of: .component(Self.pieces(pieces, foldsCase: foldsCase)))
    }

    private static func pieces(_ pieces: [PatternPiece], foldsCase: Bool) -> [LabelPiece] {
        pieces.map { piece in
            if foldsCase, case .literal(let bytes) = piece { return .literal(folded(bytes)) }
            return LabelPiece(piece)
        }
    }

    private static func folded(_ bytes: [UInt8]) -> [UInt8] { bytes.map { $0.asciiLowercased } }

    private static func slots(of pieces: [PatternPiece], in slots: [PatternParameter]) -> [UInt16] {
        // Parameters are distinguished by their place; host parameters have the first slots.
        pieces.compactMap { piece in
            guard let offset = piece.parameter?.offset else { return nil }
            return slots.firstIndex { $0.offset == offset }.map { UInt16($0) }
        }
    }

    /// The positions that can be reached from `step` without taking anything, in the order in which they are preferred.
    func closure(from step: Int, _ visit: (Int) -> Void) {
        var pending = [step]
        while let step = pending.popLast() {
            if step < steps.count, case .option(let end) = steps[step] {
                pending.append(end)
                pending.append(step + 1)
            } else {
                visit(step)
            }
        }
    }
}

/// The labels of a table, numbered in the order in which they were first used.
struct LabelTable {
    private(set) var labels: [RouteLabel] = []
    private var numbers: [RouteLabel: UInt32] = [:]
    private var literals: [ByteKey: UInt32] = [:]
    /// The number of the label for a parameter without a constraint, by far the most used.
    lazy var plainParameter = number(of: .component([.value(.none, isOptional: false)]))

    mutating func number(of label: RouteLabel) -> UInt32 {
        if case .literal(let bytes) = label { return number(ofLiteral: bytes) }
        if let number = numbers[label] { return number }
        let number = UInt32(labels.count)
        labels.append(label)
        numbers[label] = number
        return number
    }

    /// The number of the label for a component that is exactly `bytes`.
    mutating func number(ofLiteral bytes: [UInt8]) -> UInt32 {
        let text = ByteKey(bytes)
        if let number = literals[text] { return number }
        let number = UInt32(labels.count)
        labels.append(.literal(bytes))
        literals[text] = number
        return number
    }
}
