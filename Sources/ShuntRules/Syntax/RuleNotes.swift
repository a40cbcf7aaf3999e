import ShuntCore

/// What people keep with a rule in a comment that begins with `#:`, such as `#: name=old-items owner=@shop`.
///
/// nginx reads it as a comment. It decides nothing.
public struct RuleNote: Sendable, Hashable {
    /// One `key=value`, or `allow CHECK ["reason"]` with the check as its value.
    public struct Entry: Sendable, Hashable {
        /// What it says something about: `name`, `owner`, `since`, `until`, `ticket`, `doc` or `allow`.
        public var key: String
        /// What it says.
        public var value: String
        /// Behind `allow`: why; nil where nothing is said.
        public var reason: String?
    }

    /// What is noted, in the order in which it is written.
    public var entries: [Entry] = []

    /// The value of a key; nil where it is not noted.
    public subscript(_ key: String) -> String? { entries.first { $0.key == key }?.value }
}

/// The notes of one file, by the place of the directive that each belongs to.
struct RuleNotes {
    /// The keys that a note may have, but for `allow`.
    private static let keys = ["name", "owner", "since", "until", "ticket", "doc"]

    private(set) var notes: [SourcePosition: RuleNote] = [:]
    /// What is wrong with them.
    private(set) var problems: [Diagnostic] = []
    private let file: RuleFile

    /// Reads the notes of a file; linear in its size, and quick where there are none.
    init(_ file: RuleFile, index: Int32, startingAt offset: Int = 0) {
        self.file = file
        guard Self.hasNotes(file.bytes) else { return }
        var lexer = Lexer(file: file, index: index, startingAt: offset)
        // The place of the directive that is being read, and of the last one that has ended or whose block has begun.
        var current: SourcePosition?
        var last: (start: SourcePosition, line: Int32)?
        var pending: [Lexer.Note] = []
        while true {
            lexer.notes.removeAll(keepingCapacity: true)
            let token = lexer.next()
            for note in lexer.notes {
                if let current {
                    add(note, to: current)
                } else if let last, last.line == note.position.line {
                    add(note, to: last.start)
                } else {
                    pending.append(note)
                }
            }
            switch token {
            case .word(let word) where current == nil:
                current = word.position
                for note in pending { add(note, to: word.position) }
                pending.removeAll()
            case .word: break
            case .semicolon, .openBrace:
                last = current.map { ($0, lexer.tokenPosition.line) }
                current = nil
            case .closeBrace: (current, last) = (nil, nil)
            case .end:
                for note in pending { warn("there is no rule behind this note", at: note.position) }
                return
            }
        }
    }

    private static func hasNotes(_ bytes: [UInt8]) -> Bool {
        var before: UInt8 = 0
        for byte in bytes {
            if byte == UInt8(ascii: ":"), before == UInt8(ascii: "#") { return true }
            before = byte
        }
        return false
    }

    private mutating func add(_ note: Lexer.Note, to directive: SourcePosition) {
        var words = Self.words(file.bytes[note.text])[...]
        while let (word, start) = words.popFirst() {
            if word == "allow" {
                guard let check = words.popFirst()?.text else {
                    warn("\"allow\" is followed by the name of a check", at: note.position)
                    return
                }
                let reason = words.first.flatMap { $0.text.hasPrefix("\"") ? $0.text : nil }
                if reason != nil { words.removeFirst() }
                let text = reason.map { String($0.dropFirst().prefix { $0 != "\"" }) }
                notes[directive, default: RuleNote()].entries.append(.init(key: word, value: check, reason: text))
                continue
            }
            guard let equals = word.firstIndex(of: "="), Self.keys.contains(String(word[..<equals])) else {
                let key = String(word.prefix { $0 != "=" })
                let meant = Suggestion.closest(to: key, among: Self.keys + ["allow"])
                let hint = meant.map { "did you mean \"\($0)\"?" }
                let keys = "the keys are \(Self.keys.joined(separator: ", ")) and allow"
                var place = note.position
                place.column += Int32(truncatingIfNeeded: start - note.text.lowerBound + 2)
                warn("a note has no \(shown(key.utf8))", at: place, length: key.utf8.count, suggestion: hint ?? keys)
                continue
            }
            let value = String(word[word.index(after: equals)...].filter { $0 != "\"" })
            notes[directive, default: RuleNote()].entries.append(.init(key: String(word[..<equals]), value: value))
        }
    }

    private mutating func warn(
        _ message: String,
        at position: SourcePosition,
        length: Int = 2,
        suggestion: String? = nil
    ) {
        problems.append(
            file.diagnostic(
                .warning,
                code: "invalid-note",
                message: message,
                line: position.line,
                column: position.column,
                length: length,
                suggestion: suggestion
            )
        )
    }

    /// The words of a note and where they begin: what is between double quotes is one word, with them.
    private static func words(_ bytes: ArraySlice<UInt8>) -> [(text: String, start: Int)] {
        var words: [(text: String, start: Int)] = []
        var word: [UInt8] = []
        var isQuoted = false
        for (index, byte) in zip(bytes.indices, bytes) {
            if !isQuoted, byte == 0x20 || byte == 0x09 || byte == 0x0d {
                if !word.isEmpty { words.append((String(decoding: word, as: UTF8.self), index - word.count)) }
                word.removeAll()
                continue
            }
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            word.append(byte)
        }
        if !word.isEmpty { words.append((String(decoding: word, as: UTF8.self), bytes.endIndex - word.count)) }
        return words
    }
}
