import Foundation
import Shunt
import ShuntCore
import ShuntTools

/// A configuration with a label: whether a linter has to find something of a kind in it.
///
/// Configurations are described in short: `http > server > listen 80; http > server > location / > return 200`. Quotes,
/// braces in expressions and blocks that are empty are not described, so that some cannot be written down again.
struct LabelledFact {
    var plugin: String
    var isIssue: Bool
    var summary: String
    var domains: [String]

    /// The facts of a file; nil for another form.
    static func read(_ path: String) throws -> [LabelledFact]? {
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        guard let object = try JSONSerialization.jsonObject(with: data) as? [String: Any],
            let cases = object["cases"] as? [[String: Any]]
        else { return nil }
        return cases.compactMap { fact in
            guard let plugin = fact["plugin"] as? String, let expect = fact["expect"] as? String,
                let summary = fact["summary"] as? String
            else { return nil }
            let options = fact["options"] as? [String: Any]
            return LabelledFact(
                plugin: plugin,
                isIssue: expect == "issue",
                summary: summary,
                domains: options?["domains"] as? [String] ?? []
            )
        }
    }

    /// The checks that look for what a plugin of that name does.
    static func checks(of plugin: String) -> Set<String> {
        switch plugin {
        case "alias_traversal": ["alias-traversal"]
        case "default_server_flag": ["default-server-missing"]
        case "host_spoofing": ["host-spoofing", "proxy-host-header"]
        case "http_splitting": ["http-splitting"]
        case "invalid_regex": ["missing-group"]
        case "origins": ["unsafe-origin", "unanchored-check", "origin-reflection"]
        case "regex_exact_match": ["could-be-exact"]
        case "return_bypasses_allow_deny": ["return-bypasses-access"]
        case "unanchored_regex": ["unanchored-check", "slow-expression"]
        case "valid_referers": ["weak-referer-check"]
        default: [plugin.replacing("_", with: "-")]
        }
    }

    // MARK: The configuration

    /// The rule set, written around the description so that it loads; nil if none does.
    func ruleSet() -> RuleSet? {
        guard !summary.isEmpty, let text = Block(summary)?.text else { return nil }
        let around = [
            text, "http {\n\(text)\n}", "server {\n\(text)\n}", "server {\nlocation / {\n\(text)\n}\n}",
            "upstream backend { server 127.0.0.1; }\n\(text)",
            "server {\nlocation / {\n\(text)\nproxy_pass http://127.0.0.1;\n}\n}",
        ]
        for text in around {
            let files = InMemoryFileSystem(["/r.conf": text])
            if let ruleSet = try? RuleSet(path: "/r.conf", from: files, ignoringUnknownDirectives: true) {
                return ruleSet
            }
        }
        return nil
    }

    /// Directives with those in them.
    private final class Block {
        private var entries: [(head: String, block: Block?)] = []

        /// Nil for what cannot be written down.
        init?(_ summary: String) {
            var items: [String] = []
            for item in summary.components(separatedBy: "; ") {
                let first = item.prefix { $0 != " " }
                let isDirective = first.allSatisfy { $0.isLowercase || $0.isNumber || $0 == "_" } && !first.isEmpty
                if isDirective || items.isEmpty || item.contains(" > ") {
                    items.append(item)
                } else {
                    items[items.count - 1] += "; " + item
                }
            }
            for item in items {
                let way = item.components(separatedBy: " > ")
                // A brace of an expression is described as a block.
                if way.dropLast().contains(where: { !Self.isBlock($0) }) { return nil }
                add(way[...])
            }
        }

        private init() {}

        private static func isBlock(_ head: String) -> Bool {
            let names: Set<Substring> = [
                "http", "server", "location", "if", "map", "geo", "upstream", "events", "limit_except", "stream",
                "mail",
                "split_clients", "types",
            ]
            return names.contains(head.prefix { $0 != " " })
        }

        private func add(_ way: ArraySlice<String>) {
            guard let head = way.first else { return }
            guard way.count > 1 else { return entries.append((head, nil)) }
            if let last = entries.last, last.head == head, let block = last.block, !block.isAnother(way.dropFirst()) {
                return block.add(way.dropFirst())
            }
            let block = Block()
            entries.append((head, block))
            block.add(way.dropFirst())
        }

        /// Returns true if a directive belongs to the next block of the name: blocks are described one after another.
        private func isAnother(_ way: ArraySlice<String>) -> Bool {
            guard way.count == 1, let name = way.first?.prefix(while: { $0 != " " }) else { return false }
            let isNamed = entries.contains { $0.head.hasPrefix("server_name ") || $0.head.hasPrefix("proxy_pass ") }
            return isNamed && (name == "server_name" || name == "listen")
        }

        var text: String { text(in: "") }

        private func text(in parent: Substring) -> String {
            entries.map { head, block in
                let name = head.prefix { $0 != " " }
                let isKey = ["map", "geo"].contains(parent) && !["hostnames", "volatile"].contains(name)
                let isEmpty = block == nil && isKey && name.count == head.count
                let words = Self.words(head, isBlock: block != nil) + (isEmpty ? " \"\"" : "")
                return block.map { "\(words) {\n\($0.text(in: name))\n}" } ?? "\(words);"
            }
            .joined(separator: "\n")
        }

        /// The words of a directive, in quotes where they need them.
        private static func words(_ head: String, isBlock: Bool) -> String {
            var words = head.components(separatedBy: " ")
            func quoted(_ text: String) -> String {
                guard text.isEmpty || text.contains(where: { " ;{}\"'\n\t".contains($0) }) else { return text }
                return text.contains("\"") ? "'\(text)'" : "\"\(text)\""
            }
            switch words[0] {
            case "if" where isBlock:
                let condition = words.dropFirst()
                guard condition.count > 2 else { return "if (\(condition.joined(separator: " ")))" }
                let last = quoted(condition.dropFirst(2).joined(separator: " "))
                return "if (\(condition.prefix(2).joined(separator: " ")) \(last))"
            case "location" where words.count > 2:
                return "location \(words[1]) \(quoted(words.dropFirst(2).joined(separator: " ")))"
            case "add_header" where words.count > 3, "more_set_headers" where words.count > 2:
                let isAlways = words.last == "always"
                if isAlways { words.removeLast() }
                let start = words[0] == "add_header" ? 2 : 1
                let value = quoted(words.dropFirst(start).joined(separator: " "))
                return (Array(words.prefix(start)) + [value] + (isAlways ? ["always"] : [])).joined(separator: " ")
            case "return" where words.count > 3:
                return "return \(words[1]) \(quoted(words.dropFirst(2).joined(separator: " ")))"
            case "set" where words.count == 2, "proxy_set_header" where words.count == 2:
                return head + " \"\""
            case "proxy_set_header" where words.count > 3:
                return "proxy_set_header \(words[1]) \(quoted(words.dropFirst(2).joined(separator: " ")))"
            case "fastcgi_pass" where words[1].hasPrefix("/"): return "fastcgi_pass unix:\(words[1])"
            default: return words.map(quoted).joined(separator: " ")
            }
        }
    }
}
