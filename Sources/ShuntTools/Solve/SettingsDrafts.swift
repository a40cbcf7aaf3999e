import Shunt

/// The requirements for a request that a setting decides: an `allow` or a `deny`, an `error_page`, a `try_files`, a
/// `proxy_pass`.
struct SettingsDrafts {
    private let goals: GoalDrafts
    private let places: SettingsPlaces
    private var model: RuleModel { goals.model }
    /// The most places with a setting that are tried.
    private let most = 32

    init(_ goals: GoalDrafts) {
        self.goals = goals
        places = SettingsPlaces(goals.model)
    }

    /// The ways to the setting that is at a place in the files; none if no setting is there.
    func ways(toSettingAt position: SourcePosition) -> [DraftedWay] {
        if let (rules, number) = accessRule(at: position) { return ways(toAccessRule: number, of: rules) }
        if let files = model.triedFiles.first(where: { $0.position == position }) {
            return places.places(of: files).prefix(most).flatMap(ways)
        }
        if let proxy = model.proxies.first(where: { $0.position == position }) {
            let ways = places.places(of: proxy).prefix(most).flatMap(ways)
            // What `try_files` is asked for first has to be there.
            return ways
                + ways.map { way in
                    var way = way
                    way.draft.needsFiles = true
                    return way
                }
        }
        for list in model.errorPages {
            let codes = list.pages.filter { $0.position == position }.map(\.code)
            if !codes.isEmpty { return ways(to: list, for: codes) }
        }
        return []
    }

    /// The ways to any server and location.
    var anywhere: [DraftedWay] { places.all.prefix(most).flatMap(ways) }

    private func ways(to place: SettingsPlaces.Place) -> [DraftedWay] {
        switch place {
        case .server(let server): return goals.drafts(server: server).map { DraftedWay(.server(server), $0) }
        case .location(let location):
            return goals.drafts(location: location).map { DraftedWay(.location(location), $0) }
        case .branch(let step):
            return goals.drafts(around: step, with: []).map { DraftedWay(.step(step), $0) }
        case .methods(let methods, let location):
            // What is let in with GET is let in with HEAD.
            let isGet = methods.contains(Array("GET".utf8))
            let test = ValueTest(.isAny(of: methods + (isGet ? [Array("HEAD".utf8)] : [])), negated: true)
            return ways(to: .location(location)).map { DraftedWay($0.goal, $0.draft.adding(.method, test)) }
        }
    }

    // MARK: Addresses

    private func accessRule(at position: SourcePosition) -> (list: RuleModel.AccessRules, number: Int)? {
        for list in model.accessRules {
            if let number = list.rules.firstIndex(where: { $0.position == position }) { return (list, number) }
        }
        return nil
    }

    /// Addresses that a rule is the first for: those at the bounds of networks.
    private func addresses(of number: Int, in rules: [AccessRule]) -> [InternetAddress] {
        let before = rules[..<number].compactMap(\.range)
        let own = rules[number].range
        let samples = AddressSamples([own].compactMap { $0 } + rules.compactMap(\.range))
        guard let own else { return samples.outside.map { [$0] } ?? [] }
        return samples.all(in: own, outside: before)
    }

    private func ways(toAccessRule number: Int, of list: RuleModel.AccessRules) -> [DraftedWay] {
        let rules = list.rules
        if case .unix = rules[number].scope { return [] }
        return ways(places.places(of: list), from: addresses(of: number, in: rules))
    }

    private func ways(_ places: [SettingsPlaces.Place], from addresses: [InternetAddress]) -> [DraftedWay] {
        let ways = places.prefix(most).flatMap(ways)
        return addresses.flatMap { address in
            let test = ValueTest(.equals(Array(address.description.utf8)))
            return ways.map { DraftedWay($0.goal, $0.draft.adding(.address, test)) }
        }
    }

    /// The rules before an `allow` or `deny` that take all of its addresses; nil if it has some for itself, or is not
    /// such a rule.
    func covers(ofAccessRuleAt position: SourcePosition) -> [SourcePosition]? {
        guard let (list, number) = accessRule(at: position) else { return nil }
        let rules = list.rules
        guard let own = rules[number].range, addresses(of: number, in: rules).isEmpty else { return nil }
        return rules[..<number].filter { rule in rule.range.map { $0.meets(own) } ?? (rule.scope.isAll) }
            .map(\.position)
    }

    /// Ways to requests from just outside of the network of an `allow` or `deny`.
    func waysBeside(accessRuleAt position: SourcePosition) -> [DraftedWay] {
        guard let (list, number) = accessRule(at: position), let own = list.rules[number].range
        else { return [] }
        return ways(places.places(of: list), from: own.neighbours)
    }

    // MARK: Pages for errors

    private func ways(to pages: RuleModel.ErrorPages, for codes: [Int]) -> [DraftedWay] {
        let places = places.places(of: pages).prefix(most)
        var found: [DraftedWay] = []
        for step in model.steps {
            guard let answer = step.answer, codes.contains(answer.status), found.count < most else { continue }
            found += goals.drafts(for: .step(step)).prefix(1).map { DraftedWay(.step(step), $0) }
        }
        if codes.contains(403) {
            for list in model.accessRules {
                for (number, rule) in list.rules.enumerated() where !rule.allows && found.count < 2 * most {
                    found += ways(toAccessRule: number, of: list)
                }
            }
        }
        for way in places.flatMap(ways) {
            found.append(way)
            // Nothing that is asked for is there.
            var other = way
            other.draft.files = ["/a"]
            found.append(other)
            if codes.contains(405) {
                let method = ValueTest(.equals(Array("DELETE".utf8)))
                found.append(DraftedWay(way.goal, other.draft.adding(.method, method)))
            }
        }
        return found
    }
}

/// The requirements for a request, and the place it passes.
struct DraftedWay {
    /// The goal that the draft is made for; nil where nothing has to be kept out of its way.
    var goal: RuleGoal?
    var draft: RequestDraft

    init(_ goal: RuleGoal?, _ draft: RequestDraft) {
        self.goal = goal
        self.draft = draft
    }
}

extension AccessRule.Scope {
    fileprivate var isAll: Bool { if case .all = self { true } else { false } }
}
