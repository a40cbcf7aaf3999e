import ShuntCore
import ShuntPatterns
import ShuntRules

/// Says what a `map`, a `geo` or a `split_clients` has to look at for its value to pass a test.
struct DefinitionInversion {
    private let ruleSet: RuleSet
    private let checker: ValueChecker
    private var program: Program { ruleSet.program }
    private let known = KnownKeys()
    /// How many entries are kept out where none of them may be the one.
    private let maximumKeys = 64

    /// The keys of maps: each map is read once, however many of its entries are asked for.
    private final class KnownKeys {
        var all: [SourcePosition: [(position: SourcePosition, test: ValueTest)]] = [:]
    }

    init(_ ruleSet: RuleSet, _ checker: ValueChecker) {
        self.ruleSet = ruleSet
        self.checker = checker
    }

    /// What the source of a map has to be: each entry, all tests of which have to pass, is one way.
    func sources(of map: ValueMap, passing test: ValueTest, limit: Int) -> [[ValueTest]] {
        var found: [[ValueTest]] = []
        var others: [ValueTest] = []
        for entry in ruleSet.entries(at: map.position) where entry.count == 2 {
            guard let (key, value) = key(entry[0], of: map) else { continue }
            if found.count < limit, passes(value, test) { found.append([key]) }
            if others.count < maximumKeys { others.append(ValueTest(key.kind, negated: true)) }
        }
        let isDefault = !map.defaultValue.isNone ? passes(map.defaultValue, test) : checker.passes([], test)
        if isDefault { found.append(others) }
        return found
    }

    /// What the source of a map has to be for the entry at a place to be taken; nil if that is not known.
    func sources(of map: ValueMap, takingEntryAt position: SourcePosition) -> [ValueTest]? {
        let keys = keys(of: map)
        if let own = keys.first(where: { $0.position == position }), case .equals = own.test.kind { return [own.test] }
        var others: [ValueTest] = []
        var own: ValueTest?
        for (place, key) in keys {
            if place == position {
                own = key
            } else if others.count < maximumKeys {
                // Texts go before expressions, and of these the first is taken.
                if own != nil, case .matches = key.kind { continue }
                others.append(ValueTest(key.kind, negated: true))
            }
        }
        guard let own else { return others }
        return [own] + others
    }

    private func keys(of map: ValueMap) -> [(position: SourcePosition, test: ValueTest)] {
        if let keys = known.all[map.position] { return keys }
        let keys = ruleSet.entries(at: map.position).filter { $0.count == 2 }
            .compactMap { entry in key(entry[0], of: map).map { (entry[0].position, $0.test) } }
        known.all[map.position] = keys
        return keys
    }

    /// The test of a map's source that a key stands for, and the value's template; nil for `default` and the like.
    private func key(_ word: Word, of map: ValueMap) -> (test: ValueTest, value: TemplateIndex)? {
        var key = word.bytes
        if key.first == UInt8(ascii: "~") {
            guard let number = map.patternPositions.firstIndex(of: word.position) else { return nil }
            return (ValueTest(.matches(map.patternNumbers[number])), map.patternValues[number])
        }
        if key == Array("default".utf8) { return nil }
        if key.first == UInt8(ascii: "\\") { key.removeFirst() }
        if let hosts = map.hosts, let name = HostNamePattern(key) {
            let test = ValueTest(name, isWanted: true, limits: checker.limits.expression)
            guard case .equals(let host) = test.kind, let value = hosts.value(of: host.span) else { return nil }
            return (test, TemplateIndex(value))
        }
        guard let value = map.literals.value(key.span) else { return nil }
        return (ValueTest(.equals(key)), TemplateIndex(value))
    }

    /// Whether the value of a template may pass: what is put together may.
    private func passes(_ template: TemplateIndex, _ test: ValueTest) -> Bool {
        let part = program.tables.parts[template]
        guard part.isConstant else { return true }
        return checker.passes(Array(program.tables.constants[Int(part.a)..<Int(part.b)]), test)
    }

    /// The addresses for which a `geo` gives what passes; nil for none.
    func addresses(of geo: AddressMap, passing test: ValueTest) -> ValueTest? {
        var candidates = ["127.0.0.1", "192.0.2.1", "203.0.113.1", "2001:db8::1"].compactMap { InternetAddress($0) }
        for entry in ruleSet.entries(at: geo.position) where entry.count == 2 {
            let text = entry[0].bytes
            if let network = AddressNetwork.parse(text.span)?.network {
                candidates.append(network.firstClient)
            } else if let range = AddressRange(parsing: text.span) {
                candidates.append(range.first)
            }
        }
        let passing = candidates.filter { address in
            checker.passes(geo.value(for: address).map { Array(program.tables.constants[$0.indices]) } ?? [], test)
        }
        return passing.isEmpty ? nil : ValueTest(.isAny(of: passing.prefix(64).map { Array($0.description.utf8) }))
    }

    /// The shares of a `split_clients` whose values pass; nil for none.
    func shares(of index: Int, passing test: ValueTest) -> ValueTest? {
        let split = program.tables.splits[index]
        let shares = split.shares.indices.filter {
            checker.passes(Array(program.tables.constants[split.shares[$0].value.indices]), test)
        }
        return shares.isEmpty ? nil : ValueTest(.share(index, shares))
    }
}

extension AddressNetwork {
    /// The first address that a client may have: that of the network itself is none.
    var firstClient: InternetAddress {
        let first = range.first
        guard first != range.last else { return first }
        return switch first {
        case .v4(let number): .v4(number + 1)
        case .v6(let high, let low): .v6(high: high, low: low + 1)
        }
    }
}
