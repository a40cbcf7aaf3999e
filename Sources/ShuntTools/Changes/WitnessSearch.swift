public import Shunt

/// Looks for requests that a change of rules concerns: such as the changed rules decide, and such as they just do not.
///
/// What no log has, a change may still do: each rule that was added, edited or removed is asked for examples, in the
/// set that has it. Both engines decide whether an outcome changes. The work is bounded by `AnalysisLimits`, and the
/// same sets have the same requests.
public struct WitnessSearch: Sendable {
    /// The most changed rules of a set that are asked for examples.
    public static let ruleLimit = 500
    /// The most words of a rule that are read as networks.
    private static let wordLimit = 16
    /// The most pairs of rules of a file in another order for which requests are looked for that both take.
    private static let pairLimit = 500

    /// The time of requests in which no rule asks for another one.
    let time: Timestamp
    let limits: AnalysisLimits
    /// The requests that were found, each with weight 1.
    public private(set) var requests: [RequestDescription] = []
    private var known: Set<[UInt8]> = []
    /// The requests of each changed rule, and of the rules around changed blocks.
    private var origins: [[RequestDescription]] = []
    /// The changed rules of which no request is known that they decide, by their texts: settings, blocks, and rules for which none
    /// was found.
    public private(set) var unjudged: [RuleChanges.Rule] = []
    /// The changed entries of tables that take more values than a few requests can show, expressions and shares, and the added and
    /// removed rules that requests reach.
    ///
    /// These may change an outcome even if no generated request shows it.
    public internal(set) var unshown: [RuleChanges.Rule] = []

    /// Looks for requests.
    ///
    /// - Parameters:
    ///   - changes: The differences of the sets, as `StructureDifference` finds them.
    ///   - old: The present rules.
    ///   - new: The rules as they would be.
    ///   - time: The time of requests in which no rule asks for another one.
    ///   - limits: The bounds on the work.
    public init(
        for changes: RuleChanges,
        from old: LoadedRules,
        to new: LoadedRules,
        asOf time: Timestamp,
        limits: AnalysisLimits = AnalysisLimits()
    ) {
        self.time = time
        self.limits = limits
        let before = changes.removed + changes.edited.map(\.before)
        let removed = Set(changes.removed.map(\.location))
        search(before, lone: removed, reordered: changes.reordered, in: old)
        let after = changes.added + changes.edited.map(\.after)
        search(after, lone: Set(changes.added.map(\.location)), reordered: [], in: new)
        searchEntries(before, in: old, after, in: new)
        searchSettings(changes, from: old, to: new)
        addVariations(from: old, to: new)
    }

    /// The requests by the rules that they were made for, which nothing needs after the search.
    mutating func takeOrigins() -> [[RequestDescription]] {
        defer { origins = [] }
        return origins
    }

    /// Notes that a request shows the change of rules, so that they are judged.
    mutating func judge(_ rules: [RuleChanges.Rule]) { unjudged.removeAll(where: rules.contains) }

    mutating func add(_ request: RequestDescription) {
        if known.insert(request.json).inserted { requests.append(request) }
    }

    /// The addresses at the bounds of the networks that a rule names, and next to them.
    private static func addresses(at text: String) -> [InternetAddress] {
        let words = text.split { " \t;,{}".contains($0) }.prefix(Self.wordLimit)
        return words.compactMap { AddressSamples.Range(Array($0.utf8)) }
            .flatMap { [$0.first, $0.last] + $0.neighbours }
    }

    /// The place by which a rule is found: files that are compared line by line may have several entries on one.
    static func place(_ location: SourceLocation) -> SourceLocation {
        var place = location
        if !place.file.hasSuffix(".conf") { place.column = 1 }
        return place
    }

    /// The changed rules of a set by their places in it, at most `ruleLimit`.
    static func places(of rules: [RuleChanges.Rule], in set: LoadedRules) -> [SourceLocation: RuleChanges.Rule] {
        var places: [SourceLocation: RuleChanges.Rule] = [:]
        let model = set.ruleSet.model
        // A row of JSON may have several lines.
        let lists = model.redirectLists.filter(\.form.isJSON)
        let rows = Dictionary(grouping: lists.flatMap(\.positions)) { model.location(of: $0)?.file ?? "" }
        for rule in rules.prefix(ruleLimit) {
            var location = rule.location
            location.file = StructureDifference.name(of: location.file, in: set.archive)
            if let row = rows[location.file]?.last(where: { Int($0.line) <= location.line }) {
                location.line = Int(row.line)
            }
            places[place(location)] = rule
        }
        return places
    }

    /// Returns true if a directive is in no block, so that it may set something for the rules of all files.
    private static func isForAll(_ place: SourceLocation, in ruleSet: RuleSet) -> Bool {
        guard let position = ruleSet.model.position(of: place),
            let node = ruleSet.document.directive(at: position), node.directive.block == nil
        else { return false }
        return node.parent < 0 || ruleSet.document.nodes[node.parent].name == "http"
    }

    /// Adds requests that two rules of a file in another order take.
    private mutating func addOverlaps(of places: [SourceLocation], in ruleSet: RuleSet) {
        guard !places.isEmpty else { return }
        let search = KillingRequestSearch(ruleSet, limits: limits, asOf: time)
        let model = ruleSet.model
        let positions = places.compactMap(model.position(of:))
        var left = Self.pairLimit
        for (index, position) in positions.enumerated() {
            for other in positions[(index + 1)...].prefix(left) {
                left -= 1
                for request in search.overlaps(of: position, and: other) { add(request) }
            }
        }
    }

