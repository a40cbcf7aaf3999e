import ShuntCore

/// Writes items as a rule file: grouped, with the comments of the source and its lines.
struct ImportWriter {
    private var file: String
    private(set) var lines: [String] = []
    /// The lines of the source that lines of the rules are from.
    private(set) var origins: [Int: String] = [:]

    /// Writes a rule file.
    ///
    /// - Parameters:
    ///   - items: Its items.
    ///   - file: The name of the source, for the lines that things are from.
    init(_ items: [ImportItem], from file: String) {
        self.file = ShownBytes.text(file)
        write(items, indentation: "")
    }

    var text: String { lines.joined(separator: "\n") + "\n" }

    private mutating func write(_ items: [ImportItem], indentation: String) {
        for item in items {
            switch item {
            case .comment(let text): lines.append(indentation + Self.printable(text))
            case .directive(let words, let line):
                lines.append(indentation + words.map(RuleIdioms.word).joined(separator: " ") + ";" + origin(line))
                note(origin(line))
            case .block(let words, let items, let line):
                writeBlock(
                    words.map(RuleIdioms.word).joined(separator: " "),
                    items,
                    origin: origin(line),
                    indentation: indentation
                )
            case .rule(let rule): write(rule, indentation: indentation)
            case .left(let text, let reason, let line):
                lines.append("\(indentation)# not imported: \(file):\(line) \(Self.short(text)): \(reason)")
            case .gap: gap()
            case .file(let name): file = ShownBytes.text(name)
            }
        }
    }

    /// An empty line, unless there is one or a block begins.
    private mutating func gap() {
        if let last = lines.last, !last.isEmpty, !last.hasSuffix("{"), !last.contains("{  #") { lines.append("") }
    }

    private mutating func writeBlock(_ head: String, _ items: [ImportItem], origin: String, indentation: String) {
        if case .directive(let words, nil)? = items.first, items.count == 1 {
            let directive = words.map(RuleIdioms.word).joined(separator: " ")
            lines.append("\(indentation)\(head) { \(directive); }\(origin)")
            note(origin)
            return
        }
        lines.append("\(indentation)\(head) {\(origin)")
        write(items, indentation: indentation + "    ")
        while lines.last?.isEmpty == true { lines.removeLast() }
        lines.append("\(indentation)}")
    }

    private mutating func write(_ rule: ImportedRule, indentation: String) {
        let written = RuleIdioms(rule).lines
        guard !written.isEmpty else { return }
        let place =
            rule.lines.count == 1 ? "\(rule.lines.lowerBound)" : "\(rule.lines.lowerBound)-\(rule.lines.upperBound)"
        if written.count == 1 {
            lines.append("\(indentation)\(written[0])  # \(file):\(place)")
            origins[lines.count] = "\(file):\(place)"
        } else {
            // A comment stays with its rule.
            if lines.last?.drop(while: { $0 == " " }).hasPrefix("#") != true { gap() }
            lines.append("\(indentation)# \(file):\(place)")
            for line in written {
                lines.append(indentation + line)
                origins[lines.count] = "\(file):\(place)"
            }
            gap()
        }
    }

    private mutating func note(_ origin: String) {
        if !origin.isEmpty { origins[lines.count] = String(origin.dropFirst(4)) }
    }

    private func origin(_ line: Int?) -> String { line.map { "  # \(file):\($0)" } ?? "" }

    private static func short(_ text: String) -> String {
        let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
        return printable(line.count > 100 ? line.prefix(97) + "…" : line)
    }

    /// A text with a sign in the place of each control byte, which rules may not have.
    private static func printable(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { $0 != "\t" && ($0.value < 32 || $0.value == 127) ? "?" : $0 }
            )
        )
    }
}
