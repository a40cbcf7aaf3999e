import ShuntCore

extension AnswerComparison {
    /// A Location in the form in which those of two servers are compared.
    struct Location {
        private var scheme: String
        private var host: String
        private var port: String
        /// The path, the query and the fragment.
        private var rest: [UInt8]
        private var isRelative = false

        /// Reads a Location; a relative one starts from the URL of the request.
        init(_ location: [UInt8], from url: [UInt8]) {
            var whole = location
            if location.first == UInt8(ascii: "/"), location.dropFirst().first != UInt8(ascii: "/") {
                isRelative = true
                whole = url
            }
            guard let parsed = try? URLText(whole), let named = parsed.host else {
                (scheme, host, port, rest) = ("", "", "", Self.normal(location))
                return
            }
            scheme = parsed.scheme.lowercased()
            host = named.lowercased()
            port = parsed.port.map(String.init) ?? ""
            if port == (scheme == "https" ? "443" : "80") { port = "" }
            let path = isRelative ? location[...] : whole.dropFirst(Int(parsed.parts.path.start))
            rest = Self.normal(path.isEmpty ? [UInt8(ascii: "/")] : Array(path))
        }

        /// Returns true if both lead to the same; the port of the request stays where one is relative.
        func isSame(as other: Self) -> Bool {
            scheme == other.scheme && host == other.host && rest == other.rest
                && (port == other.port || isRelative != other.isRelative)
        }

        /// The Location with the escapes of its query that were escaped once more.
        var withQueryDecoded: Self {
            var copy = self
            let path = rest.prefix { $0 != UInt8(ascii: "?") }
            copy.rest = Self.normal(path + AnswerComparison.decodedPercents(rest.dropFirst(path.count)))
            return copy
        }

        /// Bytes in one form: escapes of what means the same without one are decoded, others are in upper case.
        private static func normal(_ bytes: [UInt8]) -> [UInt8] {
            var result: [UInt8] = []
            var index = 0
            while index < bytes.count {
                let escape = bytes[index...].prefix(3)
                index += 1
                guard escape.first == UInt8(ascii: "%"), escape.count == 3,
                    let byte = UInt8(String(decoding: escape.dropFirst(), as: UTF8.self), radix: 16)
                else {
                    result.append(bytes[index - 1])
                    continue
                }
                index += 2
                if "%:/?#[]@!$&'()*+,;=".utf8.contains(byte) {
                    result += String(decoding: escape, as: UTF8.self).uppercased().utf8
                } else {
                    result.append(byte)
                }
            }
            return result
        }
    }

    /// Bytes with a percent sign in the place of each escaped one.
    static func decodedPercents(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        Array(String(decoding: bytes, as: UTF8.self).replacing("%25", with: "%").utf8)
    }
}
