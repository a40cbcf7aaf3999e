package import ShuntCore

/// The result of reading: the directives of all files with their places, and all problems so far.
///
/// Made by `RuleFiles`. Later stages report what they find through it, so that all of it comes out together.
package struct ParsedRules: Sendable {
    /// The files; the `file` of a `SourcePosition` is an index into them.
    package internal(set) var files: [RuleFile] = []
    /// The directives of the files, with every `include` replaced by its content.
    package internal(set) var directives: [Directive] = []
    /// The files that are read for themselves, in their order.
    package internal(set) var roots: [Int32] = []
    /// Each `include` by the place of its path, with the files that it brought.
    package private(set) var inclusions: [SourcePosition: Inclusion] = [:]
    package internal(set) var notes: [SourcePosition: RuleNote] = [:]
    /// The directives that the gateway does not do.
    var unserved: [UnservedUse] = []
    /// The directives that are passed over, in the order of their first uses.
    var ignored: [DirectiveUses] = []
    /// The problems and remarks, in the order in which they were found: at most 1,000 errors, and of the others at most
    /// 100 of a kind.
    package private(set) var diagnostics: [Diagnostic] = []
    /// The problems other than errors by their codes: how many were kept, and what stands for the rest.
    private var others: [String: (kept: Int, rest: Diagnostic?)] = [:]
    /// The number of errors, kept or not.
    package private(set) var errorCount = 0
    var gate: FileGate
    /// The index of each file by its real path.
    private(set) var indices: [String: Int32] = [:]
    private var keptErrors: Set<Diagnostic> = []

    init(gate: FileGate) { self.gate = gate }

    /// The SHA-256 of the names and contents of all files read so far, as hexadecimal digits.
    package var contentHash: String { gate.hash.hexadecimal }

    /// The number of errors that were left out because there were too many.
    package var omittedErrors: Int { errorCount - keptErrors.count }

    /// True if further errors are counted only.
    package var isFull: Bool { keptErrors.count >= RuleLimits.diagnostics }

    /// The diagnostics, errors before all others, by file and place; those that were left out are counted, each kind on its own.
    package var orderedDiagnostics: [Diagnostic] {
        var order: [String: Int] = [:]
        for (index, file) in files.enumerated() where order[file.name] == nil {
            order[file.name] = index
        }
        func sorted(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
            let keyed = diagnostics.enumerated()
                .map { index, diagnostic in
                    (order[diagnostic.location.file] ?? -1, diagnostic.location.line, diagnostic.location.column, index)
                }
            return keyed.sorted { $0 < $1 }.map { diagnostics[$0.3] }
        }
        var errors = sorted(diagnostics.filter { $0.severity == .error })
        if omittedErrors > 0, let last = errors.last {
            var rest = Diagnostic(.error(.moreErrors), "\(omittedErrors) more errors are not shown", at: last.location)
            rest.count = omittedErrors
            errors.append(rest)
        }
        let rests = others.sorted { $0.key < $1.key }.compactMap(\.value.rest)
            .map { rest in
                var rest = rest
                rest.message = "\(rest.count) more \(rest.severity.rawValue)s like this are not shown: \(rest.message)"
                return rest
            }
        return errors + sorted(diagnostics.filter { $0.severity != .error } + rests)
    }

    package mutating func report(_ diagnostic: Diagnostic) {
        guard diagnostic.severity != .error else {
            // A file that is included twice has each mistake once.
            if !isFull {
                guard keptErrors.insert(diagnostic).inserted else { return }
                diagnostics.append(diagnostic)
            }
            errorCount += 1
            return
        }
        let (kept, rest) = others[diagnostic.code] ?? (0, nil)
        if kept < RuleLimits.likeDiagnostics {
            // A file that several servers include has each warning once.
            if diagnostics.contains(diagnostic) { return }
            diagnostics.append(diagnostic)
            others[diagnostic.code] = (kept + 1, nil)
        } else {
            others[diagnostic.code]?.rest = rest ?? diagnostic
            others[diagnostic.code]?.rest?.count += rest == nil ? 0 : 1
        }
    }

    /// Counts errors that were not kept.
    mutating func countOmittedErrors(_ count: Int) { errorCount += count }

    mutating func report(_ refusal: FileGate.Refusal, at word: Word) {
        report(.error(refusal.code), refusal.message, at: word, suggestion: refusal.suggestion)
    }

    // MARK: Files

    /// Notes that an `include` brought a file: the same files each time, however often its own file is included.
    mutating func note(_ inclusion: Inclusion, of file: Int32) {
        let place = inclusion.path.position
        if inclusions[place, default: inclusion].files.contains(file) { return }
        inclusions[place, default: inclusion].files.append(file)
    }

    mutating func add(_ opened: FileGate.Opened) -> Int32 {
        let index = Int32(truncatingIfNeeded: files.count)
        files.append(RuleFile(name: opened.name, bytes: opened.bytes))
        indices[opened.realPath] = index
        return index
    }

    /// Reads the list file at a path from the rule directory; returns its index in `files`, or nil after an error.
    ///
    /// The conditions are those of an `include`: below the rule directory, a regular file, within the limits. The text is
    /// not checked.
    package mutating func readList(_ path: Word) -> Int32? {
        guard !path.bytes.isEmpty, let text = String(validating: path.bytes, as: UTF8.self) else {
            report(FileGate.Refusal(code: .unreadableFile, message: "\(path.shownText) is not a file name"), at: path)
            return nil
        }
        if let real = gate.realPath(text), let index = indices[real] { return index }
        do {
            return add(try gate.open(text))
        } catch {
            report(error, at: path)
            return nil
        }
    }

    // MARK: Places

    /// The place with its file's name; nothing but zeros for `.none`.
    package func location(of position: SourcePosition) -> SourceLocation {
        SourceLocation(file: file(position)?.name ?? "", line: Int(position.line), column: Int(position.column))
    }

    /// The place in the file of the byte at `offset` of a word, past quotes and backslashes; an offset at or past the
    /// end is the place where the word's text ends.
    package func position(ofByte offset: Int, in word: Word) -> SourcePosition {
        guard let file = file(word.position),
            let start = file.offset(line: word.position.line, column: word.position.column)
        else { return word.position }
        let end = min(start + Int(word.sourceLength), file.bytes.count)
        let text = file.bytes[start..<end]
        var index = start
        if word.isQuoted { index += 1 }
        var remaining = min(max(0, offset), word.bytes.count)
        while remaining > 0, index < end {
            index += Lexer.escapedByte(in: text, at: index) == nil ? 1 : 2
            remaining -= 1
        }
        let place = file.place(of: min(index, end))
        return SourcePosition(file: word.position.file, line: place.line, column: place.column)
    }

    /// The place just after a word.
    package func end(of word: Word) -> SourcePosition {
        guard let file = file(word.position),
            let start = file.offset(line: word.position.line, column: word.position.column)
        else { return word.position }
        let place = file.place(of: start + Int(word.sourceLength))
        return SourcePosition(file: word.position.file, line: place.line, column: place.column)
    }

    private func file(_ position: SourcePosition) -> RuleFile? {
        let index = Int(position.file)
        return index >= 0 && index < files.count ? files[index] : nil
    }

    // MARK: Diagnostics

    /// Reports what is wrong with a word, or with some bytes of it, such as the offset PCRE2 complains about.
    package mutating func report(
        _ kind: Diagnostic.Kind,
        _ message: String,
        at word: Word,
        bytes: Range<Int>? = nil,
        suggestion: String? = nil,
        notes: [Diagnostic] = []
    ) {
        report(diagnostic(kind, message, at: word, bytes: bytes, suggestion: suggestion, notes: notes))
    }

    /// A diagnostic that underlines a word, or some bytes of it.
    package func diagnostic(
        _ kind: Diagnostic.Kind,
        _ message: String,
        at word: Word,
        bytes: Range<Int>? = nil,
        suggestion: String? = nil,
        notes: [Diagnostic] = []
    ) -> Diagnostic {
        var position = word.position
        var length = Int(word.sourceLength)
        if let bytes {
            position = self.position(ofByte: bytes.lowerBound, in: word)
            let end = self.position(ofByte: bytes.upperBound, in: word)
            length = end.line == position.line ? Int(end.column - position.column) : 1
        }
        return diagnostic(kind, message, at: position, length: length, suggestion: suggestion, notes: notes)
    }

    /// A diagnostic about `length` bytes at a place.
    package func diagnostic(
        _ kind: Diagnostic.Kind,
        _ message: String,
        at position: SourcePosition,
        length: Int = 1,
        suggestion: String? = nil,
        notes: [Diagnostic] = []
    ) -> Diagnostic {
        guard let file = file(position) else {
            return Diagnostic(kind, message, at: location(of: position), suggestion: suggestion, notes: notes)
        }
        return file.diagnostic(
            kind,
            message,
            at: (position.line, position.column),
            length: length,
            suggestion: suggestion,
            notes: notes
        )
    }
}
