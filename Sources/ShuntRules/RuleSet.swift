public import ShuntCore
public import ShuntRouting
import Synchronization

/// A rule set that was read, checked and compiled: immutable, shared by any number of threads.
public final class RuleSet: Sendable {
    let program: Program
    /// The files as read, for showing rules; lists are not kept.
    package let files: [RuleFile]
    /// The numbers of the files that are read for themselves, and what each `include` brings.
    private let roots: [Int32]
    private let inclusions: [SourcePosition: Inclusion]
    private let kept = Mutex(KeptDocument())

    /// The tests that the files bring along, where they were collected and not made.
    package let tests: [CollectedTest]

    /// The warnings about the rules, ordered by file and place.
    public let diagnostics: [Diagnostic]

    /// The directives that the gateway does not do; `diagnostics` has warnings of those that nothing here does.
    package let unserved: [UnservedUse]
    /// The directives that are passed over.
    package let ignored: [DirectiveUses]

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
    ///   - trustedDirectories: Directories other than that of the rules which an `include` may lead to.
    ///   - routing: How the patterns of `route` directives are read.
    ///   - ignoresUnknown: Whether directives that no one knows are ignored, with a warning, as those are that
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
        try self.init(consume source, directory: directory, routing: routing, ignoringUnknown: ignoresUnknown)
    }

    /// Makes a rule set from the text of one rule file, which includes nothing.
    ///
    /// - Parameters:
    ///   - text: The rules.
    ///   - name: The file name for messages.
    ///   - routing: How the patterns of `route` directives are read.
    ///   - ignoresUnknown: Whether directives that are unknown are ignored, with a warning.
    /// - Throws: A `RuleSetError` with all errors and warnings.
    public convenience init(
        text: String,
        named name: String = "rules.conf",
        routing: RoutingOptions = RoutingOptions(),
        ignoringUnknownDirectives ignoresUnknown: Bool = false
    ) throws(RuleSetError) {
        let source = RuleFiles.load(text: text, named: name)
        try self.init(consume source, directory: "", routing: routing, ignoringUnknown: ignoresUnknown)
    }

    /// Loads the rule set at a path without running its tests, which are collected to be run later.
    package convenience init(
        collectingTestsAt path: String,
        from fileSystem: any FileSystem = LocalFileSystem(),
        trusting trustedDirectories: [String] = [],
        ignoringUnknownDirectives ignoresUnknown: Bool = false
    ) throws(RuleSetError) {
        let source = RuleFiles.load(path, from: fileSystem, trusting: trustedDirectories)
        let directory = (try? fileSystem.realPath(source.gate.directory)) ?? source.gate.directory
        try self.init(
            consume source,
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
        // What was read is freed while it is compiled.
        let result = Compiler.compile(
            consume source,
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
        roots = result.source.roots
        inclusions = result.source.inclusions
        self.diagnostics = diagnostics
        unserved = result.source.unserved
        ignored = result.source.ignored
        contentHash = result.source.contentHash
    }

    /// Finds the errors with which a gateway does not start, in the order of the rules.
    ///
    /// The operator accepts directives by their names, or `all`; a default upstream answers the requests of some.
    package func servingErrors(accepting accepted: Set<String>, hasUpstream: Bool = false) -> [Diagnostic] {
        unserved.filter { use in
            !accepted.contains(use.name) && !accepted.contains("all") && !(hasUpstream && use.goesToUpstream)
        }
        .map(\.error)
    }

    /// Returns the diagnostics with those errors in the place of their warnings.
    package func diagnostics(ofServingAccepting accepted: Set<String>) -> [Diagnostic] {
        let errors = servingErrors(accepting: accepted)
        let places = Set(errors.map(\.location))
        return errors
            + diagnostics.filter { diagnostic in
                if diagnostic.has(.notServed) { return !places.contains(diagnostic.location) }
                return !diagnostic.has(.onlyServed)
            }
    }

    /// The routes that the rule files declare; nil when there are none.
    public var routes: RouteTable? { program.tables.routes }

    /// The number of rules: instructions that a decision may come from or that change a request, and rows of lists.
    public var ruleCount: Int {
        program.tables.instructions.count { $0.operation.role != .controls }
            + program.tables.redirectLists.reduce(0) { $0 + $1.rows.count { !$0.isLeftOut } }
    }

    package var serverCount: Int { program.tables.servers.count }

    /// True if the rules decide nothing: there is no rule, no server and no route, as in a directory that has lost its
    /// files.
    public var isEmpty: Bool { ruleCount == 0 && program.tables.servers.isEmpty && program.tables.routes == nil }

    /// The files as they are written: it is built when it is asked for, and shared as long as it is kept.
    package var document: RuleDocument {
        kept.withLock { kept in
            if let document = kept.document { return document }
            let document = RuleDocument(files, roots: roots, inclusions: inclusions)
            kept.document = document
            return document
        }
    }

    /// The rules as values, for tools and pages: it is built when it is asked for, and shared as long as it is kept.
    package var model: RuleModel {
        kept.withLock { kept in
            if let model = kept.model { return model }
            let model = RuleModel(self)
            kept.model = model
            return model
        }
    }

    /// An error in a word of the files that only the user of the rules could find, such as a host that no one knows.
    package func error(
        _ code: DiagnosticCode,
        _ message: String,
        at position: SourcePosition,
        suggestion: String? = nil
    ) -> Diagnostic {
        guard files.indices.contains(Int(position.file)) else {
            return Diagnostic(.error(code), message, at: .whole(""))
        }
        let file = files[Int(position.file)]
        let start = file.offset(line: position.line, column: position.column) ?? 0
        let length = file.bytes[start...].prefix { $0 > 0x20 && $0 != UInt8(ascii: ";") }.count
        let place = (position.line, position.column)
        return file.diagnostic(.error(code), message, at: place, length: length, suggestion: suggestion)
    }

    /// The name and the content of a file.
    package func file(_ index: Int) -> RuleFile? { files.indices.contains(index) ? files[index] : nil }

    /// The directive that is at a position, on one line and without its block.
    package func text(at position: SourcePosition) -> String {
        file(Int(position.file))?.shownDirective(line: position.line, column: position.column) ?? ""
    }
}

/// The document of a rule set while someone has it.
private struct KeptDocument {
    weak var document: RuleDocument?
    weak var model: RuleModel?
}

/// The reason why a rule set cannot be used: everything that is wrong with it.
public struct RuleSetError: Error, Sendable, CustomStringConvertible {
    /// The errors and warnings, ordered by file and place.
    public var diagnostics: [Diagnostic]

    /// Makes an error.
    public init(diagnostics: [Diagnostic]) { self.diagnostics = diagnostics }

    /// The diagnostics as people read them, with the lines and carets.
    public var description: String { DiagnosticRenderer().render(diagnostics) }
}
