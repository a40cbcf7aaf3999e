public import Shunt
public import ShuntModules

/// The URLs that a task opens inside of each other.
enum OpenURLs {
    @TaskLocal static var urls: [String] = []
}

extension Links {
    // MARK: Planning

    /// Returns the plan of a URL without opening it; a URL that is opened is a GET.
    ///
    /// Does not wait: no filter and no handler runs.
    ///
    /// - Complexity: That of a decision, and linear in the number of contracts with an address.
    /// - Throws: `LinkError`: nothing has the URL, it is not for this caller, its parameters do not fit, or no modules run.
    public func plan(_ url: String, from caller: Caller) throws(LinkError) -> Plan {
        guard let root = modules.scope else { throw .notReady }
        let opening = LinkOpening(caller: caller, values: CallValues(), body: [], root: root)
        let engine = source.currentEngine()
        let decision = engine.decide(Self.request(RuleRequest(url: url), from: caller))
        guard decision.kind == .forward, let text = decision.url else {
            return Plan(target: .elsewhere, decision: decision, chain: [], parameters: []) { _ in .decided(decision) }
        }
        if let table = engine.ruleSet.routes {
            for match in table.candidates(for: text, method: "GET") {
                guard let found = targets.first(where: { $0.name == match.route.name && $0.slots.isEmpty }) else {
                    continue
                }
                return try found.plan(match, decision: decision, opening: opening)
            }
        }
        switch dispatcher.routes.resolve(text, method: "GET") {
        case .matched(let match):
            guard let found = targets.first(where: { $0.answers(match.route) }) else { throw unknown(text, nil) }
            return try found.plan(match, decision: decision, opening: opening)
        case .missed(let miss): throw unknown(text, miss)
        }
    }

    // MARK: Opening

    /// Opens a URL: filters, rules, routes, exposure, parameters, interceptors, handler.
    ///
    /// Waits for modules that are starting.
    ///
    /// - Parameters:
    ///   - url: The URL.
    ///   - caller: Who opens it, as the door knows; neither rules nor the URL can change it.
    ///   - values: What travels with the call.
    /// - Returns: The result.
    /// - Throws: `LinkError`, `CallError`, and what filters and handlers throw.
    public func open(_ url: String, from caller: Caller, values: CallValues = CallValues()) async throws -> Answer {
        try await open(RuleRequest(url: url), named: url, body: [], from: caller, values: values)
    }

    /// Opens a URL whose answer is a value of a type.
    ///
    /// - Throws: As `open`, and `LinkError.wrongType`.
    public func open<Output>(
        _ url: String,
        from caller: Caller,
        as type: Output.Type,
        values: CallValues = CallValues()
    ) async throws -> Output {
        let answer = try await open(url, from: caller, values: values)
        if case .value(let value) = answer, let output = value as? Output { return output }
        var found = "\(answer)"
        if case .value(let value) = answer { found = "\(Swift.type(of: value))" }
        throw LinkError.wrongType(name: url, wanted: "\(Output.self)", found: found)
    }

    /// Opens the URL of an HTTP request; the members of a JSON body count as parameters too.
    ///
    /// - Throws: As `open` of a URL.
    public func open(
        _ request: RuleRequest,
        body: [UInt8],
        from caller: Caller,
        values: CallValues = CallValues()
    ) async throws -> Answer {
        let name = request.url
        var members: [JSONMember] = []
        guard body.count <= options.bodyLimit else { throw LinkError.tooLarge(limit: options.bodyLimit) }
        if !body.isEmpty {
            guard case .object(let found)? = try? JSONReader.read(body) else {
                throw LinkError.parameters(action: name, [.unreadable("the body", wanted: "a JSON object")])
            }
            members = found
        }
        return try await open(request, named: name, body: members, from: caller, values: values)
    }

    private func open(
        _ request: RuleRequest,
        named name: String,
        body: [JSONMember],
        from caller: Caller,
        values: CallValues
    ) async throws -> Answer {
        let urls = OpenURLs.urls
        guard urls.count < options.depth else { throw LinkError.tooDeep(urls: urls) }
        let (root, turn) = try await root()
        defer { turn?.finish() }
        let opening = LinkOpening(caller: caller, values: values, body: body, root: root)
        let dispatchValues = DispatchValues([LinkOpening.name: opening])
        return try await OpenURLs.$urls.withValue(urls + [name]) {
            do {
                let outcome = try await dispatcher.dispatch(Self.request(request, from: caller), values: dispatchValues)
                switch outcome {
                case .handled(let answer): return answer
                case .decided(let decision): return .decided(decision)
                case .refused(let filter, let reason): throw LinkError.refused(filter: filter, reason: reason)
                case .unmatched(let miss): return try await answerUnknown(name, miss: miss, opening: opening)
                }
            } catch let error as LinkError {
                // What never reached a handler passes the interceptors of the program too: a history has it.
                return try await root.failCall(named: name, caller: caller, values, error)
            }
        }
    }

    /// The root, once the modules are active.
    ///
    /// URLs that come earlier wait, and are then opened one after another, as they came; none longer than it may. The
    /// promise is for those after it, to be kept when the URL has been opened.
    private func root() async throws -> (Scope, turn: Promise<Void>?) {
        guard let root = modules.scope else { throw LinkError.notReady }
        // Modules that open URLs while they start would wait for themselves.
        if root.isActive { return (root, nil) }
        let turn = Promise<Void>()
        let earlier = waiting.join(turn)
        do {
            try await root.activated(within: options.startTime, after: earlier)
        } catch {
            if root.isActive, !Task.isCancelled { return (root, turn) }
            turn.finish()
            try Task.checkCancellation()
            throw LinkError.notReady
        }
        return (root, turn)
    }

    /// Names the caller to the rules.
    static func request(_ request: RuleRequest, from caller: Caller) -> RuleRequest {
        var request = request
        request.inputs["caller_kind"] = caller.kind.rawValue
        request.inputs["caller_name"] = caller.name ?? ""
        return request
    }

    // MARK: URLs

    /// The URL of an action for an input: the inverse of opening it.
    ///
    /// - Throws: `LinkError.unknown` for an action without an address; `LinkError.parameters` for an input that no URL
    ///   can express.
    public func url<Input: Encodable, Output>(
        of action: ModuleAction<Input, Output>,
        _ input: Input
    ) throws(LinkError) -> String {
        guard let target = targets.first(where: { $0.name == action.name && $0.contract != nil }) else {
            throw unknown(action.name, nil)
        }
        var path: [String: String] = [:]
        var query: [RouteQuery.Item] = []
        let names = dispatcher.routes.routes.first { $0.name == target.name }?.fullPattern.parameterNames ?? []
        for (name, text) in try texts(of: input, for: action.name) {
            if names.contains(name) {
                path[name] = text
            } else {
                query.append(RouteQuery.Item(name: name, value: text))
            }
        }
        do throws(RouteGenerationError) {
            return try dispatcher.routes.generate(route: target.name, values: path, query: RouteQuery(query))
        } catch {
            throw .parameters(action: action.name, [.unreadable("\(error)", wanted: target.address)])
        }
    }

    private func texts(of input: some Encodable, for action: String) throws(LinkError) -> [(String, String)] {
        guard let json = try? ValueJSON.value(of: input) else {
            throw .parameters(action: action, [.unreadable("\(type(of: input))", wanted: "an object")])
        }
        do throws(ValueProblems) {
            return try ValueJSON.texts(of: json).map { ($0.name, $0.text) }
        } catch {
            throw .parameters(action: action, error.problems)
        }
    }
}
