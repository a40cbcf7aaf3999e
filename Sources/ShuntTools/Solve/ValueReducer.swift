import ShuntCore
import ShuntPatterns
import ShuntRules

/// Turns tests of variables into tests of what a request says.
///
/// Each question may have several answers, each a draft: the first is the likeliest. Only so many are followed.
struct ValueReducer {
    let ruleSet: RuleSet
    let outline: ProgramOutline
    let checker: ValueChecker
    /// The rule from which is looked: what comes before it may have set variables.
    let place: Int
    private let alternatives = 8
    private let maximumDepth = 6

    private var program: Program { outline.program }

    init(_ ruleSet: RuleSet, outline: ProgramOutline, checker: ValueChecker, place: Int) {
        self.ruleSet = ruleSet
        self.outline = outline
        self.checker = checker
        self.place = place
    }

    private var isInURLPhase: Bool {
        outline.sequence(of: place)?.owner == .urlPhase
    }

    // MARK: Conditions and matchers

    /// The drafts in which a test comes out as it has to.
    func drafts(_ draft: RequestDraft, _ test: ProgramOutline.Guard, depth: Int = 0) -> [RequestDraft] {
        switch test {
        case .matcher(let matcher, let outcome): drafts(draft, matcher: matcher.position, outcome)
        case .condition(let condition, let outcome):
            drafts(draft, condition: program.tables.conditions[condition], outcome, depth: depth)
        }
    }

    private func drafts(_ draft: RequestDraft, condition: Condition, _ outcome: Bool, depth: Int) -> [RequestDraft] {
        let negated = condition.isNegated == outcome
        let kind: ValueTest.Kind
        switch condition.kind {
        case .isFile, .isDirectory, .exists, .isExecutable:
            var draft = draft
            // Without files every test for one says no.
            if !negated {
                draft.needsFiles = true
                draft.needsDirectories = condition.kind == .isDirectory
            }
            return [draft]
        case .truthy: kind = .truthy
        case .matches: kind = .matches(condition.pattern)
        case .equal:
            guard let text = constant(condition.template) else { return [unsolved(draft, condition.variable)] }
            kind = .equals(text)
        case .less, .lessOrEqual, .greater, .greaterOrEqual:
            switch condition.comparison {
            case .moment(let bound): kind = .moment(condition.kind, bound)
            case .timeOfDay(let bound): kind = .timeOfDay(condition.kind, bound)
            case .version:
                guard let text = constant(condition.template) else { return [unsolved(draft, condition.variable)] }
                kind = .version(condition.kind, text)
            }
        }
        return drafts(draft, index: condition.variable, test: ValueTest(kind, negated: negated), depth: depth)
    }

    /// The text of a template without variables and captures.
    func constant(_ template: TemplateIndex) -> [UInt8]? {
        let part = program.tables.parts[template]
        guard part.isConstant else { return nil }
        return Array(program.tables.constants[Int(part.a)..<Int(part.b)])
    }

    private func unsolved(_ draft: RequestDraft, _ variable: VariableIndex) -> RequestDraft {
        var draft = draft
        if !variable.isNone { draft.unsolved.append(program.tables.variables[variable].name) }
        return draft
    }

