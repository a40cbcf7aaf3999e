package import Shunt

/// A changed setting that no outcome of a decision shows: files, upstream servers, logins, limits.
package struct UnseenSetting {
    /// The rule before; nil for an added one.
    package let before: RuleChanges.Rule?
    /// The rule after; nil for a removed one.
    package let after: RuleChanges.Rule?

    /// The rule that is, or was.
    package var rule: RuleChanges.Rule? { after ?? before }

    private static let names: Set<Substring> = [
        "root", "alias", "index", "autoindex", "types", "expires", "etag", "upstream", "ip_hash", "least_conn", "hash",
        "random", "satisfy", "client_max_body_size", "chunked_transfer_encoding",
        "resolver",
    ]
    private static let families = [
        "auth_", "limit_", "proxy_", "fastcgi_", "uwsgi_", "scgi_", "grpc_", "ssl_", "server ",
        // Entries of `types`.
        "text/", "image/", "audio/", "video/", "font/", "application/",
    ]
    private static let seen: Set<Substring> = ["proxy_pass", "proxy_set_header", "limit_except"]

    /// The changed settings of a comparison that are listed in it; an entry of a table is not a setting, whatever its
    /// text.
    package static func all(in changes: RuleChanges, from old: RuleSet, to new: RuleSet) -> [UnseenSetting] {
        let (oldDocument, newDocument) = (old.document, new.document)
        func isEntry(_ setting: UnseenSetting) -> Bool {
            guard let rule = setting.rule else { return false }
            let (ruleSet, document) = setting.after == nil ? (old, oldDocument) : (new, newDocument)
            guard let position = ruleSet.model.position(of: rule.location), let node = document.node(at: position)
            else { return false }
            return document.ancestors(of: node).first
                .map { ["map", "geo", "split_clients"].contains(document.nodes[$0].name) } ?? false
        }
        let edits = changes.edited.map { UnseenSetting(before: $0.before, after: $0.after) }
        let others =
            changes.added.map { UnseenSetting(before: nil, after: $0) }
            + changes.removed.map { UnseenSetting(before: $0, after: nil) }
        return (edits + others)
            .filter { setting in setting.rule.map { isUnseen($0.text) } ?? false && !isEntry(setting) }
    }

    private static func isUnseen(_ text: String) -> Bool {
        let name = text.prefix { $0 != " " }
        return names.contains(name) || families.contains { text.hasPrefix($0) } && !seen.contains(name)
    }
}
