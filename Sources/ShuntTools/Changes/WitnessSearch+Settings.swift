import Shunt

extension WitnessSearch {
    /// The directives that decide through others only, whatever requests of those show.
    private static let indirect: Set<Substring> = [
        "location", "route", "routing", "merge_slashes", "set_real_ip_from", "real_ip_header", "real_ip_recursive",
        "valid_referers", "listen", "underscores_in_headers", "ignore_invalid_headers",
    ]
    /// The most requests that are kept for one directive on either side, and the most directives.
    private static let mostKept = 2
    private static let mostDirectives = 100
    /// The most pairs of expressions of maps in another order.
    private static let mostPairs = 500

    /// Adds requests whose outcome a changed location, route or setting changes, or another order of locations and of the
    /// expressions of a map.
    mutating func searchSettings(_ changes: RuleChanges, from old: LoadedRules, to new: LoadedRules) {
        let pairs =
            changes.edited.map { (before: Optional($0.before), after: Optional($0.after)) }
            + changes.removed.map { ($0, nil) } + changes.added.map { (nil, $0) }
        let unknown = Set(unjudged)
        let wanted = pairs.filter { pair in
            [pair.before, pair.after].compactMap { $0 }
                .contains { unknown.contains($0) || Self.indirect.contains($0.text.prefix { $0 != " " }) }
        }
        guard !wanted.isEmpty || !changes.reordered.isEmpty else { return }
        var difference = RuleDifference(from: old.ruleSet, to: new.ruleSet, asOf: time)
        func isShown(_ request: RequestDescription) -> Bool { difference.changes(request) }
        let sets = [old, new]
        let sides = sets.map { SettingRequests($0.ruleSet, limits: limits, asOf: time) }
        let proxies = SettingRequests.Proxies(sets.map(\.ruleSet.document))
        let bases = Array((requests.prefix(SettingRequests.mostBases) + sides.flatMap(\.anywhere)))
        // What one change alone does is done by it.
        let isAlone = changes.editedCount + changes.addedCount + changes.removedCount == 1 && changes.reordered.isEmpty
        for pair in wanted.prefix(Self.mostDirectives) {
            let places = zip([pair.before, pair.after], sets)
                .map { rule, set in rule.flatMap { Self.position(of: $0, in: set) } }
            var kept = isAlone && requests.prefix(SettingRequests.mostBases).contains(where: isShown) ? 1 : 0
            for (number, side) in sides.enumerated() {
                guard let position = places[number] else { continue }
                let other =
                    places[1 - number].map { side.requests(at: position, unlike: (sides[1 - number], $0)) } ?? []
                let shown = (other + side.requests(at: position, bases: bases, proxies: proxies)).lazy.filter(isShown)
                for request in shown.prefix(Self.mostKept) {
                    add(request)
                    kept += 1
                }
            }
            if kept > 0 { judge([pair.before, pair.after].compactMap { $0 }) }
        }
        for (set, side) in zip(sets, sides) where !changes.reordered.isEmpty {
            let files = Set(changes.reordered.map { StructureDifference.name(of: $0, in: set.archive) })
            for request in requests(ofOrderIn: files, set.ruleSet, side) where isShown(request) { add(request) }
        }
    }

    static func position(of rule: RuleChanges.Rule, in set: LoadedRules) -> SourcePosition? {
        var location = rule.location
        location.file = StructureDifference.name(of: location.file, in: set.archive)
        return set.ruleSet.model.position(of: location)
    }

    /// Requests that two locations of a level take, or two expressions of a map, if one of them is in one of the files.
    private func requests(
        ofOrderIn files: Set<String>,
        _ ruleSet: RuleSet,
        _ side: SettingRequests
    ) -> [RequestDescription] {
        let model = ruleSet.model
        func isMoved(_ position: SourcePosition) -> Bool {
            model.location(of: position).map { files.contains($0.file) } ?? false
        }
        var found: [RequestDescription] = []
        for location in model.locations.filter({ $0.expression != nil && isMoved($0.position) }).prefix(64) {
            found += side.requests(for: location)
        }
        let solver = TargetSolver(ruleSet, limits: limits, asOf: time)
        var left = Self.mostPairs
        for map in model.maps {
            let entries = map.expressions
            for (index, entry) in entries.enumerated() where isMoved(entry.position) {
                for other in entries[(index + 1)...].prefix(left) where other.value.constant != entry.value.constant {
                    left -= 1
                    let target = CoverageTarget.mapEntry(map, at: entry.position)
                    found += solver.requests(
                        reaching: target,
                        count: 1,
                        passing: [ValueTest(.matches(other.expression))]
                    )
                }
            }
        }
        return found
    }
}
