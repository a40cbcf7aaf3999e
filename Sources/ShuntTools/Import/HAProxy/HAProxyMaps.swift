import ShuntCore

/// The maps of HAProxy that lines look up with a sample, each as a table of a variable.
struct HAProxyMaps {
    /// A line of a map.
    private struct Row {
        var key: String
        var value: String
        var line: Int
    }

    /// A sample that a map converts.
    private struct LookUp {
        var subject: String
        /// The comparison, as the end of the name of the converter; nil without a map.
        var method: String?
        var path = ""
        var otherwise: String?
        /// True if keys are compared with a text in lower case.
        var isLowercase = false
    }

    /// The backends of the file.
    var backends: Set<String> = []
    /// The backend of a frontend for requests whose own one does not exist.
    var defaultBackend: String?
    private(set) var tables: [ImportItem] = []
    private var variables: [String: String] = [:]
    private let file: (String) -> String?

    init(file: @escaping (String) -> String?) { self.file = file }

    /// Returns true if a fetch has converters after it.
    static func isConverted(_ fetch: String) -> Bool { parts(fetch).count > 1 }

    // MARK: Variables

    /// The variable with what a map has for a sample, empty where it has nothing.
    mutating func variable(_ expression: String) throws(Unsaid) -> String {
        let lookUp = try Self.lookUp(expression)
        guard lookUp.method != nil else { throw Unsaid("a sample in a text") }
        return try variable(expression, lookUp, rows: try rows(of: lookUp)) { $0 ?? lookUp.otherwise ?? "" }
    }

    /// Returns true if a map has a value for all that it does not name.
    static func hasDefault(_ expression: String) throws(Unsaid) -> Bool { try lookUp(expression).otherwise != nil }

    /// The variable with the backend that a text with a sample names.
    ///
    /// Source: HAProxy's configuration manual, 2.6, `use_backend`: where the backend does not exist the default one is taken.
    mutating func backend(_ text: String) throws(Unsaid) -> String {
        guard let match = text.wholeMatch(of: #/([^%\[\]]*)%\[(.+)\]([^%\[\]]*)/#) else {
            throw Unsaid("a backend whose name is computed")
        }
        let (start, end) = (String(match.1), String(match.3))
        let lookUp = try Self.lookUp(String(match.2))
        let rows: [Row]
        if lookUp.method == nil {
            rows = backends.sorted().filter { $0.hasPrefix(start) && $0.hasSuffix(end) }
                .map { Row(key: String($0.dropFirst(start.count).dropLast(end.count)), value: "", line: 0) }
                .filter { !$0.key.isEmpty && start + $0.key + end != start + end }
                .map { Row(key: $0.key, value: $0.key, line: 0) }
        } else {
            rows = try self.rows(of: lookUp)
        }
        let known = backends
        let fallback = defaultBackend ?? ""
        return try variable("backend \(text)", lookUp, rows: rows) { value in
            guard let value = value ?? lookUp.otherwise else { return fallback }
            let name = start + value + end
            return known.contains(name) && HAProxyImport.isName(name) ? name : fallback
        }
    }

    private mutating func variable(
        _ key: String,
        _ lookUp: LookUp,
        rows: [Row],
        value: (String?) -> String
    ) throws(Unsaid) -> String {
        let key = "\(key) \(defaultBackend ?? "")"
        if let known = variables[key] { return known }
        var values: [(row: Row, value: String)] = []
        for row in rows { values.append((row, value(row.value))) }
        let missing = value(nil)
        guard !(values.map(\.value) + [missing]).contains(where: { $0.contains("$") }) else {
            throw Unsaid("a text with a $ in it")
        }
        let start = key.hasPrefix("backend ") ? "$backend" : "$mapped"
        let count = variables.values.count { $0.hasPrefix(start) }
        let name = count == 0 ? start : "\(start)_\(count + 1)"
        let isOfNetworks = lookUp.method == "ip"
        var items: [ImportItem] = lookUp.path.isEmpty ? [] : [.file(lookUp.path)]
        var entries: [ImportItem] = [.directive(["default", missing])]
        // A value that was read once would be kept, whatever becomes of the path.
        if lookUp.subject.contains("$uri") { entries.insert(.directive(["volatile"]), at: 0) }
        var seen = Set<String>()
        for (row, value) in values {
            let word = isOfNetworks ? row.key : try Self.key(row.key, lookUp)
            guard seen.insert(word).inserted else { continue }
            entries.append(.directive([word, value], row.line == 0 ? nil : row.line))
        }
        let head = isOfNetworks ? ["geo", name] : ["map", lookUp.subject, name]
        items += [.gap, .block(head, entries)]
        tables += items
        variables[key] = name
        return name
    }

