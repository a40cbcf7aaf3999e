package import ShuntCore

/// One token of a rule file, after quotes and backslashes were taken off.
package struct Word: Sendable {
    /// The text that the directive sees.
    package var bytes: [UInt8]
    /// True if it was written in quotes.
    package var isQuoted: Bool
    /// The place where it begins, the opening quote included.
    package var position: SourcePosition
    /// The number of bytes it takes up in the file.
    package var sourceLength: Int32

    package init(bytes: [UInt8], isQuoted: Bool, position: SourcePosition, sourceLength: Int32) {
        self.bytes = bytes
        self.isQuoted = isQuoted
        self.position = position
        self.sourceLength = sourceLength
    }

    /// The text as a string; bytes that are not UTF-8 are replaced.
    package var text: String { String(decoding: bytes, as: UTF8.self) }
}

extension Word {
    /// The word without bytes at its ends, its place moved along.
    func dropping(first: Int = 0, last: Int = 0) -> Word {
        var word = self
        word.bytes = Array(bytes.dropFirst(first).dropLast(last))
        word.position.column += Int32(first)
        word.sourceLength = max(0, sourceLength - Int32(first + last))
        return word
    }
}

/// A directive: a name, its arguments, and its block if it has one.
///
/// `include` is already resolved.
package struct Directive: Sendable {
    package var name: Word
    package var arguments: [Word]
    /// The content between `{` and `}`; nil for a directive that ends in `;`.
    package var block: [Directive]?
    /// The offset in its file after its `;` or the `}` of its block; 0 for one that was put together later.
    package var end: Int32 = 0
}

/// An `include` where it is.
package struct Inclusion: Sendable {
    /// The argument that names the files.
    package var path: Word
    /// The name of the directive whose block it is in; nil at the top level of a file.
    package var block: [UInt8]?
    /// The numbers of the files that it brought.
    package var files: [Int32] = []
    /// The number of blocks around it.
    var nesting = 0
    /// The note of the block around it.
    var note: RuleNote?
}
