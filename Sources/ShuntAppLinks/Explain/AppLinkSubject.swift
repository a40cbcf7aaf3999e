package import ShuntCore

/// A URL in the forms in which devices compare it with patterns.
package struct AppLinkSubject {
    /// The parts of a URL as Apple's devices see them: a part that is missing is empty, and an empty path is `/`.
    struct AppleParts {
        var path: [Unicode.Scalar]
        /// The path without the slashes at its end.
        var shortPath: [Unicode.Scalar]
        var query: [Unicode.Scalar]
        var fragment: [Unicode.Scalar]
        var items: [(name: String, value: [Unicode.Scalar])] = []
    }

    let isWeb: Bool
    /// The parts as a browser encodes them.
    let encoded: AppleParts
    let decoded: AppleParts
    /// The path as Android sees it: decoded.
    package let androidPath: [Unicode.Scalar]
    /// The pairs of the query as Android sees them, split after decoding; nil without a query.
    package let androidPairs: [[Unicode.Scalar]]?
    /// The fragment as Android sees it; nil without one.
    package let androidFragment: [Unicode.Scalar]?

    package init(_ url: String) throws(URLSyntaxError) {
        let bytes = Array(url.utf8)
        let parts = try URLParser.parse(bytes.span)
        let text: (ByteRange?) -> [UInt8]? = { range in range.map { Array(bytes[Int($0.start)..<Int($0.end)]) } }
        let scheme = String(decoding: text(parts.scheme) ?? [], as: UTF8.self).lowercased()
        isWeb = scheme == "https" || scheme == "http"
        let (path, query, fragment) = (text(parts.path) ?? [], text(parts.query), text(parts.fragment))
        encoded = Self.parts(path, query: query ?? [], fragment: fragment ?? [], isEncoded: true)
        let decoded = Self.parts(path, query: query ?? [], fragment: fragment ?? [], isEncoded: false)
        self.decoded = decoded
        androidPath = path.isEmpty ? [] : decoded.path
        androidFragment = fragment.map { _ in decoded.fragment }
        androidPairs = query.map { _ in Self.pairs(decoded.query) }
    }

    private static func parts(_ path: [UInt8], query: [UInt8], fragment: [UInt8], isEncoded: Bool) -> AppleParts {
        let path = path.isEmpty ? [UInt8(ascii: "/")] : path
        var end = path.count
        while end > 1, path[end - 1] == UInt8(ascii: "/") { end -= 1 }
        let items = query.split(separator: UInt8(ascii: "&"))
            .map { item in
                let end = item.firstIndex(of: UInt8(ascii: "=")) ?? item.endIndex
                let name = String(decoding: Self.decoded(Array(item[..<end])), as: UTF8.self)
                return (name, scalars(Array(item[end...].dropFirst()), isEncoded: isEncoded))
            }
        return AppleParts(
            path: scalars(path, isEncoded: isEncoded),
            shortPath: scalars(Array(path[..<end]), isEncoded: isEncoded),
            query: scalars(query, isEncoded: isEncoded),
            fragment: scalars(fragment, isEncoded: isEncoded),
            items: items
        )
    }

    private static func pairs(_ query: [Unicode.Scalar]) -> [[Unicode.Scalar]] {
        let pairs = query.split(separator: "&", omittingEmptySubsequences: false)
        return (pairs.count > 1 ? pairs : query.split(separator: ";", omittingEmptySubsequences: false)).map(Array.init)
    }

    private static func decoded(_ bytes: [UInt8]) -> [UInt8] { URLComponentCoding.decode(bytes.span) ?? bytes }

    /// Bytes of a URL as patterns see them: encoded as a browser does it, or decoded.
    private static func scalars(_ bytes: [UInt8], isEncoded: Bool) -> [Unicode.Scalar] {
        guard isEncoded else { return Array(String(decoding: decoded(bytes), as: UTF8.self).unicodeScalars) }
        return URLComponentCoding.encode(bytes.span, keeping: ByteSet(0x21...0x7e)).map { Unicode.Scalar($0) }
    }
}
