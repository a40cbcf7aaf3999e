import Shunt

/// Finds what a `map`, a `geo` or a `split_clients` has to read for its value to pass a test.
struct DefinitionInversion {
    private let checker: ValueChecker
    /// The most entries that are excluded if none of them may be the one.
    private let maximumKeys = 64

    init(_ checker: ValueChecker) { self.checker = checker }

    /// The ways in which a map has a value that may pass: the tests of its source that choose an entry, and its value.
    func sources(
        of map: RuleModel.Map,
        passing test: ValueTest,
        limit: Int
    ) -> [(tests: [ValueTest], value: RuleModel.Template?)] {
        var found: [(tests: [ValueTest], value: RuleModel.Template?)] = []
        var others: [ValueTest] = []
        for entry in keys(of: map).entries {
            if found.count < limit, passes(entry.value, test) { found.append(([entry.test], entry.value)) }
            if others.count < maximumKeys { others.append(ValueTest(entry.test.kind, negated: true)) }
            if found.count == limit, others.count == maximumKeys { break }
        }
        let isDefault = map.defaultValue.map { passes($0, test) } ?? checker.passes([], test)
        if isDefault { found.append((others, map.defaultValue)) }
        return found
    }

    /// The source of a map for the entry at a place to be taken; nil if that is not known.
    func sources(of map: RuleModel.Map, takingEntryAt position: SourcePosition) -> [ValueTest]? {
        let keys = keys(of: map)
        let own = keys.numbers[position]
        if let own, case .equals = keys.entries[own].test.kind { return [keys.entries[own].test] }
        var others: [ValueTest] = []
        for (number, entry) in keys.entries.enumerated() where number != own {
            if others.count == maximumKeys { break }
            // Texts go before expressions, and of these the first is taken.
            if let own, number > own, case .matches = entry.test.kind { continue }
            others.append(ValueTest(entry.test.kind, negated: true))
        }
        guard let own else { return others }
        return [keys.entries[own].test] + others
    }

    private func keys(of map: RuleModel.Map) -> MapKeys {
        checker.keys(of: map) {
            MapKeys(
                map.entries.compactMap { entry in
                    test(of: entry, in: map).map { (entry.key.position, $0, entry.value) }
                }
            )
        }
    }

    /// The test of a map's source that a key stands for; nil for `default`.
    private func test(of entry: RuleModel.Map.Entry, in map: RuleModel.Map) -> ValueTest? {
        if let expression = entry.expression { return ValueTest(.matches(expression)) }
        var key = entry.key.bytes
        if key.elementsEqual("default".utf8) { return nil }
        if key.first == UInt8(ascii: "\\") { key.removeFirst() }
        guard map.hasHosts, let name = HostNamePattern(key) else {
            // Keys are compared without regard to case, and hosts are in lower case.
            return ValueTest(.equals(map.source.onlyVariable?.builtin == .host ? key.map(\.asciiLowercased) : key))
        }
        return ValueTest(name, isWanted: true, limits: checker.limits.expression)
    }

    /// Returns true if the value of a template may pass: what is put together may.
    private func passes(_ template: RuleModel.Template, _ test: ValueTest) -> Bool {
        template.constant.map { checker.passes($0, test) } ?? true
    }

    /// The addresses for which the value of a `geo` passes, at most 64; nil for none.
    func addresses(of geo: RuleModel.AddressTable, passing test: ValueTest) -> ValueTest? {
        let values = checker.values(of: geo).lazy.filter { checker.passes($0.value, test) }
        let passing = values.prefix(AddressValue.limit).flatMap(\.addresses).sorted { $0.number < $1.number }
        let addresses = passing.prefix(AddressValue.limit).map(\.address)
        return addresses.isEmpty ? nil : ValueTest(.isAny(of: addresses))
    }

    /// The shares of a `split_clients` whose values pass; nil for none.
    func shares(of split: RuleModel.Split, passing test: ValueTest) -> ValueTest? {
        let shares = split.values.enumerated().filter { checker.passes($0.element, test) }.map(\.offset)
        return shares.isEmpty ? nil : ValueTest(.share(split, shares))
    }
}

/// The keys of a map as tests of its source.
struct MapKeys {
    /// Those of the entries but for `default`, in the order of the files.
    let entries: [(position: SourcePosition, test: ValueTest, value: RuleModel.Template)]
    /// The number of each entry by its place.
    let numbers: [SourcePosition: Int]

    init(_ entries: [(position: SourcePosition, test: ValueTest, value: RuleModel.Template)]) {
        self.entries = entries
        numbers = Dictionary(entries.enumerated().map { ($1.position, $0) }) { first, _ in first }
    }
}

/// A value of a `geo`, and the first clients that have it, with their order among those of all values.
struct AddressValue {
    /// The most clients that are kept of a value.
    static let limit = 64

    let value: [UInt8]
    private(set) var addresses: [(number: Int, address: [UInt8])]

    /// The values of some addresses and of one in each entry of a `geo`, in the order in which the addresses are there.
    static func all(of geo: RuleModel.AddressTable) -> [AddressValue] {
        var candidates = InternetAddress.samples
        for entry in geo.entries {
            let text = entry.directive.name.bytes
            if let network = AddressNetwork.parse(text.span)?.network {
                candidates.append(network.firstClient)
            } else if let range = AddressRange(parsing: text.span) {
                candidates.append(range.first)
            }
        }
        var values: [AddressValue] = []
        var places: [[UInt8]: Int] = [:]
        for (number, address) in candidates.enumerated() {
            let value = geo.value(for: address) ?? []
            let place = places[value] ?? values.count
            places[value] = place
            if place == values.count { values.append(AddressValue(value: value, addresses: [])) }
            guard values[place].addresses.count < limit else { continue }
            values[place].addresses.append((number, Array(address.description.utf8)))
        }
        return values
    }
}

extension AddressNetwork {
    /// The first address that a client may have: the address of the network itself is not.
    var firstClient: InternetAddress { range.first == range.last ? range.first : range.first.next ?? range.first }
}
