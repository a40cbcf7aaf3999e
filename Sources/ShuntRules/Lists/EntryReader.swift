package import ShuntCore
package import ShuntPatterns

/// Reads lists of networks and of agents, in the forms in which they are published.
package struct EntryReader {
    /// A line that cannot be used.
    package struct Problem: Sendable {
        package var line: Int32
        package var message: String
        /// The reason why the list cannot do without the line; nil where it is left out.
        package var refusal: Refusal?
    }

    /// The reason why a list is refused.
    package enum Refusal: Sendable {
        /// A line would stand for every client.
        case everyone
        /// A line denies what another one may allow.
        case denied
        /// The text is not JSON.
        case unreadable
    }

    /// The word before the networks of an access list.
    package enum Verb: String, Sendable {
        case allow, deny
    }

    package private(set) var networks: [(range: AddressRange, line: Int32)] = []
    package private(set) var agents: [(expression: RegularExpression, line: Int32)] = []
    package private(set) var problems: [Problem] = []
    private let scratch = MatchScratch()
    /// The verb of the lines that count; nil until a line has one.
    private var verb: Verb?

    /// Agents of browsers: an entry that matches most of them is a mistake.
    private static let browsers = [
        "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36",
        "Mozilla/5.0 (X11; Linux x86_64; rv:120.0) Gecko/20100101 Firefox/120.0",
        "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1",
    ]
    .map { Array($0.utf8) }

    /// Reads a list; without a verb the first line that has one decides which lines count.
    package init(_ file: RuleFile, _ kind: EntryList.Kind, verb: Verb? = nil) {
        self.verb = verb
        let start = TextCheck.start(of: file)
        let first = file.bytes[start...].first { $0 > 0x20 }
        let isObject = first == UInt8(ascii: "{")
        if isObject || first == UInt8(ascii: "[") {
            do throws(JSONError) {
                take(try JSONReader.readPlaced(Array(file.bytes[start...])), file: file, start: start, kind: kind)
                refuseEveryone()
                return
            } catch {
                if kind == .networks, let objects = Self.objects(onLinesOf: file, from: start) {
                    for (value, offset) in objects { take(value, file: file, start: offset, kind: kind) }
                    refuseEveryone()
                    return
                }
                // An agent may begin with a bracket.
                if isObject || kind == .networks {
                    let line = file.place(of: error.offset + start).line
                    let message = "is not JSON: \(error.problem)"
                    problems.append(Problem(line: line, message: message, refusal: .unreadable))
                    return
                }
            }
        }
        for (line, text) in Self.lines(of: file) {
            if kind == .agents { addAgent(Self.beforeComment(text), line) } else { addNetwork(text, line) }
        }
        refuseEveryone()
    }

    /// The objects of a file that has one on each line, with the offsets of their lines; nil where a line has none.
    private static func objects(onLinesOf file: RuleFile, from start: Int) -> [(value: PlacedJSON, offset: Int)]? {
        var found: [(value: PlacedJSON, offset: Int)] = []
        for line in file.bytes[start...].split(separator: UInt8(ascii: "\n")) where line.contains(where: { $0 > 0x20 })
        {
            guard let value = try? JSONReader.readPlaced(Array(line)), case .object = value.content else { return nil }
            found.append((value, line.startIndex))
        }
        return found
    }

    /// The lines of a list without white space around them; without comments and empty ones.
    static func lines(of file: RuleFile) -> [(number: Int32, text: ArraySlice<UInt8>)] {
        var lines: [(number: Int32, text: ArraySlice<UInt8>)] = []
        var number: Int32 = 0
        for line in file.bytes[TextCheck.start(of: file)...]
            .split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        {
            number += 1
            let text = trimmed(line)
            if !text.isEmpty, text.first != UInt8(ascii: "#") { lines.append((number, text)) }
        }
        return lines
    }

    /// A line without the comment at its end, which begins with a `#` between white space.
    static func beforeComment(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let hash = text.indices.dropFirst().dropLast()
            .first { text[$0] == UInt8(ascii: "#") && text[$0 - 1] <= 0x20 && text[$0 + 1] <= 0x20 }
        guard let hash else { return text }
        let content = trimmed(text[..<hash])
        // In an expression between slashes it is part of that.
        let slash = UInt8(ascii: "/")
        return content.first == slash && content.last != slash && text.last == slash ? text : content
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
        let found = words.count > 1 ? Verb(rawValue: String(decoding: words[0], as: UTF8.self)) : nil
        if found != nil {
            words.removeFirst()
            let rest = Self.trimmed(text[content.endIndex...].drop { $0 == UInt8(ascii: ";") || $0 <= 0x20 })
            if let next = rest.first, !"#/".utf8.contains(next) { words.append(Array(rest)) }
        }
        verb = verb ?? found
        if words.count == 3, words[1] == [UInt8(ascii: "-")] { words = [words[0] + words[1] + words[2]] }
        let isAll = found != nil && words[0] == Array("all".utf8)
        let range = words.first.flatMap { Self.range($0) } ?? (isAll ? Self.everyone : nil)
        if let found, found != verb {
            // Who is denied must not pass by a network that is allowed; of everyone, none does by this line.
            let passes = found == .deny && range.map { !Self.isEveryone($0) } != false
            let message = "is to \(found.rawValue), unlike the list"
            problems.append(Problem(line: line, message: message, refusal: passes ? .denied : nil))
        } else if found == nil, words.count == 2, text.endIndex == content.endIndex + 1, text.last == UInt8(ascii: ";")
        {
            problems.append(Problem(line: line, message: "is an entry of a geo, whose value is not read"))
        } else if found == nil ? words.dropFirst().contains(where: Self.isLikeAddress) : words.count > 1 {
            problems.append(Problem(line: line, message: "has more than one network"))
        } else if let range {
            add(range, line)
        } else {
            problems.append(Problem(line: line, message: "is not a network"))
        }
    }

    /// Returns true if a word is an address to those who read it, alone or with something after it.
    private static func isLikeAddress(_ word: [UInt8]) -> Bool {
        let address = word.drop { $0 == UInt8(ascii: "-") }
            .prefix { $0.hexadecimalValue != nil || ".:".utf8.contains($0) }
        let after = word[address.endIndex...].first
        if let after, !"/-,; ".utf8.contains(after) { return false }
        let dots = address.count { $0 == UInt8(ascii: ".") }
        return InternetAddress(parsing: Array(address).span) != nil
            || dots == 3 && address.count(where: \.isASCIIDigit) + dots == address.count
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
        guard let (network, hadHostBits) = AddressNetwork.parse(word.span) else {
            return AddressRange(parsing: word.span)?.unmapped
        }
        // The length of an IPv4 network after an IPv4-mapped address.
        if hadHostBits, network.prefixLength <= 32, word.prefix(7).map(\.asciiLowercased) == Array("::ffff:".utf8) {
            return nil
        }
        return network.range.unmapped
    }

    private static let everyone = AddressNetwork(.v4(0), prefixLength: 0).range

    private static func isEveryone(_ range: AddressRange) -> Bool {
        switch (range.first, range.last) {
        case (.v4(0), .v4(.max)), (.v6(0, 0), .v6(.max, .max)): true
        default: false
        }
    }

    private mutating func add(_ range: AddressRange, _ line: Int32) {
        if Self.isEveryone(range) {
            problems.append(Problem(line: line, message: "is every client", refusal: .everyone))
        } else {
            networks.append((range, line))
        }
    }

    mutating func refuse(line: Int32, message: String) {
        problems.append(Problem(line: line, message: message, refusal: .everyone))
    }

    // MARK: Agents

    /// A text, `*` in it for any text, or an expression between slashes.
    private mutating func addAgent(_ text: ArraySlice<UInt8>, _ line: Int32) {
        if text.count > 1, text.first == UInt8(ascii: "/"), text.last == UInt8(ascii: "/") {
            return addAgent(expression: Array(text.dropFirst().dropLast()), line)
        }
        if let message = AgentMistake.message(for: text) {
            problems.append(Problem(line: line, message: message))
            return
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
        let matched = Self.browsers.count { browser in
            index.firstMatch(browser.span, from: 0, to: 1, scratch: scratch) != .none
        }
        guard matched < 2 else {
            let share = matched == Self.browsers.count ? "every browser" : "most browsers"
            problems.append(Problem(line: line, message: "is in the User-Agent of \(share)", refusal: .everyone))
            return
        }
        agents.append((pattern, line))
    }

    // MARK: JSON

    /// Returns true for an object of texts and numbers that is not a pattern: what is known of an agent.
    private static func isDescription(_ value: PlacedJSON) -> Bool {
        guard case .object(let members) = value.content else { return false }
        return !members.contains { member in
            switch member.value.content {
            case .object, .array: true
            default: member.name == "pattern"
            }
        }
    }

    /// Takes the networks in a JSON text, wherever they are, or the `pattern` of each agent.
    private mutating func take(_ value: PlacedJSON, file: RuleFile, start: Int, kind: EntryList.Kind) {
        switch value.content {
        case .string(let text):
            let line = file.place(of: value.place.lowerBound + start).line
            if kind == .agents {
                addAgent(expression: text, line)
            } else if let range = Self.range(Array(Self.trimmed(text[...]))) {
                add(range, line)
            } else if Self.isLikeAddress(text) {
                problems.append(Problem(line: line, message: "is not a network"))
            }
        case .array(let items): for item in items { take(item, file: file, start: start, kind: kind) }
        case .object(let members):
            if kind == .agents, members.count > 1, members.allSatisfy({ Self.isDescription($0.value) }) {
                // Names of agents, each with what is known of it.
                for member in members {
                    addAgent(Array(member.name.utf8)[...], file.place(of: member.place.lowerBound + start).line)
                }
                return
            }
            if kind == .agents, !members.contains(where: { $0.name == "pattern" }) {
                let line = file.place(of: value.place.lowerBound + start).line
                problems.append(Problem(line: line, message: "has an agent without a pattern"))
            }
            for member in members where kind == .networks || member.name == "pattern" {
                if Self.range(Array(member.name.utf8)) != nil {
                    let line = file.place(of: member.place.lowerBound + start).line
                    problems.append(Problem(line: line, message: "has a network as a name, not as a value"))
                }
                take(member.value, file: file, start: start, kind: kind)
            }
        case .null, .boolean, .number: break
        }
    }
}
