/// The records that depend on labels only, and what is computed of all states at the end.
extension TableCompiler {
    /// Puts the labels in order and makes the records that depend on nothing else.
    mutating func prepareLabels() {
        order = Array(repeating: 0, count: labels.count)
        var ranked: [(rank: LabelRank, label: Int)] = []
        for (number, label) in labels.enumerated() {
            switch label {
            case .literal, .fragment, .trailingSlash: break
            case .component(let all), .tail(let all):
                ranked.append((label.rank, number))
                prototypes[number] = prototype(label, all, number: number)
            }
        }
        ranked.sort { $0.rank < $1.rank }
        for (index, entry) in ranked.enumerated() { order[entry.label] = UInt32(index + 1) }
    }

    private mutating func prototype(_ label: RouteLabel, _ all: [LabelPiece], number: Int) -> AlternativeRecord {
        var record = AlternativeRecord(label: UInt32(number), captureCount: UInt8(label.captureCount))
        if case .tail = label {
            if case .splat? = all.first, all.count == 1 {
                record.kind = .tail
                return record
            }
            record.kind = .tailPieces
        } else if all.count == 1, case .value(let constraint, isOptional: false) = all[0] {
            record.kind = .checking(constraint)
            record.constraint = constraintNumber(constraint)
            return record
        } else if all == [.wildcard] {
            return record
        } else {
            record.kind = .pieces
        }
        record.pieceBase = UInt32(pieces.count)
        record.pieceCount = UInt16(all.count)
        for piece in all { pieces.append(self.record(of: piece)) }
        return record
    }

    private mutating func record(of piece: LabelPiece) -> PieceRecord {
        var record = PieceRecord()
        switch piece {
        case .literal(let bytes):
            record.offset = UInt32(truncatingIfNeeded: labelBytes.count)
            record.length = UInt32(bytes.count)
            labelBytes += bytes
        case .value(let constraint, let isOptional):
            record.isOptional = isOptional
            record.kind = .checking(constraint)
            record.constraint = constraintNumber(constraint)
        case .wildcard: record.kind = .plain
        case .splat(let isGreedy): record.kind = isGreedy ? .greedySplat : .lazySplat
        case .components: record.kind = .components
        case .anyByte: record.kind = .anyByte
        }
        return record
    }

    /// The number of what a value is checked with.
    private mutating func constraintNumber(_ constraint: ParameterConstraint) -> UInt32 {
        switch constraint {
        case .none: 0
        case .type(let type): UInt32(ParameterType.numbered.firstIndex(of: type) ?? 0)
        case .expression(let text): expressionNumber(text)
        }
    }

    private mutating func expressionNumber(_ text: [UInt8]) -> UInt32 {
        if let number = expressionNumbers[text] { return number }
        let number = UInt32(expressions.count)
        expressions.append(text)
        expressionNumbers[text] = number
        return number
    }

    /// Computes the highest level that can be reached from each state.
    mutating func propagateLevels() {
        for index in states.indices {
            for route in terminals[states[index].terminals] {
                states[index].highestLevel = max(states[index].highestLevel, inputs[route].level)
            }
        }
        // States are made before those that follow them, but for joins; so one pass does for a trie.
        var changed = true
        while changed {
            changed = false
            for index in states.indices.reversed() {
                let record = states[index]
                var highest = record.highestLevel
                for edge in edges[record.edges] where edge.length != EdgeRecord.unused {
                    highest = max(highest, states[Int(edge.target)].highestLevel)
                }
                for alternative in alternatives[record.alternatives] {
                    highest = max(highest, states[Int(alternative.target)].highestLevel)
                }
                if highest > record.highestLevel {
                    states[index].highestLevel = highest
                    changed = true
                }
            }
        }
    }
}

/// Kinds of records for values: any, of a type, or matched by an expression.
private protocol ValueKind {
    static var plain: Self { get }
    static var typed: Self { get }
    static var expression: Self { get }
}

extension ValueKind {
    fileprivate static func checking(_ constraint: ParameterConstraint) -> Self {
        switch constraint {
        case .none: .plain
        case .type: .typed
        case .expression: .expression
        }
    }
}

extension AlternativeRecord.Kind: ValueKind {}
extension PieceRecord.Kind: ValueKind {}
