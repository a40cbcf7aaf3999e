#if Gateway
/// What a trusted proxy says that its client asked for.
///
/// Of a list the last entry counts, which the proxy itself has written.
struct ForwardedHeaders: Equatable {
    var isSecure: Bool?
    var host: String?
    var port: Int?

    init() {}

    /// Reads the headers that are believed.
    ///
    /// - Throws: What is wrong with one: nobody knows then what was asked for.
    init(_ headers: HeaderFields, believing names: Set<TrustedProxies.Header>) throws(IncomingRequest.Refusal) {
        if names.contains(.forwarded), let element = Self.last(headers.values("forwarded")) {
            for (name, value) in try Self.parameters(element) {
                switch name {
                case "proto": isSecure = try Self.isSecure(value)
                case "host": host = value
                default: break
                }
            }
        }
        if names.contains(.proto), let value = Self.last(headers.values("x-forwarded-proto")) {
            isSecure = try Self.isSecure(value)
        }
        if names.contains(.host), let value = Self.last(headers.values("x-forwarded-host")) { host = value }
        if names.contains(.port), let value = Self.last(headers.values("x-forwarded-port")) {
            guard value.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt16(value), number > 0 else {
                throw IncomingRequest.Refusal("the X-Forwarded-Port of the proxy is no port")
            }
            port = Int(number)
        }
    }

    private static func isSecure(_ scheme: String) throws(IncomingRequest.Refusal) -> Bool {
        switch scheme.lowercased() {
        case "https", "wss": return true
        case "http", "ws": return false
        default: throw IncomingRequest.Refusal("the proxy names a scheme that is neither http nor https")
        }
    }

    /// The last entry of a list over all header lines, without the blanks around it; a comma in quotes is none.
    static func last(_ values: [String]) -> String? {
        var last: Substring?
        for value in values { last = pieces(value[...], at: ",").last }
        return last.map(trimmed)
    }

    /// The parameters of an element of `Forwarded`, names in lower case.
    private static func parameters(_ element: String) throws(IncomingRequest.Refusal) -> [(name: String, value: String)]
    {
        var parameters: [(name: String, value: String)] = []
        for piece in pieces(element[...], at: ";") where !trimmed(piece).isEmpty {
            guard let equals = piece.firstIndex(of: "=") else {
                throw IncomingRequest.Refusal("the Forwarded of the proxy has another form than RFC 7239")
            }
            var value = trimmed(piece[piece.index(after: equals)...])
            if value.utf8.count >= 2, value.hasPrefix("\""), value.hasSuffix("\"") {
                value = String(value.dropFirst().dropLast())
            }
            parameters.append((trimmed(piece[..<equals]).lowercased(), value))
        }
        return parameters
    }

    private static func pieces(_ text: Substring, at separator: Character) -> [Substring] {
        var pieces: [Substring] = []
        var start = text.startIndex
        var isQuoted = false
        for index in text.indices {
            if text[index] == "\"" { isQuoted.toggle() }
            guard text[index] == separator, !isQuoted else { continue }
            pieces.append(text[start..<index])
            start = text.index(after: index)
        }
        pieces.append(text[start...])
        return pieces
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text
        while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return String(text)
    }
}
#endif
