package import ShuntCore
package import ShuntPatterns

/// A list of networks or of agents: `block networks FILE`, `allow agents FILE` and the others.
package final class EntryList: Sendable {
    /// The kinds of lists.
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
    /// For networks the lines of the entries, as values.
    let v4: Intervals<UInt32>
    let v6: Intervals<WideAddress>
    /// For agents their expressions, and the line of each.
    package let agents: PatternIndex
    let agentLines: [Int32]
    /// The lines of all entries, in their order.
    package let lines: [Int32]

    /// Makes a list of networks, which may overlap.
    package init(file: Int32, networks: [(range: AddressRange, line: Int32)]) {
        var v4: [(first: UInt32, last: UInt32, value: ByteRange)] = []
        var v6: [(first: WideAddress, last: WideAddress, value: ByteRange)] = []
        for (range, line) in networks {
            let value = ByteRange(start: line, end: line)
            switch (range.first, range.last) {
            case (.v4(let first), .v4(let last)): v4.append((first, last, value))
            case (.v6(let h1, let l1), .v6(let h2, let l2)):
                v6.append((WideAddress(high: h1, low: l1), WideAddress(high: h2, low: l2), value))
            default: break
            }
        }
        self.file = file
        self.v4 = Intervals(Self.apart(v4) { $0 < .max ? $0 + 1 : nil }) { $0 < .max ? $0 + 1 : nil }
        self.v6 = Intervals(Self.apart(v6) { $0.next }) { $0.next }
        agents = PatternIndex([])
        agentLines = []
        lines = networks.map(\.line)
    }

    /// Makes a list of agents.
    package init(file: Int32, agents: [(expression: RegularExpression, line: Int32)]) {
        self.file = file
        v4 = Intervals([]) { _ in nil }
        v6 = Intervals([]) { _ in nil }
        self.agents = PatternIndex(agents.map(\.expression))
        agentLines = agents.map(\.line)
        lines = agentLines
    }

    /// The ranges without what another one before them has.
    private static func apart<Address: Comparable>(
        _ ranges: [(first: Address, last: Address, value: ByteRange)],
        next: (Address) -> Address?
    ) -> [(first: Address, last: Address, value: ByteRange)] {
        var result: [(first: Address, last: Address, value: ByteRange)] = []
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
        case .v4(let number): v4.value(at: number)?.start
        case .v6(let high, let low): v6.value(at: WideAddress(high: high, low: low))?.start
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
