#if Fleet
/// Cuts what comes over a connection into lines, none of which is longer than a limit.
package struct EtcdLines: Sendable {
    package static let longest = 4 << 20
    private let limit: Int
    private var begun: [UInt8] = []

    package init(limit: Int = longest) { self.limit = limit }

    /// The lines that are whole now, without their ends and without empty ones; throws if one is longer than the limit.
    package mutating func take(_ bytes: some Collection<UInt8>) throws(EtcdError) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        var rest = bytes[...]
        while let end = rest.firstIndex(of: 0x0a) {
            try append(rest[..<end])
            if !begun.isEmpty { lines.append(begun) }
            begun = []
            rest = rest[rest.index(after: end)...]
        }
        try append(rest)
        return lines
    }

    private mutating func append(_ bytes: some Collection<UInt8>) throws(EtcdError) {
        guard begun.count + bytes.count <= limit else {
            throw EtcdError(.malformed, "a line has more than \(limit) bytes")
        }
        begun += bytes
    }
}
#endif
