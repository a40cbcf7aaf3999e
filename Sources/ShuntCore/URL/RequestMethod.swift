/// The rules for the method of an HTTP request line.
package enum RequestMethod {
    /// Returns true if nginx takes `bytes` as a method: one or more of `A`–`Z`, `_` and `-`.
    package static func isValid(_ bytes: Span<UInt8>) -> Bool {
        for index in bytes.indices {
            let byte = bytes[index]
            guard byte.isASCIIUppercase || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-") else { return false }
        }
        return !bytes.isEmpty
    }
}
