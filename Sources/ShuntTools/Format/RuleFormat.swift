public import Shunt

/// The one form of rule files, and of nginx's configuration files.
///
/// Only white space changes. What was written is compared with what comes out, word by word and comment by comment with
/// their quotes and backslashes, and where they differ there is no result. Formatting twice is formatting once.
public struct RuleFormat: Sendable {
    /// The indentation of a block.
    public enum Indentation: Sendable, Hashable {
        /// So many spaces.
        case spaces(Int)
        /// A tab, which counts as eight columns.
        case tab

        var width: Int {
            switch self {
            case .spaces(let count): count
            case .tab: 8
            }
        }

        var text: [UInt8] {
            switch self {
            case .spaces(let count): [UInt8](repeating: UInt8(ascii: " "), count: count)
            case .tab: [UInt8(ascii: "\t")]
            }
        }
    }

    /// The indentation of a block.
    public var indentation: Indentation
    /// The width, in characters, up to which a block with one directive may stay on its line.
    public var width: Int

    /// Makes a form.
    public init(indentation: Indentation = .spaces(4), width: Int = 120) {
        self.indentation = indentation
        self.width = width
    }

    /// Formats a file.
    ///
    /// Takes time linear in its size. What it includes is not read.
    ///
    /// - Parameter source: The file.
    /// - Returns: The file in this form.
    /// - Throws: A `RuleFormatError` for a file that has errors in its words or blocks.
    public func formatted(_ source: FormatSource) throws(RuleFormatError) -> [UInt8] {
        let (bytes, name) = (source.bytes, source.name)
        let before = try Self.pieces(of: bytes, named: name)
        var maker = LineMaker(bytes, self)
        maker.write(FormTree(before).items, level: 0, table: source.isTable ? [] : nil)
        var lines = maker.lines
        TableAlignment.align(&lines)
        let result = text(of: lines)
        try Self.compare(before, in: bytes, with: try Self.pieces(of: result, named: name), in: result, named: name)
        return result
    }

    private static func pieces(of bytes: [UInt8], named name: String) throws(RuleFormatError) -> [Piece] {
        let tokens = FileTokens(RuleFile(name: name, bytes: bytes))
        guard !tokens.problems.contains(where: { $0.severity == .error }) else {
            throw RuleFormatError(diagnostics: tokens.problems)
        }
        return PieceReader(bytes, tokens.tokens).pieces
    }

    private func text(of lines: [FormattedLine]) -> [UInt8] {
        let columns = CommentAlignment.columns(of: lines, indentation: indentation.width)
        var result: [UInt8] = []
        for (line, column) in zip(lines, columns) {
            if !line.isEmpty {
                for _ in 0..<line.level { result += indentation.text }
                result += line.text
            }
            if let comment = line.comment, let column {
                let gap = column - CommentAlignment.end(of: line, indentation.width)
                result += [UInt8](repeating: UInt8(ascii: " "), count: gap)
                result += comment.text
            }
            result.append(UInt8(ascii: "\n"))
        }
        return result
    }

    /// Checks that nothing but white space has changed.
    private static func compare(
        _ before: [Piece],
        in old: [UInt8],
        with after: [Piece],
        in new: [UInt8],
        named name: String
    ) throws(RuleFormatError) {
        for (first, second) in zip(before, after) {
            let isSame = first.kind == second.kind && old[first.range].elementsEqual(new[second.range])
            guard isSame else { throw different(RuleFile(name: name, bytes: old), at: first.range.lowerBound) }
        }
        guard before.count == after.count else {
            throw different(RuleFile(name: name, bytes: old), at: before.last?.range.lowerBound ?? 0)
        }
    }

    private static func different(_ file: RuleFile, at offset: Int) -> RuleFormatError {
        let problem = file.diagnostic(
            .error(.formatDiffers),
            "formatting would change what is written here, so the file is left unchanged",
            at: file.place(of: offset),
            suggestion: "this is a mistake of the formatter: please report it with the file"
        )
        return RuleFormatError(diagnostics: [problem])
    }
}

/// The reason why a file was not formatted.
public struct RuleFormatError: Error, Sendable {
    /// The problems.
    public var diagnostics: [Diagnostic]
}
