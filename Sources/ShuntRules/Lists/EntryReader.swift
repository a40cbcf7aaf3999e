package import ShuntCore
package import ShuntPatterns

/// Reads lists of networks and of agents, in the forms in which they are published.
package struct EntryReader {
    /// A line that cannot be used.
    package struct Problem: Sendable {
        package var line: Int32
        package var message: String
        /// True if the line would stand for every client.
        package var isEveryone = false
    }

    package private(set) var networks: [(range: AddressRange, line: Int32)] = []
    package private(set) var agents: [(expression: RegularExpression, line: Int32)] = []
    package private(set) var problems: [Problem] = []
    private let scratch = MatchScratch()

    /// Agents of which every browser has one: an entry that matches them is a mistake.
    private static let browsers = [
        "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36",
        "Mozilla/5.0 (X11; Linux x86_64; rv:120.0) Gecko/20100101 Firefox/120.0",
    ]
    .map { Array($0.utf8) }

    /// Reads a list.
    package init(_ file: RuleFile, _ kind: EntryList.Kind) {
        let start = Self.start(of: file)
        let first = file.bytes[start...].first { $0 > 0x20 }
        let isJSON =
            first == UInt8(ascii: "{")
            || first == UInt8(ascii: "[") && (try? JSONReader.read(Array(file.bytes[start...]))) != nil
        if isJSON {
            readJSON(file, from: start, kind)
        } else {
            for (line, text) in Self.lines(of: file) {
                if kind == .agents { addAgent(text, line) } else { addNetwork(text, line) }
            }
        }
    }

    private static func start(of file: RuleFile) -> Int { file.bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0 }

    /// The lines of a list without white space around them; without comments and empty ones.
    static func lines(of file: RuleFile) -> [(number: Int32, text: ArraySlice<UInt8>)] {
        var lines: [(number: Int32, text: ArraySlice<UInt8>)] = []
        var number: Int32 = 0
        for line in file.bytes[start(of: file)...]
            .split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        {
            number += 1
            let text = trimmed(line)
            if !text.isEmpty, text.first != UInt8(ascii: "#") { lines.append((number, text)) }
        }
        return lines
    }

    private static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var text = text.drop { $0 <= 0x20 }
        while let last = text.last, last <= 0x20 { text.removeLast() }
        return text
    }

    // MARK: Networks

    /// `network`, `first-last`, `deny network;`, or a network with a comment after it.
    private mutating func addNetwork(_ text: ArraySlice<UInt8>, _ line: Int32) {
        let content = Self.trimmed(Self.withoutComment(text))
        if content.isEmpty { return }
        var words = content.split { $0 <= 0x20 || $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\"") }
            .map { Array($0) }
        if words.count > 1, [Array("deny".utf8), Array("allow".utf8)].contains(words[0]) { words.removeFirst() }
        if words.count == 3, words[1] == [UInt8(ascii: "-")] { words = [words[0] + words[1] + words[2]] }
        if let word = words.first, let range = Self.range(word) { return add(range, line) }
        problems.append(Problem(line: line, message: "is not a network"))
    }

    private static func withoutComment(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var index = text.startIndex
        while index < text.endIndex {
            let byte = text[index]
            if byte == UInt8(ascii: "#") || byte == UInt8(ascii: ";") { break }
            if byte == UInt8(ascii: "/"), text[index...].dropFirst().first == byte { break }
            index += 1
        }
        return text[..<index]
    }

    private static func range(_ word: [UInt8]) -> AddressRange? {
        AddressRange(parsing: word.span) ?? AddressNetwork.parse(word.span)?.network.range
    }

    private mutating func add(_ range: AddressRange, _ line: Int32) {
        let isEveryone =
            switch (range.first, range.last) {
            case (.v4(0), .v4(.max)): true
            case (.v6(0, 0), .v6(.max, .max)): true
            default: false
            }
        if isEveryone {
            problems.append(Problem(line: line, message: "is every client", isEveryone: true))
        } else {
            networks.append((range, line))
        }
    }

    // MARK: Agents

    /// A text, `*` in it for any text, or an expression between slashes.
    private mutating func addAgent(_ text: ArraySlice<UInt8>, _ line: Int32) {
        if text.count > 1, text.first == UInt8(ascii: "/"), text.last == UInt8(ascii: "/") {
            return addAgent(expression: Array(text.dropFirst().dropLast()), line)
        }
        var expression: [UInt8] = []
        var isEscaped = false
        for byte in text {
            if byte == UInt8(ascii: "\\"), !isEscaped {
                isEscaped = true
                continue
            }
            if byte == UInt8(ascii: "*"), !isEscaped {
                expression += ".*".utf8
            } else {
                expression += RedirectSource.escaped([byte])
            }
            isEscaped = false
        }
        addAgent(expression: expression, line)
    }

    private mutating func addAgent(expression: [UInt8], _ line: Int32) {
        guard let pattern = try? RegularExpression(expression, caseless: true) else {
            problems.append(Problem(line: line, message: "is not a regular expression"))
            return
        }
        if let slowness = pattern.slowness {
            problems.append(Problem(line: line, message: "may reach the limit of steps on a long text: \(slowness)"))
            return
        }
        let index = PatternIndex([pattern])
        let matched = Self.browsers.allSatisfy { browser in
            index.firstMatch(browser.span, from: 0, to: 1, scratch: scratch) != .none
        }
        guard !matched else {
            problems.append(Problem(line: line, message: "is in the User-Agent of every browser", isEveryone: true))
            return
        }
        agents.append((pattern, line))
    }

    // MARK: JSON

    /// Reads the networks in a JSON text, wherever they are, or the `pattern` of each agent.
    private mutating func readJSON(_ file: RuleFile, from start: Int, _ kind: EntryList.Kind) {
        do throws(JSONError) {
            let value = try JSONReader.readPlaced(Array(file.bytes[start...]))
            take(value, file, start, kind)
        } catch {
            problems.append(Problem(line: file.place(of: error.offset + start).line, message: error.problem))
        }
    }

    private mutating func take(_ value: PlacedJSON, _ file: RuleFile, _ start: Int, _ kind: EntryList.Kind) {
        switch value.content {
        case .string(let text):
            let line = file.place(of: value.place.lowerBound + start).line
            if kind == .agents {
                addAgent(expression: text, line)
            } else if let range = Self.range(text) {
                add(range, line)
            }
        case .array(let items): for item in items { take(item, file, start, kind) }
        case .object(let members):
            for member in members where kind == .networks || member.name == "pattern" {
                take(member.value, file, start, kind)
            }
        case .null, .boolean, .number: break
        }
    }
}
