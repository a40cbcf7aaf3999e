public import ShuntCore
public import ShuntRouting

/// A rule set that was read, checked and compiled: immutable, shared by any number of threads.
public final class RuleSet: Sendable {
    package let program: Program
    /// The files as read, for showing rules; lists are not kept.
    package let files: [RuleFile]

    /// The tests that the files bring along, where they were collected and not made.
    package let tests: [CollectedTest]

    /// The warnings about the rules, ordered by file and place.
    public let diagnostics: [Diagnostic]

    /// The SHA-256 of the names and contents of all files, as hexadecimal digits.
    public let contentHash: String

    /// Loads the rule set at a path: a directory, all of whose `*.conf` files are read in the order of their names, one
    /// rule file, or an `nginx.conf`.
    ///
    /// Nothing of a rule set is used when a part of it is wrong, and everything that is wrong is reported at once. The
    /// time is linear in the size of the files.
    ///
    /// - Parameters:
    ///   - path: The directory or file.
    ///   - fileSystem: Where it is.
    ///   - trustedDirectories: Directories besides that of the rules which an `include` may lead to.
    ///   - routing: How the patterns of `route` directives are read.
    ///   - ignoresUnknown: Whether directives that nobody knows are ignored, with a warning, as those are that
    ///     `ignore_directive` names.
    /// - Throws: A `RuleSetError` with all errors and warnings.
    public convenience init(
        path: String,
        from fileSystem: any FileSystem = LocalFileSystem(),
        trusting trustedDirectories: [String] = [],
        routing: RoutingOptions = RoutingOptions(),
        ignoringUnknownDirectives ignoresUnknown: Bool = false
    ) throws(RuleSetError) {
        let source = RuleFiles.load(path, from: fileSystem, trusting: trustedDirectories)
        let directory = (try? fileSystem.realPath(source.gate.directory)) ?? source.gate.directory
        try self.init(source, directory: directory, routing: routing, ignoringUnknown: ignoresUnknown)
    }

    /// Makes a rule set from the text of one rule file, which includes nothing.
    ///
    /// - Parameters:
    ///   - text: The rules.
    ///   - name: The file name for messages.
    ///   - routing: How the patterns of `route` directives are read.
    /// - Throws: A `RuleSetError` with all errors and warnings.
    public convenience init(
        text: String,
        named name: String = "rules.conf",
        routing: RoutingOptions = RoutingOptions()
    ) throws(RuleSetError) {
        try self.init(RuleFiles.load(text: text, named: name), directory: "", routing: routing)
    }

    /// Loads the rule set at a path without making its tests, which are collected for whoever makes them later.
    package convenience init(
        collectingTestsAt path: String,
        from fileSystem: any FileSystem = LocalFileSystem(),
        trusting trustedDirectories: [String] = [],
        ignoringUnknownDirectives ignoresUnknown: Bool = false
    ) throws(RuleSetError) {
        let source = RuleFiles.load(path, from: fileSystem, trusting: trustedDirectories)
        let directory = (try? fileSystem.realPath(source.gate.directory)) ?? source.gate.directory
        try self.init(
            source,
            directory: directory,
            routing: RoutingOptions(),
            ignoringUnknown: ignoresUnknown,
            collectingTests: true
        )
    }

    private init(
        _ source: consuming ParsedRules,
        directory: String,
        routing: RoutingOptions,
        ignoringUnknown ignoresUnknown: Bool = false,
        collectingTests: Bool = false
    ) throws(RuleSetError) {
        let result = Compiler.compile(
            source,
            hostname: HostMachine.name,
            directory: directory,
            routing: routing,
            ignoringUnknown: ignoresUnknown,
            collectingTests: collectingTests
        )
        let diagnostics = result.source.orderedDiagnostics
        guard let program = result.program else { throw RuleSetError(diagnostics: diagnostics) }
        self.program = program
        tests = result.tests
        files = result.source.files
        self.diagnostics = diagnostics
        contentHash = result.source.contentHash
    }

    /// The routes that the rule files declare; nil when there are none.
    public var routes: RouteTable? { program.tables.routes }

    /// The number of rules: instructions that a decision may come from or that change a request.
    public var ruleCount: Int { program.tables.instructions.count { $0.operation.role != .controls } }

    /// How many servers there are.
    package var serverCount: Int { program.tables.servers.count }

    /// Whether the rules decide nothing: there is no rule, no server and no route, as in a directory that has lost its files.
    public var isEmpty: Bool { ruleCount == 0 && program.tables.servers.isEmpty && program.tables.routes == nil }

    /// The notes of each file, by the place of the directive; linear in the size of the files.
    package func notes() -> [SourcePosition: RuleNote] {
        var result: [SourcePosition: RuleNote] = [:]
        for (index, file) in files.enumerated() {
            let notes = RuleNotes(file, index: Int32(truncatingIfNeeded: index)).notes
            result.merge(notes) { first, _ in first }
        }
        return result
    }

