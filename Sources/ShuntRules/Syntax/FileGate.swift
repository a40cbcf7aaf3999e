import ShuntCore

/// The one way in which rule files and list files are opened.
///
/// Whatever a rule file names, only regular files below the rule directory are read, whatever the names, `..` or
/// symbolic links on the way; each is read once, and the count and size of all of them are bounded.
struct FileGate: Sendable {
    /// The reason why a file was not opened.
    struct Refusal: Error {
        var code: DiagnosticCode
        var message: String
        var suggestion: String?
        /// True if a limit on the whole rule set was passed, so that nothing more is to be read.
        var isFinal = false
    }

    /// A file that may be read.
    struct Opened {
        var realPath: String
        var name: String
        var bytes: [UInt8]
    }

    let fileSystem: any FileSystem
    /// The rule directory as people wrote it.
    let directory: String
    /// The same without symbolic links.
    let realDirectory: String
    /// Other directories that files may come from, without symbolic links.
    let trustedDirectories: [String]
    let limits: RuleLimits
    /// The hash of everything read.
    var hash = ContentHash()
    private var fileCount = 0
    private var totalBytes = 0
    private var listedNames = 0

    init(fileSystem: any FileSystem, directory: String, trusting trusted: [String], limits: RuleLimits)
        throws(FileError)
    {
        self.fileSystem = fileSystem
        self.directory = directory
        self.limits = limits
        realDirectory = try fileSystem.realPath(directory)
        var directories: [String] = []
        for path in trusted {
            directories.append(try fileSystem.realPath(path))
        }
        trustedDirectories = directories
    }

    /// Makes a gate that opens nothing, for a rule set that could not be found.
    init(closedFor path: String) {
        fileSystem = InMemoryFileSystem()
        directory = path
        realDirectory = path
        limits = RuleLimits()
        trustedDirectories = []
    }

    /// A path of a rule file as seen from the rule directory, in the form in which people see it.
    func name(of path: String) -> String {
        var path = path
        while path.hasPrefix("./") { path = String(path.dropFirst(2)) }
        if path.hasPrefix("/") || directory == "." { return path }
        return directory.hasSuffix("/") ? directory + path : directory + "/" + path
    }

    /// Reads the file that a path in a rule file names, and counts it.
    mutating func open(_ path: String, mayBeOutside: Bool = false) throws(Refusal) -> Opened {
        let name = name(of: path)
        if !mayBeOutside, !isInside(lexically: name) { throw outside(path) }
        do {
            let realPath = try fileSystem.realPath(name)
            if !mayBeOutside, !isInside(realPath) { throw outside(path) }
            let attributes = try fileSystem.attributes(realPath)
            guard attributes.kind == .regular else { throw FileError(.wrongKind(attributes.kind)) }
            try count(attributes.size)
            let bytes = try fileSystem.read(realPath, limit: limits.totalBytes)
            hash.updateField(Array(relative(realPath, to: realDirectory).utf8))
            hash.updateField(bytes)
            return Opened(realPath: realPath, name: name, bytes: bytes)
        } catch let error as FileError {
            throw refusal(of: name, error)
        } catch let refusal as Refusal {
            throw refusal
        } catch {
            throw Refusal(code: .unreadableFile, message: "cannot read \(shown(name.utf8))")
        }
    }

    /// The real path of a file, for finding loops before it is opened; nil when there is none.
    func realPath(_ path: String) -> String? {
        let name = name(of: path)
        guard isInside(lexically: name), let real = try? fileSystem.realPath(name), isInside(real) else { return nil }
        return real
    }

    /// Counts a file that is read, or used once more.
    mutating func count(_ size: Int) throws(Refusal) {
        fileCount += 1
        guard fileCount <= limits.files else {
            let message = "the rule set includes more than \(limits.files) files (limit \"files\")"
            throw Refusal(code: .tooManyFiles, message: message, isFinal: true)
        }
        totalBytes += min(max(0, size), limits.totalBytes + 1)
        guard totalBytes <= limits.totalBytes else {
            let message = "the files of the rule set have more than \(limits.totalBytes) bytes (limit \"total size\")"
            throw Refusal(code: .tooMuchText, message: message, isFinal: true)
        }
    }

