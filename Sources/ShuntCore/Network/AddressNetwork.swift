/// A block of addresses: those that share a prefix.
package struct AddressNetwork: Sendable, Hashable {
    /// The first address; all bits after the prefix are zero.
    package let base: InternetAddress
    /// The number of leading bits that count: 0 to 32, or 0 to 128.
    package let prefixLength: Int

    /// Makes a network without a report of bits after the prefix, which are cleared; a length outside the family's
    /// range is brought into it.
    package init(_ address: InternetAddress, prefixLength: Int) {
        let length = max(0, min(prefixLength, address.bitCount))
        self.prefixLength = length
        switch address {
        case .v4(let number): base = .v4(number & AddressNetwork.mask(ofV4: length))
        case .v6(let high, let low):
            let mask = AddressNetwork.mask(prefixLength: length)
            base = .v6(high: high & mask.high, low: low & mask.low)
        }
    }

    /// Reads `address/length`, or a bare address, which is a network of that one address.
    ///
    /// - Returns: The network, and whether bits after the prefix were set (nginx clears them and warns); nil when the
    ///   text is not a network.
    package static func parse(_ bytes: Span<UInt8>) -> (network: AddressNetwork, hadHostBits: Bool)? {
        var slash = bytes.count
        for index in bytes.indices where bytes[index] == UInt8(ascii: "/") {
            slash = index
            break
        }
        guard let address = InternetAddress(parsing: bytes.extracting(0..<slash)) else { return nil }
        guard slash < bytes.count else { return (AddressNetwork(address, prefixLength: address.bitCount), false) }
        let digits = bytes.count - slash - 1
        guard digits > 0, digits <= 3 else { return nil }
        var length = 0
        for index in slash + 1..<bytes.count {
            guard bytes[index].isASCIIDigit else { return nil }
            length = length * 10 + Int(bytes[index] &- 0x30)
        }
        guard length <= address.bitCount else { return nil }
        let network = AddressNetwork(address, prefixLength: length)
        return (network, network.base != address)
    }

    /// Returns true if `address` is in the network.
    ///
    /// An IPv4-mapped IPv6 address counts as the IPv4 address it holds, as in nginx, so that it is never in an IPv6
    /// network.
    package func contains(_ address: InternetAddress) -> Bool { holds(address.unmapped) }

    /// Returns true if an IPv4-mapped address is in the network as the IPv6 address that it is.
    package func containsMapped(_ address: InternetAddress) -> Bool { holds(address) }

    private func holds(_ address: InternetAddress) -> Bool {
        switch (base, address) {
        case (.v4(let base), .v4(let number)): return (base ^ number) & AddressNetwork.mask(ofV4: prefixLength) == 0
        case (.v6(let baseHigh, let baseLow), .v6(let high, let low)):
            let mask = AddressNetwork.mask(prefixLength: prefixLength)
            return (baseHigh ^ high) & mask.high == 0 && (baseLow ^ low) & mask.low == 0
        default: return false
        }
    }

    package var range: AddressRange {
        switch base {
        case .v4(let number):
            return AddressRange(first: base, last: .v4(number | ~AddressNetwork.mask(ofV4: prefixLength)))
        case .v6(let high, let low):
            let mask = AddressNetwork.mask(prefixLength: prefixLength)
            return AddressRange(first: base, last: .v6(high: high | ~mask.high, low: low | ~mask.low))
        }
    }

    private static func mask(ofV4 length: Int) -> UInt32 { length == 0 ? 0 : ~0 &<< UInt32(32 - length) }

    static func mask(prefixLength: Int) -> (high: UInt64, low: UInt64) {
        // A smart shift by 64 or more is zero.
        let high = ~UInt64(0) << max(0, 64 - prefixLength)
        let low = ~UInt64(0) << max(0, 128 - max(64, prefixLength))
        return (high, low)
    }
}

extension AddressNetwork: CustomStringConvertible {
    package var description: String { "\(base)/\(prefixLength)" }
}
