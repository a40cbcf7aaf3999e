/// The matchers of a site as tests.
struct CaddyMatchers {
    /// All of the groups have to hold; of each, one test.
    struct Matcher {
        var tests: [[ImportedTest]] = []
        /// The only path, by whose length directives are sorted.
        var path: String?
        /// True if there is one, even if every request passes it.
        var isGiven = false

        /// The test of the path, if there is nothing else.
        var onlyPath: ImportedTest? {
            guard tests.count == 1, tests[0].count == 1, let test = tests[0].first else { return nil }
            return test.isNegated || test.pathExpression == nil ? nil : test
        }
    }

    private var named: [String: CaddyDirective] = [:]
    /// The tables of networks.
    private(set) var networks: [String: [String]] = [:]
    /// The names of expressions whose groups something uses.
    private let usedNames: Set<String>

    /// Prepares it for a whole file, which shows what groups are used.
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
    mutating func matcher(of directive: CaddyDirective) -> (Result<Matcher, Unsaid>, ArraySlice<String>) {
        let arguments = directive.arguments
        guard let first = arguments.first, !["try_files", "log", "tls", "bind"].contains(directive.name),
            !(directive.name == "root" && arguments.count == 1)
        else { return (.success(Matcher()), arguments) }
        do throws(Unsaid) {
            if first == "*" { return (.success(Matcher()), arguments.dropFirst()) }
            if first.hasPrefix("/") {
                let tests = [[try path([first])]]
                return (.success(Matcher(tests: tests, path: first, isGiven: true)), arguments.dropFirst())
            }
            guard first.hasPrefix("@") else { return (.success(Matcher()), arguments) }
            guard let definition = named[first] else { throw Unsaid("the matcher \(first)") }
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

    private mutating func tests(_ parts: [CaddyDirective]) throws(Unsaid) -> [[ImportedTest]] {
        var groups: [[ImportedTest]] = []
        var together: [String: Int] = [:]
        guard parts.count(where: { $0.name == "path_regexp" }) < 2 else {
            throw Unsaid("several expressions on the path")
        }
        for part in parts {
            let values = Array(part.arguments)
            guard part.name == "not" || !values.joined().contains("{") else {
                throw Unsaid("a placeholder in a matcher")
            }
            switch part.name {
            case "not":
                let inner = part.block ?? [CaddyDirective(words: values, line: part.line)]
                guard let opposite = ImportedTest.opposite(of: try tests(inner)) else {
                    throw Unsaid("not of several matchers with alternatives")
                }
                groups += opposite
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
                throw Unsaid("several arguments, which versions of Caddy match differently")
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
    private static func joined(_ one: [ImportedTest], _ other: [ImportedTest]) throws(Unsaid) -> [ImportedTest] {
        guard one.count == 1, other.count == 1, let first = one[0].pathExpression,
            case .matches(let second, _) = other[0].kind
        else {
            guard (one + other).allSatisfy({ !$0.isNegated }) else { throw Unsaid("a header that is missing") }
            return one + other
        }
        var test = one[0]
        test.kind = .matches("\(first)|\(second)", ignoresCase: true)
        return [test]
    }

    private func alternatives(_ kind: String, _ values: [String]) throws(Unsaid) -> [ImportedTest] {
        guard !values.isEmpty, kind == "path" || !values.joined().contains("$") else {
            throw Unsaid("the matcher \(kind) with this value")
        }
        switch kind {
        case "path": return [try path(values)]
        case "host": return try values.map(Self.host)
        case "method": return values.map { ImportedTest("$request_method", .equals($0)) }
        case "header":
            let (name, isMissing) =
                values[0].hasPrefix("!") ? (values[0].dropFirst(), true) : (values[0][...], false)
            guard name.wholeMatch(of: #/[\w\-]+/#) != nil, values.count < 3 else { throw Unsaid("the header \(name)") }
            let subject = ImportedTest.header(name)
            if values.count == 1 {
                return [ImportedTest(subject, .matches("."), isNegated: isMissing)]
            }
            return [try Self.wildcard(subject, values[1])]
        case "query":
            return try values.map { value throws(Unsaid) in
                guard let match = value.wholeMatch(of: #/(\w+)=(.+)/#) else { throw Unsaid("the arguments \(value)") }
                if match.2 == "*" {
                    return ImportedTest("$args", .matches("(?:^|&)\(match.1)(?:=|&|$)"))
                }
                return ImportedTest("$arg_\(match.1)", .equals(String(match.2)))
            }
        default: throw Unsaid("the matcher \(kind)")
        }
    }

    private func single(_ kind: String, _ values: [String]) throws(Unsaid) -> [ImportedTest] {
        switch (kind, values.count) {
        case ("file", 0): return [ImportedTest("$request_filename", .file)]
        case ("path_regexp", 1...2): return [named(values, subject: "$uri")]
        case ("header_regexp", 2...3):
            let name = values[values.count - 2]
            guard name.wholeMatch(of: #/[\w\-]+/#) != nil else { throw Unsaid("the header \(name)") }
            let subject = ImportedTest.header(name)
            return [named(Array(values.dropLast(2)) + values.suffix(1), subject: subject)]
        case ("protocol", 1) where ["http", "https"].contains(values[0]):
            return [ImportedTest("$scheme", .equals(values[0]))]
        default: throw Unsaid("the matcher \(kind)")
        }
    }

    /// A test by an expression, whose groups have names where they are used.
    private func named(_ values: [String], subject: String) -> ImportedTest {
        let isUsed = values.count > 1 && usedNames.contains(values[0])
        let expression = isUsed ? ImportedExpression.naming(values[1], values[0]) : values[values.count - 1]
        return ImportedTest(subject, .matches(expression), hasNamedGroups: isUsed)
    }

    private static func wildcard(_ subject: String, _ value: String) throws(Unsaid) -> ImportedTest {
        guard !value.contains("$"), !value.isEmpty else { throw Unsaid("the value \(value)") }
        if !value.hasPrefix("*"), !value.hasSuffix("*") { return ImportedTest(subject, .equals(value)) }
        let start = value.hasPrefix("*") ? "" : "^"
        let end = value.hasSuffix("*") ? "" : "$"
        let inner = value.dropFirst(start.isEmpty ? 1 : 0)
        let text = ImportedExpression.literal(String(end.isEmpty && !inner.isEmpty ? inner.dropLast() : inner))
        return ImportedTest(subject, .matches(text.isEmpty ? "." : start + text + end))
    }

    private static func host(_ name: String) throws(Unsaid) -> ImportedTest {
        guard name.contains("*") else { return ImportedTest("$host", .equals(name.lowercased())) }
        return ImportedTest("$host", .matches(hostExpression(name), ignoresCase: true))
    }

    /// The expression for a name in which a star is one label.
    static func hostExpression(_ name: String) -> String {
        "^\(ImportedExpression.literal(name.lowercased()).replacing("\\*", with: "[^.]+"))$"
    }

    /// The test of one of several paths, which all are compared without case.
    private func path(_ patterns: [String]) throws(Unsaid) -> ImportedTest {
        let forms = try patterns.map { pattern throws(Unsaid) in
            guard !pattern.contains(where: { "%[]{}\\".contains($0) }), !pattern.contains("//") else {
                throw Unsaid("the path \(pattern)")
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
        return ImportedTest("$uri", .matches(forms.joined(separator: "|"), ignoresCase: true))
    }

    private mutating func addresses(_ values: [String], _ line: Int) throws(Unsaid) -> ImportedTest {
        let local = ["192.168.0.0/16", "172.16.0.0/12", "10.0.0.0/8", "127.0.0.1/8", "fd00::/8", "::1"]
        let all = values.flatMap { $0 == "private_ranges" ? local : [$0] }
        guard !all.isEmpty, all.allSatisfy({ $0.wholeMatch(of: #/[0-9a-fA-F.:]+(?:\/\d+)?/#) != nil }) else {
            throw Unsaid("remote_ip with \(values.joined(separator: " "))")
        }
        networks["$network_\(line)"] = all
        return ImportedTest("$network_\(line)", .isTrue)
    }
}
