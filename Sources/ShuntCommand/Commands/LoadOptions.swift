#if Command
import ArgumentParser
import Shunt

struct LoadOptions: ParsableArguments {
    @OptionGroup var trusted: TrustOptions

    @Flag(help: "Ignore unknown directives, as ignore_directive does for the names in it.")
    var ignoreUnknown = false

    func load(_ path: String) throws(RuleSetError) -> RuleSet {
        try RuleSet(path: path, trusting: trusted.trust, ignoringUnknownDirectives: ignoreUnknown)
    }

    /// The rules at a path with the files that they are in.
    func capture(_ path: String, from files: any FileSystem = LocalFileSystem()) throws(RuleSetError) -> LoadedRules {
        try LoadedRules(path: path, from: files, trusting: trusted.trust, ignoringUnknownDirectives: ignoreUnknown)
    }

    /// The rules at a path, whose tests are run or only collected; errors in them are shown, and end the command.
    func rules(_ path: String, collectsTests: Bool = false) throws -> RuleSet {
        do throws(RuleSetError) {
            guard collectsTests else { return try load(path) }
            return try RuleSet(
                collectingTestsAt: path,
                trusting: trusted.trust,
                ignoringUnknownDirectives: ignoreUnknown
            )
        } catch {
            throw Failure.errors(error.diagnostics)
        }
    }
}
#endif
