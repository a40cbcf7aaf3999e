/// All addresses from one to another, both of the same family.
package struct AddressRange: Sendable, Hashable {
    /// The lowest address.
    package let first: InternetAddress
    /// The highest address, not lower than `first`.
    package let last: InternetAddress

    init(first: InternetAddress, last: InternetAddress) {
        self.first = first
        self.last = last
    }

    /// Reads `first-last`; nil when an end is no address, the families differ, or the ends are the wrong way round.
    package init?(parsing bytes: Span<UInt8>) {
        var dash = -1
        for index in bytes.indices where bytes[index] == UInt8(ascii: "-") {
            dash = index
            break
        }
        guard dash >= 0, let first = InternetAddress(parsing: bytes.extracting(0..<dash)),
            let last = InternetAddress(parsing: bytes.extracting(dash + 1..<bytes.count)),
            AddressRange.isOrdered(first, last)
        else { return nil }
        self.init(first: first, last: last)
    }

    /// Returns true if `address` is in the range; an IPv4-mapped IPv6 address counts as the IPv4 address it holds.
    package func contains(_ address: InternetAddress) -> Bool {
        let address = address.unmapped
        return AddressRange.isOrdered(first, address) && AddressRange.isOrdered(address, last)
    }

    /// The networks that together are the range, the lowest first; of IPv6, only where it is one network.
    package var networks: [AddressNetwork] {
        guard case .v4(var start) = first, case .v4(let end) = last else {
            return (0...128).lazy.map { AddressNetwork(first, prefixLength: $0) }.first { $0.range == self }
                .map { [$0] } ?? []
        }
        var networks: [AddressNetwork] = []
        while start <= end {
            // As many bits as the start and the rest of the range allow.
            let count = UInt64(end - start) + 1
            let bits = min(start.trailingZeroBitCount, 63 - count.leadingZeroBitCount, 32)
            networks.append(AddressNetwork(.v4(start), prefixLength: 32 - bits))
            let next = UInt64(start) + 1 << UInt64(bits)
            guard next <= UInt64(end) else { break }
            start = UInt32(next)
        }
        return networks
    }

    /// Returns true if both are of one family and `left` is not above `right`.
    private static func isOrdered(_ left: InternetAddress, _ right: InternetAddress) -> Bool {
        switch (left, right) {
        case (.v4(let left), .v4(let right)): left <= right
        case (.v6(let leftHigh, let leftLow), .v6(let rightHigh, let rightLow)):
            leftHigh == rightHigh ? leftLow <= rightLow : leftHigh < rightHigh
        default: false
        }
    }
}

extension AddressRange: CustomStringConvertible {
    /// `first-last`.
    package var description: String { "\(first)-\(last)" }
}
