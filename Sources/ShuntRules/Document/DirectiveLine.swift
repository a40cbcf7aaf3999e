import ShuntCore

/// A directive as text with its place, for telling two versions of a file apart.
package struct DirectiveLine: Sendable, Hashable {
    /// The words of the directive with one space between them, without its block; quotes that say nothing are left out.
    package var text: String
    /// The line, from 1.
    package var line: Int32
    /// The column in bytes, from 1.
    package var column: Int32
    /// The number of the directive around it among those of its list; -1 at the top level.
    package var parent: Int32 = -1
    /// The text in the usual spelling; nil where that is the text.
    private var usual: String?

    private init(text: String, usual: String? = nil, line: Int32, column: Int32, parent: Int32 = -1) {
        (self.text, self.usual, self.line, self.column, self.parent) = (text, usual, line, column, parent)
    }

    /// The text in one spelling for all that mean the same: `${x}` as `$x`, times in milliseconds, sizes in bytes.
    package var meaning: String { usual ?? text }

    package var keyword: Substring { text.prefix { $0 != " " } }

    /// All directives of a rule file, those in blocks after the one that opens the block.
    ///
    /// What is wrong is passed over.
    package static func directives(of bytes: [UInt8]) -> [DirectiveLine] {
        let file = RuleFile(name: "", bytes: bytes)
        var parser = Parser(file: file, startingAt: TextCheck.start(of: file))
        // An include stands for itself here: the file it names is compared on its own.
        parser.parse { _ in nil }
        var reader = Reader { _ in file }
        reader.append(parser.directives)
        return reader.lines.map(\.line)
    }

    /// All directives of a document, those of included files in the place of their `include`, each with the number of its file.
    package static func directives(of document: RuleDocument) -> [(line: DirectiveLine, file: Int)] {
        var reader = Reader { document.files[$0] }
        reader.append(document.directives)
        return reader.lines
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
}

extension DirectiveLine {
    /// Reads directives with those in their blocks.
    private struct Reader {
        let file: (Int) -> RuleFile
        var lines: [(line: DirectiveLine, file: Int)] = []

        init(_ file: @escaping (Int) -> RuleFile) { self.file = file }

        /// The blocks are nested `RuleLimits.nesting` deep at most: the parser takes no more.
        mutating func append(_ directives: [Directive], in parent: (name: String, number: Int32)? = nil) {
            for directive in directives {
                let number = Int(directive.name.position.file)
                let file = file(number)
                let name = directive.name.text
                var text = Array(file.source(of: directive.name))
                var usual = text
                for (index, argument) in directive.arguments.enumerated() {
                    let word = file.plain(argument)
                    // White space inside the parentheses of a condition says nothing.
                    let isJoined = name == "if" && (text.last == UInt8(ascii: "(") || word.elementsEqual(")".utf8))
                    let gap: [UInt8] = isJoined ? [] : [0x20]
                    text += gap + word
                    let other = DirectiveMeaning.usual(argument, written: word, at: (index, name, parent?.name))
                    usual += gap + (other ?? Array(word))
                }
                let line = DirectiveLine(
                    text: String(decoding: text, as: UTF8.self),
                    usual: usual == text ? nil : String(decoding: usual, as: UTF8.self),
                    line: directive.name.position.line,
                    column: directive.name.position.column,
                    parent: parent?.number ?? -1
                )
                lines.append((line, number))
                if let block = directive.block { append(block, in: (name, Int32(clamping: lines.count - 1))) }
            }
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
            if let row = redirect(at: start) {
                let words = Array(row.split { $0 <= 0x20 }.joined(separator: [0x20]))
                return String(decoding: words.prefix(Self.shownBytes), as: UTF8.self)
            }
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

    /// The object of a redirect in JSON that begins at an offset, perhaps over several lines; nil for anything else.
    private func redirect(at start: Int) -> ArraySlice<UInt8>? {
        let rest = bytes[start...].prefix(RuleLimits.shownLine)
        guard rest.first == UInt8(ascii: "{") else { return nil }
        var (depth, isText, isEscaped) = (0, false, false)
        for (index, byte) in zip(rest.indices, rest) {
            if isText {
                if !isEscaped, byte == UInt8(ascii: "\"") { isText = false }
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isText = true
            case UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "}") where depth == 1:
                let object = rest[...index]
                // A list of networks begins with a brace, too.
                let names = ["\"source\"", "\"glob\"", "\"regex\"", "\"destination\""]
                return names.contains { object.firstRange(of: Array($0.utf8)) != nil } ? object : nil
            case UInt8(ascii: "}"): depth -= 1
            default: break
            }
        }
        return nil
    }

    private static let shownBytes = 200
}
