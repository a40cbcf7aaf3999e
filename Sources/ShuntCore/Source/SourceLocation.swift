/// A place in a rule file, as people and editors write it: `file:line:column`.
public struct SourceLocation: Sendable, Hashable, CustomStringConvertible {
    /// The path of the file as it was given, or as an `include` named it.
    public var file: String
    /// The line, from 1.
    public var line: Int
    /// The column in bytes, from 1.
    public var column: Int

    /// Makes a location.
    public init(file: String, line: Int, column: Int) {
        self.file = file
        self.line = line
        self.column = column
    }

    /// The place of a whole file, without a line.
    package static func whole(_ file: String) -> Self { Self(file: file, line: 0, column: 0) }

    /// Returns true if it comes before another one in the order of files, lines and columns.
    package func isBefore(_ other: SourceLocation) -> Bool {
        (file, line, column) < (other.file, other.line, other.column)
    }

    /// `file:line:column`; what a terminal would obey in the name of a file is written as `\xNN`.
    public var description: String { "\(ShownBytes.text(file)):\(line):\(column)" }
}

/// A `SourceLocation` without the name: twelve bytes, for tables with one entry per rule.
@usableFromInline package struct SourcePosition: Sendable, Hashable, Comparable {
    /// The index of the file in the rule set's list of files.
    @usableFromInline package var file: Int32
    /// The line, from 1; 0 where there is no place to name.
    @usableFromInline package var line: Int32
    /// The column in bytes, from 1.
    @usableFromInline package var column: Int32

    @inlinable package init(file: Int32, line: Int32, column: Int32) {
        self.file = file
        self.line = line
        self.column = column
    }

    /// Returns true if the first comes before the second in the order of the files.
    @inlinable package static func < (left: SourcePosition, right: SourcePosition) -> Bool {
        if left.file != right.file { return left.file < right.file }
        return left.line != right.line ? left.line < right.line : left.column < right.column
    }

    /// No place at all, for what no rule decided.
    @inlinable package static var none: SourcePosition { SourcePosition(file: -1, line: 0, column: 0) }

    @inlinable package var isPlace: Bool { line > 0 }
}
