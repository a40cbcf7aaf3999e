import ShuntPatterns
import ShuntRules

/// Turns tests of variables into tests of what a request has.
///
/// Each question may have several answers, each a draft: the first is the likeliest. Only so many are followed.
struct ValueReducer {
    let model: RuleModel
    let checker: ValueChecker
    /// The rule from which is looked: what comes before it may have set variables; nil where no rule is.
    let place: RuleModel.Step?
    let alternatives = 8
    private let maximumDepth = 6

    init(_ model: RuleModel, checker: ValueChecker, place: RuleModel.Step?) {
        self.model = model
        self.checker = checker
        self.place = place
    }

    private var isInURLPhase: Bool { place?.sequence?.owner == .urlPhase }

    // MARK: Conditions and matchers

    /// The drafts in which a test comes out as it has to.
    func drafts(_ draft: RequestDraft, _ test: RuleModel.Guard, depth: Int = 0) -> [RequestDraft] {
        switch test {
        case .matcher(let matcher, let outcome): drafts(draft, matcher: matcher, outcome)
        case .condition(let condition, let outcome):
            drafts(draft, condition: condition, outcome, depth: depth)
        }
    }

    private func drafts(
        _ draft: RequestDraft,
        condition: RuleModel.Condition,
        _ outcome: Bool,
        depth: Int
    ) -> [RequestDraft] {
        switch condition.kind {
        case .isFile, .isDirectory, .exists, .isExecutable:
            var draft = draft
            // Without files every test for one fails.
            if condition.isNegated != outcome {
                draft.needsFiles = true
                draft.needsDirectories = condition.kind == .isDirectory
            }
            return [draft]
        case .matches where condition.expression == nil: return [draft]
        default: break
        }
        guard let variable = condition.variable else { return [draft] }
        guard let test = Self.test(condition, outcome) else { return [unsolved(draft, variable)] }
        return drafts(draft, variable: variable, test: test, depth: depth)
    }

    /// The test of the variable of a condition; nil for a test of files, and where the bound is not known.
    static func test(_ condition: RuleModel.Condition, _ outcome: Bool) -> ValueTest? {
        let kind: ValueTest.Kind
        switch condition.kind {
        case .isFile, .isDirectory, .exists, .isExecutable: return nil
        case .truthy: kind = .truthy
        case .matches:
            guard let expression = condition.expression else { return nil }
            kind = .matches(expression)
        case .equal:
            guard let text = condition.text?.constant else { return nil }
            kind = .equals(text)
        case .less, .lessOrEqual, .greater, .greaterOrEqual:
            switch condition.comparison {
            case .moment(let bound): kind = .moment(condition.kind, bound)
            case .timeOfDay(let bound): kind = .timeOfDay(condition.kind, bound)
            case .version:
                guard let text = condition.text?.constant else { return nil }
                kind = .version(condition.kind, text)
            }
        }
        return ValueTest(kind, negated: condition.isNegated == outcome)
    }

    private func unsolved(_ draft: RequestDraft, _ variable: RuleModel.Variable?) -> RequestDraft {
        var draft = draft
        if let variable { draft.unsolved.append(variable.name) }
        return draft
    }

    /// The drafts in which a matcher holds for the URL, or does not.
    func drafts(_ draft: RequestDraft, matcher: RuleModel.URLMatcher, _ outcome: Bool) -> [RequestDraft] {
        if let expression = matcher.expression {
            return [draft.adding(.url, ValueTest(.matches(expression), negated: !outcome))]
        }
        var tests: [ValueTest] = []
        for name in matcher.hostNames.prefix(outcome ? alternatives : 64) {
            tests.append(ValueTest(name, isWanted: outcome, limits: checker.limits.expression))
        }
        for expression in matcher.hostExpressions.prefix(outcome ? alternatives : 64) {
            tests.append(ValueTest(.matches(expression)))
        }
        if outcome { return tests.flatMap { urlPart(.host, draft: draft, test: $0) } }
        var draft = draft
        for var test in tests {
            test.isNegated = true
            guard let next = urlPart(.host, draft: draft, test: test).first else { return [] }
            draft = next
        }
        return [draft]
    }

    /// The draft in which a part of the URL passes a test.
    private func urlPart(_ part: URLPart, draft: RequestDraft, test: ValueTest) -> [RequestDraft] {
        do throws(AutomatonRefusal) {
            guard let language = try checker.language(of: test) else { return [draft] }
            let urls = try part.urls(having: language, checker).automaton(limits: checker.limits.proof)
            return urls.isEmpty ? [] : [draft.adding(.url, ValueTest(.isIn(urls)))]
        } catch {
            return [draft]
        }
    }

