import Shunt

/// The part of a request that a map reads, where a key can be put into it.
enum KeyedPart {
    /// The path, decoded.
    case path
    /// The path and the query as they were sent.
    case target
    case host
    /// The Host as it was sent, with its port.
    case sentHost
    /// The path, and the query after it.
    case pathAndQuery
    /// The host and the path after it.
    case hostAndPath
    /// The host, and the path and the query as they were sent.
    case hostAndTarget

    var hasHost: Bool { [.host, .sentHost, .hostAndPath, .hostAndTarget].contains(self) }

    /// Nil for a source that is made of something else.
    init?(_ source: RuleModel.Template) {
        if case .requestHeader(let name) = source.onlyVariable?.source, name.elementsEqual("host".utf8) {
            self = .sentHost
            return
        }
        switch source.pieces.map({ $0.variable?.builtin }) {
        case [.uri]: self = .path
        case [.requestURI]: self = .target
        case [.host]: self = .host
        case [.uri, .isArguments, .arguments]: self = .pathAndQuery
        case [.host, .uri]: self = .hostAndPath
        case [.host, .requestURI]: self = .hostAndTarget
        default: return nil
        }
    }

    /// A request like another one that has a key there; nil for a key that no request has there.
    func request(like description: RequestDescription, with key: [UInt8]) -> RequestDescription? {
        let slash = key.firstIndex(of: UInt8(ascii: "/"))
        switch self {
        case .path where slash == 0: return description.asking(path: key)
        case .target where slash == 0 && !key.contains { $0 <= 0x20 }: return description.asking(target: key)
        case .host where slash == nil && !key.isEmpty, .sentHost where slash == nil && !key.isEmpty:
            return description.asking(host: key)
        case .pathAndQuery where slash == 0:
            let path = key.prefix { $0 != UInt8(ascii: "?") }
            return description.asking(target: RequestAssembly.encoded(Array(path)) + key[path.endIndex...])
        case .hostAndPath, .hostAndTarget:
            guard let slash, slash > 0 else { return nil }
            let path = Array(key[slash...])
            let asked = self == .hostAndPath ? description.asking(path: path) : description.asking(target: path)
            return asked?.asking(host: Array(key[..<slash]))
        default: return nil
        }
    }
}

extension Redirects {
    /// The most entries of a map for which a request has to be searched, and the most rows of a list.
    private static let mostSearches = 500

    /// The walks in circles that begin at rows of lists.
    ///
    /// Rows without wildcards are followed within their list when it is compiled; other rules lead on from them as well.
    static func walks(throughListsOf subject: LintSubject) -> [Walk] {
        let lists = subject.model.redirectLists
        let leadOn = lists.count > 1 || subject.rules.contains(where: subject.redirects)
        var places = Set<SourcePosition>()
        var patterns = Set<SourcePosition>()
        for list in lists {
            func place(_ row: Int) -> SourcePosition {
                let row = list.rows[row]
                return SourcePosition(file: list.file, line: row.line, column: row.column)
            }
            patterns.formUnion(list.groups.flatMap(\.patternRows).prefix(mostSearches).map { place(Int($0)) })
            if leadOn { places.formUnion(list.rows.indices.prefix(mostSearches).map(place)) }
        }
        places.formUnion(patterns)
        guard !places.isEmpty else { return [] }
        let requests = ListRequests(subject.model) { places.contains($0) }
        return places.sorted()
            .compactMap { place in
                for request in requests.requests(at: place).flatMap({ [$0, Self.plain($0)] }) {
                    guard var walk = walk(request, at: place, through: place, subject) else { continue }
                    if patterns.contains(place) { return walk }
                    walk.isEntry = true
                    if walk.walk.hops.contains(where: { $0.decision.position.file != place.file }) { return walk }
                }
                return nil
            }
    }

