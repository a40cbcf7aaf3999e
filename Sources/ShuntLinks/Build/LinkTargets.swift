import ShuntCore
import ShuntModules

/// Collects the addresses of all modules: those of their contracts, and those of their slots with what is after them.
struct LinkTargets {
    private(set) var targets: [LinkTarget] = []
    private(set) var diagnostics: [Diagnostic] = []

    init(_ modules: Modules) {
        collect(modules.root, module: -1, slots: [], prefix: "")
        for (number, blueprint) in modules.blueprints.enumerated() {
            collect(blueprint, module: number, slots: [], prefix: "")
        }
    }

    private mutating func collect(_ blueprint: Blueprint, module: Int, slots: [LinkSlot], prefix: String) {
        for (_, endpoint) in blueprint.endpoints.sorted(by: { $0.key < $1.key }) {
            guard let address = endpoint.contract.address else { continue }
            guard slots.isEmpty || (!prefix.isEmpty && address.hasPrefix("/")) else {
                reportUnreachable(endpoint, in: blueprint, prefix)
                continue
            }
            // An event of several modules has one address: everybody hears it.
            if endpoint.contract.kind == .event, targets.contains(where: { $0.name == endpoint.contract.name }) {
                continue
            }
            targets.append(
                LinkTarget(
                    contract: endpoint.contract,
                    module: module,
                    slots: slots,
                    exposure: endpoint.exposure,
                    place: endpoint.place,
                    address: prefix + address
                )
            )
        }
        for (index, slot) in blueprint.slots.enumerated() {
            let way = slots + [LinkSlot(index: index, blueprint: slot)]
            let isReached = slots.isEmpty || !prefix.isEmpty
            let address = isReached ? slot.address.map { prefix + $0 } : nil
            if let address {
                targets.append(
                    LinkTarget(
                        contract: nil,
                        module: module,
                        slots: way,
                        exposure: nil,
                        place: slot.place ?? .whole(blueprint.name),
                        address: address
                    )
                )
            }
            collect(slot.module, module: module, slots: way, prefix: address ?? "")
        }
    }

    private mutating func reportUnreachable(_ endpoint: any AnyEndpoint, in blueprint: Blueprint, _ prefix: String) {
        let contract = endpoint.contract
        let problem = Diagnostic(
            .error(.unreachableAddress),
            "no URL leads to \"\(contract.name)\" of \"\(blueprint.name)\", which is in a slot"
                + (prefix.isEmpty ? " without an address" : ""),
            at: endpoint.place,
            suggestion: prefix.isEmpty
                ? "set an address for the slot" : "begin the address with /, to follow the address of the slot"
        )
        diagnostics.append(problem)
    }
}
