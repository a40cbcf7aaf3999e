/// A part of a URL that text is encoded for.
package enum URLComponent: Sendable {
    /// One segment of a path: a `/` is encoded.
    case pathSegment
    /// Several segments of a path: a `/` stays.
    case path
    /// The name or the value of a query pair: `&`, `=`, `+` and `;` are encoded.
    case queryValue
    /// A whole query: its `&`, `=` and `+` stay.
    case query
    case fragment

    /// The bytes that stay as they are (RFC 3986, section 3).
    var allowed: ByteSet {
        switch self {
        case .pathSegment: URLComponentCoding.segmentBytes
        case .path: URLComponentCoding.pathBytes
        case .queryValue: URLComponentCoding.queryValueBytes
        case .query, .fragment: URLComponentCoding.queryBytes
        }
    }
}

/// Percent-encoding by part of a URL, for URLs that are generated.
package enum URLComponentCoding {
    package static let unreservedBytes = ByteSet.alphanumerics.union(ByteSet(ascii: "-._~"))
    static let segmentBytes = unreservedBytes.union(ByteSet(ascii: "!$&'()*+,;=:@"))
    static let pathBytes = segmentBytes.union(ByteSet(ascii: "/"))
    static let queryBytes = pathBytes.union(ByteSet(ascii: "?"))
    static let queryValueBytes = unreservedBytes.union(ByteSet(ascii: "!$'()*,:@/?"))

    /// `bytes` with every byte that `component` cannot hold written as `%XX`; `%` itself too.
    ///
    /// A path segment that is `.` or `..` has no encoded form that survives normalising; the caller must refuse it.
    package static func encode(_ bytes: Span<UInt8>, for component: URLComponent) -> [UInt8] {
        encode(bytes, keeping: component.allowed)
    }

    /// `bytes` with every byte that is not in `plain` written as `%XX`.
    package static func encode(_ bytes: Span<UInt8>, keeping plain: ByteSet) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        append(bytes, keeping: plain, to: &result)
        return result
    }

    package static func append(_ bytes: Span<UInt8>, for component: URLComponent, to result: inout [UInt8]) {
        append(bytes, keeping: component.allowed, to: &result)
    }

    private static func append(_ bytes: Span<UInt8>, keeping plain: ByteSet, to result: inout [UInt8]) {
        for index in bytes.indices {
            let byte = bytes[index]
            if plain.contains(byte) {
                result.append(byte)
            } else {
                result.append(UInt8(ascii: "%"))
                result.append((byte &>> 4).upperHexadecimalDigit)
                result.append(byte.upperHexadecimalDigit)
            }
        }
    }

    /// `bytes` with every `%XX` resolved once, and with `+` as a space if `plusIsSpace`, as in the query of a form; nil when
    /// a `%` has no two hexadecimal digits after it.
    package static func decode(_ bytes: Span<UInt8>, plusIsSpace: Bool = false) -> [UInt8]? {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "%") {
                guard bytes.count - index > 2, let high = bytes[index + 1].hexadecimalValue,
                    let low = bytes[index + 2].hexadecimalValue
                else { return nil }
                result.append(high &<< 4 | low)
                index += 3
                continue
            }
            result.append(plusIsSpace && byte == UInt8(ascii: "+") ? 0x20 : byte)
            index += 1
        }
        return result
    }
}
