package import Shunt

/// A changed setting that no outcome of a decision shows: files, upstream servers, logins, limits.
package struct UnseenSetting {
    /// The rule before; nil for an added one.
    package let before: RuleChanges.Rule?
    /// The rule after; nil for a removed one.
    package let after: RuleChanges.Rule?

    /// The rule that is, or was.
    package var rule: RuleChanges.Rule? { after ?? before }
    package var rules: [RuleChanges.Rule] { [before, after].compactMap { $0 } }
    /// True for a `listen`, whose port the outcomes of some requests have.
    package var isListen: Bool { rule?.text.hasPrefix("listen ") ?? false }

    /// The change as the end of a sentence.
    package func change(_ shown: (String) -> String) -> String {
        guard let rule else { return "" }
        guard let before, after != nil else { return "\(shown(rule.text)) of \(rule.location) changes" }
        return "the change of \(shown(before.text)) to \(shown(rule.text)) in \(rule.location) does"
    }

    /// The directives that decide, hold those that do, or change what these do, and those of logs and processes.
    private static let others: Set<Substring> = [
        "http", "server", "location", "if", "else", "match", "return", "rewrite", "redirects", "set", "break", "map",
        "geo", "split_clients", "rewrite_url", "rename_host", "remove_args", "decode", "encode", "block", "blocklist",
        "degrade", "input", "route", "routing", "allow", "deny", "try_files", "error_page", "proxy_pass",
        "proxy_set_header", "limit_except", "add_header", "server_name", "expect", "merge_slashes", "set_real_ip_from",
        "real_ip_header", "real_ip_recursive", "valid_referers", "match_spelling", "absolute_redirect",
        "port_in_redirect", "server_name_in_redirect", "timezone", "internal", "default_type",
        "underscores_in_headers", "ignore_invalid_headers", "recursive_error_pages", "secure_link", "secure_link_md5",
        "secure_link_secret", "log_format", "access_log", "error_log", "include", "events", "user", "pid",
        "worker_processes", "worker_connections",
    ]

    /// The changed settings of a comparison that are listed in it; an entry of a table is not a setting, whatever its
    /// text.
    package static func all(in changes: RuleChanges, from old: LoadedRules, to new: LoadedRules) -> [UnseenSetting] {
        let (oldDocument, newDocument) = (old.ruleSet.document, new.ruleSet.document)
        func isEntry(_ setting: UnseenSetting) -> Bool {
            guard let rule = setting.rule else { return false }
            let (set, document) = setting.after == nil ? (old, oldDocument) : (new, newDocument)
            // A row of a list has no directive.
            guard let position = WitnessSearch.position(of: rule, in: set), let node = document.node(at: position)
            else { return true }
            return document.ancestors(of: node).first
                .map { ["map", "geo", "split_clients"].contains(document.nodes[$0].name) } ?? false
        }
        let edits = changes.edited.map { UnseenSetting(before: $0.before, after: $0.after) }
        let others =
            changes.added.map { UnseenSetting(before: nil, after: $0) }
            + changes.removed.map { UnseenSetting(before: $0, after: nil) }
        return (edits + others)
            .filter { setting in setting.rule.map { isSetting($0.text) } ?? false && !isEntry(setting) }
    }

    private static func isSetting(_ text: String) -> Bool {
        text.hasPrefix("server ") || !others.contains(text.prefix { $0 != " " })
    }
}
