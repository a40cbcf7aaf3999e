import ShuntCore

/// Rules that were made of the frontends of HAProxy's configuration.
public struct HAProxyImport {
    /// A line of the file, in words.
    struct Line {
        var number: Int
        var text: String
        var words: [String]

        /// The place of the condition; the end without one.
        private var conditionStart: Int { words.firstIndex { $0 == "if" || $0 == "unless" } ?? words.count }

        /// The words before the condition.
        var action: [String] { Array(words[..<conditionStart]) }

        /// The condition, with its `if` or `unless`.
        var condition: ArraySlice<String> { words[conditionStart...] }

        /// True if it refuses requests.
        var refuses: Bool {
            ["deny", "reject", "tarpit", "silent-drop", "auth"].contains { words.prefix(3).contains($0) }
        }
    }

    /// A frontend, a listen or a backend.
    private struct Section {
        var kind: String
        var name: String
        var lines: [Line] = []
        var comments: [Int: [String]] = [:]
    }

    private static let settings: Set<String> = [
        "mode", "option", "timeout", "log", "maxconn", "balance", "compression", "description", "id", "capture",
        "unique-id-format", "unique-id-header", "log-format", "retries", "cookie", "stick-table", "stick", "http-reuse",
        "server", "bind", "acl", "email-alert", "load-server-state-from-file", "hash-type", "filter",
    ]

    private let name: String
    private var notes: ImportNotes
    private var count = 0
    private var tests: HAProxyTests

    /// Imports a file.
    ///
    /// - Parameters:
    ///   - name: Its name in messages.
    ///   - text: The content.
    ///   - file: Reads a file that it names, such as one of `-f`; nil if it does not exist.
    /// - Returns: The rules with notes.
    public static func rules(named name: String, text: String, file: @escaping (String) -> String?) -> ImportedRules {
        var work = HAProxyImport(name: name, file: file)
        return work.rules(text)
    }

    /// Returns true if a text has a section.
    public static func hasSections(_ text: String) -> Bool { !sections(text).isEmpty }

    private init(name: String, file: @escaping (String) -> String?) {
        self.name = name
        notes = ImportNotes(name)
        tests = HAProxyTests(file: file)
    }

    private mutating func rules(_ text: String) -> ImportedRules {
        let sections = Self.sections(text)
        var items: [ImportItem] = [.comment("# Imported from \(ShownBytes.text(name)) by shunt import haproxy.")]
        for section in sections where section.kind == "backend" || section.kind == "listen" {
            tests.maps.backends.insert(section.name)
            items += upstream(section)
        }
        var servers: [ImportItem] = []
        for section in sections where section.kind == "frontend" || section.kind == "listen" {
            servers += server(section, backends: sections.filter { $0.kind == "backend" })
        }
        items += ImportItem.tables(of: tests.networks) + tests.maps.tables + [.file(name)]
        return ImportedRules(items + servers, notes: notes.sorted, from: name, count: count)
    }

    // MARK: Reading

