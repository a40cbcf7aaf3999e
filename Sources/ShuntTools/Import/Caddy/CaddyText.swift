/// Texts with Caddy's placeholders as strings of the rule language.
enum CaddyText {
    private static let names = [
        "host": "$host", "http.request.host": "$host", "hostport": "$http_host", "http.request.hostport": "$http_host",
        "path": "$uri", "http.request.uri.path": "$uri", "query": "$args", "http.request.uri.query": "$args",
        "scheme": "$scheme", "http.request.scheme": "$scheme", "method": "$request_method",
        "http.request.method": "$request_method", "remote_host": "$remote_addr",
        "http.request.remote.host": "$remote_addr", "http.request.orig_uri": "$request_uri", "orig_uri": "$request_uri",
        "upstream_hostport": "$proxy_host", "http.reverse_proxy.upstream.hostport": "$proxy_host",
    ]

    /// A text as a string, in which `{uri}` is `uri`; throws for a placeholder without a counterpart.
    static func string(_ text: String, uri: String) throws(Unsaid) -> String {
        guard !text.contains("$") else { throw Unsaid("a text with a $ in it") }
        var result = ""
        var rest = text[...]
        while let next = rest.popFirst() {
            if next == "\\", rest.first == "{" || rest.first == "}" {
                result.append(rest.removeFirst())
            } else if next == "{", let end = rest.firstIndex(of: "}") {
                let name = String(rest[..<end])
                rest = rest[rest.index(after: end)...]
                let variable = name == "uri" || name == "http.request.uri" ? uri : try variable(name)
                // A letter after a name would be one of the name.
                let isJoined = rest.first.map { $0 == "_" || $0.isLetter || $0.isNumber } ?? false
                result += isJoined ? "${\(variable.dropFirst())}" : variable
            } else {
                result.append(next)
            }
        }
        return result
    }

    private static func variable(_ name: String) throws(Unsaid) -> String {
        if let known = names[name] { return known }
        if let match = name.wholeMatch(of: #/(?:re|http\.regexp)\.(\w+)\.(\d)/#) { return "$\(match.1)_\(match.2)" }
        let forms = [
            ("header.", "http_"), ("http.request.header.", "http_"), ("cookie.", "cookie_"),
            ("http.request.cookie.", "cookie_"), ("query.", "arg_"), ("http.request.uri.query.", "arg_"),
        ]
        for (start, variable) in forms where name.hasPrefix(start) {
            let key = name.dropFirst(start.count)
            let isHeader = variable == "http_"
            guard key.wholeMatch(of: isHeader ? #/[\w\-]+/# : #/\w+/#) != nil else { break }
            return isHeader ? ImportedTest.header(key) : "$\(variable)\(key)"
        }
        throw Unsaid("{\(name)} has no counterpart")
    }

    /// The target of a rewrite, to which nginx appends the arguments unless it ends in a question mark.
    static func target(_ text: String) throws(Unsaid) -> String {
        guard let mark = text.firstIndex(of: "?") else { return try path(text) }
        let path = try path(String(text[..<mark]))
        let query = text[text.index(after: mark)...]
        if query.isEmpty { return path + "?" }
        if query == "{query}" { return path }
        if query.hasSuffix("&{query}") {
            return "\(path)?\(try string(String(query.dropLast("&{query}".count)), uri: "$uri"))"
        }
        guard !query.contains("{query}"), !query.contains("{uri}") else {
            throw Unsaid("arguments of the request before other ones")
        }
        return "\(path)?\(try string(String(query), uri: "$uri"))?"
    }

    private static func path(_ text: String) throws(Unsaid) -> String {
        let path = text.isEmpty ? "$uri" : try string(text, uri: "$uri")
        guard path.hasPrefix("/") || path.hasPrefix("$uri") else { throw Unsaid("a path without a slash") }
        return path
    }
}
