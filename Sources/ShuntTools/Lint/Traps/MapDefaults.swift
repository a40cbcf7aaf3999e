import Shunt

extension LintCheck {
    static let hashWithoutDefault = LintCheck(
        "hash-without-default",
        group: .nginx,
        severity: .warning,
        basis: .structure
    ) { subject in
        let maps = Dictionary(subject.model.maps.map { ($0.position, $0) }) { first, _ in first }
        return (subject.tree.named["map", default: []] + subject.tree.named["geo", default: []])
            .compactMap { index in
                let node = subject.tree.nodes[index]
                let keys = node.children.map { subject.tree.nodes[$0] }
                    .filter { !["hostnames", "volatile", "ranges", "proxy", "delete"].contains($0.name) }
                let minimum = node.name == "map" ? 2 : 1
                guard keys.count >= minimum, !keys.contains(where: { $0.name == "default" }) else {
                    return nil
                }
                if node.name == "map",
                    hasAllValues(Set(keys.map(\.name)), of: node.arguments.first?.text ?? "")
                        || hasAllValues(Set(keys.map(\.name)), of: maps[node.position])
                {
                    return nil
                }
                if node.name == "geo", keys.contains(where: { ["0.0.0.0/0", "::/0"].contains($0.name) }) { return nil }
                var found = LintFound(
                    node.position,
                    "values without a key get the empty string",
                    advice: "add default …;"
                )
                let variable = node.arguments.last?.text ?? ""
                if !decides(variable, subject.tree) || isTargetOfIf(variable, subject.tree) { found.severity = .note }
                return found
            }
    }

    /// Returns true if no value of a map's source is without a key.
    private static func hasAllValues(_ keys: Set<String>, of source: String) -> Bool {
        if source == "$scheme", keys.isSuperset(of: ["http", "https"]) { return true }
        if source == "$https", keys.isSuperset(of: ["on", ""]) { return true }
        if !keys.isDisjoint(with: ["~^", "~.*", "~*.*", "~^.*", "~^.*$"]) { return true }
        let isNeverEmpty = ["$scheme", "$request_method", "$uri", "$request_uri", "$remote_addr"].contains(source)
        return !keys.isDisjoint(with: ["~.", "~.+", "~^.", "~^.+", "~^.+$"]) && (isNeverEmpty || keys.contains(""))
    }

    /// Returns true if no value of the table that a map looks at is without a key.
    private static func hasAllValues(_ keys: Set<String>, of map: RuleModel.Map?) -> Bool {
        guard let variable = map?.source.onlyVariable else { return false }
        let values: [[UInt8]?]
        switch variable.source {
        case .map(let other):
            values = (other.entries.map(\.value) + [other.defaultValue]).map { $0.map { $0.constant } ?? [] }
        case .geo(let table):
            let written = table.entries.map { $0.directive.arguments.first?.bytes }
            let hasDefault = table.entries.contains { $0.directive.name.text == "default" }
            values = written + (hasDefault ? [] : [[]])
        case .split(let split): values = split.values
        default: return false
        }
        return values.allSatisfy { $0.map { keys.contains(String(decoding: $0, as: UTF8.self)) } ?? false }
    }

    /// Returns true if a variable is tested for having a value at all, and what is done then leads there: none is meant
    /// for other keys.
    private static func isTargetOfIf(_ variable: String, _ tree: RuleDocument) -> Bool {
        let tests = (tree.named["if"] ?? []).map { tree.nodes[$0] }
            .filter { $0.arguments.map(\.text) == ["(\(variable))"] }
        return !tests.isEmpty
            && tests.allSatisfy { test in
                tree.nodes[test.children]
                    .contains { ["return", "rewrite"].contains($0.name) && $0.arguments.last?.text == variable }
            }
    }

    /// Returns true if a variable is read by something that decides, and not for headers and logs only.
    private static func decides(_ variable: String, _ tree: RuleDocument) -> Bool {
        let name = variable.dropFirst().lowercased()
        let telling = ["add_header", "add_trailer", "log_format", "access_log", "proxy_set_header", "more_set_headers"]
        return tree.nodes.contains { node in
            !telling.contains(node.name)
                && node.arguments.dropLast(node.directive.block == nil || node.name == "if" ? 0 : 1)
                    .contains { variableNames(in: $0.text).contains { $0.lowercased() == name } }
        }
    }

    static func variableNames(in text: String) -> [String] {
        text.split(separator: "$", omittingEmptySubsequences: false).dropFirst()
            .compactMap { part in
                let name = part.drop { $0 == "{" }.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
                return name.first?.isLetter == true ? String(name) : nil
            }
    }
}
