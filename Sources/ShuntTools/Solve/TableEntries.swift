import Shunt

/// The entries of the tables of a rule set: of each `map`, `geo` and `split_clients`.
enum TableEntries {
    /// Each wanted entry with its place and what has to be seen for it, in the order of the tables.
    static func all(
        of model: RuleModel,
        where isWanted: (SourcePosition) -> Bool = { _ in true }
    ) -> [(position: SourcePosition, target: CoverageTarget)] {
        var found: [(position: SourcePosition, target: CoverageTarget)] = []
        for map in model.maps {
            for entry in map.entries where isWanted(entry.key.position) {
                found.append((entry.key.position, .mapEntry(map, at: entry.key.position)))
            }
        }
        for table in model.addressTables { found += entries(of: table, isWanted) }
        for split in model.splits {
            let count = split.values.count
            for (number, entry) in split.entries.enumerated() where number < count && isWanted(entry.position) {
                found.append((entry.position, .share(split, at: entry.position, number)))
            }
        }
        return found
    }

    /// The places of all entries.
    static func positions(of model: RuleModel) -> [SourcePosition] {
        let tables = model.maps.map(\.position) + model.addressTables.map(\.position) + model.splits.map(\.position)
        return tables.flatMap { model.document.entries(ofTableAt: $0).map(\.position) }
    }

    private static func entries(
        of geo: RuleModel.AddressTable,
        _ isWanted: (SourcePosition) -> Bool
    ) -> [(position: SourcePosition, target: CoverageTarget)] {
        let keys = geo.entries.map(\.directive.name)
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
            let sample =
                isDefault
                ? samples.outside : range.flatMap { samples.within($0) { geo.place(for: $0) == key.position } }
            if let sample, geo.value(for: sample) != nil {
                found.append((key.position, .addressEntry(geo, at: key.position, sample)))
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
