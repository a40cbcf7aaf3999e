extension InternetAddress {
    /// An IPv6 address in brackets, as a URL has it, in the form of RFC 5952; any other host unchanged.
    ///
    /// Without this `[0:0::1]` would slip past a rule for `[::1]`.
    package static func canonicalHost(_ host: [UInt8]) -> [UInt8] {
        guard host.count > 2, host.first == UInt8(ascii: "["), host.last == UInt8(ascii: "]"),
            let address = InternetAddress(parsing: host.span.extracting(1..<(host.count - 1)))
        else { return host }
        return Array("[\(address)]".utf8)
    }
}