    /// An error in a word of the files that only the user of the rules could find, such as a host that nobody knows.
    package func error(
        _ code: String,
        _ message: String,
        at position: SourcePosition,
        suggestion: String? = nil
    ) -> Diagnostic {
        guard files.indices.contains(Int(position.file)) else {
            return Diagnostic(.error, code: code, message: message, at: SourceLocation(file: "", line: 0, column: 0))
        }
        let file = files[Int(position.file)]
        let start = file.offset(line: position.line, column: position.column) ?? 0
        let length = file.bytes[start...].prefix { $0 > 0x20 && $0 != UInt8(ascii: ";") }.count
        return file.diagnostic(
            .error,
            code: code,
            message: message,
            line: position.line,
            column: position.column,
            length: max(1, length),
            suggestion: suggestion
        )
    }

    /// The words of the directive that stands at a position, up to its `;` or its block.
    package func words(at position: SourcePosition) -> [String] {
        guard position.line > 0, files.indices.contains(Int(position.file)) else { return [] }
        let file = files[Int(position.file)]
        guard let start = file.offset(line: position.line, column: position.column) else { return [] }
        var lexer = Lexer(file: file, index: position.file, startingAt: start)
        lexer.expected = .expression
        var words: [String] = []
        while case .word(let word) = lexer.next() { words.append(word.text) }
        return words
    }

    /// The directives of a file, as they are written: an `include` is one of them.
    package func directives(ofFile index: Int) -> [Directive] {
        guard files.indices.contains(index) else { return [] }
        let budget = WordBudget(RuleLimits.words)
        let number = Int32(truncatingIfNeeded: index)
        var parser = Parser(file: files[index], index: number, startingAt: 0, nesting: 0, budget: budget)
        parser.parse { _, _ in [] }
        return parser.directives
    }

    /// The name and the content of a file.
    package func file(_ index: Int) -> RuleFile? { files.indices.contains(index) ? files[index] : nil }

    /// How many files there are.
    package var fileCount: Int { files.count }

    /// The bytes of its file that the directive at a position takes, with its `;` or its block.
    package func extent(at position: SourcePosition) -> Range<Int>? {
        guard position.line > 0, files.indices.contains(Int(position.file)) else { return nil }
        let file = files[Int(position.file)]
        guard let start = file.offset(line: position.line, column: position.column) else { return nil }
        var lexer = Lexer(file: file, index: position.file, startingAt: start)
        lexer.expected = .expression
        var depth = 0
        while true {
            let token = lexer.next()
            switch token {
            case .word: continue
            case .openBrace: depth += 1
            case .closeBrace: depth -= 1
            case .semicolon: break
            case .end: return nil
            }
            guard depth <= 0 else { continue }
            if case .openBrace = token { continue }
            // The lexer counts lines and columns from where it began.
            let end = lexer.tokenPosition
            let offset =
                end.line == 1
                ? Int(end.column) - 1 : file.offset(line: end.line + position.line - 1, column: end.column)
            return offset.map { start..<($0 + 1) }
        }
    }

    /// The words of each entry of the block of the directive that stands at a position; of entries with blocks of their own,
    /// those before these.
    ///
    /// What is included there is not among them.
    package func entries(at position: SourcePosition) -> [[Word]] {
        guard position.line > 0, files.indices.contains(Int(position.file)) else { return [] }
        let file = files[Int(position.file)]
        guard let start = file.offset(line: position.line, column: position.column) else { return [] }
        var lexer = Lexer(file: file, index: position.file, startingAt: start)
        lexer.expected = .expression
        var entries: [[Word]] = []
        var words: [Word] = []
        var depth = 0
        while true {
            switch lexer.next() {
            case .word(var word):
                // The lexer counts lines and columns from where it began.
                if word.position.line == 1 { word.position.column -= Int32(start) - position.column + 1 }
                word.position.line += position.line - 1
                if depth <= 1 { words.append(word) }
            case .openBrace:
                if depth == 1 { entries.append(words) }
                words.removeAll()
                depth += 1
            case .closeBrace:
                words.removeAll()
                depth -= 1
                if depth <= 0 { return entries }
            case .semicolon:
                if depth == 0 { return entries }
                if depth == 1 { entries.append(words) }
                words.removeAll()
            case .end: return entries
            }
        }
    }

    /// The directive that stands at a position, on one line and without its block.
    package func text(at position: SourcePosition) -> String {
        guard position.line > 0, files.indices.contains(Int(position.file)) else { return "" }
        let file = files[Int(position.file)]
        guard let start = file.offset(line: position.line, column: position.column) else { return "" }
        return DirectiveText.oneLine(file.bytes[start...])
    }
}

/// Why a rule set cannot be used: everything that is wrong with it.
public struct RuleSetError: Error, Sendable, CustomStringConvertible {
    /// The errors and warnings, ordered by file and place.
    public var diagnostics: [Diagnostic]

    /// Makes an error.
    public init(diagnostics: [Diagnostic]) {
        self.diagnostics = diagnostics
    }

    /// The diagnostics as people read them, with the lines and carets.
    public var description: String {
        DiagnosticRenderer().render(diagnostics)
    }
}
