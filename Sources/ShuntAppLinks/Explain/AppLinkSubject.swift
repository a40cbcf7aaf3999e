import ShuntCore

/// A URL, as components are compared with it.
struct AppLinkSubject {
    /// Whether it is a URL of a website.
    let isWeb: Bool
    private let path: [UInt8]
    private let query: [UInt8]
    private let fragment: [UInt8]

    init(_ url: String) throws(URLSyntaxError) {
        let bytes = Array(url.utf8)
        let parts = try URLParser.parse(bytes.span)
        let text: (ByteRange?) -> [UInt8] = { range in range.map { Array(bytes[Int($0.start)..<Int($0.end)]) } ?? [] }
        let scheme = String(decoding: text(parts.scheme), as: UTF8.self).lowercased()
        isWeb = scheme == "https" || scheme == "http"
        let path = text(parts.path)
        self.path = path.isEmpty ? [UInt8(ascii: "/")] : path
        query = text(parts.query)
        fragment = text(parts.fragment)
    }

    /// Whether a component takes the URL; one that cannot be read takes nothing.
    func matches(
        _ component: AppLinkComponent,
        _ inner: AppLinkDefaults,
        _ outer: AppLinkDefaults,
        _ variables: [String: [String]]?
    ) -> Bool {
        let isCaseSensitive =
            component.isCaseSensitive ?? inner.isCaseSensitive ?? outer.isCaseSensitive ?? true
        let isEncoded = component.isPercentEncoded ?? inner.isPercentEncoded ?? outer.isPercentEncoded ?? true
        let takes: (String?, [UInt8]) -> Bool = { pattern, bytes in
            guard let pattern else { return true }
            do throws(AppLinkPattern.Problem) {
                let pattern = try AppLinkPattern(pattern, variables: variables, isCaseSensitive: isCaseSensitive)
                return pattern.matches(Self.text(bytes, isEncoded: isEncoded))
            } catch {
                return false
            }
        }
        guard takes(component.path, path), takes(component.fragment, fragment) else { return false }
        switch component.query {
        case nil: return true
        case .pattern(let pattern): return takes(pattern, query)
        case .items(let items):
            let found = self.items
            return items.allSatisfy { name, pattern in
                let values = found.filter { $0.name == name }.map(\.value)
                return (values.isEmpty ? [[]] : values).allSatisfy { takes(pattern, $0) }
            }
        }
    }

    private var items: [(name: String, value: [UInt8])] {
        query.split(separator: UInt8(ascii: "&"))
            .map { item in
                let end = item.firstIndex(of: UInt8(ascii: "=")) ?? item.endIndex
                let name = Array(item[..<end])
                let decoded = URLComponentCoding.decode(name.span) ?? name
                return (String(decoding: decoded, as: UTF8.self), Array(item[end...].dropFirst()))
            }
    }

    /// Bytes of a URL as patterns see them: encoded as a browser would, or decoded.
    private static func text(_ bytes: [UInt8], isEncoded: Bool) -> String {
        guard isEncoded else {
            return String(decoding: URLComponentCoding.decode(bytes.span) ?? bytes, as: UTF8.self)
        }
        var encoded: [UInt8] = []
        for byte in bytes {
            if byte > 0x20, byte < 0x7f {
                encoded.append(byte)
            } else {
                encoded += [UInt8(ascii: "%"), (byte >> 4).upperHexadecimalDigit, byte.upperHexadecimalDigit]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }
}
