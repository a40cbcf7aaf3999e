import ShuntCore

/// A directive as text with its place, for comparing two versions of a file.
package struct DirectiveLine: Sendable, Hashable {
    /// The words of the directive with one space between them, without its block; quotes without effect are left out.
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

    /// All directives of a rule file, those in blocks after the directive that opens the block.
    ///
    /// What is wrong is passed over.
    package static func directives(of bytes: [UInt8]) -> [DirectiveLine] {
        var lines: [DirectiveLine] = []
        read(RuleFile(name: "", bytes: bytes)) { lines.append($0) }
        return lines
    }

    /// Calls a closure with each directive of a rule file, or with each line of a list that has a text, one after another.
    package static func read(_ file: RuleFile, _ body: (DirectiveLine) -> Void) {
        guard !file.isList else {
            for (number, line) in file.numberedLines {
                guard let start = line.firstIndex(where: { $0 > 0x20 }), line[start] != UInt8(ascii: "#") else {
                    continue
                }
                let column = Int32(truncatingIfNeeded: start - line.startIndex + 1)
                body(DirectiveLine(text: text(in: file, line: number, column: column), line: number, column: column))
            }
            return
        }
        withoutActuallyEscaping(body) { body in
            var reader = Reader()
            // An include stands for itself here: the file it names is compared on its own.
            var parser = Parser(file: file, startingAt: TextCheck.start(of: file)) { part in
                switch part {
                case .directive(let directive): body(reader.line(directive, in: file))
                case .opening(let directive?):
                    body(reader.line(directive, in: file))
                    reader.parents.append((directive.name.text, reader.count - 1))
                case .opening(.none): reader.parents.append(reader.parents.last ?? (nil, -1))
                case .closing: reader.parents.removeLast()
                }
            }
            parser.parse { _ in nil }
        }
    }

    /// All directives of a document, those of included files in the place of their `include`, each with the number of its file.
    package static func directives(of document: RuleDocument) -> [(line: DirectiveLine, file: Int)] {
        var reader = Reader()
        var lines: [(line: DirectiveLine, file: Int)] = []
        // Blocks are nested `RuleLimits.nesting` deep at most: the parser takes no more.
        func append(_ directives: [Directive]) {
            for directive in directives {
                let file = Int(directive.name.position.file)
                lines.append((reader.line(directive, in: document.files[file]), file))
                guard let block = directive.block else { continue }
                reader.parents.append((directive.name.text, reader.count - 1))
                append(block)
                reader.parents.removeLast()
            }
        }
        append(document.directives)
        return lines
    }

    /// The text of the directive, or of the line of a list, that begins at a place.
    package static func text(in file: RuleFile, line: Int32, column: Int32) -> String {
        if file.isList {
            let row = file.line(line).dropFirst(Int(column) - 1)
            return String(decoding: row.lastIndex { $0 > 0x20 }.map { row[...$0] } ?? [], as: UTF8.self)
        }
        guard let start = file.offset(line: line, column: column) else { return "" }
        let words = Array(Parser.words(of: file, from: start))
        guard let name = words.first else { return "" }
        let directive = Directive(name: name, arguments: Array(words.dropFirst()))
        return String(decoding: Reader.words(directive, in: file, parent: nil).text, as: UTF8.self)
    }
}

extension DirectiveLine {
    /// Makes lines of directives that come in their order.
    private struct Reader {
        /// The directives around the next one: the name, nil for a block without one, and the number.
        var parents: [(name: String?, number: Int32)] = []
        private(set) var count: Int32 = 0

        /// The words of a directive with one space between them: as written, and in the usual spelling.
        static func words(
            _ directive: Directive,
            in file: RuleFile,
            parent: String?
        ) -> (text: [UInt8], usual: [UInt8]) {
            let name = directive.name.text
            var text = Array(file.source(of: directive.name))
            var usual = text
            for (index, argument) in directive.arguments.enumerated() {
                let word = file.plain(argument)
                // White space inside the parentheses of a condition has no meaning.
                let isJoined = name == "if" && (text.last == UInt8(ascii: "(") || word.elementsEqual(")".utf8))
                let gap: [UInt8] = isJoined ? [] : [0x20]
                text += gap + word
                let other = DirectiveMeaning.usual(argument, written: word, at: (index, name, parent))
                usual += gap + (other ?? Array(word))
            }
            return (text, usual)
        }

        mutating func line(_ directive: Directive, in file: RuleFile) -> DirectiveLine {
            count &+= 1
            let (text, usual) = Self.words(directive, in: file, parent: parents.last?.name)
            return DirectiveLine(
                text: String(decoding: text, as: UTF8.self),
                usual: usual == text ? nil : String(decoding: usual, as: UTF8.self),
                line: directive.name.position.line,
                column: directive.name.position.column,
                parent: parents.last?.number ?? -1
            )
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
