/// The lines of a Caddyfile in words, without quotes and comments.
struct CaddyLines {
    /// A line, with the comments before it.
    struct Line {
        var number: Int
        var words: [String] = []
        /// True if the last word is a brace that opens or closes a block, and no text in quotes.
        var endsInBrace = false
        var comments: [String] = []
    }

    private(set) var lines: [Line] = []
    private var rest: Substring
    private var number = 1
    private var comments: [String] = []

    /// Reads the content of a file; throws for a quote without an end.
    init(_ text: String) throws(ImportError) {
        // A carriage return and a line feed are one character of Swift.
        rest = Substring(text.replacing("\r\n", with: "\n"))
        var line: Line?
        while let next = rest.first {
            if next == "\n" {
                end(&line)
                rest.removeFirst()
                number += 1
            } else if next.isWhitespace {
                rest.removeFirst()
            } else if next == "#" {
                comments.append(String(rest.prefix { $0 != "\n" }))
                rest = rest.dropFirst(comments.last?.count ?? 0)
            } else if rest.hasPrefix("\\\n") {
                rest = rest.dropFirst(2)
                number += 1
            } else {
                var current = line ?? Line(number: number)
                let isQuoted = next == "\"" || next == "`" || rest.hasPrefix("<<")
                let word = try word()
                current.words.append(word)
                current.endsInBrace = !isQuoted && (word == "{" || word == "}")
                line = current
            }
        }
        end(&line)
    }

    private mutating func end(_ line: inout Line?) {
        // Addresses continue after a comma.
        guard var whole = line, whole.words.last?.hasSuffix(",") != true else { return }
        whole.comments = comments
        lines.append(whole)
        comments = []
        line = nil
    }

    private mutating func word() throws(ImportError) -> String {
        let start = number
        if let quote = rest.first, quote == "\"" || quote == "`" {
            rest.removeFirst()
            var result = ""
            while let next = rest.popFirst() {
                if next == quote { return result }
                if next == "\n" { number += 1 }
                // A backslash is one of the text, except before a quote.
                if next == "\\", quote == "\"", rest.first == "\"" {
                    result.append(rest.removeFirst())
                } else {
                    result.append(next)
                }
            }
            throw ImportError(line: start, description: "a quote has no end")
        }
        if let match = rest.prefixMatch(of: #/<<(\w+)\n/#) {
            let body = rest[match.range.upperBound...]
            var text: [Substring] = []
            for line in body.split(separator: "\n", omittingEmptySubsequences: false) {
                guard line.drop(while: { $0 == " " || $0 == "\t" }).hasPrefix(match.1) else {
                    text.append(line)
                    continue
                }
                let indentation = line.prefix { $0 == " " || $0 == "\t" }
                rest = body[line.startIndex...].dropFirst(indentation.count + match.1.count)
                number += text.count + 1
                return text.map { $0.hasPrefix(indentation) ? $0.dropFirst(indentation.count) : $0 }
                    .joined(separator: "\n")
            }
            throw ImportError(line: start, description: "the text of <<\(match.1) has no end")
        }
        let word = rest.prefix { !$0.isWhitespace }
        rest = rest[word.endIndex...]
        return String(word)
    }
}
