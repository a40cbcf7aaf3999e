extension Array where Element == UInt8 {
    package init(copying bytes: Span<UInt8>) { self = unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) } }

    package mutating func append(copying bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
    }
}

extension Span<UInt8> {
    /// True if the bytes are well-formed UTF-8.
    package var isUTF8: Bool { (try? UTF8Span(validating: self)) != nil }
}

extension String {
    /// Copies borrowed bytes as text; what is not UTF-8 in them becomes U+FFFD.
    package init(repairing bytes: Span<UInt8>) {
        self = unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    }
}
