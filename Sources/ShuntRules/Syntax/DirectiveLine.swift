import ShuntCore

/// A directive as text with its place, for telling two versions of a file apart.
package struct DirectiveLine: Sendable, Hashable {
    /// The words of the directive as written, with one space between them; without its block.
    package var text: String
    /// The line, from 1.
    package var line: Int32
    /// The column in bytes, from 1.
    package var column: Int32

    /// The name of the directive.
    package var keyword: Substring { text.prefix { $0 != " " } }

    /// All directives of a rule file, those in blocks after the one that opens the block.
    ///
    /// What is wrong is passed over.
    package static func directives(of bytes: [UInt8]) -> [DirectiveLine] {
        let file = RuleFile(name: "", bytes: bytes)
        var parser = Parser(
            file: file,
            index: 0,
            startingAt: TextCheck.check(file).start,
            nesting: 0,
            budget: WordBudget(RuleLimits.words)
        )
        // An include stands for itself here: the file it names is compared on its own.
        parser.parse { path, _ in
            let name = Word(
                bytes: Array("include".utf8),
                isQuoted: false,
                position: path.position,
                sourceLength: 0
            )
            return [Directive(name: name, arguments: [path], block: nil)]
        }
        var lines: [DirectiveLine] = []
        append(parser.directives, of: file, to: &lines)
        return lines
    }

    /// All lines of a list file that hold something, without white space at their ends.
    package static func lines(of bytes: [UInt8]) -> [DirectiveLine] {
        var lines: [DirectiveLine] = []
        var number: Int32 = 0
        for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            number &+= 1
            guard let start = line.firstIndex(where: { $0 > 0x20 }), let end = line.lastIndex(where: { $0 > 0x20 }),
                line[start] != UInt8(ascii: "#")
            else { continue }
            lines.append(
                DirectiveLine(
                    text: String(decoding: line[start...end], as: UTF8.self),
                    line: number,
                    column: Int32(truncatingIfNeeded: start - line.startIndex + 1)
                )
            )
        }
        return lines
    }

    /// The blocks are nested `RuleLimits.nesting` deep at most: the parser takes no more.
    private static func append(_ directives: [Directive], of file: RuleFile, to lines: inout [DirectiveLine]) {
        var text: [UInt8] = []
        for directive in directives {
            text.removeAll(keepingCapacity: true)
            text += source(of: directive.name, in: file)
            for word in directive.arguments {
                text.append(UInt8(ascii: " "))
                text += source(of: word, in: file)
            }
            lines.append(
                DirectiveLine(
                    text: String(decoding: text, as: UTF8.self),
                    line: directive.name.position.line,
                    column: directive.name.position.column
                )
            )
            if let block = directive.block { append(block, of: file, to: &lines) }
        }
    }

    /// The word as written; an empty one is made up and stands for its bytes.
    private static func source(of word: Word, in file: RuleFile) -> ArraySlice<UInt8> {
        let length = Int(word.sourceLength)
        guard length > 0, let start = file.offset(line: word.position.line, column: word.position.column) else {
            return word.bytes[...]
        }
        return file.bytes[start..<min(start + length, file.bytes.count)]
    }
}
