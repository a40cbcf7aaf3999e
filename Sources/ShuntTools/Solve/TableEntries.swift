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
        let document = ruleSet.document
        var found: [(position: SourcePosition, target: CoverageTarget)] = []
        for (index, map) in program.tables.maps.enumerated() {
            for entry in entries(of: map, in: document) where isWanted(entry.key.position) {
                found.append((entry.key.position, .mapEntry(index, template: entry.value, entry.key.position)))
            }
        }
        for (index, geo) in program.tables.geos.enumerated() {
            found += entries(of: geo, index: index, document: document, isWanted)
        }
        for (index, split) in program.tables.splits.enumerated() {
            for (number, entry) in document.entries(ofTableAt: split.position).enumerated()
            where number < split.shares.count && isWanted(entry.position) {
                found.append((entry.position, .share(index, number)))
            }
        }
        return found
    }

    /// The places of all entries.
    static func positions(of ruleSet: RuleSet) -> [SourcePosition] {
        let program = ruleSet.program
        let document = ruleSet.document
        let tables =
            program.tables.maps.map(\.position) + program.tables.geos.map(\.position)
            + program.tables.splits.map(\.position)
        return tables.flatMap { document.entries(ofTableAt: $0).map(\.position) }
    }

    struct MapEntry {
        var key: Word
        /// The number of its expression among those of the map; nil for a text.
        var expression: Int?
        var value: TemplateIndex
        var written: Word
    }

    /// The entries of a map, `default` included, in the order of the files; linear in their number.
    static func entries(of map: ValueMap, in document: RuleDocument) -> [MapEntry] {
        let expressions = Dictionary(zip(map.patternPositions, map.patternPositions.indices)) { first, _ in first }
        return document.entries(ofTableAt: map.position)
            .compactMap { entry in
                let key = entry.directive.name
                let number = key.bytes.first == UInt8(ascii: "~") ? expressions[key.position] : nil
                return value(of: key, number, in: map)
                    .map { MapEntry(key: key, expression: number, value: $0, written: entry.arguments[0]) }
            }
    }

    /// The template of a map's entry; nil for a word that is not one.
    private static func value(of word: Word, _ number: Int?, in map: ValueMap) -> TemplateIndex? {
        var key = word.bytes
        if key.elementsEqual("default".utf8) { return map.defaultValue.isNone ? nil : map.defaultValue }
        if key.first == UInt8(ascii: "~") { return number.map { map.patternValues[$0] } }
        if key.first == UInt8(ascii: "\\") { key.removeFirst() }
        guard let hosts = map.hosts, let name = HostNamePattern(key) else {
            return map.literals.value(key.span).map { TemplateIndex($0) }
        }
        return hosts.value(of: name.someHost.span).map { TemplateIndex($0) }
    }

    private static func entries(
        of geo: AddressMap,
        index: Int,
        document: RuleDocument,
        _ isWanted: (SourcePosition) -> Bool
    ) -> [(position: SourcePosition, target: CoverageTarget)] {
        let keys = document.entries(ofTableAt: geo.position).map(\.directive.name)
        guard keys.contains(where: { isWanted($0.position) }) else { return [] }
        let ranges = keys.map { AddressSamples.Range($0.bytes) }
        // Of two entries for the same addresses the later one counts.
        let last = Dictionary(zip(ranges, keys).compactMap { range, key in range.map { ($0, key) } }) { $1 }
        let samples = AddressSamples(ranges.compactMap { $0 })
        var found: [(position: SourcePosition, target: CoverageTarget)] = []
        for (key, range) in zip(keys, ranges) where isWanted(key.position) {
            if let range, let other = last[range], other.position != key.position {
                found.append((key.position, .hiddenEntry(by: [other.position])))
                continue
            }
            let isDefault = key.text == "default"
            guard range != nil || isDefault else { continue }
            let sample = isDefault ? samples.outside : range.flatMap(samples.within)
            if let sample, let value = geo.value(for: sample) {
                found.append((key.position, .addressEntry(index, value: value, sample)))
            } else {
                let others = zip(keys, ranges)
                    .filter { other, places in
                        other.position != key.position && places.map { range?.meets($0) ?? true } == true
                    }
                    .map(\.0.position)
                found.append((key.position, .hiddenEntry(by: others)))
            }
        }
        return found
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
