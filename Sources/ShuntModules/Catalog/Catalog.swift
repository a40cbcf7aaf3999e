import ShuntInterfaces

/// The content of a program: its modules in the order of their start, with the answers, offers and needs of each.
///
/// A plain value, made when the modules are built; nothing of it changes afterwards.
public struct Catalog: Sendable {
    /// A member of an input, as far as its type shows it.
    public struct Parameter: Sendable, Hashable {
        /// The name in the URL, or of the member of a body.
        public let name: String
        /// The type, such as `Int`.
        public let type: String
        /// True if it may be missing.
        public let isOptional: Bool
    }

    /// An action, a feed or an event that a module answers.
    public struct Answer: Sendable {
        /// The name of the contract.
        public let name: String
        /// `action`, `feed` or `event`.
        public let kind: String
        /// The pattern of the URLs that lead to it; nil when only typed code may call it.
        public let address: String?
        /// The HTTP method of the address; nil for every method.
        public let method: String?
        /// The callers that may use the address.
        public let exposure: Exposure
        /// The types of the input and the output.
        public let input: String
        /// The type of the output, of an element, or of a reply.
        public let output: String
        /// The parts of the input; empty if there is no address.
        public let parameters: [Parameter]
    }

    /// Something that a module needs.
    public struct Need: Sendable, Hashable {
        /// The name of a service or an action.
        public let name: String
        /// `service`, `action` or `list`.
        public let kind: String
        /// The module that supplies it, `root` for the program itself; nil where no one does, which is allowed.
        public let provider: String?
    }

    /// A module, of the program or in a slot.
    public struct Module: Sendable {
        /// The name, as in `Scope.name`.
        public let name: String
        /// The time when it starts.
        public let level: ModuleLevel
        /// The priority among those of a level.
        public let priority: Int
        /// The services and actions that it uses, with the modules that supply them.
        public let needs: [Need]
        /// The names of the services that it provides to others.
        public let services: [String]
        /// Its actions, feeds and events, sorted by name.
        public let answers: [Answer]
        /// The place where other scopes may be attached.
        public let slots: [Slot]
    }

    /// A slot of a module.
    public struct Slot: Sendable {
        /// The module whose scopes it takes.
        public let module: Module
        /// The pattern of the URLs that lead to them; nil for a slot that only code reaches.
        public let address: String?
        /// The callers that may use the address, and the addresses of the module in the slot.
        public let exposure: Exposure
        /// The capacity; 1 for a slot for one.
        public let limit: Int
    }

    /// The modules in the order of their start.
    ///
    /// The first is the program itself, called `root`.
    public let modules: [Module]

    /// The catalogue as JSON on one line, in the form that `shunt modules` reads.
    public func json() -> String { CatalogWriter.json(self) }
}

extension Modules {
    /// The catalog.
    ///
    /// - Complexity: In proportion to the definitions of the modules; each input with an address is asked for its
    ///   members.
    public var catalog: Catalog {
        var providers: [String: String] = [:]
        for (name, entry) in table.services { providers["service \(name)"] = moduleName(entry.module) }
        for (name, entry) in table.endpoints { providers["action \(name)"] = moduleName(entry.module) }
        let program = Catalog.Module(
            name: root.name,
            level: .basic,
            priority: 0,
            needs: ownNeeds.map { Catalog.Need($0, providers) },
            services: root.services.map(\.name),
            answers: Catalog.answers(of: root.endpoints.values.map { $0 }),
            slots: []
        )
        return Catalog(modules: [program] + drafts.map { Catalog.Module($0, providers) })
    }

    private func moduleName(_ number: Int) -> String { number < 0 ? root.name : blueprints[number].name }
}

extension Catalog.Module {
    fileprivate init(_ draft: ModuleDraft, _ outer: [String: String]) {
        // What the module itself has, those in its slots get from it.
        var inner = outer
        for service in draft.services { inner["service \(service.name)"] = draft.name }
        for endpoint in draft.endpoints { inner["action \(endpoint.contract.name)"] = draft.name }
        name = draft.name
        level = draft.level
        priority = draft.priority
        needs = draft.needs.map { Catalog.Need($0, outer) }
        services = draft.services.map(\.shownName)
        answers = Catalog.answers(of: draft.endpoints)
        slots = draft.slots.map { slot in
            Catalog.Slot(
                module: Self(slot.module, inner),
                address: slot.address,
                exposure: slot.exposure,
                limit: slot.capacity.limit
            )
        }
    }
}

extension Catalog.Need {
    fileprivate init(_ need: ModuleDraft.Need, _ providers: [String: String]) {
        name = need.name
        kind = "\(need.kind)"
        provider = providers["\(kind) \(need.name)"]
    }
}

extension Catalog {
    fileprivate static func answers(of endpoints: [any AnyEndpoint]) -> [Answer] {
        endpoints.sorted { $0.contract.name < $1.contract.name }
            .map { endpoint in
                let contract = endpoint.contract
                return Answer(
                    name: contract.name,
                    kind: contract.kind.rawValue,
                    address: contract.address,
                    method: contract.method,
                    exposure: endpoint.exposure,
                    input: "\(contract.input)",
                    output: "\(contract.output)",
                    parameters: contract.decodeInput.map { ParameterProbe.parameters(of: $0) } ?? []
                )
            }
    }
}
