import ShuntCore
import ShuntPatterns
package import ShuntRouting

/// Turns checked directives into a program, reporting everything that is wrong on the way.
///
/// Definitions may come after their uses, as in nginx, so variables get their numbers when they are first mentioned and
/// are resolved at the end.
package struct Compiler {
    var source: RuleSource
    var tables = ProgramTables()

    /// The numbers of variables by name in lower case.
    var variableNumbers: [String: Int32] = [:]
    /// Where each variable that nothing has defined yet was mentioned.
    var mentions: [Int32: [Mention]] = [:]
    /// Patterns that were compiled already, by their hashes.
    var patternNumbers: [Int: Int32] = [:]
    /// The tables of list files by the numbers of the files.
    var listNumbers: [Int32: Int32] = [:]
    /// The servers and their listens, until they are grouped.
    var listens: [ListenDirective] = []
    /// The names of the upstreams, and where they stand.
    var upstreams: [String: SourcePosition] = [:]
    /// The directory that relative paths of rules are taken from.
    let directory: String
    /// The routes so far.
    var routes: RouteTableBuilder
    /// What the rule set says of itself.
    var expectations: [Expectation] = []
    /// The names of the server that is being compiled.
    var currentServerNames: [ServerName] = []
    /// The number of groups of the expression whose captures the next template may use; nil when it is not known.
    var availableGroups: Int?

    struct Mention {
        var word: Word
        var bytes: Range<Int>
    }

    /// What a compilation came to: a program unless there were errors, and everything there is to say.
    package struct Result {
        /// The program; nil after an error.
        package var program: Program?
        /// The source with all its diagnostics.
        package var source: RuleSource
    }

    /// Checks the structure of a rule set and compiles it.
    ///
    /// - Parameters:
    ///   - source: The directives; its diagnostics are kept and added to.
    ///   - hostname: The machine's name, which `server_name $hostname` stands for.
    ///   - directory: What a relative `root` is relative to.
    ///   - routing: How the patterns of routes are read.
    /// - Returns: The program, and the source with everything there is to say.
    package static func compile(
        _ source: consuming RuleSource,
        hostname: [UInt8] = [],
        directory: String = "",
        routing: RoutingOptions = RoutingOptions()
    ) -> Result {
        var compiler = Compiler(source: source, directory: directory, routing: routing)
        compiler.tables.hostname = hostname
        compiler.tables.files = compiler.source.files.map(\.name)
        compiler.run()
        guard compiler.source.errorCount == 0 else { return Result(program: nil, source: compiler.source) }
        let program = Program(compiler.tables)
        compiler.testExpectations(of: program)
        guard compiler.source.errorCount == 0 else { return Result(program: nil, source: compiler.source) }
        return Result(program: program, source: compiler.source)
    }

    private init(source: consuming RuleSource, directory: String, routing: RoutingOptions) {
        self.source = source
        self.directory = directory
        routes = RouteTableBuilder(options: routing)
    }

    private mutating func run() {
        let top = StructureCheck.run(&source)
        declareUpstreams(top)
        define(top)
        var settings = Settings()
        apply(top, to: &settings, scope: .http)
        compileURLPhase(top)
        for directive in top {
            switch Self.keyword(directive) {
            case .server: compileServer(directive, in: settings)
            case .route: declareRoute(directive)
            case .expect: declareExpectation(directive)
            default: break
            }
        }
        groupListens()
        buildRoutes()
        resolveVariables()
    }

    /// The keyword of a directive that has a part in decisions.
    static func keyword(_ directive: Directive) -> Keyword? {
        directive.keyword
    }

    // MARK: Reports

    mutating func error(
        _ code: String,
        _ message: String,
        at word: Word,
        bytes: Range<Int>? = nil,
        suggestion: String? = nil,
        notes: [Diagnostic] = []
    ) {
        report(.error, code, message, at: word, bytes: bytes, suggestion: suggestion, notes: notes)
    }

    mutating func warning(
        _ code: String,
        _ message: String,
        at word: Word,
        bytes: Range<Int>? = nil,
        suggestion: String? = nil,
        notes: [Diagnostic] = []
    ) {
        report(.warning, code, message, at: word, bytes: bytes, suggestion: suggestion, notes: notes)
    }

    private mutating func report(
        _ severity: Diagnostic.Severity,
        _ code: String,
        _ message: String,
        at word: Word,
        bytes: Range<Int>?,
        suggestion: String?,
        notes: [Diagnostic]
    ) {
        let diagnostic =
            if let bytes {
                source.diagnostic(
                    severity,
                    code: code,
                    message: message,
                    at: word,
                    bytes: bytes,
                    suggestion: suggestion,
                    notes: notes
                )
            } else {
                source.diagnostic(
                    severity,
                    code: code,
                    message: message,
                    at: word,
                    suggestion: suggestion,
                    notes: notes
                )
            }
        source.report(diagnostic)
    }

    /// A note about another place.
    func note(_ message: String, at position: SourcePosition) -> Diagnostic {
        source.diagnostic(.note, code: "related", message: message, at: position)
    }

    // MARK: Tables

    /// Adds bytes to the constants.
    mutating func constant(_ bytes: some Collection<UInt8>) -> ByteRange {
        let start = tables.constants.count
        tables.constants.append(contentsOf: bytes)
        return ByteRange(start, tables.constants.count)
    }

    /// Appends an instruction and tells where it is.
    @discardableResult
    mutating func emit(_ instruction: Instruction, at position: SourcePosition) -> Int32 {
        var instruction = instruction
        instruction.position = position
        tables.instructions.append(instruction)
        return Int32(tables.instructions.count - 1)
    }

    /// The place of the next instruction.
    var nextInstruction: Int32 { Int32(tables.instructions.count) }

    mutating func patch(_ instruction: Int32, target: Int32) {
        tables.instructions[Int(instruction)].b = target
    }
}

extension Array {
    /// Appends an element and tells its index.
    mutating func adding(_ element: Element) -> Int32 {
        append(element)
        return Int32(count - 1)
    }
}