    // MARK: Variables

    /// The drafts in which a variable passes a test.
    func drafts(
        _ draft: RequestDraft,
        variable: RuleModel.Variable,
        test: ValueTest,
        depth: Int = 0
    ) -> [RequestDraft] {
        guard depth < maximumDepth else { return [unsolved(draft, variable)] }
        if let found = assigned(draft, variable: variable, test: test, depth: depth) { return found }
        switch variable.source {
        case .builtin(let builtin): return drafts(draft, builtin: builtin, test) ?? [unsolved(draft, variable)]
        case .requestHeader(let name):
            let isHost = !isInURLPhase && name.elementsEqual("host".utf8)
            return [draft.adding(isHost ? .host : .header(name), test)]
        case .cookie(let name): return [draft.adding(.cookie(name), test)]
        case .argument(let name): return [draft.adding(.argument(name), test)]
        case .input(let name): return [draft.adding(.input(name), test)]
        case .external: return [draft.adding(.input(variable.name), test)]
        case .map(let map): return drafts(draft, map: map, test: test, depth: depth)
        case .geo(let table): return drafts(draft, geo: table, test: test)
        case .split(let split): return drafts(draft, split: split, test: test, depth: depth)
        case .assigned, .responseHeader, .upstreamHeader:
            // Nothing sets it here but the captures of an expression: the request that is tried shows which.
            if checker.passes([], test) { return [draft] }
            let found = captured(draft, variable: variable, passing: test)
            return found.isEmpty ? [unsolved(draft, variable)] : found
        }
    }

    /// The drafts in which an expression of the location or the server around the place captures what passes.
    private func captured(
        _ draft: RequestDraft,
        variable: RuleModel.Variable,
        passing test: ValueTest
    ) -> [RequestDraft] {
        let names = model.listens.flatMap(\.expressions).filter { $0.server == place?.sequence?.server }
            .map(\.expression)
        let paths = place?.sequence?.location?.chain.compactMap(\.expression) ?? []
        let places = paths.map { (RequestSource.path, $0) } + names.map { (RequestSource.host, $0) }
        return places.flatMap { source, expression in
            expression.captures.filter { $0.variable == variable }
                .compactMap { group, _ in
                    guard let value = ValueSearch(checker: checker).values([test]).first,
                        let tree = checker.tree(of: expression)?.withoutReferences.substituting([group: value]),
                        let automaton = try? Automaton(tree, limits: checker.limits.expression)
                    else { return nil }
                    return draft.adding(source, ValueTest(.isIn(automaton)))
                }
        }
    }

    func drafts(_ draft: RequestDraft, builtin: BuiltinVariable, _ test: ValueTest) -> [RequestDraft]? {
        switch builtin {
        case .requestMethod: return [draft.adding(.method, test)]
        case .remoteAddress, .realIPRemoteAddress: return [draft.adding(.address, test)]
        case .time, .timeISO8601, .timeOfDay, .weekday: return [draft.adding(.time(builtin), test)]
        case .contentType: return [draft.adding(.header(Array("content_type".utf8)), test)]
        case .contentLength: return [draft.adding(.header(Array("content_length".utf8)), test)]
        case .invalidReferer:
            // Sites that are named, none, and one that is not.
            let referer = RequestSource.header(Array("referer".utf8))
            guard checker.passes([], test) else {
                return [draft.adding(referer, ValueTest(.equals(Array("https://other.invalid/".utf8)))), draft]
            }
            let names = (model.document.named["valid_referers"] ?? []).flatMap { model.document.nodes[$0].arguments }
            let sites = names.map(\.text).filter { $0.contains(".") && !$0.hasPrefix("~") }.prefix(alternatives)
                .map { "https://\($0.hasPrefix(".") ? "a" : "")\($0.replacing("*", with: "a"))/" }
            return [draft] + sites.map { draft.adding(referer, ValueTest(.equals(Array($0.utf8)))) }
        default: break
        }
        if isInURLPhase {
            switch builtin {
            case .url: return [draft.adding(.url, test)]
            case .scheme: return urlPart(.scheme, draft: draft, test: test)
            case .host: return urlPart(.host, draft: draft, test: test)
            case .port: return urlPart(.port, draft: draft, test: test)
            case .uri: return urlPart(.path, draft: draft, test: test)
            case .arguments: return urlPart(.arguments, draft: draft, test: test)
            case .requestURI: return urlPart(.requestURI, draft: draft, test: test)
            default: return nil
            }
        }
        switch builtin {
        case .uri, .fastcgiScriptName: return [draft.adding(.path, test)]
        case .host: return [draft.adding(.host, test)]
        case .serverPort: return [draft.adding(.port, test)]
        case .arguments: return [draft.adding(.arguments, test)]
        case .isArguments:
            let isThere = checker.passes([UInt8(ascii: "?")], test)
            return [draft.adding(.arguments, ValueTest(.equals([]), negated: isThere))]
        case .scheme, .https:
            let isSecure = checker.passes(Array((builtin == .https ? "on" : "https").utf8), test)
            return [draft.adding(.isSecure, ValueTest(.truthy, negated: !isSecure))]
        case .requestURI:
            if case .share = test.kind { return [draft.adding(.target, test)] }
            // The path as it is sent, and the query: most tests are of the path.
            guard let language = try? checker.language(of: test), let path = try? language.automaton() else {
                return nil
            }
            return [draft.adding(.path, ValueTest(.isIn(path))), draft.adding(.target, test)]
        default: return nil
        }
    }

