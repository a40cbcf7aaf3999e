import ShuntCore
import ShuntInterfaces

/// The definition of a module: a `ModuleDefinition` without its type.
package struct ModuleDraft: Sendable {
    /// Something that a module, or an adapter, needs.
    struct Need: Sendable {
        enum Kind: Sendable, Hashable { case service, action, list }
        var kind: Kind
        var name: String
        var contract: Contract?
        var valueType: Any.Type
        var isOptional: Bool
        /// True if it is read at call time only, so that its provider may start later.
        var isLate = false

        static func service<Value>(_ key: ServiceKey<Value>, isOptional: Bool = false, isLate: Bool = false) -> Need {
            Need(kind: .service, name: key.name, valueType: Value.self, isOptional: isOptional, isLate: isLate)
        }

        static func action<I, O>(_ action: ModuleAction<I, O>, isOptional: Bool = false) -> Need {
            let contract = action.contract
            return Need(kind: .action, name: action.name, contract: contract, valueType: I.self, isOptional: isOptional)
        }
    }

    typealias Work = @Sendable (Scope) async throws -> Void

    /// Slots in slots end here, since a module may have a slot for itself.
    static let maximumDepth = 16

    let identity: ModuleIdentity
    package var name: String
    /// The place where it was added.
    var place: SourceLocation
    var depth: Int
    var level = ModuleLevel.normal
    var priority = 0
    var members: [MemberPlan] = []
    var needs: [Need] = []
    var services: [ServicePlan] = []
    package var endpoints: [any AnyEndpoint] = []
    var actionInterceptors: [any AnyActionInterceptor] = []
    var interceptors: [any Interceptor] = []
    package var unknown: UnknownHandler?
    var starts: [Work] = []
    var stops: [@Sendable (Scope) async -> Void] = []
    var tasks: [(name: String, body: Work)] = []
    package var slots: [SlotDraft] = []
    /// The problems found during the definition.
    var problems: [Diagnostic] = []

    init(name: String, place: SourceLocation, depth: Int = 0) {
        identity = ModuleIdentity(name: name)
        self.name = name
        self.place = place
        self.depth = depth
    }

    init<Defined: ProgramModule>(_ module: Defined, place: SourceLocation, depth: Int) {
        let draft = ModuleDraft(name: module.name, place: place, depth: depth)
        var definition = ModuleDefinition<Defined.Input>(draft: draft)
        if depth <= Self.maximumDepth { module.define(&definition) }
        self = definition.draft
    }

    mutating func addMember<Value: Sendable>(
        _ type: Value.Type,
        _ source: @escaping @Sendable (Scope) async throws -> MemberSource<Value>
    ) -> ScopeMember<Value> {
        members.append { MemberPlace<Value>(source) }
        return ScopeMember(owner: identity, index: members.count - 1)
    }
}

/// Answers what is asked below a module's addresses and no action takes.
package typealias UnknownHandler = @Sendable (UnknownCall, CallContext) async throws -> (any Sendable)?

/// A URL under the addresses of a module that leads to nothing there.
public struct UnknownCall: Sendable {
    /// The requested name, as in the URL.
    public let name: String
    /// The values of its query by name, of which one may repeat.
    public let parameters: [String: [String]]
    /// The names that the module offers, sorted.
    public let known: [String]
    /// The name that is spelt most alike.
    public let suggestion: String?

    package init(name: String, parameters: [String: [String]], known: [String], suggestion: String?) {
        self.name = name
        self.parameters = parameters
        self.known = known
        self.suggestion = suggestion
    }
}
