#if Command
import ArgumentParser
import Shunt

/// The options for reading rules.
struct LoadOptions: ParsableArguments {
    @OptionGroup var trusted: TrustOptions

    @Flag(help: "Ignore unknown directives, as ignore_directive does for the names in it.")
    var ignoreUnknown = false

    func load(_ path: String) throws(RuleSetError) -> RuleSet {
        try RuleSet(path: path, trusting: trusted.trust, ignoringUnknownDirectives: ignoreUnknown)
    }

    /// Loads the rules at a path; their tests are collected and not made.
    func loadCollectingTests(_ path: String) throws(RuleSetError) -> RuleSet {
        try RuleSet(collectingTestsAt: path, trusting: trusted.trust, ignoringUnknownDirectives: ignoreUnknown)
    }
}
#endif
