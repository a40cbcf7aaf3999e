public import ShuntCore
public import ShuntRouting
public import ShuntRules

/// All files of a rule set in memory, lists included, with the path to load them by.
public struct RuleArchive: Sendable, Hashable {
    /// The content of a path of an archive.
    @nonexhaustive
    public enum Entry: Sendable, Hashable {
        /// A file.
        case file([UInt8])
        /// A symbolic link and where it leads.
        case link(String)
        /// A directory that is there although it may hold no file.
        case directory
    }

    /// The directory or file to load.
    public var path: String
    /// The files by path.
    public var entries: [String: Entry]
    /// Directories outside of the rules' own which an `include` may lead to.
    public var trustedDirectories: [String]

    /// Makes an archive; relative paths of entries are taken from the same place as `path`.
    public init(path: String, entries: [String: Entry], trustedDirectories: [String] = []) {
        self.path = path
        self.entries = entries
        self.trustedDirectories = trustedDirectories
    }

    /// Makes an archive of rule files in one directory, from names to texts.
    public init(_ files: [String: String], directory: String = "rules") {
        var entries: [String: Entry] = [directory: .directory]
        for (name, text) in files {
            entries[directory + "/" + name] = .file(Array(text.utf8))
        }
        self.init(path: directory, entries: entries)
    }

    /// The number of bytes of all files.
    public var byteCount: Int {
        entries.values.reduce(0) { total, entry in
            if case .file(let bytes) = entry { total &+ bytes.count } else { total }
        }
    }

    /// The files and links in memory, as a loader of rules reads them; a copy at each call.
    public var fileSystem: InMemoryFileSystem {
        var files = InMemoryFileSystem()
        // Shorter paths first: a directory is there before what it holds, whatever the order of the dictionary.
        for (path, entry) in entries.sorted(by: { $0.key.utf8.count < $1.key.utf8.count }) {
            switch entry {
            case .file(let bytes): files.set(path, .file(bytes))
            case .link(let target): files.set(path, .link(target))
            case .directory: files.set(path, .directory)
            }
        }
        return files
    }

    /// Compiles the rule set; throws a `RuleSetError` with all errors and warnings.
    public func compile(
        routing: RoutingOptions = RoutingOptions(),
        ignoringUnknownDirectives: Bool = false
    ) throws(RuleSetError) -> RuleSet {
        try RuleSet(
            path: path,
            from: fileSystem,
            trusting: trustedDirectories,
            routing: routing,
            ignoringUnknownDirectives: ignoringUnknownDirectives
        )
    }
}
