#if Command
import ArgumentParser

/// Makes rule files from the lists and rule sets of others.
@main
struct ConvertCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shunt-convert",
        abstract: "Converts third-party rule sets to Shunt rules.",
        subcommands: [HTTPSEverywhereCommand.self]
    )
}
#endif
