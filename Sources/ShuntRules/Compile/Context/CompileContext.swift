import ShuntCore

/// The shared state of the compilers of a rule set: diagnostics, the tables that they fill, the names of variables, and
/// the expressions so far.
///
/// It is handed to each of them; what concerns one of them alone is its own.
struct CompileContext {
    /// The files, and everything that is wrong with them.
    var source: ParsedRules
    var tables = ProgramTables()
    var symbols = SymbolTable()
    /// The numbers of the expressions that were compiled already, by their hashes.
    var patternNumbers: [Int: ExpressionIndex] = [:]
    /// The names of the upstreams in lower case, and where they are.
    var upstreams: [String: SourcePosition] = [:]
    /// The directory that relative paths of rules are taken from.
    let directory: String

    // MARK: Reports

    mutating func error(
        _ code: DiagnosticCode,
        _ message: String,
        at word: Word,
        bytes: Range<Int>? = nil,
        suggestion: String? = nil,
        notes: [Diagnostic] = []
    ) {
        source.report(.error(code), message, at: word, bytes: bytes, suggestion: suggestion, notes: notes)
    }

    /// Reports an error in the place of a value.
    mutating func error<Value>(
        _ code: DiagnosticCode,
        _ message: String,
        at word: Word,
        bytes: Range<Int>? = nil,
        suggestion: String? = nil,
        notes: [Diagnostic] = []
    ) -> Value? {
        source.report(.error(code), message, at: word, bytes: bytes, suggestion: suggestion, notes: notes)
        return nil
    }

    /// Reports a word that cannot be where a value, a parameter or the like does.
    mutating func invalid(_ kind: String, _ word: Word, as code: DiagnosticCode = .invalidValue, advice: String) {
        error(code, "invalid \(kind) \(word.shownText)", at: word, suggestion: advice)
    }

    mutating func invalid<Value>(
        _ kind: String,
        _ word: Word,
        as code: DiagnosticCode = .invalidValue,
        advice: String
    ) -> Value? {
        error(code, "invalid \(kind) \(word.shownText)", at: word, suggestion: advice)
    }

    mutating func warning(
        _ code: DiagnosticCode,
        _ message: String,
        at word: Word,
        bytes: Range<Int>? = nil,
        suggestion: String? = nil,
        notes: [Diagnostic] = []
    ) {
        source.report(.warning(code), message, at: word, bytes: bytes, suggestion: suggestion, notes: notes)
    }

    func note(_ message: String, at position: SourcePosition) -> Diagnostic {
        source.diagnostic(.note(.related), message, at: position)
    }

    /// Reads a file whose lines are rules; returns its number, or nil after an error.
    mutating func list(_ path: Word) -> Int32? {
        let fileCount = source.files.count
        guard let number = source.readList(path) else { return nil }
        // A file of rules may be named as a list, too: that one is shown as rules.
        if Int(number) >= fileCount { source.files[Int(number)].isList = true }
        return number
    }

    // MARK: Tables

    mutating func constant(_ bytes: some Collection<UInt8>) -> ByteRange {
        let start = tables.constants.count
        tables.constants.append(contentsOf: bytes)
        return ByteRange(start, tables.constants.count)
    }

    /// Appends an instruction and returns where it is.
    @discardableResult
    mutating func emit(_ instruction: Instruction, at position: SourcePosition) -> InstructionIndex {
        var instruction = instruction
        instruction.position = position
        return tables.instructions.append(instruction)
    }

    var nextInstruction: InstructionIndex { tables.instructions.next }

    /// Sets the target of an instruction that may jump.
    mutating func patch(_ instruction: InstructionIndex, target: InstructionIndex) {
        tables.instructions[instruction].b = Operand(target)
    }
}
