/// The content of a `RewriteMap`.
enum ApacheMap {
    /// A line of a text file.
    struct Row {
        var key: String
        var value: String
        var line: Int
    }

    case table([Row], file: String)
    /// The key in lower case.
    case lowercase
    /// A map without a counterpart, with the reason.
    case unsaid(String)

    /// Reads a `RewriteMap`; `file` returns the text of a file, or nil if it cannot be read.
    init(_ directive: ApacheDirective, file: (String) -> String?) {
        let source = directive.words.dropFirst().first ?? ""
        let colon = source.firstIndex(of: ":")
        let kind = colon.map { source[..<$0].lowercased() } ?? "txt"
        let rest = colon.map { String(source[source.index(after: $0)...]) } ?? source
        switch kind {
        case "txt":
            guard let text = file(rest) else {
                self = .unsaid("its file cannot be read: \(rest)")
                return
            }
            let rows = Self.rows(text)
            self =
                rows.contains { ($0.key + $0.value).contains("$") }
                ? .unsaid("a text with a $ in it") : .table(rows, file: rest)
        case "int": self = rest.lowercased() == "tolower" ? .lowercase : .unsaid("the function \(rest)")
        case "rnd": self = .unsaid("a value that is chosen by chance")
        default: self = .unsaid("a map of the kind \(kind)")
        }
    }

    /// The first line of each key that has a value; lines that begin with white space are comments.
    private static func rows(_ text: String) -> [Row] {
        var known = Set<String>()
        return text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated()
            .compactMap { index, line in
                guard let first = line.first, first != "#", !first.isWhitespace else { return nil }
                let words = line.split(whereSeparator: \.isWhitespace)
                guard words.count > 1, known.insert(String(words[0])).inserted else { return nil }
                return Row(key: String(words[0]), value: String(words[1]), line: index + 1)
            }
    }
}

/// The tables that rules read, each once.
final class ApacheTables {
    private struct Key: Hashable {
        var name: String
        var source: String
        var rows: [[String]]
    }

    private var names: [Key: String] = [:]
    private var blocks: [(variable: String, items: [ImportItem])] = []

    /// The variable of a table, whose name begins with `name`: one whose rows and key are the same is used again.
    func variable(named name: String, source: String, file: String?, rows: [(words: [String], line: Int?)]) -> String {
        let key = Key(name: name, source: source, rows: rows.map(\.words))
        if let known = names[key] { return known }
        let count = names.keys.count { $0.name == name }
        let variable = "$\(Self.word(name))\(count == 0 ? "" : "_\(count + 1)")"
        names[key] = variable
        // A value that was read once would be kept, whatever becomes of the path or a capture.
        let entries = [.directive(["volatile"])] + rows.map { ImportItem.directive($0.words, $0.line) }
        let items: [ImportItem] = file.map { [.file($0)] } ?? []
        blocks.append((variable, items + [.gap, .block(["map", source, variable], entries)]))
        return variable
    }

    /// The variable for a dollar sign, which no text can have otherwise.
    func dollar() -> String {
        if !blocks.contains(where: { $0.variable == "$dollar" }) {
            blocks.append(("$dollar", [.gap, .block(["geo", "$dollar"], [.directive(["default", "$"])])]))
        }
        return "${dollar}"
    }

    /// A text as a part of the name of a variable.
    static func word(_ text: String) -> String {
        String(text.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
    }

    /// The tables that are read by the text of rules, or by tables after them.
    func items(usedIn text: String) -> [ImportItem] {
        blocks.reversed()
            .reduce(into: (text: text, items: [[ImportItem]]())) { result, block in
                guard Self.names(result.text, block.variable) else { return }
                result.items.append(block.items)
                result.text += "\(block.items)"
            }
            .items.reversed().flatMap(\.self)
    }

    /// Returns true if a text has a variable, and not only a longer name.
    private static func names(_ text: String, _ variable: String) -> Bool {
        text.contains("${\(variable.dropFirst())}")
            || text.ranges(of: variable)
                .contains { range in
                    text[range.upperBound...].first.map { !$0.isLetter && !$0.isNumber && $0 != "_" } ?? true
                }
    }
}

/// The maps that rules may look up, by their names.
struct ApacheMaps {
    var known: [String: ApacheMap] = [:]
    let tables: ApacheTables

    /// These maps, and those of a server, which may be after the rules that look them up.
    func adding(_ nodes: [ApacheNode], file: (String) -> String?) -> Self {
        var result = self
        for case .directive(let directive) in ApacheNode.flat(nodes) where directive.key == "rewritemap" {
            guard let name = directive.words.first else { continue }
            result.known[name] = ApacheMap(directive, file: file)
        }
        return result
    }

    /// A text with a variable in the place of each look-up.
    func resolved(_ text: ApacheText, _ captures: ApacheCaptures) throws(Unsaid) -> ApacheText {
        var parts: [ApacheText.Part] = []
        for part in text.parts {
            guard case .lookup(let name, let key, let other) = part else {
                parts.append(part)
                continue
            }
            if case .lowercase? = known[name] {
                // Names of hosts are in lower case.
                guard key.parts == [.variable("$host")] else { throw Unsaid("a text in lower case") }
                parts += key.parts
                continue
            }
            let missing = try string(other, captures)
            parts.append(.variable(try variable(of: name, key: key, captures) { value in value ?? missing }))
        }
        return ApacheText(parts: parts)
    }

    /// A text with its look-ups as a string of the rule language.
    func string(_ text: ApacheText, _ captures: ApacheCaptures) throws(Unsaid) -> String {
        try resolved(text, captures).string(captures)
    }

    /// The variable that has the value of a key; `value` returns what is in the table for a value, or for the lack of
    /// one.
    func variable(
        of name: String,
        suffix: String = "",
        key: ApacheText,
        _ captures: ApacheCaptures,
        value: (String?) throws(Unsaid) -> String
    ) throws(Unsaid) -> String {
        var (rows, file) = try table(name)
        var key = key
        var isLowercase = key.parts == [.variable("$host")]
        if key.parts.count == 1, case .lookup(let outer, let inner, _) = key.parts[0], case .lowercase? = known[outer] {
            (key, isLowercase) = (inner, true)
        }
        // Keys are compared without the case of letters, as if both were in lower case.
        if isLowercase { rows.removeAll { $0.key != $0.key.lowercased() } }
        let isExact = isLowercase || rows.allSatisfy { !$0.key.contains { $0.isASCII && $0.isLetter } }
        let source = try string(key, captures)
        var entries: [(words: [String], line: Int?)] = [(["default", try value(nil)], nil)]
        for row in rows {
            let key = isExact ? Self.key(row.key) : "~^\(ImportedExpression.literal(row.key))$"
            entries.append(([key, try value(row.value)], row.line))
        }
        return tables.variable(named: name + suffix, source: source, file: file, rows: entries)
    }

    func table(_ name: String) throws(Unsaid) -> (rows: [ApacheMap.Row], file: String) {
        switch known[name] {
        case .table(let rows, let file): return (rows, file)
        case .lowercase: throw Unsaid("a text in lower case")
        case .unsaid(let reason): throw Unsaid("the RewriteMap \(name): \(reason)")
        case nil: throw Unsaid("the RewriteMap \(name), which is not in these files")
        }
    }

    /// A key as it is written in a `map`, where some words have a separate meaning.
    static func key(_ text: String) -> String {
        ["default", "hostnames", "include", "volatile"].contains(text) || text.hasPrefix("~") || text.hasPrefix("\\")
            ? "\\" + text : text
    }
}
