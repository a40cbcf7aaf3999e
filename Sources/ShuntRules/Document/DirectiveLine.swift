import ShuntCore

/// A directive as text with its place, for telling two versions of a file apart.
package struct DirectiveLine: Sendable, Hashable {
    /// The words of the directive with one space between them, without its block; quotes that say nothing are left out.
    package var text: String
    /// The line, from 1.
    package var line: Int32
    /// The column in bytes, from 1.
    package var column: Int32

    package var keyword: Substring { text.prefix { $0 != " " } }

    /// All directives of a rule file, those in blocks after the one that opens the block.
    ///
    /// What is wrong is passed over.
    package static func directives(of bytes: [UInt8]) -> [DirectiveLine] {
        let file = RuleFile(name: "", bytes: bytes)
        var parser = Parser(file: file, startingAt: TextCheck.start(of: file))
        // An include stands for itself here: the file it names is compared on its own.
        parser.parse { _ in nil }
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
        for directive in directives {
            var text = Array(file.source(of: directive.name))
            for word in directive.arguments {
                let word = file.plain(word)
                // White space inside the parentheses of a condition says nothing.
                let isJoined =
                    directive.name.text == "if" && (text.last == UInt8(ascii: "(") || word.elementsEqual(")".utf8))
                text += (isJoined ? [] : [0x20]) + word
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
}

extension RuleFile {
    fileprivate func source(of word: Word) -> ArraySlice<UInt8> {
        guard let start = offset(line: word.position.line, column: word.position.column) else { return word.bytes[...] }
        return bytes[start..<min(start + Int(word.sourceLength), bytes.count)]
    }

    /// A word as written, without quotes around a path or an expression that needs none.
    fileprivate func plain(_ word: Word) -> ArraySlice<UInt8> {
        let isPlace =
            word.bytes.first == UInt8(ascii: "/") || word.bytes.first == UInt8(ascii: "^") && word.bytes.count > 2
        let needsQuotes = word.bytes.contains { $0 <= 0x20 || ";{}\"'\\#".utf8.contains($0) }
        return word.isQuoted && isPlace && !needsQuotes ? word.bytes[...] : source(of: word)
    }

    /// The directive that begins at a place, on one line and without its block; long ones are cut off.
    func shownDirective(line: Int32, column: Int32) -> String {
        guard let start = offset(line: line, column: column) else { return "" }
        if isList {
            let row = self.line(line).dropFirst(Int(column) - 1).prefix(Self.shownBytes)
            let start = row.firstIndex { $0 > 0x20 } ?? row.endIndex
            let end = row.lastIndex { $0 > 0x20 }.map { $0 + 1 } ?? start
            return String(decoding: row[start..<end].map { max($0, 0x20) }, as: UTF8.self)
        }
        var result: [UInt8] = []
        var end = start
        for word in Parser.words(of: self, from: start) {
            let text = source(of: word)
            if text.startIndex > end { result.append(0x20) }
            for byte in text where byte > 0x20 || result.last != 0x20 { result.append(max(byte, 0x20)) }
            end = text.endIndex
            guard result.count < Self.shownBytes else {
                return String(decoding: result.prefix(Self.shownBytes) + Array(" ...".utf8), as: UTF8.self)
            }
        }
        while result.last == 0x20 { result.removeLast() }
        return String(decoding: result, as: UTF8.self)
    }

    private static let shownBytes = 200
}
