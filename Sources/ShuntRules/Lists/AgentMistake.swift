import ShuntCore

/// A line of a list of agents that is written for something else: as a text, no User-Agent has it.
enum AgentMistake {
    private static let robots = ["user-agent:", "disallow:", "allow:", "sitemap:", "crawl-delay:"]
    private static let apache = [
        "rewriteengine ", "rewritecond ", "rewriterule ", "setenvif", "browsermatch", "<ifmodule", "</ifmodule",
        "header ",
    ]
    /// The beginnings of lines of nginx and Caddy.
    private static let others = ["if (", "map ", "return ", "set $", "location ", "header_regexp ", "respond "]
    /// Signs of expressions, which names of agents do not have.
    private static let expressions = [".*", ".+", "\\b", "\\d", "\\s", "\\w", "|", "(?", "[^"]

    /// The mistake as the end of a sentence that begins with the line; nil for a text.
    static func message(for line: ArraySlice<UInt8>) -> String? {
        guard let first = line.first, let last = line.last else { return nil }
        let text = String(decoding: line, as: UTF8.self)
        let lowercased = text.lowercased()
        if line.count > 1, first == last, first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") {
            return "has quotes around it, which no User-Agent has"
        }
        if robots.contains(where: lowercased.hasPrefix) { return "is of a robots.txt: write only the name" }
        if apache.contains(where: lowercased.hasPrefix) { return "is a directive of Apache: write only the name" }
        if text == "}" || lowercased == "abort" || text.hasSuffix("{") || others.contains(where: lowercased.hasPrefix) {
            return "is of a configuration: write only the name"
        }
        if text == "-" { return "is in most User-Agents; for none write /^$/" }
        if first == UInt8(ascii: "~") || text.hasSuffix(" 0;") || text.hasSuffix(" 1;") {
            return "is an entry of a map: write only the name"
        }
        let isAnchored = first == UInt8(ascii: "^") || last == UInt8(ascii: "$")
        if isAnchored || expressions.contains(where: text.contains) || hasLetterClass(line) {
            return "is an expression without the slashes around it"
        }
        return nil
    }

    /// Returns true if a line has a letter in brackets as both a capital and a small one.
    private static func hasLetterClass(_ line: ArraySlice<UInt8>) -> Bool {
        line.indices.dropLast(3)
            .contains { index in
                line[index] == UInt8(ascii: "[") && line[index + 3] == UInt8(ascii: "]")
                    && line[index + 1].isASCIILetter
                    && line[index + 1] != line[index + 2]
                    && line[index + 1].asciiLowercased == line[index + 2].asciiLowercased
            }
    }
}
