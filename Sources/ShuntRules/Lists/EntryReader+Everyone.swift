import ShuntCore

/// Lists whose networks together are all clients, without a line that is all of them.
extension EntryReader {
    /// The addresses that clients of the internet have, of each family.
    private static let clients = [
        (WideAddress(high: 0, low: 0x0100_0000), WideAddress(high: 0, low: 0xdfff_ffff)),
        (WideAddress(high: 0x2000 << 48, low: 0), WideAddress(high: 0x3fff_ffff_ffff_ffff, low: .max)),
    ]

    /// Refuses the widest line of networks that together are every client of a family.
    mutating func refuseEveryone() {
        for (family, (first, last)) in Self.clients.enumerated() {
            var ranges: [(first: WideAddress, last: WideAddress, line: Int32)] = []
            for (range, line) in networks {
                switch (range.first, range.last) {
                case (.v4(let low), .v4(let high)) where family == 0:
                    ranges.append((.init(high: 0, low: UInt64(low)), .init(high: 0, low: UInt64(high)), line))
                case (.v6(let h1, let l1), .v6(let h2, let l2)) where family == 1:
                    ranges.append((.init(high: h1, low: l1), .init(high: h2, low: l2), line))
                default: continue
                }
            }
            ranges.sort { $0.first < $1.first }
            var next = first
            for range in ranges where range.first <= next && range.last >= next {
                guard range.last < last, let after = range.last.next else {
                    let widest = ranges.max { Self.width($0) < Self.width($1) } ?? range
                    refuse(line: widest.line, message: "is of networks that together are every client")
                    break
                }
                next = after
            }
        }
    }

    /// The size of a range, as far as wide ones differ in it.
    private static func width(_ range: (first: WideAddress, last: WideAddress, line: Int32)) -> Double {
        Double(range.last.high - range.first.high) * 0x1p64 + Double(range.last.low) - Double(range.first.low)
    }
}
