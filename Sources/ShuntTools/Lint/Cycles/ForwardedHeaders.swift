import Shunt

extension LintSubject {
    /// The headers of a request for a URL through a proxy that names what it was asked for, as far as the rules read that.
    func headers(_ headers: [RuleRequest.Header], forwarding url: HostOfURL) -> [RuleRequest.Header] {
        let isSecure = url.scheme == Array("https".utf8)
        let values = [
            "proto": url.scheme, "scheme": url.scheme, "ssl": Array((isSecure ? "on" : "off").utf8), "host": url.host,
            "port": Array("\(url.port ?? (isSecure ? 443 : 80))".utf8),
        ]
        let read = forwardedNames.compactMap { name in
            values[name].map { RuleRequest.Header(name: Array("x-forwarded-\(name)".utf8), value: $0) }
        }
        return headers.filter { header in !read.contains { $0.nameBytes == header.nameBytes.map(\.asciiLowercased) } }
            + read
    }
}
