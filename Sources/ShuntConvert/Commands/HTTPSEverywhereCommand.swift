#if Command
import ArgumentParser
import Foundation

/// Converts the rule sets of HTTPS Everywhere.
struct HTTPSEverywhereCommand: ParsableCommand {
    /// The rule sets to convert.
    enum Selection: String, ExpressibleByArgument, CaseIterable {
        case active
        case inactive
        case all

        func takes(_ ruleSet: UpgradeRuleSet) -> Bool {
            switch self {
            case .active: ruleSet.isActive
            case .inactive: !ruleSet.isActive
            case .all: true
            }
        }
    }

    static let configuration = CommandConfiguration(
        commandName: "https-everywhere",
        abstract: "Converts rule sets of HTTPS Everywhere to a rule directory.",
        discussion: """
            Reads one JSON object a line: "file" (its name), "targets" (hosts, "*" for labels), "exclusions" (regular expressions), \
            "rules" (objects with "from" and "to"), and "default_off" or "platform" for rule sets that are not active. The rules that are \
            written decide as the extension does: forward the URL that the first applicable rule makes, or the unchanged URL.

            Example:
                shunt-convert https-everywhere rulesets.jsonl --output upgrade
                echo http://example.com/ | shunt run --rules upgrade
            """
    )

    @Argument(help: "The file with the rule sets.")
    var ruleSets: String

    @Option(name: .shortAndLong, help: "The directory to write to; created if it does not exist, and must be empty.")
    var output: String

    @Option(help: "Which rule sets to convert: active, inactive or all.")
    var only: Selection = .active

    func run() throws {
        let selected = try UpgradeRuleSet.read(ruleSets).filter(only.takes)
        var writer = UpgradeRuleWriter()
        let files = writer.files(for: selected)
        let directory = URL(fileURLWithPath: output, isDirectory: true)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        guard try FileManager.default.contentsOfDirectory(atPath: directory.path).isEmpty else {
            throw ValidationError("\(output) is not empty")
        }
        for file in files {
            try Data(file.text.utf8).write(to: directory.appendingPathComponent(file.name))
        }
        for problem in writer.problems { FileHandle.standardError.write(Data("\(problem)\n".utf8)) }
        print("\(selected.count - writer.problems.count) rule sets in \(files.count) files")
        if !writer.problems.isEmpty { throw ExitCode.failure }
    }
}
#endif
