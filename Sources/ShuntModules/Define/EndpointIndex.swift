import ShuntInterfaces

/// Finds what answers a contract: frozen, and without hashing, since a contract has the hash of its name.
final class EndpointIndex: Sendable {
    final class Entry: Sendable {
        let endpoint: any AnyObject & Sendable
        let contract: Contract
        /// The number that the index's owner uses for the place of the endpoint.
        let number: Int

        init(_ endpoint: any AnyEndpoint, _ number: Int) {
            self.endpoint = endpoint
            contract = endpoint.contract
            self.number = number
        }
    }

    /// The entries and gaps, at least as many; an entry is at the slot of its hash or in one of those after it, before
    /// the next gap.
    private let slots: [Entry?]

    /// Makes an index of endpoints whose names differ.
    init(_ endpoints: some Collection<(endpoint: any AnyEndpoint, number: Int)>) {
        var count = 1
        while count < endpoints.count * 2 { count *= 2 }
        var slots = [Entry?](repeating: nil, count: count)
        for (endpoint, number) in endpoints {
            var slot = endpoint.contract.nameHash & (count - 1)
            while slots[slot] != nil { slot = (slot + 1) & (count - 1) }
            slots[slot] = Entry(endpoint, number)
        }
        self.slots = slots
    }

    /// Returns the entry with the name of a contract.
    @inline(__always)
    func find(_ contract: Contract) -> Entry? {
        let last = slots.count - 1
        var slot = contract.nameHash & last
        // An index without entries is one gap; in every other, half of the slots are.
        while let entry = slots[slot] {
            if entry.contract === contract { return entry }
            if entry.contract.nameHash == contract.nameHash, entry.contract.name == contract.name { return entry }
            slot = (slot + 1) & last
        }
        return nil
    }
}
