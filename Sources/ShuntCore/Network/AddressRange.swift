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

    /// Reads `first-last`; nil when an end is not an address, the families differ, or the ends are the wrong way round.
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

    /// The networks that together are the range, the lowest first.
    package var networks: [AddressNetwork] {
        let commonBits =
            switch (first, last) {
            case (.v4(let first), .v4(let last)): (first ^ last).leadingZeroBitCount
            case (.v6(let high, _), .v6(let lastHigh, _)) where high != lastHigh: (high ^ lastHigh).leadingZeroBitCount
            case (.v6(_, let low), .v6(_, let lastLow)): 64 + (low ^ lastLow).leadingZeroBitCount
            default: 0
            }
        var networks: [AddressNetwork] = []
        var open = [AddressNetwork(first, prefixLength: commonBits)]
        while let network = open.popLast() {
            let range = network.range
            if AddressRange.isOrdered(first, range.first), AddressRange.isOrdered(range.last, last) {
                networks.append(network)
            } else if AddressRange.isOrdered(first, range.last), AddressRange.isOrdered(range.first, last) {
                for half in [range.last, range.first] {
                    open.append(AddressNetwork(half, prefixLength: network.prefixLength + 1))
                }
            }
        }
        return networks
    }

    /// The range of the IPv4 addresses in IPv4-mapped ones, and any other range unchanged; nil where only one end is mapped.
    package var unmapped: AddressRange? {
        let (first, last) = (first.unmapped, last.unmapped)
        return first.bitCount == last.bitCount ? AddressRange(first: first, last: last) : nil
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
    package var description: String { "\(first)-\(last)" }
}
