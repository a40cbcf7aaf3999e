/// An IPv4 or IPv6 address, as numbers in host order.
package enum InternetAddress: Sendable, Hashable {
    case v4(UInt32)
    /// An IPv6 address: its upper and its lower eight bytes.
    case v6(high: UInt64, low: UInt64)

    /// Reads the usual text form of either family, as `inet_pton` does: four decimal numbers without leading zeros, or
    /// RFC 4291 text, which may end in an IPv4 address.
    ///
    /// No brackets, no zone. With `allowsLeadingZeros` `192.0.2.01` is an address too, as it is to nginx's `geo`.
    package init?(parsing bytes: Span<UInt8>, allowsLeadingZeros: Bool = false) {
        for index in bytes.indices where bytes[index] == UInt8(ascii: ":") {
            guard let address = InternetAddress.parseV6(bytes) else { return nil }
            self = address
            return
        }
        guard let number = InternetAddress.parseV4(bytes, from: 0, allowsLeadingZeros: allowsLeadingZeros) else {
            return nil
        }
        self = .v4(number)
    }

    package init?(_ text: String) {
        var text = text
        guard let address = text.withUTF8({ unsafe InternetAddress(parsing: $0.span) }) else { return nil }
        self = address
    }

    /// The IPv4 address inside an IPv4-mapped IPv6 address (`::ffff:a.b.c.d`), and any other address unchanged.
    package var unmapped: InternetAddress {
        guard case .v6(0, let low) = self, low &>> 32 == 0xffff else { return self }
        return .v4(UInt32(truncatingIfNeeded: low))
    }

    /// The number of bits of an address of this family: 32 or 128.
    package var bitCount: Int {
        switch self {
        case .v4: 32
        case .v6: 128
        }
    }

    /// The four or sixteen bytes in network order.
    package var networkBytes: [UInt8] { (0..<bitCount / 8).map { networkByte($0) } }

    func networkByte(_ index: Int) -> UInt8 {
        switch self {
        case .v4(let number): UInt8(truncatingIfNeeded: number &>> UInt32(24 - 8 * index))
        case .v6(let high, let low):
            UInt8(truncatingIfNeeded: (index < 8 ? high : low) &>> UInt64(56 - 8 * (index & 7)))
        }
    }

    // MARK: Parsing

    private static func parseV4(_ bytes: Span<UInt8>, from start: Int, allowsLeadingZeros: Bool = false) -> UInt32? {
        var address: UInt32 = 0
        var octet: UInt32 = 0
        var digits = 0
        var dots = 0
        for index in start..<bytes.count {
            let byte = bytes[index]
            if byte.isASCIIDigit {
                if digits > 0, octet == 0, !allowsLeadingZeros { return nil }
                octet = octet &* 10 &+ UInt32(byte &- 0x30)
                digits += 1
                if octet > 255 { return nil }
            } else if byte == UInt8(ascii: "."), digits > 0, dots < 3 {
                address = address &<< 8 | octet
                octet = 0
                digits = 0
                dots += 1
            } else {
                return nil
            }
        }
        return dots == 3 && digits > 0 ? address &<< 8 | octet : nil
    }

    private static func parseV6(_ bytes: Span<UInt8>) -> InternetAddress? {
        var groups = GroupBuffer()
        var index = 0
        if bytes[0] == UInt8(ascii: ":") {
            guard bytes.count > 1, bytes[1] == UInt8(ascii: ":") else { return nil }
            groups.hasGap = true
            index = 2
        }
        while index < bytes.count {
            let start = index
            var value: UInt64 = 0
            while index < bytes.count, index - start < 5, let digit = bytes[index].hexadecimalValue {
                value = value &<< 4 | UInt64(digit)
                index += 1
            }
            if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
                guard groups.count <= 6, let number = parseV4(bytes, from: start) else { return nil }
                groups.append(UInt64(number &>> 16))
                groups.append(UInt64(number & 0xffff))
                break
            }
            guard index > start, index - start <= 4, groups.count < 8 else { return nil }
            groups.append(value)
            if index == bytes.count { break }
            guard bytes[index] == UInt8(ascii: ":") else { return nil }
            index += 1
            if index == bytes.count { return nil }
            if bytes[index] == UInt8(ascii: ":") {
                guard !groups.hasGap else { return nil }
                groups.hasGap = true
                index += 1
            }
        }
        return groups.address
    }
}

/// The 16-bit groups of an IPv6 address while it is read: those before `::` from the top, the others from the bottom.
private struct GroupBuffer {
    private(set) var count = 0
    var hasGap = false
    private var high: UInt64 = 0
    private var low: UInt64 = 0
    private var tailHigh: UInt64 = 0
    private var tailLow: UInt64 = 0

    /// The address, if the groups make one: eight of them, or fewer and a gap.
    var address: InternetAddress? {
        guard hasGap ? count < 8 : count == 8 else { return nil }
        return .v6(high: high | tailHigh, low: low | tailLow)
    }

    mutating func append(_ group: UInt64) {
        if hasGap {
            tailHigh = tailHigh &<< 16 | tailLow &>> 48
            tailLow = tailLow &<< 16 | group
        } else if count < 4 {
            high |= group &<< UInt64(48 - 16 * count)
        } else {
            low |= group &<< UInt64(112 - 16 * count)
        }
        count += 1
    }
}

extension InternetAddress: CustomStringConvertible {
    /// Dotted decimal, or the form of RFC 5952: lower case, no leading zeros, the first longest run of two or more
    /// zero groups as `::`, and IPv4-mapped addresses with a dotted end.
    package var description: String {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    func append(to bytes: inout some ByteSink) {
        guard case .v6 = self else {
            for index in 0..<4 {
                if index > 0 { bytes.append(UInt8(ascii: ".")) }
                bytes.append(Int64(networkByte(index)), digits: 1)
            }
            return
        }
        if case .v4 = unmapped {
            for byte in "::ffff:".utf8 { bytes.append(byte) }
            return unmapped.append(to: &bytes)
        }
        var best = 0..<0
        var start = 0
        while start < 8 {
            var end = start
            while end < 8, group(end) == 0 { end += 1 }
            if end - start > max(1, best.count) { best = start..<end }
            start = max(end, start + 1)
        }
        if best.lowerBound == 0, !best.isEmpty { for _ in 0..<2 { bytes.append(UInt8(ascii: ":")) } }
        for index in 0..<8 where !best.contains(index) {
            if index > 0, index != best.upperBound { bytes.append(UInt8(ascii: ":")) }
            appendHexadecimal(group(index), to: &bytes)
            if index + 1 == best.lowerBound { for _ in 0..<2 { bytes.append(UInt8(ascii: ":")) } }
        }
    }

    private func group(_ index: Int) -> UInt16 {
        UInt16(networkByte(2 * index)) &<< 8 | UInt16(networkByte(2 * index + 1))
    }

    private func appendHexadecimal(_ group: UInt16, to bytes: inout some ByteSink) {
        var shift: UInt16 = 12
        while shift > 0, group &>> shift == 0 { shift -= 4 }
        while true {
            bytes.append(UInt8(truncatingIfNeeded: group &>> shift).lowerHexadecimalDigit)
            guard shift > 0 else { return }
            shift -= 4
        }
    }
}
