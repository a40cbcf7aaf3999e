public import ShuntRouting
public import ShuntRules

/// The place where rule sets come from: a directory, memory, or a store shared by a fleet.
///
/// A source returns a whole set as of one moment, and reports when there may be another. Everything else —
/// comparing, validating, swapping, copies for a cold start, damping — is the work of `RuleStore`.
public protocol RuleSource: Sendable {
    /// The source in words for people, such as the path of a directory. A last-known-good copy is only used by the
    /// source of the name it was written for.
    var name: String { get }

    /// The reason why the source reports changes more slowly than it should; nil if it does not.
    var condition: String? { get }

    /// Loads the current set, all of it or nothing.
    ///
    /// Never called while a call is under way. It must not block the caller's thread for long.
    ///
    /// - Throws: `RuleSetError` with everything that is wrong with the rules, or any other error when they cannot be had.
    func load() async throws -> LoadedRules

    /// Yields whenever the set may have changed. Several changes may come as one. The stream ends when its reader is
    /// cancelled.
    func changes() -> AsyncStream<Void>
}

extension RuleSource {
    /// Nothing hinders the source.
    public var condition: String? { nil }
}

/// A compiled rule set and the files it was made from.
public struct LoadedRules: Sendable {
    /// The compiled rules.
    public let ruleSet: RuleSet
    /// The files that the rules were compiled from.
    public let archive: RuleArchive

    /// Puts a rule set together with the files it was made from.
    public init(ruleSet: RuleSet, archive: RuleArchive) {
        self.ruleSet = ruleSet
        self.archive = archive
    }

    /// Reads and compiles the rules at a path: a directory, one rule file, or an nginx.conf.
    package init(
        path: String,
        from files: any FileSystem = LocalFileSystem(),
        trusting trustedDirectories: [String] = [],
        ignoringUnknownDirectives: Bool = false
    ) throws(RuleSetError) {
        self = try DirectoryCapture(
            loading: path,
            trusting: trustedDirectories,
            ignoringUnknownDirectives: ignoringUnknownDirectives,
            from: files
        )
        .loaded()
    }

    /// Compiles the rule set that an archive holds; throws a `RuleSetError` with all errors and warnings.
    public init(
        compiling archive: RuleArchive,
        routing: RoutingOptions = RoutingOptions(),
        ignoringUnknownDirectives: Bool = false
    ) throws(RuleSetError) {
        let ruleSet = try archive.compile(routing: routing, ignoringUnknownDirectives: ignoringUnknownDirectives)
        self.init(ruleSet: ruleSet, archive: archive)
    }
}
