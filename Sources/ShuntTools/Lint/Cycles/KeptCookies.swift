import Shunt

extension RuleRequest {
    /// Changes the cookies as a browser does after an answer with these headers (RFC 6265, section 5.3).
    mutating func keepCookies(of headers: [Header]) {
        for header in headers where Self.isNamed(header, "set-cookie") {
            let parts = header.value.split(separator: ";")
                .map { $0.trimmingPrefix(while: \.isWhitespace) }
            guard let pair = parts.first, let name = pair.split(separator: "=").first, pair.contains("=") else {
                continue
            }
            let isRemoved = parts.dropFirst()
                .contains { part in
                    let text = part.lowercased()
                    return text.hasPrefix("max-age=0") || text.hasPrefix("max-age=-")
                        || text.hasPrefix("expires=") && text.contains("1970")
                }
            let field = self.headers.firstIndex { Self.isNamed($0, "cookie") }
            var cookies = field.map { self.headers[$0].value } ?? ""
            cookies = cookies.split(separator: ";").map { $0.trimmingPrefix(while: \.isWhitespace) }
                .filter { !$0.hasPrefix("\(name)=") }.joined(separator: "; ")
            if !isRemoved { cookies += cookies.isEmpty ? pair : "; \(pair)" }
            if let field { self.headers.remove(at: field) }
            if !cookies.isEmpty { self.headers.append(Header("Cookie", cookies)) }
        }
    }

    private static func isNamed(_ header: Header, _ name: String) -> Bool {
        header.nameBytes.map(\.asciiLowercased) == Array(name.utf8)
    }
}
