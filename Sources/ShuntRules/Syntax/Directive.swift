package import ShuntCore

/// One token of a rule file, after quotes and backslashes were taken off.
package struct Word: Sendable {
    /// The text that the directive sees.
    package var bytes: [UInt8]
    /// Whether it was written in quotes.
    package var isQuoted: Bool
    /// Where it begins, the opening quote included.
    package var position: SourcePosition
    /// The number of bytes it takes up in the file.
    package var sourceLength: Int32

    /// Makes a word.
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
    /// The first word.
    package var name: Word
    /// The other words.
    package var arguments: [Word]
    /// What stands between `{` and `}`; nil for a directive that ends in `;`.
    package var block: [Directive]?

    /// Makes a directive.
    package init(name: Word, arguments: [Word], block: [Directive]?) {
        self.name = name
        self.arguments = arguments
        self.block = block
    }
}