    /// The drafts in which a matcher holds for the URL, or does not.
    func drafts(_ draft: RequestDraft, matcher index: Int, _ outcome: Bool) -> [RequestDraft] {
        let matcher = program.tables.matchers[index]
        if matcher.kind == .url {
            return [draft.adding(.url, ValueTest(.matches(matcher.pattern), negated: !outcome))]
        }
        var tests: [ValueTest] = []
        for name in matcher.names.prefix(outcome ? alternatives : 64) {
            tests.append(
                ValueTest(program.tables.hostNames[name], isWanted: outcome, limits: checker.limits.expression)
            )
        }
        for pattern in matcher.hostPatterns.prefix(outcome ? alternatives : 64) {
            tests.append(ValueTest(.matches(program.tables.hostPatterns[pattern])))
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
    func drafts(_ draft: RequestDraft, index: VariableIndex, test: ValueTest, depth: Int = 0) -> [RequestDraft] {
        let variable = program.tables.variables[index]
        guard depth < maximumDepth else { return [unsolved(draft, index)] }
        if let found = assigned(draft, variable: index, test: test, depth: depth) { return found }
        switch variable.source {
        case .builtin:
            guard let builtin = BuiltinVariable(rawValue: variable.index) else { return [unsolved(draft, index)] }
            return drafts(draft, builtin: builtin, test) ?? [unsolved(draft, index)]
        case .requestHeader:
            let name = name(variable)
            let isHost = !isInURLPhase && name.elementsEqual("host".utf8)
            return [draft.adding(isHost ? .host : .header(name), test)]
        case .cookie: return [draft.adding(.cookie(name(variable)), test)]
        case .argument: return [draft.adding(.argument(name(variable)), test)]
        case .input: return [draft.adding(.input(program.tables.inputs[Int(variable.index)].name), test)]
        case .external: return [draft.adding(.input(variable.name), test)]
        case .map: return map(draft, index: Int(variable.index), test: test, depth: depth)
        case .geo: return geo(draft, index: Int(variable.index), test: test)
        case .split: return split(draft, index: Int(variable.index), test: test, depth: depth)
        case .assigned, .responseHeader, .upstreamHeader:
            // Nothing gives it a value here but the captures of an expression: the request that is tried shows which.
            if checker.passes([], test) { return [draft] }
            return [unsolved(draft, index)]
        }
    }

    private func name(_ variable: Variable) -> [UInt8] {
        Array(program.tables.constants[variable.parameter.indices])
    }

    func drafts(_ draft: RequestDraft, builtin: BuiltinVariable, _ test: ValueTest) -> [RequestDraft]? {
        switch builtin {
        case .requestMethod: return [draft.adding(.method, test)]
        case .remoteAddress, .realIPRemoteAddress: return [draft.adding(.address, test)]
        case .time, .timeISO8601, .timeOfDay, .weekday: return [draft.adding(.time(builtin), test)]
        case .contentType: return [draft.adding(.header(Array("content_type".utf8)), test)]
        case .contentLength: return [draft.adding(.header(Array("content_length".utf8)), test)]
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
        case .arguments: return [draft.adding(.arguments, test)]
        case .isArguments:
            let isThere = checker.passes([UInt8(ascii: "?")], test)
            return [draft.adding(.arguments, ValueTest(.equals([]), negated: isThere))]
        case .scheme:
            let isSecure = checker.passes(Array("https".utf8), test)
            return [draft.adding(.isSecure, ValueTest(.truthy, negated: !isSecure))]
        case .https:
            let isSecure = checker.passes(Array("on".utf8), test)
            return [draft.adding(.isSecure, ValueTest(.truthy, negated: !isSecure))]
        case .requestURI:
            // The path as it is sent, and the query: most tests are of the path.
            guard let language = try? checker.language(of: test), let path = try? language.automaton() else {
                return nil
            }
            return [draft.adding(.path, ValueTest(.isIn(path))), draft.adding(.target, test)]
        default: return nil
        }
    }

    // MARK: Assignments

    /// The drafts in which a `set` before the place gives a variable what passes; nil if none may have run.
    private func assigned(
        _ draft: RequestDraft,
        variable: VariableIndex,
        test: ValueTest,
        depth: Int
    ) -> [RequestDraft]? {
        let before = (outline.assignments[variable] ?? []).filter { $0 < place && reaches($0) }
        guard !before.isEmpty else { return nil }
        var found: [RequestDraft] = []
        for assignment in before.reversed() {
            let ways = outline.ways(to: assignment, limit: 4)
            let earlier = ValueReducer(ruleSet, outline: outline, checker: checker, place: assignment)
            for way in ways {
                var drafts = earlier.template(
                    draft,
                    template: TemplateIndex(program.tables.instructions[assignment].b),
                    test: test,
                    depth: depth + 1
                )
                for step in way {
                    drafts = drafts.flatMap { earlier.drafts($0, step, depth: depth + 1) }
                    drafts.removeLast(max(0, drafts.count - alternatives))
                }
                found += drafts
            }
            // What is always run hides what came before.
            if ways.contains(where: \.isEmpty) { return found }
        }
        if program.tables.variables[variable].source == .assigned {
            if checker.passes([], test) { found.insert(draft, at: 0) }
            return found
        }
        return nil
    }

    /// Returns true if an instruction may have run before the place: it is in the same sequence, or in that of the
    /// server around it.
    private func reaches(_ instruction: Int) -> Bool {
        guard let own = outline.sequence(of: place), let other = outline.sequence(of: instruction) else { return false }
        if own.start == other.start || other.owner == .urlPhase { return true }
        if case .location(let location) = own.owner {
            switch other.owner {
            case .server(let server): return outline.servers[location] == server
            case .location(let outer): return outline.chain(of: location).contains(outer)
            case .urlPhase: return true
            }
        }
        return false
    }

    /// The drafts in which what a template comes to passes a test.
    func template(_ draft: RequestDraft, template: TemplateIndex, test: ValueTest, depth: Int) -> [RequestDraft] {
        if let text = constant(template) { return checker.passes(text, test) ? [draft] : [] }
        let part = program.tables.parts[template]
        if part.isLast, part.kind == .variable { return drafts(draft, index: part.variable, test: test, depth: depth) }
        // A text around one variable, that has to be an exact text.
        if case .equals(let text) = test.kind, !test.isNegated, let (head, variable, tail) = affixes(of: template) {
            guard text.count >= head.count + tail.count, text.starts(with: head),
                text.suffix(tail.count).elementsEqual(tail)
            else { return [] }
            let inner = Array(text.dropFirst(head.count).dropLast(tail.count))
            return drafts(draft, index: variable, test: ValueTest(.equals(inner)), depth: depth)
        }
        return [draft]
    }

    /// The texts around the only variable of a template; nil if it is put together in another way.
    private func affixes(of template: TemplateIndex) -> (head: [UInt8], variable: VariableIndex, tail: [UInt8])? {
        var head: [UInt8] = []
        var tail: [UInt8] = []
        var variable: VariableIndex?
        var index = template.position
        while true {
            let part = program.tables.parts[index]
            switch part.kind {
            case .literal:
                let text = program.tables.constants[Int(part.a)..<Int(part.b)]
                if variable == nil { head += text } else { tail += text }
            case .variable:
                if variable != nil { return nil }
                variable = part.variable
            case .capture: return nil
            }
            if part.isLast { break }
            index += 1
        }
        return variable.map { (head, $0, tail) }
    }

    // MARK: map, geo, split_clients

    private var inversion: DefinitionInversion { DefinitionInversion(ruleSet, checker) }

    private func map(_ draft: RequestDraft, index: Int, test: ValueTest, depth: Int) -> [RequestDraft] {
        let map = program.tables.maps[index]
        return inversion.sources(of: map, passing: test, limit: alternatives)
            .flatMap { way in
                var drafts = [draft]
                for source in way.tests {
                    drafts = drafts.flatMap { template($0, template: map.source, test: source, depth: depth + 1) }
                }
                guard !way.value.isNone, !isCapture(way.value) else { return drafts }
                return drafts.flatMap { template($0, template: way.value, test: test, depth: depth + 1) }
            }
    }

    /// Returns true for a variable that only captures give a value: that of the key's expression.
    private func isCapture(_ template: TemplateIndex) -> Bool {
        let part = program.tables.parts[template]
        return part.kind == .variable && outline.assignments[part.variable] == nil
            && program.tables.variables[part.variable].source == .assigned
    }

    private func geo(_ draft: RequestDraft, index: Int, test: ValueTest) -> [RequestDraft] {
        let geo = program.tables.geos[index]
        guard let source = inversion.addresses(of: geo, passing: test) else { return [] }
        if !geo.source.isNone { return template(draft, template: geo.source, test: source, depth: 1) }
        return [draft.adding(.address, source)]
    }

    private func split(_ draft: RequestDraft, index: Int, test: ValueTest, depth: Int) -> [RequestDraft] {
        guard let source = inversion.shares(of: index, passing: test) else { return [] }
        return template(draft, template: program.tables.splits[index].source, test: source, depth: depth + 1)
    }
}
