#if Gateway && Command
import ArgumentParser
import Foundation
import Shunt
import Synchronization

/// Options of a gateway that are in a file or in the environment.
///
/// The command line counts first, then the environment, then the file. An option that may be repeated is taken from one of them
/// only.
enum OptionSources {
    struct Known {
        var takesValue = false
        var isRepeated = false
    }

    /// The words that stand for options from elsewhere, and the places of these: a line of a file, or a variable.
    private static let origins = Mutex<[(word: String, place: String)]>([])

    /// The place of an option that is not on the command line.
    static func origin(of name: String, _ value: String? = nil) -> String? {
        let word = "--\(name)" + (value.map { "=\($0)" } ?? "")
        return origins.withLock { $0.first { $0.word == word || value == nil && $0.word.hasPrefix("\(word)=") }?.place }
    }

    /// The place of the option that a message of the parser names, if it is not on the command line.
    static func origin(namedIn message: String) -> String? {
        origins.withLock { origins in
            let named = origins.filter { origin in
                let name = origin.word.prefix { $0 != "=" }
                return message.ranges(of: name)
                    .contains { range in
                        message[range.upperBound...].first.map { !$0.isLetter && $0 != "-" } ?? true
                    }
            }
            return (named.first { message.contains("'\($0.word.drop { $0 != "=" }.dropFirst())'") } ?? named.first)?
                .place
        }
    }

    private static func noted(_ words: [String], at place: String) -> [String] {
        origins.withLock { $0 += words.map { ($0, place) } }
        return words
    }

    /// The command line with the options from elsewhere after it; throws a `Problem` for what is wrong with the file.
    static func expanded(
        _ arguments: [String],
        known: [String: Known],
        environment: [String: String],
        read: (String) throws -> String
    ) throws -> [String] {
        var result = arguments
        var given = names(in: arguments)
        for (name, option) in known.sorted(by: { $0.key < $1.key }) where !given.contains(name) {
            guard let value = environment[variable(of: name)] else { continue }
            given.insert(name)
            result += noted(words(name, option: option, value: value), at: variable(of: name))
        }
        guard let path = file(in: result) else { return result }
        var problems: [String] = []
        // Editors of other systems begin a file with a byte order mark and end lines with CR LF, which is one character.
        let text = try read(path)
        let lines = (text.hasPrefix("\u{feff}") ? text.dropFirst() : text[...])
            .split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in lines.enumerated() {
            let text = trimmed(line)
            if text.isEmpty || text.hasPrefix("#") { continue }
            let plain = text.hasPrefix("--") ? text.dropFirst(2) : text[...]
            let name = String(plain.prefix { $0 != " " && $0 != "=" && $0 != "\t" })
            let value = trimmed(plain.dropFirst(name.count).drop { $0 == "=" || $0 == " " || $0 == "\t" })
            let column = line.count - line.drop { $0 == " " || $0 == "\t" }.count + 1
            let place = "\(path):\(index + 1):\(column): error: "
            let excerpt = shown(line, index: index, column: column, name: name)
            guard let option = known[name], name != "options" else {
                let closest = Suggestion.closest(to: name, among: Array(known.keys)).map { ", did you mean \"\($0)\"?" }
                problems.append("\(place)unknown option \"\(name)\"\(closest ?? "")\n\(excerpt)")
                continue
            }
            guard option.takesValue != value.isEmpty else {
                let wanted = option.takesValue ? "\"\(name)\" needs a value" : "\"\(name)\" takes no value"
                problems.append("\(place)\(wanted)\n\(excerpt)")
                continue
            }
            if given.contains(name) { continue }
            let word = option.takesValue ? "--\(name)=\(value)" : "--\(name)"
            result += noted([word], at: "\(path):\(index + 1)")
        }
        guard problems.isEmpty else { throw Problem(problems.joined(separator: "\n")) }
        return result
    }

    /// The variable of the environment that has an option: `SHUNT_ACCESS_LOG` for `--access-log`.
    private static func variable(of name: String) -> String { "SHUNT_" + name.uppercased().replacing("-", with: "_") }

    private static func words(_ name: String, option: Known, value: String) -> [String] {
        guard option.takesValue else {
            return ["1", "on", "yes", "true"].contains(value.lowercased()) ? ["--\(name)"] : []
        }
        guard option.isRepeated else { return ["--\(name)=\(value)"] }
        return value.split(separator: " ").map { "--\(name)=\($0)" }
    }

    static func options(of command: any ParsableCommand.Type) throws -> [String: Known] {
        struct Dump: Decodable {
            struct Command: Decodable { let arguments: [Argument] }
            struct Argument: Decodable {
                struct Name: Decodable { let name: String }
                let kind: String
                let isRepeating: Bool
                let names: [Name]?
            }
            let command: Command
        }
        var known: [String: Known] = [:]
        for argument in try JSONDecoder().decode(Dump.self, from: Data(command._dumpHelp().utf8)).command.arguments {
            for name in argument.names ?? [] where name.name.count > 1 && name.name != "help" {
                known[name.name] = Known(takesValue: argument.kind == "option", isRepeated: argument.isRepeating)
            }
        }
        return known
    }

    private static func names(in arguments: [String]) -> Set<String> {
        Set(arguments.filter { $0.hasPrefix("--") }.map { String($0.dropFirst(2).prefix { $0 != "=" }) })
    }

    private static func file(in arguments: [String]) -> String? {
        if let index = arguments.firstIndex(of: "--options"), index + 1 < arguments.count {
            return arguments[index + 1]
        }
        return arguments.first { $0.hasPrefix("--options=") }.map { String($0.dropFirst(10)) }
    }

    private static func trimmed(_ text: some StringProtocol) -> String {
        String(text.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    }

    private static func shown(_ line: Substring, index: Int, column: Int, name: String) -> String {
        let number = String(index + 1)
        let gap = String(repeating: " ", count: max(0, 4 - number.count))
        let mark = String(repeating: " ", count: column - 1) + String(repeating: "^", count: max(1, name.count))
        return "\(gap)\(number) | \(line)\n     | \(mark)"
    }
}
#endif
