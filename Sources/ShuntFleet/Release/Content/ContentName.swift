import ShuntCore

/// The name of some bytes: their SHA-256.
///
/// Whoever has a name can tell whether bytes are what it names, wherever they come from.
public struct ContentName: Sendable, Hashable, CustomStringConvertible {
    /// 64 lower-case hexadecimal digits.
    public let hexadecimal: String

    /// Reads a name.
    ///
    /// - Returns: Nil where the text is no 64 lower-case hexadecimal digits.
    public init?(_ text: String) {
        guard text.utf8.count == 64, text.utf8.allSatisfy({ Self.isDigit($0) }) else { return nil }
        hexadecimal = text
    }

    /// Computes the name of bytes.
    public init(of bytes: [UInt8]) {
        var hash = ContentHash()
        hash.update(bytes)
        hexadecimal = hash.hexadecimal
    }

    /// The digits.
    public var description: String { hexadecimal }

    private static func isDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
        default: false
        }
    }
}

extension ContentName: Comparable {
    /// The order of the digits.
    public static func < (left: ContentName, right: ContentName) -> Bool { left.hexadecimal < right.hexadecimal }
}