    private static func sections(_ text: String) -> [Section] {
        var sections: [Section] = []
        var comments: [String] = []
        let heads: Set = [
            "global", "defaults", "frontend", "backend", "listen", "userlist", "peers", "resolvers", "cache", "program",
        ]
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let trimmed = line.drop { $0 == " " || $0 == "\t" }
            if trimmed.hasPrefix("#") {
                comments.append(String(trimmed))
                continue
            }
            let words = words(trimmed)
            guard let first = words.first else { continue }
            if heads.contains(first) {
                sections.append(Section(kind: first, name: words.count > 1 ? words[1] : ""))
                comments = []
            } else if !sections.isEmpty {
                if !comments.isEmpty { sections[sections.count - 1].comments[index + 1] = comments }
                comments = []
                sections[sections.count - 1].lines.append(Line(number: index + 1, text: String(trimmed), words: words))
            }
        }
        return sections
    }

    /// The words of a line, without quotes and comments.
    private static func words(_ line: Substring) -> [String] {
        var words: [String] = []
        var word: String?
        var quote: Character?
        var rest = line
        while let next = rest.popFirst() {
            if next == "\\", quote != "'", let escaped = rest.popFirst() {
                word = (word ?? "") + Self.escape(escaped, &rest)
            } else if let open = quote {
                if next == open { quote = nil } else { word?.append(next) }
            } else if next == "\"" || next == "'" {
                quote = next
                word = word ?? ""
            } else if next == "#" {
                break
            } else if next == " " || next == "\t" || next.isNewline {
                if let whole = word { words.append(whole) }
                word = nil
            } else {
                word = (word ?? "") + "\(next)"
            }
        }
        if let whole = word { words.append(whole) }
        return words
    }

    /// The text of a backslash and the sign after it: a backslash of an expression stays.
    ///
    /// Source: HAProxy's configuration manual, 2.2, quoting and escaping.
    private static func escape(_ sign: Character, _ rest: inout Substring) -> String {
        switch sign {
        case " ", "#", "\"", "'", "\\": return String(sign)
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "x":
            guard rest.prefix(2).count == 2, let byte = UInt8(rest.prefix(2), radix: 16), byte < 0x80 else { break }
            rest = rest.dropFirst(2)
            return String(UnicodeScalar(byte))
        default: break
        }
        return "\\\(sign)"
    }

    // MARK: Writing

    private mutating func upstream(_ section: Section) -> [ImportItem] {
        let servers = section.lines.filter { $0.words.first == "server" && $0.words.count > 2 }
        guard !servers.isEmpty, Self.isName(section.name) else { return [] }
        var items: [ImportItem] = []
        if let balance = section.lines.first(where: { $0.words.first == "balance" })?.words.dropFirst().first {
            let method = ["leastconn": "least_conn", "source": "ip_hash", "random": "random"][balance]
            if let method { items.append(.directive([method])) }
        }
        for server in servers {
            var words = ["server", server.words[2]]
            let weight = server.words.firstIndex(of: "weight").flatMap { server.words.dropFirst($0 + 1).first }
            if weight == "0" || server.words.contains("disabled") {
                words.append("down")
            } else if let weight {
                words.append("weight=\(weight)")
            }
            if server.words.contains("ssl") {
                let reason = "requests are sent to it without TLS: write proxy_pass https://\(section.name)"
                notes.add(.inexact, server.text, line: server.number, reason: reason)
                count += 1
            }
            if server.words.contains("backup") { words.append("backup") }
            items.append(.directive(words, server.number))
        }
        return [.gap, .block(["upstream", section.name], items)]
    }

    /// Returns true if a name can be that of an upstream.
    static func isName(_ name: String) -> Bool { name.wholeMatch(of: #/[A-Za-z0-9_.\-]+/#) != nil }

    private mutating func server(_ section: Section, backends: [Section]) -> [ImportItem] {
        var items: [ImportItem] = []
        for line in section.lines where line.words.first == "bind" && line.words.count > 1 {
            let place = line.words[1].replacing("*:", with: "")
            let address = place.hasPrefix(":") ? String(place.dropFirst()) : place
            items.append(.directive(["listen", address] + (line.words.contains("ssl") ? ["ssl"] : []), line.number))
        }
        if items.isEmpty { items.append(.directive(["listen", "80"])) }
        if section.lines.contains(where: { $0.words.starts(with: ["option", "forwardfor"]) }) {
            items.append(.directive(["proxy_set_header", "X-Forwarded-For", "$proxy_add_x_forwarded_for"]))
        }
        items.append(.gap)
        tests.begin(section.lines)
        var inner: [ImportItem] = []
        var lines = section.lines
        // Rules come before redirects, and both before the choice of a backend.
        let order = { (line: Line) -> Int in
            ["tcp-request": 0, "block": 0, "http-request": 0, "redirect": 1, "use_backend": 2, "default_backend": 3][
                line.words.first ?? ""
            ] ?? 4
        }
        lines.sort { (order($0), $0.number) < (order($1), $1.number) }
        // True after a choice of a backend for all requests: no other one is reached.
        var isChosen = false
        for line in lines {
            let key = line.words.first ?? ""
            guard order(line) < 4 else {
                if !Self.settings.contains(key), !key.hasPrefix("timeout") {
                    count += 1
                    leave(line, reason: "no rule here is like it", to: &inner)
                }
                continue
            }
            count += 1
            if isChosen, order(line) > 1 { continue }
            for comment in section.comments[line.number] ?? [] { inner.append(.comment(comment)) }
            do throws(Unsaid) {
                let rules = try HAProxyRules.rules(line, &tests)
                // A changed path does not begin with the first rule again.
                let isChanged = inner.contains { $0.importedRule?.rewrites == true }
                let isForAll = order(line) > 1 && line.condition.isEmpty
                if isForAll, isChanged { inner.append(.directive(["break"])) }
                isChosen = isChosen || isForAll
                inner += rules.map { .rule($0) }
            } catch {
                leave(line, reason: error.reason, to: &inner)
                // What it would refuse is not known.
                if line.refuses { inner += HAProxyRules.refusals(of: line, &tests).map { .rule($0) } }
            }
        }
        if section.kind == "listen", !isChosen, Self.isName(section.name),
            section.lines.contains(where: { $0.words.first == "server" })
        {
            inner.append(.directive(["proxy_pass", "http://\(section.name)"]))
        }
        var left: [ImportItem] = []
        for backend in backends {
            tests.begin(backend.lines)
            for line in backend.lines
            where ["http-request", "http-response", "redirect"].contains(line.words.first ?? "") {
                count += 1
                leave(line, reason: "a rule of a backend" + (line.refuses ? ": refused for all" : ""), to: &left)
                // It is before the others, as none of these may let pass what it refuses.
                if line.refuses {
                    inner.insert(contentsOf: HAProxyRules.refusals(of: line, &tests).map { .rule($0) }, at: 0)
                }
            }
        }
        items += [.block(["location", "/"], inner)] + left
        return [.gap, .block(["server"], items)]
    }

    private mutating func leave(_ line: Line, reason: String, to items: inout [ImportItem]) {
        items.append(notes.leave(line.text, line: line.number, reason: reason))
    }
}
