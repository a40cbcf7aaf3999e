/// The variables that `SetEnvIf` and `BrowserMatch` set before any check and any rule.
struct ApacheEnvironment {
    /// Lines that compare one text, of which the last that matches decides.
    private struct Group {
        var source: String
        var rows: [(words: [String], line: Int?)] = []
    }

    /// A variable while its lines are read.
    private struct Variable {
        /// The value that it has where no group matches.
        var value = ""
        var groups: [Group] = []
        var isUnsaid = false
    }

    private var variables: [String: Variable] = [:]
    private let tables: ApacheTables
    private let file: String

    /// The texts of the variables that something asks for, by their names in capitals.
    ///
    /// Variables without a counterpart have none. Those that rules set, or `SetEnv` after all rules, are empty at
    /// first.
    static func values(
        of nodes: [ApacheNode],
        in tables: ApacheTables,
        file: String
    ) -> [String: [ApacheText.Part]] {
        var environment = Self(tables: tables, file: file)
        for case .directive(let directive) in ApacheNode.flat(nodes) {
            switch directive.key {
            case "setenvif", "setenvifnocase": environment.read(directive, directive.words[...])
            case "browsermatch", "browsermatchnocase": environment.read(directive, ["User-Agent"] + directive.words)
            case "rewriterule":
                for flag in directive.flags where flag.prefixMatch(of: #/E(NV)?=/#.ignoresCase()) != nil {
                    environment.name(flag.drop { $0 != "=" }.dropFirst().prefix { $0 != ":" })
                }
            case "setenv": environment.name(directive.words.first ?? "")
            default: continue
            }
        }
        let text = "\(nodes)".uppercased()
        return environment.variables.keys.sorted()
            .filter { name in ["ENV:", "ENV=", "ENV=!", "ENV "].contains { text.contains($0 + name) } }
            .reduce(into: [:]) { $0[$1] = environment.parts(of: $1) }
    }

    /// Returns true if a directive sets a variable that something asks for.
    static func isKept(_ directive: ApacheDirective, in environment: [String: [ApacheText.Part]]) -> Bool {
        guard ["setenvif", "setenvifnocase", "browsermatch", "browsermatchnocase"].contains(directive.key) else {
            return false
        }
        return directive.words.dropFirst()
            .contains { environment[$0.trimmingPrefix("!").prefix { $0 != "=" }.uppercased()]?.isEmpty == false }
    }

    /// Notes that something else sets a variable.
    private mutating func name(_ name: some StringProtocol) {
        let key = name.uppercased()
        if !key.hasPrefix("!"), variables[key] == nil { variables[key] = Variable() }
    }

    private init(tables: ApacheTables, file: String) {
        self.tables = tables
        self.file = file
    }

    private mutating func read(_ directive: ApacheDirective, _ words: ArraySlice<String>) {
        guard words.count > 2 else { return }
        let (attribute, pattern) = (words[words.startIndex], words[words.startIndex + 1])
        let source = source(attribute)
        let count = ImportedExpression.groupCount(pattern)
        let mark = directive.key.hasSuffix("nocase") ? "~*" : "~"
        for word in words.dropFirst(2) {
            let isUnset = word.hasPrefix("!")
            let name = word.prefix { $0 != "=" }
            let value = isUnset ? "" : name.count == word.count ? "1" : String(word.dropFirst(name.count + 1))
            let key = (isUnset ? name.dropFirst() : name).uppercased()
            var variable = variables[key] ?? Variable()
            let groups = value.matches(of: #/\$([1-9])/#).compactMap { Int($0.1) }
            // A value that is empty is one for what asks only if there is one.
            if source == nil || (groups.max() ?? 0) > count ?? -1 || value.isEmpty && !isUnset
                || value.count(where: { "$\\".contains($0) }) > groups.count
            {
                variable.isUnsaid = true
            } else if ImportedExpression.isAny(pattern), groups.isEmpty {
                variable = Variable(value: value)
            } else {
                if variable.groups.last?.source != source { variable.groups.append(Group(source: source ?? "")) }
                variable.groups[variable.groups.count - 1].rows
                    .append(([mark + pattern, value], directive.lines.lowerBound))
            }
            variables[key] = variable
        }
    }

    /// The text that an attribute stands for; nil for one without a counterpart.
    private func source(_ attribute: String) -> String? {
        switch attribute.lowercased() {
        case "remote_addr": return "$remote_addr"
        case "request_method": return "$request_method"
        case "request_protocol": return "$server_protocol"
        case "request_uri": return "$uri"
        case "remote_host", "server_addr": return nil
        case let name:
            // What is no header is a variable of a line before this one.
            guard name.wholeMatch(of: #/[a-z0-9\-]+/#) != nil, variables[name.uppercased()] == nil else { return nil }
            return ImportedTest.header(name)
        }
    }

    private func parts(of name: String) -> [ApacheText.Part]? {
        guard let variable = variables[name], !variable.isUnsaid else { return nil }
        var value = variable.value
        for group in variable.groups {
            let isSame = Set(group.rows.map { $0.words[1] }).count == 1
            var rows = isSame ? group.rows : group.rows.reversed()
            if !value.isEmpty { rows.insert((["default", value], nil), at: 0) }
            value = tables.variable(named: "found_\(name)", source: group.source, file: file, rows: rows)
        }
        return value.isEmpty ? [] : [value.hasPrefix("$found_") ? .variable(value) : .text(value)]
    }
}

extension ApacheAccess {
    /// The variable without which a check by the environment is passed; nil for one that has no counterpart.
    func variable(_ name: some StringProtocol) -> String? {
        guard case .variable(let variable)? = environment[name.uppercased()]?.first else { return nil }
        return variable
    }
}
