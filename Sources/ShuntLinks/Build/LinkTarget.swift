import Shunt
package import ShuntModules

/// The target of an address: a contract of a module or a slot, and the way to its scope.
package struct LinkTarget: Sendable {
    /// The contract; nil for a single slot.
    package let contract: Contract?
    /// The module of the program, by its place in the order of the start; -1 is the program itself.
    let module: Int
    /// The slots on the way down from that module.
    let slots: [LinkSlot]
    /// The callers that the contract is open to; nil for a single slot.
    let exposure: Exposure?
    let place: SourceLocation
    package let address: String

    var name: String { contract?.name ?? slots.last?.blueprint.module.name ?? "" }

    /// Checks that a route of the modules leads here: a module that is in two slots has each name at two addresses.
    func answers(_ route: Route) -> Bool { route.name == name && route.fullPattern.text == address }

    /// Checks that a caller may come in: by the contract, and by each slot on the way to it.
    package func allows(_ kind: Caller.Kind) -> Bool {
        (exposure?.allows(kind) ?? true) && slots.allSatisfy { $0.blueprint.exposure.allows(kind) }
    }

    var kind: Plan.Target {
        switch contract?.kind {
        case .feed: .feed(name)
        case .event: .event(name)
        case .action, .workflow: .action(name)
        case nil: .slot(name)
        }
    }
}

/// A slot on the way to a scope.
struct LinkSlot: Sendable {
    let index: Int
    let blueprint: SlotBlueprint
}
