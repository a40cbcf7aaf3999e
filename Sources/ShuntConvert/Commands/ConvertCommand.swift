#if Command
import ArgumentParser

/// Makes rule files from the lists and rule sets of others.
@main
struct ConvertCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shunt-convert",
        abstract: "Makes Shunt rules from the rule sets of others.",
        subcommands: [HTTPSEverywhereCommand.self]
    )
}
#endif
