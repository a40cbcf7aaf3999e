import ShuntCore

/// Writes items as a rule file: grouped, with the comments of the source and its lines.
struct ImportWriter {
    private var file: String
    private(set) var lines: [String] = []
    /// The lines of the source that lines of the rules are from.
    private(set) var origins: [Int: String] = [:]

    /// Writes a rule file; the name of the source is for the lines that things are from.
    init(_ items: [ImportItem], from file: String) {
        self.file = ShownBytes.text(file)
        write(items, indentation: "")
    }

    var text: String { lines.joined(separator: "\n") + "\n" }

    private mutating func write(_ items: [ImportItem], indentation: String) {
        for item in items {
            switch item {
            case .comment(let text): lines.append(indentation + Self.printable(text))
            case .directive(let words, let line): append("\(indentation)\(Self.text(words));", from: place(line))
            case .block(let words, let items, let line):
                writeBlock(Self.text(words), items, from: place(line), indentation: indentation)
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

    /// Adds a line, with the place in the source that it is from.
    private mutating func append(_ line: String, from place: String?) {
        lines.append(Self.noted(line, place))
        origins[lines.count] = place
    }

    private mutating func writeBlock(
        _ head: String,
        _ items: [ImportItem],
        from place: String?,
        indentation: String
    ) {
        if case .directive(let words, nil)? = items.first, items.count == 1 {
            append("\(indentation)\(head) { \(Self.text(words)); }", from: place)
            return
        }
        lines.append(Self.noted("\(indentation)\(head) {", place))
        write(items, indentation: indentation + "    ")
        while lines.last?.isEmpty == true { lines.removeLast() }
        lines.append("\(indentation)}")
    }

    private mutating func write(_ rule: ImportedRule, indentation: String) {
        let written = RuleIdioms(rule).lines
        guard !written.isEmpty else { return }
        let (first, last) = (rule.lines.lowerBound, rule.lines.upperBound)
        let place = "\(file):\(first == last ? "\(first)" : "\(first)-\(last)")"
        if written.count == 1 {
            append(indentation + written[0], from: place)
            return
        }
        // A comment stays with its rule.
        if lines.last?.drop(while: { $0 == " " }).hasPrefix("#") != true { gap() }
        lines.append("\(indentation)# \(place)")
        for line in written {
            lines.append(indentation + line)
            origins[lines.count] = place
        }
        gap()
    }

    private func place(_ line: Int?) -> String? { line.map { "\(file):\($0)" } }

    private static func noted(_ line: String, _ place: String?) -> String { place.map { "\(line)  # \($0)" } ?? line }

    private static func text(_ words: [String]) -> String { words.map(RuleIdioms.word).joined(separator: " ") }

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
