import ShuntCore

/// Parameters in routes, written as other routers have them.
extension MistakeCheck {
    mutating func checkRoutes(_ directives: [CheckedDirective]) {
        for directive in directives where directive.keyword == .route {
            for word in directive.arguments where !word.text.hasPrefix("default=") {
                guard let (written, name) = Self.foreignParameter(in: word.text) else { continue }
                source.report(
                    .warning,
                    "foreign-parameter",
                    "\"\(written)\" in a pattern is text, and no parameter",
                    at: word,
                    suggestion: "write :\(name)"
                )
            }
        }
    }

    /// A part of a path that is `<name>`, `<int:name>`, `$name` or `[name]`, with the name in it.
    private static func foreignParameter(in text: String) -> (written: String, name: String)? {
        for part in text.split(separator: "/") {
            let name: Substring
            switch (part.first, part.last) {
            case ("<", ">"), ("[", "]"): name = part.dropFirst().dropLast()
            case ("$", _): name = part.dropFirst()
            default: continue
            }
            let last = name.split(separator: ":").last ?? name
            let letters = last.utf8.prefix { $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "_") }
            if let first = letters.first, first.isASCIILetter || first == UInt8(ascii: "_") {
                return (String(part), String(decoding: letters, as: UTF8.self))
            }
        }
        return nil
    }
}