    // MARK: Assignments

    /// The drafts in which a `set` before the place sets a variable to what passes; nil if none may have run.
    private func assigned(
        _ draft: RequestDraft,
        variable: RuleModel.Variable,
        test: ValueTest,
        depth: Int
    ) -> [RequestDraft]? {
        guard let place else { return nil }
        let before = variable.assignments.filter { $0 < place && reaches($0, place) }
        guard !before.isEmpty else { return nil }
        var found: [RequestDraft] = []
        for assignment in before.reversed() {
            let ways = assignment.ways(limit: 4)
            let earlier = ValueReducer(model, checker: checker, place: assignment)
            for way in ways {
                guard let value = assignment.value else { continue }
                var drafts = earlier.template(draft, template: value, test: test, depth: depth + 1)
                for step in way {
                    drafts = drafts.flatMap { earlier.drafts($0, step, depth: depth + 1) }
                    drafts.removeLast(max(0, drafts.count - alternatives))
                }
                found += drafts
            }
            // What is always run hides what came before.
            if ways.contains(where: \.isEmpty) { return found }
        }
        if variable.isAssigned {
            if checker.passes([], test) { found.insert(draft, at: 0) }
            return found
        }
        return nil
    }

    /// Returns true if an instruction may have run before the place: it is in the same sequence, or in that of the
    /// server around it.
    private func reaches(_ step: RuleModel.Step, _ place: RuleModel.Step) -> Bool {
        guard let own = place.sequence, let other = step.sequence else { return false }
        if own == other || other.owner == .urlPhase { return true }
        if case .location(let location) = own.owner {
            switch other.owner {
            case .server(let server): return location.server == server
            case .location(let outer): return location.chain.contains(outer)
            case .urlPhase: return true
            }
        }
        return false
    }

    /// The drafts in which the value of a template passes a test.
    func template(_ draft: RequestDraft, template: RuleModel.Template, test: ValueTest, depth: Int)
        -> [RequestDraft]
    {
        if let text = template.constant { return checker.passes(text, test) ? [draft] : [] }
        if let variable = template.onlyVariable {
            return drafts(draft, variable: variable, test: test, depth: depth)
        }
        guard let split = TemplateSplit(template), let text = text(of: split, passing: test) else { return [draft] }
        guard let values = split.values(of: text) else { return [] }
        let found = values.reduce([draft]) { found, part in
            found.flatMap { drafts($0, variable: part.variable, test: ValueTest(.equals(part.value)), depth: depth) }
        }
        // Of several texts that pass one is tried.
        if case .equals = test.kind { return found }
        return found + [draft]
    }

    /// A text that passes a test, of those that a template can make; nil where that is not known.
    private func text(of split: TemplateSplit, passing test: ValueTest) -> [UInt8]? {
        guard !test.isNegated else { return nil }
        if case .equals(let text) = test.kind { return text }
        do throws(AutomatonRefusal) {
            guard let wanted = try checker.language(of: test) else { return nil }
            let shape = try Automaton(split.expression, limits: checker.limits.expression)
            return try Language.intersection([wanted, .automaton(shape)]).shortestSubject(limits: checker.limits.proof)
        } catch {
            return nil
        }
    }
}
