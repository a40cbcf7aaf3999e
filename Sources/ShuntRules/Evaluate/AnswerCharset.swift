import ShuntCore

/// The character set that bodies of some types get.
package struct AnswerCharset: Sendable {
    private let types: [[UInt8]]
    /// The text after the type.
    package let suffix: [UInt8]

    private static let usual = [
        "text/html", "text/xml", "text/plain", "text/vnd.wap.wml", "application/javascript", "application/rss+xml",
    ]
    .map { Array($0.utf8) }

    init(_ name: [UInt8], _ types: [[UInt8]]?) {
        self.types = types.map { $0 + [Self.usual[0]] } ?? Self.usual
        suffix = Array("; charset=".utf8) + name.map { $0 < 0x20 || $0 == 0x7f ? 0x20 : $0 }
    }

    /// Returns true if a type gets it: one that names no other.
    package func isFor(_ type: [UInt8]) -> Bool {
        guard !type.isEmpty else { return false }
        let type = type.map(\.asciiLowercased)
        let takesAll = types.contains([UInt8(ascii: "*")])
        return types.contains(type) || takesAll && !String(decoding: type, as: UTF8.self).contains("charset=")
    }
}
