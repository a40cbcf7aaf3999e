/// The matchers of a site as tests.
struct CaddyMatchers {
    /// All of the groups have to hold; of each, one test.
    struct Matcher {
        var tests: [[ImportedRule.Test]] = []
        /// The only path, by whose length directives are sorted.
        var path: String?
        /// True if there is one, even if every request passes it.
        var isGiven = false

        /// The test of the path, if there is nothing else.
        var onlyPath: ImportedRule.Test? {
            guard tests.count == 1, tests[0].count == 1, !tests[0][0].isNegated, tests[0][0].subject == "$uri",
                case .matches = tests[0][0].kind
            else { return nil }
            return tests[0][0]
        }
    }

    private typealias Unsaid = CaddyImport.Unsaid
    private typealias Test = ImportedRule.Test

    private var named: [String: CaddyDirective] = [:]
    /// The tables of networks.
    private(set) var networks: [String: [String]] = [:]
    /// The names of expressions whose groups something uses.
    private let usedNames: Set<String>

    /// Prepares it.
    ///
    /// - Parameter text: The whole file, which shows what groups are used.
    init(_ text: String) {
        usedNames = Set(text.matches(of: #/\{(?:re|http\.regexp)\.(\w+)\.\d\}/#).map { String($0.1) })
    }

    /// Adds the named matchers of a block.
    mutating func add(_ directives: [CaddyDirective]) {
        for directive in directives where directive.name.hasPrefix("@") { named[directive.name] = directive }
    }

    /// Adds the networks of another site.
    mutating func merge(_ other: CaddyMatchers) { networks.merge(other.networks) { one, _ in one } }

    /// The matcher of a directive, and the arguments after it.
    mutating func matcher(of directive: CaddyDirective) -> (Result<Matcher, CaddyImport.Unsaid>, ArraySlice<String>) {
        let arguments = directive.arguments
        guard let first = arguments.first, !["try_files", "log", "tls", "bind"].contains(directive.name),
            !(directive.name == "root" && arguments.count == 1)
        else { return (.success(Matcher()), arguments) }
        do throws(CaddyImport.Unsaid) {
            if first == "*" { return (.success(Matcher()), arguments.dropFirst()) }
            if first.hasPrefix("/") {
                let tests = [[try path([first])]]
                return (.success(Matcher(tests: tests, path: first, isGiven: true)), arguments.dropFirst())
            }
            guard first.hasPrefix("@") else { return (.success(Matcher()), arguments) }
            guard let definition = named[first] else { throw Unsaid(reason: "the matcher \(first)") }
            let words = Array(definition.arguments)
            // A word before a block, such as `not`, is a matcher of what the block has.
            let parts =
                words.isEmpty
                ? definition.block ?? []
                : [CaddyDirective(words: words, block: definition.block, line: definition.line)]
            var matcher = Matcher(tests: try tests(parts), isGiven: true)
            let paths = parts.filter { $0.name == "path" }.flatMap(\.arguments)
            if paths.count == 1 { matcher.path = paths[0] }
            return (.success(matcher), arguments.dropFirst())
        } catch {
            return (.failure(error), "*/@".contains(first.first ?? " ") ? arguments.dropFirst() : arguments)
        }
    }

    // MARK: Tests

    private mutating func tests(_ parts: [CaddyDirective]) throws(CaddyImport.Unsaid) -> [[ImportedRule.Test]] {
        var groups: [[Test]] = []
        var together: [String: Int] = [:]
        guard parts.count(where: { $0.name == "path_regexp" }) < 2 else {
            throw Unsaid(reason: "several expressions on the path")
        }
        for part in parts {
            let values = Array(part.arguments)
            guard part.name == "not" || !values.joined().contains("{") else {
                throw Unsaid(reason: "a placeholder in a matcher")
            }
            switch part.name {
            case "not":
                let inner = part.block ?? [CaddyDirective(words: values, line: part.line)]
                groups += try Self.opposite(try tests(inner))
                continue
            case "file", "path_regexp", "header_regexp", "protocol":
                groups.append(try single(part.name, values))
                continue
            case "remote_ip":
                groups.append([try addresses(values, part.line)])
                continue
            default: break
            }
            // Lines of one kind are alternatives: their values are of one list.
            var key = part.name
            if ["header", "query"].contains(key) {
                key += " " + (values.first ?? "").prefix { $0 != "=" }.drop { $0 == "!" }.lowercased()
            }
            if key.hasPrefix("query "), together.keys.contains(where: { $0.hasPrefix("query ") && $0 != key }) {
                throw Unsaid(reason: "several arguments, which versions of Caddy match differently")
            }
            let group = try alternatives(part.name, values)
            if let index = together[key] {
                groups[index] = try Self.joined(groups[index], group)
            } else {
                together[key] = groups.count
                groups.append(group)
            }
        }
        return groups
    }

    /// Two lists of one kind; those of expressions are one expression.
    private static func joined(_ one: [ImportedRule.Test], _ other: [ImportedRule.Test]) throws(CaddyImport.Unsaid)
        -> [ImportedRule.Test]
    {
        guard one.count == 1, other.count == 1, one[0].subject == "$uri", case .matches(let first, _) = one[0].kind,
            case .matches(let second, _) = other[0].kind
        else {
            guard (one + other).allSatisfy({ !$0.isNegated }) else { throw Unsaid(reason: "a header that is missing") }
            return one + other
        }
        var test = one[0]
        test.kind = .matches("\(first)|\(second)", ignoresCase: true)
        return [test]
    }

    private static func opposite(_ groups: [[ImportedRule.Test]]) throws(CaddyImport.Unsaid) -> [[ImportedRule.Test]] {
        if groups.count == 1 { return groups[0].map { [$0.opposite] } }
        guard groups.allSatisfy({ $0.count == 1 }), !groups.isEmpty else {
            throw Unsaid(reason: "not of several matchers with alternatives")
        }
        return [groups.map { $0[0].opposite }]
    }

    private func alternatives(_ kind: String, _ values: [String]) throws(CaddyImport.Unsaid) -> [ImportedRule.Test] {
        guard !values.isEmpty, kind == "path" || !values.joined().contains("$") else {
            throw Unsaid(reason: "the matcher \(kind) with this value")
        }
        switch kind {
        case "path": return [try path(values)]
        case "host": return try values.map(Self.host)
        case "method": return values.map { Test(subject: "$request_method", kind: .equals($0)) }
        case "header":
            let (name, isMissing) =
                values[0].hasPrefix("!") ? (values[0].dropFirst(), true) : (values[0][...], false)
            guard name.wholeMatch(of: #/[\w\-]+/#) != nil, values.count < 3 else {
                throw Unsaid(reason: "the header \(name)")
            }
            let lower = name.lowercased().replacing("-", with: "_")
            let subject = "$http_\(lower)"
            if values.count == 1 {
                return [Test(subject: subject, kind: .matches(".", ignoresCase: false), isNegated: isMissing)]
            }
            return [try Self.wildcard(subject, values[1])]
        case "query":
            return try values.map { value throws(CaddyImport.Unsaid) in
                guard let match = value.wholeMatch(of: #/(\w+)=(.+)/#) else {
                    throw Unsaid(reason: "the arguments \(value)")
                }
                if match.2 == "*" {
                    return Test(subject: "$args", kind: .matches("(?:^|&)\(match.1)(?:=|&|$)", ignoresCase: false))
                }
                return Test(subject: "$arg_\(match.1)", kind: .equals(String(match.2)))
            }
        default: throw Unsaid(reason: "the matcher \(kind)")
        }
    }

    private func single(_ kind: String, _ values: [String]) throws(CaddyImport.Unsaid) -> [ImportedRule.Test] {
        switch (kind, values.count) {
        case ("file", 0): return [Test(subject: "$request_filename", kind: .file)]
        case ("path_regexp", 1...2): return [named(values, subject: "$uri")]
        case ("header_regexp", 2...3):
            let name = values[values.count - 2]
            guard name.wholeMatch(of: #/[\w\-]+/#) != nil else { throw Unsaid(reason: "the header \(name)") }
            let subject = "$http_\(name.lowercased().replacing("-", with: "_"))"
            return [named(Array(values.dropLast(2)) + values.suffix(1), subject: subject)]
        case ("protocol", 1) where ["http", "https"].contains(values[0]):
            return [Test(subject: "$scheme", kind: .equals(values[0]))]
        default: throw Unsaid(reason: "the matcher \(kind)")
        }
    }

    /// A test by an expression, whose groups have names where they are used.
    private func named(_ values: [String], subject: String) -> ImportedRule.Test {
        let isUsed = values.count > 1 && usedNames.contains(values[0])
        let expression = isUsed ? ImportedExpression.naming(values[1], values[0]) : values[values.count - 1]
        return Test(subject: subject, kind: .matches(expression, ignoresCase: false), hasNamedGroups: isUsed)
    }

    private static func wildcard(_ subject: String, _ value: String) throws(CaddyImport.Unsaid) -> ImportedRule.Test {
        guard !value.contains("$"), !value.isEmpty else { throw Unsaid(reason: "the value \(value)") }
        if !value.hasPrefix("*"), !value.hasSuffix("*") { return Test(subject: subject, kind: .equals(value)) }
        let start = value.hasPrefix("*") ? "" : "^"
        let end = value.hasSuffix("*") ? "" : "$"
        let inner = value.dropFirst(start.isEmpty ? 1 : 0)
        let text = ImportedExpression.literal(String(end.isEmpty && !inner.isEmpty ? inner.dropLast() : inner))
        return Test(subject: subject, kind: .matches(text.isEmpty ? "." : start + text + end, ignoresCase: false))
    }

    private static func host(_ name: String) throws(CaddyImport.Unsaid) -> ImportedRule.Test {
        guard name.contains("*") else { return Test(subject: "$host", kind: .equals(name.lowercased())) }
        return Test(subject: "$host", kind: .matches(hostExpression(name), ignoresCase: true))
    }

    /// The expression for a name in which a star is one label.
    static func hostExpression(_ name: String) -> String {
        "^\(ImportedExpression.literal(name.lowercased()).replacing("\\*", with: "[^.]+"))$"
    }

    /// The test of one of several paths, which all are compared without case.
    private func path(_ patterns: [String]) throws(CaddyImport.Unsaid) -> ImportedRule.Test {
        let forms = try patterns.map { pattern throws(CaddyImport.Unsaid) in
            guard !pattern.contains(where: { "%[]{}\\".contains($0) }), !pattern.contains("//") else {
                throw Unsaid(reason: "the path \(pattern)")
            }
            let stars = pattern.count { $0 == "*" }
            let (starts, ends) = (pattern.hasPrefix("*"), pattern.hasSuffix("*"))
            if pattern == "*" { return "^" }
            let inner = ImportedExpression.literal(pattern.replacing("*", with: ""))
            if !pattern.contains("?") || stars == 1 && (starts || ends) {
                if stars == 2, starts, ends { return inner }
                if stars == 1, starts { return "\(inner)[\\x20.]*$" }
                if stars == 1, ends { return "^\(inner)" }
            }
            let literal = ImportedExpression.literal(pattern)
            // Caddy takes blanks and dots from the end of a path before it compares it.
            return "^\(literal.replacing("\\*", with: "[^/]*").replacing("\\?", with: "[^/]"))[\\x20.]*$"
        }
        return Test(subject: "$uri", kind: .matches(forms.joined(separator: "|"), ignoresCase: true))
    }

    private mutating func addresses(_ values: [String], _ line: Int) throws(CaddyImport.Unsaid) -> ImportedRule.Test {
        let local = ["192.168.0.0/16", "172.16.0.0/12", "10.0.0.0/8", "127.0.0.1/8", "fd00::/8", "::1"]
        let all = values.flatMap { $0 == "private_ranges" ? local : [$0] }
        guard !all.isEmpty, all.allSatisfy({ $0.wholeMatch(of: #/[0-9a-fA-F.:]+(?:\/\d+)?/#) != nil }) else {
            throw Unsaid(reason: "remote_ip with \(values.joined(separator: " "))")
        }
        networks["$network_\(line)"] = all
        return Test(subject: "$network_\(line)", kind: .isTrue)
    }
}
