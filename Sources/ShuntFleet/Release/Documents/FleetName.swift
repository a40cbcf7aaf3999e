import ShuntCore

/// Names of namespaces and nodes: they are parts of paths and of keys in a carrier.
public enum FleetName {
    /// The requirement for a name, for messages.
    static let description = "name of 1 to 128 letters, digits and . _ -, which begins with a letter or digit"

    /// Returns true if a text is a name.
    public static func isValid(_ text: String) -> Bool {
        guard (1...128).contains(text.utf8.count), let first = text.utf8.first, isLetterOrDigit(first) else {
            return false
        }
        return text.utf8.allSatisfy { isLetterOrDigit($0) || [UInt8(ascii: "."), 0x5f, 0x2d].contains($0) }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        byte.isASCIILetter || byte.isASCIIDigit
    }
}