    /// The paths that match a pattern, in the order of their bytes.
    mutating func expand(_ pattern: String) throws(Refusal) -> [String] {
        let components = pattern.split(separator: "/").map(String.init)
        let plain = components.prefix { !IncludePattern.isPattern($0) }
        let start = (pattern.hasPrefix("/") ? "/" : "") + plain.joined(separator: "/")
        guard isInside(lexically: name(of: start)) || start.isEmpty else { throw outside(pattern) }
        var found = [start]
        for component in components.dropFirst(plain.count) {
            var next: [String] = []
            for base in found {
                for name in try names(in: base, matching: component) {
                    next.append(base.isEmpty ? name : base == "/" ? "/" + name : base + "/" + name)
                }
            }
            found = next
        }
        return found.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    private mutating func names(in base: String, matching component: String) throws(Refusal) -> [String] {
        let path = base.isEmpty ? directory : name(of: base)
        guard let real = try? fileSystem.realPath(path) else { return [] }
        guard isInside(real) else { throw outside(base) }
        if !IncludePattern.isPattern(component) {
            return (try? fileSystem.attributes(real + "/" + component)) == nil ? [] : [component]
        }
        guard (try? fileSystem.attributes(real))?.kind == .directory else { return [] }
        let names: [String]
        do {
            names = try fileSystem.list(real, limit: limits.listedNames - listedNames)
        } catch {
            if case .overLimit = error.reason {
                let message = "more than \(limits.listedNames) file names to check (limit \"listed names\")"
                throw Refusal(code: .tooManyFiles, message: message, isFinal: true)
            }
            throw refusal(of: path, error)
        }
        listedNames += names.count
        let pattern = Array(component.utf8)
        return names.filter { IncludePattern.matches(Array($0.utf8), pattern) }
    }

    // MARK: Where a path leads

    private func isInside(_ realPath: String) -> Bool {
        ([realDirectory] + trustedDirectories).contains { Self.isInside(realPath, $0) }
    }

    private static func isInside(_ path: String, _ directory: String) -> Bool {
        directory == "/" || path == directory || path.hasPrefix(directory + "/")
    }

    /// Returns true if a path stays inside by its text alone; others are refused without reading the file system, so
    /// that the answer does not reveal which files exist.
    private func isInside(lexically path: String) -> Bool {
        let fromRealDirectory = Self.normalized(realDirectory + "/" + relative(path, to: directory))
        let path = Self.normalized(path)
        return isInside(path) || !path.hasPrefix("/") && isInside(fromRealDirectory)
            || Self.isInside(path, Self.normalized(directory))
            || Self.normalized(directory) == ""
                && !path.hasPrefix("/") && !path.hasPrefix("..")
    }

    /// The path without `.`, and with `..` taken back where there is something to take back.
    private static func normalized(_ path: String) -> String {
        var components: [Substring] = []
        for component in path.split(separator: "/") where component != "." {
            if component == "..", let last = components.last, last != ".." {
                components.removeLast()
            } else if component != ".." || !path.hasPrefix("/") {
                components.append(component)
            }
        }
        return (path.hasPrefix("/") ? "/" : "") + components.joined(separator: "/")
    }

    private func relative(_ path: String, to directory: String) -> String {
        let prefix = directory.hasSuffix("/") ? directory : directory + "/"
        return path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : path
    }

    private func outside(_ path: String) -> Refusal {
        Refusal(
            code: .outsideRuleDirectory,
            message: "\(shown(path.utf8)) leads outside the rule directory \(shown(directory.utf8))",
            suggestion: "keep the file in the rule directory, or trust its directory (--trust)"
        )
    }

    private func refusal(of name: String, _ error: FileError) -> Refusal {
        switch error.reason {
        case .wrongKind(let kind):
            Refusal(
                code: .notAFile,
                message: "\(shown(name.utf8)) is \(kind.rawValue), not a regular file",
                suggestion: kind == .directory ? "name the files in it" : nil
            )
        case .overLimit:
            Refusal(
                code: .tooMuchText,
                message:
                    "the files of the rule set have more than \(limits.totalBytes) bytes (limit \"total size\")",
                isFinal: true
            )
        default:
            Refusal(
                code: .unreadableFile,
                message: "cannot read \(shown(name.utf8)): \(error)",
                suggestion: error.reason == .notFound ? nearest(to: name) : nil
            )
        }
    }

    /// Returns a file next to a missing one with a similar name, for messages.
    private func nearest(to name: String) -> String? {
        guard isInside(lexically: name) else { return nil }
        let file = name.split(separator: "/", omittingEmptySubsequences: false).last.map(String.init) ?? name
        let folder = String(name.dropLast(file.count))
        let names = try? fileSystem.list(folder.isEmpty ? "." : folder, limit: Self.similarNames)
        return Suggestion.closest(to: file, among: names ?? [])
            .map { "did you mean \"\(relative(folder + $0, to: directory))\"?" }
    }

    /// The most names of a directory among which one is looked for that someone may have meant.
    private static let similarNames = 10_000
}
