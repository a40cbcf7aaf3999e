#if Command
import ArgumentParser
import Shunt
import ShuntCore

/// The words of a command line that name its command, such as `links check`.
struct CommandPath {
    /// The words of the command, the program first.
    private(set) var words: [String]
    /// The problem of a word that names no command; nil if each names one.
    private(set) var problem: String?

    /// Reads the words before the first option.
    init(_ arguments: [String], of root: any ParsableCommand.Type) {
        var command = root
        words = [root._commandName]
        for word in arguments {
            let commands = command.configuration.subcommands
            guard !commands.isEmpty, !word.hasPrefix("-") else { return }
            // What follows is the path that help is wanted for.
            if word == "help", words.count == 1 { continue }
            guard let next = commands.first(where: { $0._commandName == word }) else {
                let path = words.joined(separator: " ")
                let meant = Suggestion.closest(to: word, among: commands.map { $0._commandName })
                let hint = meant.map { ", did you mean \"\($0)\"?" } ?? "; \(path) --help lists them"
                problem = "\(path) has no command \"\(word)\"\(hint)"
                return
            }
            command = next
            words.append(word)
        }
    }

    /// The message of an error of a command, whose type does not know the words before its own, with its usage.
    func message(for error: any Error, of command: any ParsableCommand.Type) -> String {
        let outer = words.dropLast().joined(separator: " ")
        return command.fullMessage(for: error)
            .split(separator: "\n", omittingEmptySubsequences: false)
            .map { line in
                for start in ["Usage: ", "  See '"] where line.hasPrefix(start + command._commandName + " ") {
                    return start + outer + " " + line.dropFirst(start.count)
                }
                return String(line)
            }
            .joined(separator: "\n")
    }
}
#endif