    /// The places of the rows and lines of lists that are for more requests than a few can show.
    private static func openRows(in model: RuleModel) -> Set<SourceLocation> {
        var positions: [SourcePosition] = []
        for rule in model.listRules where rule.entries.kind != .urls { positions += rule.entries.positions }
        for list in model.redirectLists {
            positions +=
                list.form == .bulk
                ? list.positions : list.groups.flatMap { $0.patternRows.map { list.position(of: Int($0)) } }
        }
        return Set(positions.compactMap { model.location(of: $0) }.map(place))
    }

    /// The places of the rows that lists leave out, which decide nothing.
    private static func unusedRows(in model: RuleModel) -> [SourceLocation] {
        model.redirectLists.flatMap { list in
            list.rows.filter(\.isLeftOut)
                .compactMap { model.location(of: SourcePosition(file: list.file, line: $0.line, column: $0.column)) }
                .map(place)
        }
    }

    private mutating func search(
        _ rules: [RuleChanges.Rule],
        lone: Set<SourceLocation>,
        reordered: [String],
        in set: LoadedRules
    ) {
        guard !rules.isEmpty || !reordered.isEmpty else { return }
        var options = ExampleSearch.Options()
        options.hits = 3
        options.misses = 8
        var places = Self.places(of: rules, in: set)
        for place in Self.unusedRows(in: set.ruleSet.model) { places[place] = nil }
        unjudged += rules.dropFirst(Self.ruleLimit)
        let search = ExampleSearch(set.ruleSet, options: options, limits: limits, asOf: time)
        let moved = Set(reordered.map { StructureDifference.name(of: $0, in: set.archive) })
        let inOrder = (search.rules + search.entries).filter { moved.contains($0.file) }.prefix(Self.ruleLimit)
        addOverlaps(of: Array(inOrder), in: set.ruleSet)
        let reachable = Set(inOrder)
        let open = Self.openRows(in: set.ruleSet.model)
        var judged: Set<SourceLocation> = []
        for found in search.examples(where: { places[Self.place($0)] != nil || reachable.contains($0) }) {
            for example in found.hits + found.misses { add(example.request) }
            origins.append(found.hits.map(\.request))
            if let hit = found.hits.first, let rule = places[Self.place(found.rule)] {
                for address in Self.addresses(at: rule.text) {
                    var other = hit.request
                    other.request.remoteAddress = "\(address)"
                    add(other)
                }
            }
            if !found.hits.isEmpty || !found.covers.isEmpty { judged.insert(Self.place(found.rule)) }
            // Another request of an added or removed rule may have another outcome, whatever these have.
            guard let rule = places[Self.place(found.rule)], !found.hits.isEmpty else { continue }
            if open.contains(Self.place(found.rule)) || lone.contains(rule.location) { unshown.append(rule) }
        }
        let left = places.filter { !judged.contains($0.key) }.sorted { $0.key.isBefore($1.key) }
        let hosts = addHosts(onLines: left.map(\.value), in: set.ruleSet)
        for (place, rule) in left where hosts.contains(rule) {
            judged.insert(place)
            if lone.contains(rule.location) { unshown.append(rule) }
        }
        unjudged += places.filter { !judged.contains($0.key) }.map(\.value)
            .sorted { $0.location.isBefore($1.location) }
        // Blocks and settings apply to other rules of the same files around them, and those for the set to all files.
        let files = Set(places.keys.map(\.file))
        let isForAll = places.keys.contains { !judged.contains($0) && Self.isForAll($0, in: set.ruleSet) }
        let others = Set(
            search.rules.filter { (isForAll || files.contains($0.file)) && places[Self.place($0)] == nil }
                .prefix(Self.ruleLimit)
        )
        guard !unjudged.isEmpty, !others.isEmpty else { return }
        var few = ExampleSearch.Options()
        few.hits = 1
        let around = ExampleSearch(set.ruleSet, options: few, limits: limits, asOf: time)
        for found in around.examples(where: { others.contains($0) }) {
            for example in found.hits { add(example.request) }
            origins.append(found.hits.map(\.request))
        }
    }

    /// The most variations that are kept of the requests of one rule.
    private static let mostKept = 2
    /// The most hosts of servers that are tried for a request.
    private static let mostHosts = 16

    /// Adds requests whose outcome changes, for the rules none of whose requests has another one.
    mutating func addVariations(from old: LoadedRules, to new: LoadedRules) {
        let origins = takeOrigins()
        guard !origins.isEmpty else { return }
        var difference = RuleDifference(from: old.ruleSet, to: new.ruleSet, asOf: time)
        func changes(_ request: RequestDescription) -> Bool { difference.changes(request) }
        let hosts = Set([old, new].flatMap { Self.hosts(of: $0.ruleSet.document) }).sorted().prefix(Self.mostHosts)
            .map { Array($0.utf8) }
        for requests in origins where !requests.contains(where: changes) {
            var left = Self.mostKept
            for request in requests.prefix(1).flatMap({ RequestVariations.near($0, hosts: hosts) })
            where changes(request) {
                add(request)
                left -= 1
                if left == 0 { break }
            }
        }
    }

    /// The names of servers without wildcards.
    private static func hosts(of document: RuleDocument) -> [String] {
        (document.named["server_name"] ?? []).flatMap { document.nodes[$0].arguments.map(\.text) }
            .filter { name in name.contains(".") && name.allSatisfy { $0.isLetter || $0.isNumber || ".-".contains($0) }
            }
    }
}
