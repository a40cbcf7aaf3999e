import Foundation
import Testing

/// A file of rules that are refused, with the messages of nginx and Shunt.
struct ErrorTable: Sendable, CustomTestStringConvertible {
    /// The block that an entry's rules are in.
    enum Level: String {
        case http
        case server
        case location
    }

    struct Entry: Sendable {
        var level: Level
        var rules: String
        var line: Int
        /// The reason why only one of the two refuses it.
        var reason: String?
        /// nil when it accepts it.
        var nginx: String?
        var shunt: String?

        /// The rules with the blocks around them, for the top level of a file; the rules are on a separate line.
        func text(socket: String? = nil, number: Int = 0) -> String {
            let listen = rules.contains("listen") ? "" : socket.map { " listen \($0);" } ?? ""
            return switch level {
            case .http: rules
            case .server: "server {\(listen)\n\(rules)\n}"
            case .location: "server {\(listen) location /\(number) {\n\(rules)\n} }"
            }
        }

        /// The number of lines before the rules in `text`.
        var linesBefore: Int { level == .http ? 0 : 1 }
    }

    let name: String
    let entries: [Entry]
    var testDescription: String { name }

    /// All tables.
    static let all: [ErrorTable] = {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Conformance/errors").path
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasSuffix(".errors") }.sorted()
            .compactMap { name in
                FileManager.default.contents(atPath: "\(folder)/\(name)")
                    .map { ErrorTable(name: name, text: String(decoding: $0, as: UTF8.self)) }
            }
    }()

    init(name: String, text: String) {
        self.name = name
        var entries: [Entry] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            guard let colon = line.range(of: ": ") else { continue }
            let value = String(line[colon.upperBound...])
            let verdict = value == "accepted" ? nil : value
            switch line[..<colon.lowerBound] {
            case "  why": entries[entries.count - 1].reason = value
            case "  nginx": entries[entries.count - 1].nginx = verdict
            case "  shunt": entries[entries.count - 1].shunt = verdict
            case let level:
                if let level = Level(rawValue: String(level)) {
                    entries.append(Entry(level: level, rules: value, line: index + 1))
                }
            }
        }
        self.entries = entries
    }
}
