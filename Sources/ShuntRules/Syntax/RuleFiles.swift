package import ShuntCore

/// Loads rule files: a directory of them, one of them, or an nginx.conf, with everything they include.
package struct RuleFiles {
    private var source: ParsedRules
    /// The files being read, the outermost first.
    private var open: [(realPath: String, name: String)] = []
    /// The place where the text of each file begins; none for a file that is not text.
    private var textStarts: [Int32: Int] = [:]
    private let budget = WordBudget(RuleLimits.words)
    /// True if a limit on the whole rule set was passed.
    private var isStopped = false

    private init(gate: FileGate) { source = ParsedRules(gate: gate) }

    /// Loads the rule set at a path: all `*.conf` files of a directory in the order of their names, or one file.
    ///
    /// An `include` may lead to trusted directories, too. Nothing is thrown: what goes wrong is among the diagnostics.
    package static func load(
        _ path: String,
        from fileSystem: any FileSystem,
        trusting trustedDirectories: [String] = [],
        limits: RuleLimits = RuleLimits()
    ) -> ParsedRules {
        do {
            let isDirectory = try fileSystem.attributes(path).kind == .directory
            let directory = isDirectory ? path : directory(of: path)
            let gate = try FileGate(
                fileSystem: fileSystem,
                directory: directory,
                trusting: trustedDirectories,
                limits: limits
            )
            var loader = RuleFiles(gate: gate)
            if isDirectory { loader.loadDirectory() } else { loader.loadMain(path) }
            return loader.source
        } catch {
            var source = ParsedRules(gate: FileGate(closedFor: path))
            // Perhaps it is not the rules that are missing.
            let trusted = trustedDirectories.first { (try? fileSystem.realPath($0)) == nil }
            let isThere = (try? fileSystem.attributes(path)) != nil
            let what = isThere ? trusted.map { "the trusted directory \(shown($0.utf8))" } : nil
            let message = "cannot read \(what ?? shown(path.utf8)): \(error)"
            let place = SourceLocation(file: path, line: 1, column: 1)
            source.report(Diagnostic(.error(.unreadableFile), message, at: place))
            return source
        }
    }

    /// Loads one rule file whose text is given; it includes nothing.
    package static func load(text: String, named name: String = "rules.conf") -> ParsedRules {
        load(name, from: InMemoryFileSystem([name: text]))
    }

    /// The directory of a file, as its path names it.
    package static func directory(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    // MARK: Entries

    private mutating func loadMain(_ path: String) {
        let name = path.hasPrefix("/") ? path : path.split(separator: "/").last.map(String.init) ?? path
        do {
            // The file that a person names may be a link to anywhere; what it includes may not.
            let opened = try source.gate.open(name, mayBeOutside: true)
            source.directives = read(opened)
        } catch {
            refuse(error, at: SourceLocation(file: path, line: 1, column: 1))
        }
    }

    private mutating func loadDirectory() {
        let directory = source.gate.directory
        let names: [String]
        do {
            names = try source.gate.fileSystem.list(directory, limit: source.gate.limits.listedNames)
        } catch {
            refuse(
                FileGate.Refusal(code: .unreadableFile, message: "cannot list \(shown(directory.utf8)): \(error)"),
                at: SourceLocation(file: directory, line: 1, column: 1)
            )
            return
        }
        var found = false
        for name in names where !isStopped {
            let location = SourceLocation(file: source.gate.name(of: name), line: 1, column: 1)
            if Self.isBackup(name) {
                if name.contains(".conf") {
                    skip(location.file, because: "its name is the name of a hidden or backup file", location)
                }
                continue
            }
            guard name.hasSuffix(".conf") else { continue }
            if (try? source.gate.fileSystem.attributes(location.file))?.kind == .directory {
                skip(location.file, because: "it is a directory", location)
                continue
            }
            found = true
            do {
                let opened = try source.gate.open(name)
                source.directives += read(opened)
            } catch {
                refuse(error, at: location)
            }
        }
        if !found, !isStopped {
            let message = "there is no rule file (*.conf) in \(shown(directory.utf8))"
            let place = SourceLocation(file: directory, line: 1, column: 1)
            source.report(Diagnostic(.warning(.noRuleFiles), message, at: place))
        }
    }

    /// Returns true if a name is one that editors and package managers use for copies.
    private static func isBackup(_ name: String) -> Bool {
        if name.hasPrefix(".") || name.hasPrefix("#") || name.hasSuffix("~") || name.hasSuffix("#") { return true }
        let endings = [
            ".bak", ".old", ".orig", ".rej", ".save", ".swp", ".swo", ".tmp", ".rpmnew", ".rpmsave", ".rpmorig",
            ".dpkg-old", ".dpkg-new", ".dpkg-dist", ".dpkg-tmp",
        ]
        return endings.contains { name.hasSuffix($0) }
    }

    private mutating func skip(_ name: String, because reason: String, _ location: SourceLocation) {
        source.report(Diagnostic(.note(.skippedFile), "\(shown(name.utf8)) is not read: \(reason)", at: location))
    }

    // MARK: Reading and including

    private mutating func read(_ opened: FileGate.Opened, in inclusion: Inclusion? = nil) -> [Directive] {
        let index = source.add(opened)
        if inclusion == nil { source.roots.append(index) }
        return parse(index, realPath: opened.realPath, in: inclusion, isFirst: true)
    }

    private mutating func parse(
        _ index: Int32,
        realPath: String,
        in inclusion: Inclusion?,
        isFirst: Bool
    ) -> [Directive] {
        let file = source.files[Int(index)]
        // A file that is included again has the same problems again: they are reported once.
        if isFirst {
            let text = TextCheck.check(file)
            for problem in text.problems { source.report(problem) }
            textStarts[index] = text.isText ? text.start : nil
        }
        guard let start = textStarts[index] else { return [] }
        open.append((realPath, file.name))
        defer { open.removeLast() }
        var parser = Parser(file: file, index: index, startingAt: start, in: inclusion, budget: budget)
        parser.parse { include($0) }
        if isFirst {
            for problem in parser.notes.problems { source.report(problem) }
            source.notes.merge(parser.notes.notes) { first, _ in first }
        }
        // The place of an include causes these, not the content of the file.
        for problem in parser.problems.kept
        where isFirst || problem.has(.nestingTooDeep) || problem.has(.tooManyWords) { source.report(problem) }
        if isFirst { source.countOmittedErrors(parser.problems.omittedErrors) }
        if budget.isSpent { isStopped = true }
        return parser.directives
    }

    private mutating func include(_ inclusion: Inclusion) -> [Directive] {
        let path = inclusion.path
        guard !isStopped else { return [] }
        guard open.count < RuleLimits.includeDepth else {
            refuse(
                FileGate.Refusal(
                    code: .includeTooDeep,
                    message: "files include each other deeper than \(RuleLimits.includeDepth) (limit \"include depth\")"
                ),
                at: path
            )
            return []
        }
        guard !path.bytes.isEmpty, let text = String(validating: path.bytes, as: UTF8.self) else {
            refuse(FileGate.Refusal(code: .unreadableFile, message: "\(path.shownText) is not a file name"), at: path)
            return []
        }
        guard IncludePattern.isPattern(text) else { return includeFile(text, inclusion) }
        var directives: [Directive] = []
        do {
            for match in try source.gate.expand(text) where !isStopped {
                let last = match.split(separator: "/").last.map(String.init) ?? match
                if Self.isBackup(last) {
                    let name = shown(source.gate.name(of: match).utf8)
                    let message = "\(name) is not read: its name is the name of a hidden or backup file"
                    source.report(.note(.skippedFile), message, at: path)
                    continue
                }
                directives += includeFile(match, inclusion)
            }
        } catch {
            refuse(error, at: path)
        }
        return directives
    }

    private mutating func includeFile(_ name: String, _ inclusion: Inclusion) -> [Directive] {
        let word = inclusion.path
        if let real = source.gate.realPath(name) {
            if let first = open.firstIndex(where: { $0.realPath == real }) {
                let chain = (open[first...].map(\.name) + [open[first].name]).joined(separator: " -> ")
                refuse(FileGate.Refusal(code: .includeLoop, message: "files include each other: \(chain)"), at: word)
                return []
            }
            if let index = source.indices[real] {
                do {
                    try source.gate.count(source.files[Int(index)].bytes.count)
                } catch {
                    refuse(error, at: word)
                    return []
                }
                source.note(inclusion, of: index)
                return parse(index, realPath: real, in: inclusion, isFirst: false)
            }
        }
        do {
            let opened = try source.gate.open(name)
            source.note(inclusion, of: Int32(truncatingIfNeeded: source.files.count))
            return read(opened, in: inclusion)
        } catch {
            refuse(error, at: word)
            return []
        }
    }

    private mutating func refuse(_ refusal: FileGate.Refusal, at word: Word) {
        if refusal.isFinal { isStopped = true }
        source.report(refusal, at: word)
    }

    private mutating func refuse(_ refusal: FileGate.Refusal, at location: SourceLocation) {
        if refusal.isFinal { isStopped = true }
        source.report(Diagnostic(.error(refusal.code), refusal.message, at: location, suggestion: refusal.suggestion))
    }
}
