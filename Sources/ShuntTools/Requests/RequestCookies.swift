/// The cookies of a `Cookie` header.
enum RequestCookies {
    /// A cookie as it is sent.
    struct Part {
        var name: [UInt8]
        var value: [UInt8]
    }

    /// The cookies in order; what has no `=` is not a cookie.
    static func parts(of header: [UInt8]) -> [Part] {
        header.split(separator: UInt8(ascii: ";"))
            .compactMap { text in
                let text = text.drop { $0 == 0x20 }
                guard let equals = text.firstIndex(of: UInt8(ascii: "=")) else { return nil }
                return Part(name: Array(text[..<equals]), value: Array(text[(equals + 1)...]))
            }
    }

    /// The header for cookies.
    static func text(_ parts: [Part]) -> [UInt8] {
        Array(parts.map { $0.name + [UInt8(ascii: "=")] + $0.value }.joined(separator: Array("; ".utf8)))
    }
}
