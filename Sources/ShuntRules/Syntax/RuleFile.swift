package import ShuntCore

/// One loaded file: its name, its bytes, and where its lines begin.
package struct RuleFile: Sendable {
    /// The name as people know it: the path given, or as an `include` named it.
    package let name: String
    package let bytes: [UInt8]
    /// True for a list, whose rows are its lines.
    package var isList = false
    /// The offset of the first byte of each line.
    private let lineStarts: [Int32]

    package init(name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
        var starts: [Int32] = [0]
        for (offset, byte) in bytes.enumerated() where byte == UInt8(ascii: "\n") {
            starts.append(Int32(truncatingIfNeeded: offset + 1))
        }
        lineStarts = starts
    }

    /// The offset of a place in this file; nil for a place that is not in it.
    package func offset(line: Int32, column: Int32) -> Int? {
        guard line >= 1, Int(line) <= lineStarts.count, column >= 1 else { return nil }
        let offset = Int(lineStarts[Int(line) - 1]) + Int(column) - 1
        return offset <= bytes.count ? offset : nil
    }

    /// The line, from 1, and column, from 1, of an offset.
    package func place(of offset: Int) -> (line: Int32, column: Int32) {
        let offset = Int32(truncatingIfNeeded: min(max(offset, 0), bytes.count))
        let line = lineStarts.partitioningIndex { $0 > offset }
        return (Int32(truncatingIfNeeded: line), offset - lineStarts[line - 1] + 1)
    }

    /// The place of an offset, with the name of the file.
    package func location(of offset: Int) -> SourceLocation {
        let (line, column) = place(of: offset)
        return SourceLocation(file: name, line: Int(line), column: Int(column))
    }

    /// The bytes of a line without its line ending; empty for a line that is not there.
    package func line(_ number: Int32) -> ArraySlice<UInt8> {
        guard number >= 1, Int(number) <= lineStarts.count else { return [] }
        let start = Int(lineStarts[Int(number) - 1])
        var end = Int(number) < lineStarts.count ? Int(lineStarts[Int(number)]) - 1 : bytes.count
        if end > start, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
        return bytes[start..<end]
    }

    /// The lines with their numbers, from 1; without the empty one after the last line ending.
    package var numberedLines: some Sequence<(number: Int32, bytes: ArraySlice<UInt8>)> {
        let count = lineStarts.prefix { $0 < bytes.count }.count
        return (0..<Int32(count)).lazy.map { (number: $0 + 1, bytes: line($0 + 1)) }
    }

    /// A diagnostic about `length` bytes at a place in this file, with the line it is on.
    ///
    /// Only the first 4,096 bytes of a long line are kept; where the place is beyond them, none.
    package func diagnostic(
        _ kind: Diagnostic.Kind,
        _ message: String,
        at place: (line: Int32, column: Int32),
        length: Int = 1,
        suggestion: String? = nil,
        notes: [Diagnostic] = []
    ) -> Diagnostic {
        let bytes = line(place.line)
        let column = Int(place.column)
        let shown = column <= RuleLimits.shownLine ? bytes.prefix(RuleLimits.shownLine) : []
        return Diagnostic(
            kind,
            message,
            at: SourceLocation(file: name, line: Int(place.line), column: column),
            length: min(length, bytes.count - column + 1),
            sourceLine: String(decoding: shown, as: UTF8.self),
            suggestion: suggestion,
            notes: notes
        )
    }
}
