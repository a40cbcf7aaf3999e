import Shunt
import ShuntPatterns

extension LintSubject {
    func hashWithoutDefault() -> [LintFound] {
        let maps = Dictionary(model.maps.map { ($0.position, $0) }) { first, _ in first }
        return directives("map", "geo")
            .compactMap { node in
                let keys = tree.nodes[node.children].map(\.name)
                    .filter { !["hostnames", "volatile", "ranges", "proxy", "delete"].contains($0) }
                guard keys.count >= (node.name == "map" ? 2 : 1), !keys.contains("default") else { return nil }
                let hasAllValues =
                    node.name == "map"
                    ? Self.hasAllValues(Set(keys), of: node.arguments.first?.text ?? "")
                        || Self.hasAllValues(Set(keys), of: maps[node.position])
                    : keys.contains("0.0.0.0/0") || keys.contains("::/0")
                guard !hasAllValues else { return nil }
                let variable = node.arguments.last?.text ?? ""
                return LintFound(node.position, "values without a key get the empty string", advice: "add default …;")
                    .rated(.note, if: !decides(variable) || isTargetOfIf(variable))
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

    /// Returns true if no value of the table that a map reads is without a key.
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
    private func isTargetOfIf(_ variable: String) -> Bool {
        let tests = directives("if").filter { $0.arguments.map(\.text) == ["(\(variable))"] }
        return !tests.isEmpty
            && tests.allSatisfy { test in
                tree.nodes[test.children]
                    .contains { ["return", "rewrite"].contains($0.name) && $0.arguments.last?.text == variable }
            }
    }

    /// Returns true if a variable is read by something that decides, and not for headers and logs only.
    private func decides(_ variable: String) -> Bool {
        let name = variable.dropFirst().lowercased()
        let telling = ["add_header", "add_trailer", "log_format", "access_log", "proxy_set_header", "more_set_headers"]
        return tree.nodes.contains { node in
            !telling.contains(node.name)
                && node.arguments.dropLast(node.directive.block == nil || node.name == "if" ? 0 : 1)
                    .contains { Self.variableNames(in: $0.text).contains { $0.lowercased() == name } }
        }
    }

    static func variableNames(in text: String) -> [String] {
        text.afterDollars.map { $0.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") } }
            .filter { $0.first?.isLetter == true }.map(String.init)
    }

    func splitKeyMissing() -> [LintFound] {
        model.splits.compactMap { split in
            guard let name = missingValue(split.source),
                let share = split.share(of: MurmurHash2.hash([UInt8]().span))
            else { return nil }
            let entries = Array(split.entries)
            let value = share < entries.count ? entries[share].arguments[0].text : ""
            return LintFound(
                split.position,
                "every request without \(name) is in one share: \(value)",
                advice: "put something before it that each request has, such as $remote_addr"
            )
        }
    }

    func matchesEverything() -> [LintFound] {
        let proof = "proved: its expression matches the empty text and all others"
        let keys = model.maps.flatMap(\.expressions)
            .compactMap { expression, position, _ -> LintFound? in
                guard matchesEverything(expression) else { return nil }
                return LintFound(position, "this key matches every text", advice: "remove it, or write default")
                    .remarking(proof)
            }
        let tests = model.steps.compactMap { step -> LintFound? in
            // A test with groups takes a text apart.
            guard step.position.isPlace, let condition = step.condition, let expression = condition.expression,
                expression.captures.isEmpty, expression.expression.captureCount == 0, matchesEverything(expression)
            else { return nil }
            return LintFound(
                step.position,
                "this test is \(condition.isNegated ? "never" : "always") true: its expression matches every text",
                advice: "test the variable alone, or write what it is to match"
            )
            .remarking(proof)
        }
        return keys + tests
    }

    /// Returns true if it is proved that an expression matches every text.
    fileprivate func matchesEverything(_ expression: RuleModel.Expression) -> Bool {
        checker.language(of: expression).map { checker.isEmpty(.complement($0)) } ?? false
    }

    /// The values in a template that a request may lack; nil if the template has other parts.
    fileprivate func missingValue(_ template: RuleModel.Template) -> String? {
        // Another check reports values that clients choose.
        var hasInput = false
        for piece in template.pieces {
            switch piece.variable?.source {
            case .requestHeader, .cookie, .argument: break
            case .input(let name):
                guard model.inputs.first(where: { $0.name == name })?.defaultValue == nil else { return nil }
                hasInput = true
            default: return nil
            }
        }
        return hasInput ? template.pieces.map(\.name).joined() : nil
    }
}

extension String {
    /// The texts after each dollar sign up to the next one, without an opening brace: each begins with the name of a variable.
    var afterDollars: [Substring] {
        split(separator: "$", omittingEmptySubsequences: false).dropFirst().map { $0.drop { $0 == "{" } }
    }
}
