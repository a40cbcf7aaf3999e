import Shunt
import ShuntModules

/// The caller that opens a URL, and its values: it travels with a dispatch.
struct LinkOpening: Sendable {
    /// The name among the values of a dispatch.
    static let name = "shunt.links.opening"

    let caller: Caller
    let values: CallValues
    let body: [JSONMember]
    let root: Scope
}

extension LinkTarget {
    /// Finds out what opening the target would do, without doing it.
    func plan(_ match: RouteMatch, decision: Decision, opening: LinkOpening) throws(LinkError) -> Plan {
        guard allows(opening.caller.kind) else { throw .notExposed(name: name, to: opening.caller) }
        var parameters = InputParameters()
        for name in match.parameterNames {
            guard let range = match.range(of: name) else { continue }
            parameters.addPath(name, Array(match.urlBytes[Int(range.start)..<Int(range.end)]))
        }
        let path = Set(parameters.nodes.keys)
        if let query = match.parts.query { parameters.addQuery(match.urlBytes[Int(query.start)..<Int(query.end)]) }
        parameters.addBody(opening.body, path: path)
        for (name, text) in match.unusedDefaults(names: Set(parameters.nodes.keys)) {
            parameters.addDefault(name, text)
        }
        let way = try way(parameters, opening.root)
        var input: any Sendable = NoValue()
        if let decode = contract?.decodeInput { input = try Self.read(parameters, of: name, decode) }
        let chain = (way.scope.path) + way.missing.map(\.blueprint.module.name)
        let fixed = input
        return Plan(
            target: kind,
            decision: decision,
            chain: chain,
            parameters: match.parameters,
            work: { [self] values in try await perform(fixed, way: way, opening: opening, values: values) }
        )
    }

    private static func read(
        _ parameters: InputParameters,
        of name: String,
        _ decode: (any Decoder) throws -> any Sendable
    ) throws(LinkError) -> any Sendable {
        do throws(ValueProblems) {
            return try InputDecoder.read(.parameters(parameters.nodes), problems: parameters.problems) {
                try decode($0)
            }
        } catch {
            throw .parameters(action: name, error.problems)
        }
    }

    // MARK: The way down

    /// The scopes on the way that are there, and the slots that have to be filled.
    struct Way: Sendable {
        var scope: Scope
        var missing: [LinkSlot] = []
        var inputs: [any Sendable] = []
    }

    private func way(_ parameters: InputParameters, _ root: Scope) throws(LinkError) -> Way {
        guard module >= 0 else { return Way(scope: root) }
        guard let scope = root.program.scope(of: module) else { throw .notReady }
        var way = Way(scope: scope)
        for slot in slots {
            guard let decode = slot.blueprint.decodeInput else { throw .notAttached(slot: slot.blueprint.module.name) }
            let input = try Self.read(parameters, of: slot.blueprint.module.name, decode)
            if way.missing.isEmpty, let child = way.scope.child(inSlot: slot.index, for: input) {
                way.scope = child
                continue
            }
            guard slot.blueprint.attachesOnDemand else { throw .notAttached(slot: slot.blueprint.module.name) }
            way.missing.append(slot)
            way.inputs.append(input)
        }
        return way
    }

    private func perform(
        _ input: any Sendable,
        way: Way,
        opening: LinkOpening,
        values: CallValues
    ) async throws -> Answer {
        var scope = way.scope
        for (slot, slotInput) in zip(way.missing, way.inputs) {
            scope = try await scope.attach(inSlot: slot.index, for: slotInput)
        }
        guard let contract else {
            try await scope.activated()
            return .value(scope)
        }
        let values = opening.values.merging(values)
        switch contract.kind {
        case .action, .workflow, .feed:
            guard let endpoint = scope.endpoint(contract.name) else { throw LinkError.notReady }
            let call = CallContext(scope: scope, contract: contract, caller: opening.caller, values: values)
            if contract.kind == .feed { return .stream(try endpoint.openFeed(input, call)) }
            return .value(try await endpoint.open(input, call))
        case .event:
            let from = slots.isEmpty ? opening.root : scope
            return .replies(await from.sendErased(contract, payload: input, caller: opening.caller, values: values))
        }
    }
}

extension Exposure {
    /// Returns true if a caller may come in.
    ///
    /// Code of the same process always may: it could ask without a URL.
    func allows(_ kind: Caller.Kind) -> Bool {
        switch kind {
        case .code: true
        case .link: contains(.links)
        case .web: contains(.web)
        case .network: contains(.network)
        }
    }
}
