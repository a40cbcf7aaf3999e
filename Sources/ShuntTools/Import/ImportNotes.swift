/// The notes about a source, as they are made.
struct ImportNotes {
    /// The source that notes are about.
    var file: String
    private(set) var all: [ImportedRules.Note] = []

    init(_ file: String) { self.file = file }

    var sorted: [ImportedRules.Note] { all.sorted { $0.line < $1.line } }

    /// Adds a note about a directive as written.
    mutating func add(_ kind: ImportedRules.Note.Kind, _ text: String, line: Int, reason: String) {
        all.append(ImportedRules.Note(file: file, line: line, text: text, reason: reason, kind: kind))
    }

    /// The comment in the place of a directive that is left out, with its note.
    mutating func leave(_ text: String, line: Int, reason: String) -> ImportItem {
        add(.leftOut, text, line: line, reason: reason)
        return .left(text, reason: reason, line: line)
    }

    /// Adds other notes, each once.
    mutating func merge(_ other: Self) { for note in other.all where !all.contains(note) { all.append(note) } }
}

/// The reason why a part of a source is left out.
struct Unsaid: Error {
    var reason: String

    init(_ reason: String) { self.reason = reason }
}
