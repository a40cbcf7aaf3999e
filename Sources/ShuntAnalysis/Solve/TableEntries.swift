import ShuntCore
import ShuntPatterns
import ShuntRules

/// The entries of the tables of a rule set: of each `map`, `geo` and `split_clients`.
enum TableEntries {
    /// Each entry with its place, in the order of the tables.
    ///
    /// - Parameters:
    ///   - ruleSet: The rules.
    ///   - isWanted: Which entries are asked for.
    /// - Returns: The entries, and what has to be seen for each.
    static func all(
        of ruleSet: RuleSet,
        where isWanted: (SourcePosition) -> Bool = { _ in true }
    ) -> [(position: SourcePosition, target: CoverageTarget)] {
        let program = ruleSet.program
        var found: [(position: SourcePosition, target: CoverageTarget)] = []
        for (index, map) in program.tables.maps.enumerated() {
            for entry in ruleSet.entries(at: map.position) where entry.count == 2 {
                let position = entry[0].position
                guard isWanted(position), let template = template(of: entry[0], in: map) else { continue }
                found.append((position, .mapEntry(index, template: template, position)))
            }
        }
        for (index, geo) in program.tables.geos.enumerated() { found += entries(of: geo, index, ruleSet, isWanted) }
        for (index, split) in program.tables.splits.enumerated() {
            let entries = ruleSet.entries(at: split.position).filter { $0.count == 2 }
            for (number, entry) in entries.enumerated() where number < split.shares.count {
                if isWanted(entry[0].position) { found.append((entry[0].position, .share(index, number))) }
            }
        }
        return found
    }

    /// The places of all entries.
    static func positions(of ruleSet: RuleSet) -> [SourcePosition] {
        let program = ruleSet.program
        let tables =
            program.tables.maps.map(\.position) + program.tables.geos.map(\.position)
            + program.tables.splits.map(\.position)
        return tables.flatMap { ruleSet.entries(at: $0).filter { $0.count == 2 }.map { $0[0].position } }
    }

    /// The template of a map's entry; nil for what is none.
    private static func template(of word: Word, in map: ValueMap) -> TemplateIndex? {
        var key = word.bytes
        if key == Array("default".utf8) { return map.defaultValue }
        if key.first == UInt8(ascii: "~") {
            return map.patternPositions.firstIndex(of: word.position).map { map.patternValues[$0] }
        }
        if key.first == UInt8(ascii: "\\") { key.removeFirst() }
        guard let hosts = map.hosts, let name = HostNamePattern(key) else {
            return map.literals.value(key.span).map { TemplateIndex($0) }
        }
        return hosts.value(of: name.someHost.span).map { TemplateIndex($0) }
    }

    private static func entries(
        of geo: AddressMap,
        _ index: Int,
        _ ruleSet: RuleSet,
        _ isWanted: (SourcePosition) -> Bool
    ) -> [(position: SourcePosition, target: CoverageTarget)] {
        let words = ruleSet.entries(at: geo.position).filter { $0.count == 2 }
        guard words.contains(where: { isWanted($0[0].position) }) else { return [] }
        let ranges = words.map { range(of: $0[0]) }
        let samples = AddressSamples(ranges.compactMap { $0 })
        var found: [(position: SourcePosition, target: CoverageTarget)] = []
        for (entry, range) in zip(words, ranges) where isWanted(entry[0].position) {
            let isDefault = entry[0].text == "default"
            guard range != nil || isDefault else { continue }
            let sample = isDefault ? samples.outside : range.flatMap(samples.within)
            if let sample, let value = geo.value(for: sample) {
                found.append((entry[0].position, .addressEntry(index, value: value, sample)))
            } else {
                let others = zip(words, ranges)
                    .filter { word, other in
                        word[0].position != entry[0].position && other.map { range?.meets($0) ?? true } == true
                    }
                    .map { $0.0[0].position }
                found.append((entry[0].position, .hiddenEntry(by: others)))
            }
        }
        return found
    }

    /// The addresses of a network or range; nil for other words.
    private static func range(of word: Word) -> AddressSamples.Range? {
        if let network = AddressNetwork.parse(word.bytes.span)?.network {
            return .init(first: network.range.first, last: network.range.last)
        }
        return AddressRange(parsing: word.bytes.span).map { .init(first: $0.first, last: $0.last) }
    }
}

extension HostNamePattern {
    /// A host that it stands for.
    var someHost: [UInt8] {
        let label = Array("a".utf8)
        let dot = [UInt8(ascii: ".")]
        return switch kind {
        case .exact, .domain: literal
        case .subdomains: label + dot + literal
        case .prefix: literal + dot + label
        }
    }
}
