import Shunt

/// Addresses for which just one of several ranges is: none of those within it takes them back.
struct AddressSamples {
    /// A network or a range.
    struct Range: Hashable {
        var first: InternetAddress
        var last: InternetAddress

        init(first: InternetAddress, last: InternetAddress) { (self.first, self.last) = (first, last) }

        /// Reads a network, an address or a range; nil for anything else.
        init?(_ bytes: [UInt8]) {
            guard let range = AddressNetwork.parse(bytes.span)?.network.range ?? AddressRange(parsing: bytes.span)
            else { return nil }
            self.init(first: range.first, last: range.last)
        }

        func contains(_ address: InternetAddress) -> Bool { !address.precedes(first) && !last.precedes(address) }

        func contains(_ other: Range) -> Bool { contains(other.first) && contains(other.last) }

        /// Returns true if it ends before another range begins, and not just before it.
        func isBefore(_ other: Range) -> Bool { (last.next ?? last).precedes(other.first) }

        /// Returns true if no address lies between it and another range.
        func touches(_ other: Range) -> Bool { !isBefore(other) && !other.isBefore(self) }

        /// The range of all addresses of both, which touch each other.
        func joined(with other: Range) -> Range {
            Range(
                first: first.precedes(other.first) ? first : other.first,
                last: last.precedes(other.last) ? other.last : last
            )
        }

        /// Returns true if some address is in both.
        func meets(_ other: Range) -> Bool { contains(other.first) || other.contains(first) }

        /// Its first and last addresses, each after the address that follows it.
        fileprivate var bounds: [InternetAddress] { [first.next, first, last.next, last].compactMap { $0 } }

        /// The addresses next to it, the later one first.
        var neighbours: [InternetAddress] { [last.next, first.previous].compactMap { $0 } }
    }

    private let ranges: [Range]
    /// Addresses at the bounds of the ranges.
    private let candidates: [InternetAddress]

    init(_ ranges: [Range]) {
        self.ranges = ranges
        var candidates = InternetAddress.samples
        for range in ranges { candidates += range.bounds }
        self.candidates = candidates
    }

    /// An address in no range; nil if none of those that were tried is.
    var outside: InternetAddress? {
        candidates.first { address in !ranges.contains { $0.contains(address) } }
    }

    /// Addresses in a range, and in none of others: at least one if there is any.
    func all(in range: Range, outside others: [Range]) -> [InternetAddress] {
        var seen = Set<InternetAddress>()
        return candidates.filter { address in
            range.contains(address) && !others.contains { $0.contains(address) } && seen.insert(address).inserted
        }
    }

    /// An address in a range that `isOwn` takes, and in no smaller range; nil if no tried text is one.
    func within(_ range: Range, _ isOwn: (InternetAddress) -> Bool) -> InternetAddress? {
        range.bounds.first { range.contains($0) && isOwn($0) }
            ?? candidates.first { address in
                range.contains(address)
                    && ranges.allSatisfy { other in
                        !other.contains(address) || other.contains(range.first) && other.contains(range.last)
                    }
            }
    }
}

extension AccessRule {
    /// The addresses of a rule for a network; nil for others.
    var range: AddressSamples.Range? {
        guard case .network(let network) = scope else { return nil }
        return .init(first: network.range.first, last: network.range.last)
    }
}

extension InternetAddress {
    /// Addresses that mostly no entry is for.
    static let samples = ["127.0.0.1", "192.0.2.1", "203.0.113.1", "2001:db8::1"].compactMap { InternetAddress($0) }

    /// Returns true if it comes before another one of its kind; addresses of version 4 come before those of version 6.
    func precedes(_ other: InternetAddress) -> Bool {
        switch (self, other) {
        case (.v4(let left), .v4(let right)): left < right
        case (.v6(let high, let low), .v6(let otherHigh, let otherLow)): (high, low) < (otherHigh, otherLow)
        case (.v4, .v6): true
        case (.v6, .v4): false
        }
    }

    /// The address before; nil before the first.
    fileprivate var previous: InternetAddress? {
        switch self {
        case .v4(let number): number > 0 ? .v4(number - 1) : nil
        case .v6(let high, let low) where low > 0: .v6(high: high, low: low - 1)
        case .v6(let high, _): high > 0 ? .v6(high: high - 1, low: .max) : nil
        }
    }

    /// The next address; nil after the last.
    var next: InternetAddress? {
        switch self {
        case .v4(let number): number < .max ? .v4(number + 1) : nil
        case .v6(let high, let low) where low < .max: .v6(high: high, low: low + 1)
        case .v6(let high, _): high < .max ? .v6(high: high + 1, low: 0) : nil
        }
    }
}
