#if Command
import ArgumentParser
import Shunt

struct RulesOptions: ParsableArguments {
    @Option(help: "A directory of rule files, one rule file, or an nginx.conf.", completion: .file())
    var rules: String

    @OptionGroup var loading: LoadOptions

    @Option(
        help: "The folder that requests for files are looked up in, where no rule names one.",
        completion: .directory
    )
    var documentRoot: String?

    @Flag(help: "Try rules one after another, without the index. The decisions are the same.")
    var linear = false

    /// The engine for the rules; errors in them are shown, and end the command.
    func engine() throws -> Engine { try engine(of: rules) }

    /// The engine for the rules at another path, with the same options.
    func engine(of path: String) throws -> Engine {
        let ruleSet = try loading.rules(path)
        var options = Engine.Options()
        options.fileSystem = LocalFileSystem()
        options.documentRoot = documentRoot
        options.isLinear = linear
        return Engine(ruleSet, options: options)
    }
}

/// The places that rules may be read from, and unknown directives in them.
struct LoadOptions: ParsableArguments {
    @Option(
        help: .value(
            "directory",
            "A directory outside the rules that an include or a symbolic link may lead to. May be repeated."
        ),
        completion: .directory
    )
    var trust: [String] = []

    @Flag(help: "Ignore unknown directives, as ignore_directive does for the names in it.")
    var ignoreUnknown = false

    func load(_ path: String) throws(RuleSetError) -> RuleSet {
        try RuleSet(path: path, trusting: trust, ignoringUnknownDirectives: ignoreUnknown)
    }

    /// The rules at a path with the files that they are in.
    func capture(_ path: String, from files: any FileSystem = LocalFileSystem()) throws(RuleSetError) -> LoadedRules {
        try LoadedRules(path: path, from: files, trusting: trust, ignoringUnknownDirectives: ignoreUnknown)
    }

    /// The rules at a path, whose tests are run or only collected; errors in them are shown, and end the command.
    func rules(_ path: String, collectsTests: Bool = false) throws -> RuleSet {
        do throws(RuleSetError) {
            guard collectsTests else { return try load(path) }
            return try RuleSet(
                collectingTestsAt: path,
                trusting: trust,
                ignoringUnknownDirectives: ignoreUnknown
            )
        } catch {
            throw Failure.errors(error.diagnostics)
        }
    }
}

/// The directives that rules are served without.
struct AcceptOptions: ParsableArguments {
    @Option(
        help: .value(
            "directive",
            "A directive that the gateway does not do and that you can do without; all for a trial. May be repeated."
        )
    )
    var accept: [String] = []

    func validate() throws {
        let known = ExternalVariables.unserved.union(UnservedDirectives.table.keys)
        for name in accept where name != "all" && !known.contains(name) {
            let meant = Suggestion.closest(to: name, among: Array(known)).map { " Did you mean \($0)?" } ?? ""
            throw ValidationError("--accept takes a directive that the gateway does not do, not '\(name)'.\(meant)")
        }
    }
}
#endif
