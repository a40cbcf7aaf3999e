import ShuntCore

/// The name of some bytes: their SHA-256.
///
/// A holder of a name can check whether bytes are what it names, wherever they come from.
public struct ContentName: Sendable, Hashable, CustomStringConvertible {
    /// 64 lower-case hexadecimal digits.
    public let hexadecimal: String

    /// Reads a name; nil where the text is not 64 lower-case hexadecimal digits.
    public init?(_ text: String) {
        guard text.utf8.count == 64,
            text.utf8.allSatisfy({ $0.hexadecimalValue != nil && !$0.isASCIIUppercase })
        else { return nil }
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
}

extension ContentName: Comparable {
    /// The order of the digits.
    public static func < (left: ContentName, right: ContentName) -> Bool { left.hexadecimal < right.hexadecimal }
}
