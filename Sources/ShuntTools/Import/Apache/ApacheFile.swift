/// A file of Apache's configuration, read into directives and sections.
enum ApacheNode {
    case comment(String)
    case blank
    case directive(ApacheDirective)
    case section(ApacheDirective, [ApacheNode])
}

/// A directive, or the head of a section.
struct ApacheDirective {
    var name: String
    /// The text after the name.
    var text: String
    var lines: ClosedRange<Int>

    /// The name in lower case, as directives are compared.
    var key: String { name.lowercased() }

    /// The directive on one line.
    var shown: String { text.isEmpty ? name : "\(name) \(text)" }

    /// The flags of a `RewriteRule` or a `RewriteCond`.
    var flags: [String] { ApacheFlags.split(words.dropFirst(2).joined(separator: " ")) }

    /// The words, without their quotes.
    var words: [String] {
        var result: [String] = []
        var rest = text[...]
        let isRewriting = key.hasPrefix("rewrite")
        while true {
            rest = rest.drop { $0 == " " || $0 == "\t" }
            guard let first = rest.first else { return result }
            var word = ""
            if first == "\"" || first == "'" {
                rest = rest.dropFirst()
                while let next = rest.first, next != first {
                    if next == "\\", let escaped = rest.dropFirst().first,
                        escaped == first || escaped == next && !isRewriting
                    {
                        rest = rest.dropFirst()
                        word.append(escaped)
                    } else {
                        word.append(next)
                    }
                    rest = rest.dropFirst()
                }
                rest = rest.dropFirst()
            } else {
                while let next = rest.first, next != " ", next != "\t" {
                    // mod_rewrite lets a backslash keep a space in a word, and others have two for one.
                    if next == "\\", let after = rest.dropFirst().first, isRewriting || after == next {
                        if isRewriting { word.append(next) }
                        word.append(after)
                        rest = rest.dropFirst(2)
                        continue
                    }
                    word.append(next)
                    rest = rest.dropFirst()
                }
            }
            result.append(word)
        }
    }
}

/// Reads the lines of Apache's configuration.
struct ApacheFile {
    private var lines: [(text: String, numbers: ClosedRange<Int>)] = []
    private var index = 0

    /// The directives of a file.
    static func nodes(_ text: String) throws(ImportError) -> [ApacheNode] {
        var file = ApacheFile(text)
        return try file.nodes(until: nil)
    }

    private init(_ text: String) {
        var held = ""
        var start = 1
        for (number, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            if held.isEmpty { start = number + 1 }
            if line.hasSuffix("\\") {
                held += line.dropLast()
                continue
            }
            lines.append(((held + line).withoutEnds { $0 == " " || $0 == "\t" }, start...(number + 1)))
            held = ""
        }
    }

    private mutating func nodes(until end: String?) throws(ImportError) -> [ApacheNode] {
        var nodes: [ApacheNode] = []
        let opening = index
        while index < lines.count {
            let (text, numbers) = lines[index]
            index += 1
            if text.isEmpty {
                nodes.append(.blank)
            } else if text.hasPrefix("#") {
                nodes.append(.comment(text))
            } else if text.hasPrefix("</") {
                let name = text.dropFirst(2).prefix { $0 != ">" && $0 != " " }.lowercased()
                guard let end, name == end else {
                    throw ImportError(line: numbers.lowerBound, description: "\"\(text)\" closes no section")
                }
                return nodes
            } else if text.hasPrefix("<"), text.hasSuffix(">") {
                let head = directive(String(text.dropFirst().dropLast()), numbers)
                nodes.append(.section(head, try self.nodes(until: head.key)))
            } else {
                nodes.append(.directive(directive(text, numbers)))
            }
        }
        if let end {
            throw ImportError(line: max(1, opening), description: "the section \"<\(end)>\" is not closed")
        }
        return nodes
    }

    private func directive(_ text: String, _ lines: ClosedRange<Int>) -> ApacheDirective {
        let name = text.prefix { $0 != " " && $0 != "\t" }
        let rest = text.dropFirst(name.count).drop { $0 == " " || $0 == "\t" }
        return ApacheDirective(name: String(name), text: String(rest), lines: lines)
    }
}
