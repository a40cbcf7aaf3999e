import ShuntCore
import ShuntInterfaces

/// Looks an assembly over, collects everything that is wrong, and freezes it.
struct AssemblyCheck {
    /// A part of the assembly with its definitions: a module, or something of the program itself.
    struct Unit {
        var name: String
        var place: SourceLocation
        var draft: ModuleDraft
        var isModule: Bool
    }

    /// Something that units offer at the root.
    struct Offer: Hashable {
        var kind: ModuleDraft.Need.Kind
        var name: String
    }

    let assembly: Assembly
    var units: [Unit] = []
    /// The unit that offers, at the root.
    var offers: [Offer: Int] = [:]
    /// The errors by unit, so that they come in the order in which things were put in.
    var errors: [[Diagnostic]] = []
    var warnings: [Diagnostic] = []

    init(_ assembly: Assembly) {
        self.assembly = assembly
        for part in assembly.parts {
            switch part {
            case .module(let place, let name, let define):
                var draft = define()
                adjust(&draft)
                units.append(Unit(name: name, place: place, draft: draft, isModule: true))
            case .own(let name, let place, let needs, let change):
                var draft = ModuleDraft(name: name, place: place)
                change(&draft)
                draft.needs = needs
                decorate(&draft)
                // What is replaced needs nothing any more, and an adapter for it would be a second provider.
                if draft.services.contains(where: { assembly.replacedServices[$0.name] != nil }) { continue }
                if draft.endpoints.contains(where: { assembly.replacements[$0.contract.name] != nil }) { continue }
                units.append(Unit(name: name, place: place, draft: draft, isModule: false))
            }
        }
        errors = Array(repeating: [], count: units.count)
    }

    /// Takes out what the assembly replaces, and puts what it has around single actions where they are answered.
    private func adjust(_ draft: inout ModuleDraft) {
        draft.services.removeAll { assembly.replacedServices[$0.name] != nil }
        let names = Set(draft.endpoints.map(\.contract.name))
        let around = assembly.actionInterceptors.filter { names.contains($0.contract.name) }
        draft.actionInterceptors = around + draft.actionInterceptors
        decorate(&draft)
        for index in draft.slots.indices { adjust(&draft.slots[index].module) }
    }

    /// Puts what the assembly has around services where they are provided.
    private func decorate(_ draft: inout ModuleDraft) {
        for index in draft.services.indices {
            for decoration in assembly.decorations where decoration.service == draft.services[index].name {
                draft.services[index].decorate(decoration.body)
            }
        }
    }

    mutating func report(_ unit: Int, _ diagnostic: Diagnostic) { errors[unit].append(diagnostic) }

    // MARK: Everything

    consuming func build() throws(AssemblyError) -> Modules {
        checkModuleNames()
        collectOffers()
        for index in units.indices { checkEndpoints(of: units[index].draft, in: index) }
        checkContracts()
        for index in units.indices { checkNeeds(of: units[index].draft, in: index, above: []) }
        let edges = needsOfUnits()
        checkLevels(edges)
        checkCircles(edges)
        checkUse()
        let found = errors.flatMap { $0 }
        guard found.isEmpty else { throw AssemblyError(found + warnings) }
        return freeze(ModuleOrder.order(units, needs: edges))
    }

    // MARK: Freezing

    private func freeze(_ order: [Int]) -> Modules {
        var rootDraft = ModuleDraft(name: "root", place: .nowhere)
        for unit in units where !unit.isModule {
            rootDraft.services += unit.draft.services
            rootDraft.endpoints += unit.draft.endpoints
        }
        for plan in assembly.replacedServices.sorted(by: { $0.key < $1.key }) { rootDraft.services.append(plan.value) }
        let answered = Set(units.flatMap { $0.draft.endpoints.map(\.contract.name) })
        for (name, endpoint) in assembly.replacements.sorted(by: { $0.key < $1.key }) where !answered.contains(name) {
            rootDraft.endpoints.append(endpoint)
        }
        rootDraft.interceptors = assembly.interceptors
        rootDraft.actionInterceptors = assembly.actionInterceptors
        let root = Blueprint(rootDraft, inside: [], replacements: assembly.replacements)
        let around = root.interceptors.map { HostedInterceptor(interceptor: $0.interceptor, levelsUp: 1) }
        let modules = order.filter { units[$0].isModule }
        let blueprints = modules.map {
            Blueprint(units[$0].draft, inside: around, replacements: assembly.replacements)
        }
        return Modules(
            drafts: modules.map { units[$0].draft },
            root: root,
            blueprints: blueprints,
            table: ProgramTable(root: root, modules: blueprints),
            options: assembly.options,
            ownNeeds: units.filter { !$0.isModule }.flatMap(\.draft.needs),
            warnings: warnings
        )
    }
}