    // MARK: Keys

    /// A key as a `map` has it.
    private static func key(_ text: String, _ lookUp: LookUp) throws(Unsaid) -> String {
        let literal = ImportedExpression.literal(text)
        let isPlain = lookUp.isLowercase || !text.contains { $0.isASCII && $0.isLetter }
        let sign = lookUp.isLowercase ? "~*" : "~"
        switch lookUp.method {
        case nil, "", "str": return isPlain ? ApacheMaps.key(text) : "~^\(literal)$"
        case "beg": return "\(sign)^\(literal)"
        case "end": return "\(sign)\(literal)$"
        case "sub": return "\(sign)\(literal)"
        case "dir", "dom":
            let delimiters = lookUp.method == "dir" ? "/?" : "/?.:"
            let part = ImportedExpression.literal(text.withoutEnds { delimiters.contains($0) })
            guard !part.isEmpty else { throw Unsaid("an empty value") }
            return "\(sign)(?:^|[\(delimiters)])\(part)(?:[\(delimiters)]|$)"
        case "reg":
            guard ImportedExpression.groupCount(text) != nil else { throw Unsaid("an expression that is not one here") }
            return "~\(text)"
        default: throw Unsaid("a map of the kind \(lookUp.method ?? "")")
        }
    }

    /// The lines of a map, in the order in which one of them decides.
    private func rows(of lookUp: LookUp) throws(Unsaid) -> [Row] {
        guard let text = file(lookUp.path) else { throw Unsaid("a map that cannot be read: \(lookUp.path)") }
        var rows: [Row] = []
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let content = line.withoutEnds { " \t".contains($0) }
            guard !content.isEmpty, content.first != "#" else { continue }
            let key = String(content.prefix { !" \t".contains($0) })
            let value = content.dropFirst(key.count).withoutEnds { " \t".contains($0) }
            if lookUp.method == "ip" {
                guard AddressNetwork.parse(Array(key.utf8).span) != nil else { throw Unsaid("the network \(key)") }
            } else if lookUp.isLowercase, lookUp.method != "reg", lookUp.subject != "$host", key != key.lowercased() {
                // No text in lower case has it.
                continue
            }
            rows.append(Row(key: key, value: String(value), line: index + 1))
        }
        // Of several beginnings the longest one decides.
        return lookUp.method == "beg" ? rows.sorted { ($1.key.count, $0.line) < ($0.key.count, $1.line) } : rows
    }

    // MARK: Samples

    /// The parts of an expression, between commas outside of parentheses.
    private static func parts(_ expression: String) -> [String] {
        var depth = 0
        var parts = [""]
        for character in expression {
            if character == "(" { depth += 1 }
            if character == ")" { depth -= 1 }
            if character == ",", depth == 0 {
                parts.append("")
            } else {
                parts[parts.count - 1].append(character)
            }
        }
        return parts
    }

    private static let subjects = [
        "hdr(host)": "$host", "req.hdr(host)": "$host", "req.fhdr(host)": "$host", "path": "$uri",
        "base": "$host$uri", "method": "$request_method", "query": "$args", "src": "$remote_addr",
        "pathq": "$request_uri", "url": "$request_uri", "capture.req.uri": "$request_uri",
    ]

    private static func lookUp(_ expression: String) throws(Unsaid) -> LookUp {
        var parts = parts(expression)[...]
        let fetch = parts.removeFirst()
        var subject = subjects[fetch.lowercased()]
        if subject == nil, let match = fetch.wholeMatch(of: #/(?:req\.)?f?hdr\(([\w-]+)\)/#) {
            subject = ImportedTest.header(match.1)
        }
        guard let subject else { throw Unsaid("\(fetch) has no counterpart") }
        // The host has neither capitals nor a port here.
        var lookUp = LookUp(subject: subject, isLowercase: subject == "$host")
        while let part = parts.popFirst() {
            if let match = part.wholeMatch(of: #/map(?:_([a-z]+))?\(([^,()]+)(?:,([^()]*))?\)/#), parts.isEmpty {
                lookUp.method = match.1.map(String.init) ?? ""
                lookUp.path = String(match.2)
                lookUp.otherwise = match.3.map(String.init)
            } else if part == "lower" {
                lookUp.isLowercase = true
            } else if !(["field(1,:)", "host_only"].contains(part) && subject == "$host") {
                throw Unsaid("the converter \(part)")
            }
        }
        guard subject == "$remote_addr" ? lookUp.method == "ip" : lookUp.method != "ip" else {
            throw Unsaid("a map of this sample")
        }
        return lookUp
    }
}
