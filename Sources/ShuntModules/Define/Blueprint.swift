package import ShuntInterfaces

/// A module of an assembly, frozen: what its scopes are made from.
///
/// Immutable, shared by all of them.
package final class Blueprint: Sendable {
    let identity: ModuleIdentity
    package let name: String
    let members: [MemberPlan]
    let services: [ServicePlan]
    /// The place of each service among them.
    let serviceIndexes: [String: Int]
    /// The endpoints, by name.
    package let endpoints: [String: any AnyEndpoint]
    /// The same, by contract.
    let endpointIndex: EndpointIndex
    /// The interceptors around everything that its scopes do.
    let interceptors: [HostedInterceptor]
    package let unknown: UnknownHandler?
    let starts: [ModuleDraft.Work]
    let stops: [@Sendable (Scope) async -> Void]
    let tasks: [(name: String, body: ModuleDraft.Work)]
    package let slots: [SlotBlueprint]

    /// Freezes a draft inside interceptors, as they are hosted there; `replacements` answer in the place of modules.
    init(_ draft: ModuleDraft, inside outer: [HostedInterceptor], replacements: [String: any AnyEndpoint]) {
        identity = draft.identity
        name = draft.name
        members = draft.members
        services = draft.services
        var indexes: [String: Int] = [:]
        for (index, service) in draft.services.enumerated() { indexes[service.name] = index }
        serviceIndexes = indexes
        let around = outer + draft.interceptors.map { HostedInterceptor(interceptor: $0, levelsUp: 0) }
        var endpoints: [String: any AnyEndpoint] = [:]
        for endpoint in draft.endpoints {
            let name = endpoint.contract.name
            let own = draft.actionInterceptors.filter { $0.contract.name == name }
            endpoints[name] = (replacements[name] ?? endpoint).surrounded(by: around, own)
        }
        self.endpoints = endpoints
        endpointIndex = EndpointIndex(endpoints.values.map { ($0, 0) })
        interceptors = around
        unknown = draft.unknown
        starts = draft.starts
        stops = draft.stops
        tasks = draft.tasks
        let below = around.map { HostedInterceptor(interceptor: $0.interceptor, levelsUp: $0.levelsUp + 1) }
        slots = draft.slots.map { slot in
            SlotBlueprint(
                module: Blueprint(slot.module, inside: below, replacements: replacements),
                capacity: slot.capacity,
                address: slot.address,
                place: slot.place,
                exposure: slot.exposure,
                attachesOnDemand: slot.attachesOnDemand,
                decodeInput: slot.decodeInput,
                keys: slot.keys
            )
        }
    }
}

package struct SlotBlueprint: Sendable {
    package let module: Blueprint
    let capacity: SlotCapacity
    package let address: String?
    package let place: SourceLocation?
    package let exposure: Exposure
    package let attachesOnDemand: Bool
    package let decodeInput: (@Sendable (any Decoder) throws -> any Sendable)?
    package let keys: InputKeys?

    /// The chain of the scopes that may have an input.
    func chain(_ index: Int, of input: any Sendable) -> ChildList.Chain {
        ChildList.Chain(slot: index, hash: capacity == .one ? 0 : keys?.hash(input) ?? 0)
    }
}
