import ShuntCore

/// The note of a rule in a comment that begins with `#:`, such as `#: name=old-items owner=@shop`.
///
/// nginx reads it as a comment. It decides nothing.
public struct RuleNote: Sendable, Hashable {
    /// One `key=value`, or `allow CHECK ["reason"]` with the check as its value.
    public struct Entry: Sendable, Hashable {
        /// The key: `name`, `owner`, `since`, `until`, `ticket`, `doc` or `allow`.
        public var key: String
        /// The value; for `allow` the name of the check.
        public var value: String
        /// The reason after `allow`; nil without one.
        public var reason: String?
        /// True if the note is that of a block around the rule.
        public var isInherited = false
    }

    /// The entries in the order in which they are written.
    public var entries: [Entry] = []

    /// The value of a key; nil where it is not noted.
    public subscript(_ key: String) -> String? { entries.first { $0.key == key }?.value }
}

/// Finds the directive that each note of a file belongs to, while the file is read.
struct RuleNotes {
    /// The keys that a note may have, but for `allow`.
    private static let keys = ["name", "owner", "since", "until", "ticket", "doc"]

    /// The notes by the place of their directive; rules in a block that has one inherit it.
    private(set) var notes: [SourcePosition: RuleNote] = [:]
    /// The names of checks in notes that allow them, by the place of their directive.
    private(set) var allowed: [SourcePosition: [Word]] = [:]
    private(set) var problems: [Diagnostic] = []
    private let file: RuleFile
    /// Notes that are before their directive.
    private var waiting: [Lexer.Note] = []
    /// The last directive that has ended, in one line if it has a block, or whose block has begun, and the line where.
    private var last: (start: SourcePosition, line: Int32)?

    init(_ file: RuleFile) { self.file = file }

    /// Takes notes that are in a directive, after one on its line, or before one.
    mutating func add(_ found: [Lexer.Note], to directive: SourcePosition?) {
        for note in found {
            if let directive {
                add(note, to: directive)
            } else if let last, last.line == note.position.line {
                add(note, to: last.start)
            } else {
                waiting.append(note)
            }
        }
    }

    mutating func begin(_ directive: SourcePosition, inheriting note: RuleNote?) {
        if let note { notes[directive] = note }
        guard !waiting.isEmpty else { return }
        for note in waiting { add(note, to: directive) }
        waiting.removeAll()
    }

    /// A directive ends, or its block begins, or ends in the same line.
    mutating func end(_ directive: SourcePosition, line: Int32) { last = (directive, line) }

    mutating func close() { last = nil }

    /// The file ends.
    mutating func finish() {
        for note in waiting { warn("there is no rule after this note", at: note.position) }
    }

    /// The note that what is in the block of a directive inherits; permissions are looked up on their own.
    func inherited(from directive: SourcePosition) -> RuleNote? {
        guard !notes.isEmpty, var note = notes[directive] else { return nil }
        note.entries.removeAll { $0.key == "allow" }
        for index in note.entries.indices { note.entries[index].isInherited = true }
        return note.entries.isEmpty ? nil : note
    }

    private mutating func add(_ note: Lexer.Note, to directive: SourcePosition) {
        var words = Self.words(file.bytes[note.text])[...]
        func place(_ start: Int) -> SourcePosition {
            var place = note.position
            place.column += Int32(truncatingIfNeeded: start - note.text.lowerBound + 2)
            return place
        }
        while let (word, start) = words.popFirst() {
            if word == "allow" {
                guard let (check, start) = words.popFirst(), !check.hasPrefix("\"") else {
                    warn("\"allow\" is followed by the name of a check", at: note.position)
                    return
                }
                let reason = words.first.flatMap { $0.text.hasPrefix("\"") ? $0.text : nil }
                if reason != nil { words.removeFirst() }
                let text = reason.map { String($0.dropFirst().prefix { $0 != "\"" }) }
                append(.init(key: word, value: check, reason: text), to: directive)
                let name = Array(check.utf8)
                allowed[directive, default: []]
                    .append(
                        Word(bytes: name, isQuoted: false, position: place(start), sourceLength: Int32(name.count))
                    )
                continue
            }
            guard let equals = word.firstIndex(of: "="), Self.keys.contains(String(word[..<equals])) else {
                let key = String(word.prefix { $0 != "=" })
                let hint = Suggestion.meant(by: key, among: Self.keys + ["allow"])
                let keys = "the keys are \(Self.keys.joined(separator: ", ")) and allow"
                warn(
                    "a note has no \(shown(key.utf8))",
                    at: place(start),
                    length: key.utf8.count,
                    suggestion: hint ?? keys
                )
                continue
            }
            let value = String(word[word.index(after: equals)...].filter { $0 != "\"" })
            append(.init(key: String(word[..<equals]), value: value), to: directive)
        }
    }

    /// A rule's own entry comes instead of what it inherits under the key.
    private mutating func append(_ entry: RuleNote.Entry, to directive: SourcePosition) {
        notes[directive]?.entries.removeAll { $0.isInherited && $0.key == entry.key }
        notes[directive, default: RuleNote()].entries.append(entry)
    }

    private mutating func warn(
        _ message: String,
        at position: SourcePosition,
        length: Int = 2,
        suggestion: String? = nil
    ) {
        let place = (position.line, position.column)
        problems.append(
            file.diagnostic(.warning(.invalidNote), message, at: place, length: length, suggestion: suggestion)
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
