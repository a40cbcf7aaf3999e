/// Names that people try before they know ours, with what to write instead.
enum TriedFirst {
    /// Returns the advice for a directive that does not exist, by its name; nil if there is none.
    static func advice(on name: String) -> String? {
        switch name {
        case "redirect":
            "write rewrite_url ^https?://HOST/old$ https://HOST/new permanent; for whole URLs, or return 301 URL; in a server"
        case "rewrite_host", "rename", "host": "write rename_host FROM TO;"
        case "deny_host", "block_host", "ban", "blacklist", "reject", "drop", "refuse": "write block host NAME;"
        case "elseif", "elsif", "elif", "else_if": "write } else if (...) { ... }"
        case "unless", "when": "write if (...) { ... }; ! turns a test round"
        case "var", "let", "const", "define": "write set $name value;"
        case "set_escape_uri": "write encode $name value; in its place"
        case "set_unescape_uri": "write decode $name value; in its place"
        case "rate_split", "percent", "rollout", "canary": "write split_clients $device_id $share { 10% on; * off; }"
        case "forward", "proxy", "pass": "write proxy_pass http://HOST; in a server; what no rule decides is forwarded"
        case "respond", "answer": "write return 200 \"text\"; in a server"
        case "path", "url", "get", "post", "GET", "POST": "write route [METHOD] PATTERN NAME;"
        case "import", "use", "load": "write include FILE;"
        case "test", "assert": "write expect URL DECISION;"
        case _ where name.hasPrefix("//") || name.hasPrefix("/*"): "a comment begins with # and ends with its line"
        case "RewriteRule", "RewriteCond", "RewriteEngine", "RewriteBase", "RewriteMap", "Redirect", "RedirectMatch",
            "RedirectPermanent", "RedirectTemp", "ErrorDocument", "DirectoryIndex", "SetEnvIf":
            "it is a directive of Apache: shunt import apache FILE writes it for you"
        case _ where name.hasPrefix("<"): "it is a section of Apache: shunt import apache FILE writes its rules for you"
        default: nil
        }
    }

    /// Returns the advice for a directive whose arguments belong to another one.
    static func advice(on directive: Directive) -> String? {
        let words = directive.arguments.map(\.text)
        switch directive.name.text {
        case "deny" where words.first == "host": return "write block host \(words.dropFirst().joined(separator: " "));"
        case "allow" where words.first == "host": return "hosts that no rule blocks are let through"
        case "set" where words.count == 3 && words[1] == "=", "input" where words.count == 3 && words[1] == "=":
            return "write \(directive.name.text) \(words[0]) \(words[2]);"
        case "return" where words.count == 3 && words[0] == "redirect": return "write return \(words[1]) \(words[2]);"
        default: return nil
        }
    }
}
