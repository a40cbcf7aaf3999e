public import ShuntCore

/// The entries of tables that supplied the values of a decision.
extension DecisionStorage {
    var entries: [SourcePosition] {
        let bytes = bytes(with { $0.places.entries }) ?? []
        return stride(from: 0, to: bytes.count, by: ByteWriter.entrySize)
            .map { start in
                SourcePosition(
                    file: Int32(bytes.number(at: start)),
                    line: Int32(bytes.number(at: start + 4)),
                    column: Int32(bytes.number(at: start + 8))
                )
            }
    }
}

extension DecisionView {
    /// The entries of tables that supplied values; see `Decision.entries`.
    public var entries: [SourceLocation] {
        evaluated { evaluation in evaluation.values.entries.compactMap { evaluation.program.location(of: $0) } }
    }

    /// Calls `body` with the place of each of them.
    package func forEachEntry(_ body: (SourcePosition) -> Void) {
        evaluated { evaluation in for position in evaluation.values.entries { body(position) } }
    }
}

extension ByteWriter {
    /// The bytes of a place in the rule files.
    static var entrySize: Int { 3 * MemoryLayout<Int32>.size }

    /// Writes places in the rule files, and returns where they are.
    mutating func append(_ positions: [SourcePosition]) -> ByteRange {
        let start = count
        for position in positions {
            append(position.file)
            append(position.line)
            append(position.column)
        }
        return ByteRange(start, count)
    }
}
