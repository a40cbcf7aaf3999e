package import ShuntCore

/// A part of what is written, in its order.
indirect enum ImportItem: Sendable {
    /// A comment of the source, with its sign.
    case comment(String)
    /// A directive and the line that it is from.
    case directive([String], Int? = nil)
    case block([String], [ImportItem], Int? = nil)
    case rule(ImportedRule)
    /// A directive that was not imported, with the reason.
    case left(String, reason: String, line: Int)
    /// An empty line between groups.
    case gap
    /// The name of the source from here on.
    case file(String)

    /// True for what is written again in every place that it holds for, other than comments.
    var isWritten: Bool { if case .file = self { true } else { decides } }

    /// The words of a directive; nil for all else.
    var words: [String]? { if case .directive(let words, _) = self { words } else { nil } }

    var importedRule: ImportedRule? { if case .rule(let rule) = self { rule } else { nil } }

    /// True if it does something.
    var decides: Bool {
        switch self {
        case .directive, .rule: true
        case .block(_, let items, _): items.contains(where: \.decides)
        case .comment, .left, .gap, .file: false
        }
    }

    /// The directives of a server for ports.
    static func listens(_ ports: [String]) -> [Self] {
        (ports.contains("443") ? [.comment("# HTTPS needs ssl_certificate and ssl_certificate_key.")] : [])
            + ports.map { .directive(["listen", $0] + ($0 == "443" ? ["ssl"] : [])) }
    }

    /// The tables of networks, by the variables that show whether an address is in one.
    static func tables(of networks: [String: [String]]) -> [Self] {
        networks.sorted { $0.key < $1.key }
            .flatMap { variable, list -> [Self] in
                [.gap, .block(["geo", variable], list.map { .directive([$0, "1"]) })]
            }
    }
}

/// The rules that were made of a file, and what was left out.
public struct ImportedRules: Sendable {
    /// Something that was not imported, or not exactly, with its place in the source.
    public struct Note: Sendable, Hashable {
        /// The source.
        public var file: String
        /// Its line, from 1.
        public var line: Int
        /// The directive as written there.
        public var text: String
        /// The reason.
        public var reason: String
        /// The kind of the note.
        public var kind: Kind

        /// The kinds of notes.
        public enum Kind: String, Sendable, Hashable {
            /// It is a comment in the rules.
            case leftOut = "not imported"
            /// It is imported, and decides some requests otherwise.
            case inexact = "differs"
            /// A remark about what is imported, or has no use here.
            case remark = "note"
        }
    }

    /// The rules.
    public var text: String
    /// The notes, by line.
    public var notes: [Note]
    /// The lines of the source that lines of the rules are from.
    package var origins: [Int: String]
    /// The number of rules of the source.
    public var count: Int

    /// The paths to which rules lead, where they are fixed.
    package var targets: [String] = []

    /// Writes rules; `count` is the number of rules of the source.
    init(_ items: [ImportItem], notes: [Note], from name: String, count: Int) {
        let writer = ImportWriter(items, from: name)
        text = writer.text
        self.notes = notes
        origins = writer.origins
        self.count = count
    }

    /// The number of rules that were imported exactly.
    public var importedCount: Int {
        count - Set(notes.filter { $0.kind != .remark }.map { "\($0.file):\($0.line)" }).count
    }

    /// The result as one JSON object.
    package var json: JSONObject {
        [
            "schema": "shunt-import/1",
            "rules": text,
            "read": count,
            "imported": importedCount,
            "notes": notes.map { note -> JSONObject in
                [
                    "file": note.file, "line": note.line, "text": note.text, "reason": note.reason,
                    "kind": note.kind.rawValue,
                ]
            },
        ]
    }
}

/// The reason why a source cannot be read at all.
public struct ImportError: Error, Sendable, CustomStringConvertible {
    /// The source.
    public var file = ""
    /// The line, from 1.
    public var line: Int
    /// The problem.
    public var description: String
}
