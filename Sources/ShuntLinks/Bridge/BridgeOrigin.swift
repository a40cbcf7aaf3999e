import ShuntCore

/// The origin of a page: scheme, host and port, as a browser sends them (RFC 6454).
enum BridgeOrigin {
    /// The form in which origins are compared: small letters, without the usual port; nil for a text that is not an origin,
    /// such as `null`, `*` or a URL with a path.
    static func normal(_ text: String) -> String? {
        let text = text.lowercased()
        guard let mark = text.firstRange(of: "://") else { return nil }
        let scheme = text[..<mark.lowerBound]
        func isName(_ text: Substring, with signs: String) -> Bool {
            text.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || signs.utf8.contains($0) }
        }
        guard scheme.utf8.first?.isASCIILetter == true, isName(scheme, with: "+-.") else { return nil }
        var host = text[mark.upperBound...]
        var port = ""
        if let colon = host.lastIndex(of: ":"), !host.hasSuffix("]") {
            port = String(host[host.index(after: colon)...])
            host = host[..<colon]
            guard port.utf8.allSatisfy(\.isASCIIDigit), let number = UInt16(port), number > 0 else { return nil }
            port = ["https": 443, "http": 80][scheme] == number ? "" : ":\(number)"
        }
        let isAddress = host.hasPrefix("[") && host.hasSuffix("]")
        let name = isAddress ? host.dropFirst().dropLast() : host
        guard !name.isEmpty, isName(name, with: isAddress ? "-._:" : "-._") else { return nil }
        return "\(scheme)://\(host)\(port)"
    }
}

/// A refusal of the bridge itself; errors of calls are in the answers.
@nonexhaustive public enum BridgeError: Error, Sendable, Equatable, CustomStringConvertible {
    /// A text in the list of origins is not an origin.
    case invalidOrigin(String)
    /// The page is of an origin that is not in the list.
    case refusedOrigin(String)

    /// The reason and the way out, for people.
    public var description: String {
        switch self {
        case .invalidOrigin(let text):
            "\"\(text)\" is not an origin: write scheme://host or scheme://host:port, such as https://shop.example.com"
        case .refusedOrigin(let text): "pages of \"\(text)\" may not use the bridge: add the origin to its list"
        }
    }
}
