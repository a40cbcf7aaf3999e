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
#endif