    /// The walk of a request for an entry or a row, which a rule redirects; nil for another request, and where it arrives.
    private static func walk(
        _ request: RequestDescription,
        at position: SourcePosition,
        through rule: SourcePosition,
        _ subject: LintSubject
    ) -> Walk? {
        let first = subject.quickDecision(request)
        guard first.decision.position == rule, first.decision.kind == .redirect else { return nil }
        let walk = RedirectWalk(first, subject)
        return walk.isArrived ? nil : Walk(position: position, rule: rule, walk: walk, isOfTable: true)
    }

    /// The same request without TLS.
    private static func plain(_ description: RequestDescription) -> RequestDescription {
        guard case .url(let url) = description.request.subject, url.starts(with: "https:".utf8) else {
            return description
        }
        return description.changed { $0.subject = .url(Array("http".utf8) + url.dropFirst(5)) }
    }

    /// The walks that begin at the entries of the maps which a rule takes its target from; nil where it takes it from
    /// none.
    ///
    /// There is one for each entry that is redirected more than once, or to itself; of a table of other parts of a
    /// request the walks in circles alone, and nil where there are none. `sighting` reaches the rule. It takes time
    /// linear in the number of entries.
    static func walks(
        throughTablesOf target: RuleModel.Template,
        of rule: SourcePosition,
        like sighting: Sighting,
        _ subject: LintSubject
    ) -> [Walk]? {
        let pieces = target.pieces
        let maps = Set(pieces.flatMap { $0.variable?.maps ?? [] })
        let isPlain = pieces.allSatisfy { if case .literal = $0 { true } else { $0.variable?.maps.isEmpty == false } }
        guard maps.count == 1, let map = maps.first else { return nil }
        let part = KeyedPart(map.source)
        var found: [Walk] = []
        let targets = TargetSolver(subject.solver)
        var searches = 0
        for entry in map.entries {
            guard let part, entry.expression == nil, !entry.key.bytes.elementsEqual("default".utf8) else {
                guard searches < mostSearches else { continue }
                searches += 1
                let reached = CoverageTarget.mapEntry(map, at: entry.key.position)
                let request = targets.request(reaching: reached)
                if let walk = request.flatMap({ walk($0, at: entry.key.position, through: rule, subject) }) {
                    found.append(walk)
                }
                continue
            }
            guard let request = part.request(like: sighting.request, with: entry.key.plainKey) else { continue }
            let first = subject.quickDecision(request)
            guard first.decision.position == rule, first.decision.kind == .redirect,
                let next = subject.next(after: first)
            else { continue }
            let isItself = next.url == subject.url(of: request.request)
            guard isItself || subject.next(after: subject.quickDecision(next.0)) != nil else { continue }
            found.append(
                Walk(
                    position: entry.key.position,
                    rule: rule,
                    walk: RedirectWalk(first, subject),
                    isConstant: isPlain && entry.value.isConstant,
                    isEntry: true,
                    isOfTable: true,
                    isForAllHosts: !part.hasHost,
                    isForPath: part == .path
                )
            )
        }
        return part == nil && found.isEmpty ? nil : found
    }
}

extension RuleModel.Variable {
    /// The map that makes the value, or those whose values a `set` takes.
    var maps: Set<RuleModel.Map> {
        var (open, known, found) = ([self], Set([self]), Set<RuleModel.Map>())
        while let variable = open.popLast() {
            if let map = variable.map { found.insert(map) }
            for other in variable.assignments.flatMap({ $0.value?.pieces ?? [] }).compactMap(\.variable)
            where known.insert(other).inserted {
                open.append(other)
            }
        }
        return found
    }
}

extension Word {
    /// The text that a key of a map stands for.
    var plainKey: [UInt8] { bytes.first == UInt8(ascii: "\\") ? Array(bytes.dropFirst()) : bytes }
}

extension LintSubject {
    /// Asks the engine for the decision alone.
    func quickDecision(_ description: RequestDescription) -> LintWitness {
        guard description.files.isEmpty else { return decide(description) }
        return LintWitness(request: description, decision: solver.engine.decide(solver.served(description.request)))
    }
}
