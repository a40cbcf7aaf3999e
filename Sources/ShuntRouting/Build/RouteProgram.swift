/// A pattern's path as a list of steps, for the compiler and for binding values.
struct RouteProgram: Sendable {
    /// One form of a step: its label, and the slot of each value that it binds.
    struct Form: Sendable {
        var label: UInt32
        var slots: [UInt16]
    }

    /// A step.
    enum Step: Sendable {
        /// Takes what one of the forms asks for.
        case take([Form])
        /// The beginning of a group: either go on, or go to `end`.
        case option(end: Int)
    }

    var steps: [Step] = []
    /// Whether there is more than one way through the steps.
    var hasChoices = false
    /// The slot of the part of the path that the pattern leaves, where patterns match prefixes.
    var remainderSlot: Int?
    /// The slot of the tail.
    var tailSlot: Int?
    /// The number of slots.
    var slotCount = 0

    /// Makes the program of `pattern`.
    ///
    /// - Parameters:
    ///   - pattern: The pattern.
    ///   - takesRemainder: Whether the path may go on after the pattern.
    ///   - foldsCase: Whether literals are compared in small letters.
    ///   - labels: Where labels get their numbers.
    init(_ pattern: RoutePattern, takesRemainder: Bool, foldsCase: Bool, labels: inout LabelTable) {
        slotCount = pattern.parameters.count
        // Parameters are told apart by where they stand; host parameters have the first slots.
        var slots: [Int: UInt16] = [:]
        for (slot, parameter) in pattern.parameters.enumerated() { slots[parameter.offset] = UInt16(slot) }
        append(pattern.elements, slots: slots, foldsCase: foldsCase, labels: &labels)
        guard takesRemainder, tailSlot == nil else { return }
        let label = labels.number(of: .tail([.splat(isGreedy: true)]))
        remainderSlot = slotCount
        steps.append(.take([Form(label: label, slots: [UInt16(slotCount)])]))
        slotCount += 1
    }

    private mutating func append(
        _ elements: [PatternElement],
        slots: [Int: UInt16],
        foldsCase: Bool,
        labels: inout LabelTable
    ) {
        for element in elements {
            switch element {
            case .component(let forms):
                if forms.count > 1 { hasChoices = true }
                steps.append(
                    .take(
                        forms.map { pieces in
                            if pieces.count == 1, case .literal(let bytes) = pieces[0] {
                                return Form(
                                    label: labels.number(ofLiteral: foldsCase ? Self.folded(bytes) : bytes),
                                    slots: []
                                )
                            }
                            let label = RouteLabel.component(Self.pieces(pieces, foldsCase: foldsCase))
                            return Form(label: labels.number(of: label), slots: Self.slots(of: pieces, in: slots))
                        }
                    )
                )
            case .group(let inner):
                hasChoices = true
                let start = steps.count
                steps.append(.option(end: 0))
                append(inner, slots: slots, foldsCase: foldsCase, labels: &labels)
                steps[start] = .option(end: steps.count)
            case .tail(let pieces):
                let label = labels.number(of: .tail(Self.pieces(pieces, foldsCase: foldsCase)))
                let bound = Self.slots(of: pieces, in: slots)
                steps.append(.take([Form(label: label, slots: bound)]))
                tailSlot = bound.last.map(Int.init)
            case .fragment:
                steps.append(.take([Form(label: labels.number(of: .fragment), slots: [])]))
            case .trailingSlash:
                steps.append(.take([Form(label: labels.number(of: .trailingSlash), slots: [])]))
            }
        }
    }

    private static func pieces(_ pieces: [PatternPiece], foldsCase: Bool) -> [LabelPiece] {
        pieces.map { piece in
            if foldsCase, case .literal(let bytes) = piece { return .literal(folded(bytes)) }
            return LabelPiece(piece)
        }
    }

    private static func folded(_ bytes: [UInt8]) -> [UInt8] {
        bytes.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }
    }

    private static func slots(of pieces: [PatternPiece], in slots: [Int: UInt16]) -> [UInt16] {
        pieces.compactMap { piece in piece.parameter.flatMap { slots[$0.offset] } }
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
    private var literals: [[UInt8]: UInt32] = [:]

    /// The number of `label`.
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
        if let number = literals[bytes] { return number }
        let number = UInt32(labels.count)
        labels.append(.literal(bytes))
        literals[bytes] = number
        return number
    }
}
