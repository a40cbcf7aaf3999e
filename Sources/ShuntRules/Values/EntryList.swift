package import ShuntCore
package import ShuntPatterns

/// A list of networks, of agents or of hosts: `block networks FILE`, `allow agents FILE` and the others.
package final class EntryList: Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        /// Addresses of clients.
        case networks
        /// Texts in the User-Agent.
        case agents
        /// Hosts of URLs.
        case urls
    }

    /// The number of the file.
    package let file: Int32
    package let kind: Kind
    /// For networks the lines of the entries, as values.
    let v4: Intervals<UInt32>
    let v6: Intervals<WideAddress>
    /// For agents their expressions; `lines` has the line of each.
    let agents: PatternIndex
    /// For hosts the lines of the entries, as values; nil for other lists.
    package let hosts: HostTable?
    /// The lines of all entries, in their order.
    package let lines: [Int32]

    init(
        _ kind: Kind,
        file: Int32,
        v4: [(first: UInt32, last: UInt32, value: Int32)] = [],
        v6: [(first: WideAddress, last: WideAddress, value: Int32)] = [],
        agents: [RegularExpression] = [],
        hosts: HostTable? = nil,
        lines: [Int32]
    ) {
        self.kind = kind
        self.file = file
        self.v4 = Intervals(Self.apart(v4) { $0 < .max ? $0 + 1 : nil }) { $0 < .max ? $0 + 1 : nil }
        self.v6 = Intervals(Self.apart(v6) { $0.next }) { $0.next }
        self.agents = PatternIndex(agents)
        self.hosts = hosts
        self.lines = lines
    }

    /// Makes a list of networks, which may overlap.
    package convenience init(file: Int32, networks: [(range: AddressRange, line: Int32)]) {
        var v4: [(first: UInt32, last: UInt32, value: Int32)] = []
        var v6: [(first: WideAddress, last: WideAddress, value: Int32)] = []
        for (range, line) in networks {
            switch (range.first, range.last) {
            case (.v4(let first), .v4(let last)): v4.append((first, last, line))
            case (.v6(let h1, let l1), .v6(let h2, let l2)):
                v6.append((WideAddress(high: h1, low: l1), WideAddress(high: h2, low: l2), line))
            default: break
            }
        }
        self.init(.networks, file: file, v4: v4, v6: v6, lines: networks.map(\.line))
    }

    /// The ranges without what another one before them has.
    private static func apart<Address: Comparable>(
        _ ranges: [(first: Address, last: Address, value: Int32)],
        next: (Address) -> Address?
    ) -> [(first: Address, last: Address, value: Int32)] {
        var result: [(first: Address, last: Address, value: Int32)] = []
        for range in ranges.sorted(by: { ($0.first, $1.last) < ($1.first, $0.last) }) {
            guard let last = result.last, range.first <= last.last else {
                result.append(range)
                continue
            }
            guard range.last > last.last, let first = next(last.last) else { continue }
            result.append((first, range.last, range.value))
        }
        return result
    }

    /// The line of the network that has an address; nil for none.
    func line(of address: InternetAddress) -> Int32? {
        switch address.unmapped {
        case .v4(let number): v4.value(at: number)
        case .v6(let high, let low): v6.value(at: WideAddress(high: high, low: low))
        }
    }

    /// The places of the entries, in their order and each once.
    package var positions: [SourcePosition] {
        var last: Int32 = 0
        return lines.compactMap { line in
            defer { last = line }
            return line == last ? nil : SourcePosition(file: file, line: line, column: 1)
        }
    }
}
