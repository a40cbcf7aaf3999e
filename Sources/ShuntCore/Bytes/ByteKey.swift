/// Bytes as the key of a dictionary.
///
/// An array of bytes would do, but it feeds them to the hash one by one.
package struct ByteKey: Hashable, Sendable {
    package let bytes: [UInt8]

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Hashes the bytes in one piece.
    package func hash(into hasher: inout Hasher) {
        // The hasher copies what it needs before the call returns.
        unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
        hasher.combine(bytes.count)
    }
}
