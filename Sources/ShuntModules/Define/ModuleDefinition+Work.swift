package import ShuntCore
public import ShuntInterfaces

extension ModuleDefinition {
    // MARK: What it answers

    /// Answers an action.
    public mutating func handle<I, O>(
        _ action: ModuleAction<I, O>,
        file: String = #fileID,
        line: Int = #line,
        _ body: @escaping @Sendable (I, CallContext) async throws -> O
    ) {
        let place = SourceLocation(file: file, line: line, column: 1)
        change { $0.endpoints.append(Endpoint(action.contract, at: place, body)) }
    }

    /// Answers an action by a request to another program.
    ///
    /// The network does not reach it: what asks with this program's rights for anybody outside is an open proxy.
    package mutating func handOn<I, O>(
        _ action: ModuleAction<I, O>,
        at place: SourceLocation,
        _ body: @escaping @Sendable (I, CallContext) async throws -> O
    ) {
        let exposure = action.exposure.subtracting(.network)
        change { $0.endpoints.append(Endpoint(action.contract, at: place, for: exposure, body)) }
    }

    /// Answers a feed: elements are written until the body returns, which ends the feed, or throws.
    public mutating func stream<I, Element>(
        _ feed: ModuleFeed<I, Element>,
        file: String = #fileID,
        line: Int = #line,
        _ body: @escaping @Sendable (I, CallContext, FeedWriter<Element>) async throws -> Void
    ) {
        let place = SourceLocation(file: file, line: line, column: 1)
        change { $0.endpoints.append(feed.endpoint(at: place, body)) }
    }

    /// Hears an event.
    public mutating func on<P, R>(
        _ event: ModuleEvent<P, R>,
        file: String = #fileID,
        line: Int = #line,
        _ body: @escaping @Sendable (P, CallContext) async throws -> R
    ) {
        let place = SourceLocation(file: file, line: line, column: 1)
        change { $0.endpoints.append(Endpoint(event.contract, at: place, body)) }
    }

    /// Answers what is asked below the module's addresses and no action takes; nil when it cannot either.
    public mutating func handleUnknown(
        _ body: @escaping @Sendable (UnknownCall, CallContext) async throws -> (any Sendable)?
    ) {
        change { $0.unknown = body }
    }

    // MARK: Further work

    /// Work without which the module is not ready: what needs it starts after this returned.
    public mutating func onStart(_ body: @escaping @Sendable (Scope) async throws -> Void) {
        change { $0.starts.append(body) }
    }

    /// The last work of the module, within the limit for stopping.
    ///
    /// Done only where the scope became active.
    public mutating func onStop(_ body: @escaping @Sendable (Scope) async -> Void) {
        change { $0.stops.append(body) }
    }

    /// Work that continues while the scope is active, and is cancelled when it stops.
    ///
    /// An error that it throws stops the scope, and with a module of the program the program.
    public mutating func run(_ name: String, _ body: @escaping @Sendable (Scope) async throws -> Void) {
        change { $0.tasks.append((name, body)) }
    }

    /// A place below this module where scopes of another may be attached.
    public mutating func slot<Attached: ProgramModule>(_ module: Attached, _ capacity: SlotCapacity = .one) -> Slot<
        Attached
    > {
        let slot: Slot<Attached> = addSlot(SlotDraft(module: attached(module), capacity: capacity))
        guard case .each = capacity else { return slot }
        let input = Attached.Input.self
        let message = "a slot of \"\(draft.name)\" has a scope for each input, but \(input) is not Hashable"
        let advice = "make \(input) Hashable, or write .many"
        report(Diagnostic(.error(.slotInput), message, at: draft.place, suggestion: advice))
        return slot
    }

    /// The same for inputs that are `Hashable`: scopes are found by them.
    public mutating func slot<Attached: ProgramModule>(
        _ module: Attached,
        _ capacity: SlotCapacity = .one
    ) -> Slot<Attached> where Attached.Input: Hashable {
        addSlot(SlotDraft(module: attached(module), capacity: capacity, keys: InputKeys(Attached.Input.self)))
    }

    /// The same, reached by URLs: what the pattern captures becomes the input.
    ///
    /// - Parameters:
    ///   - module: The module.
    ///   - capacity: The number of scopes.
    ///   - address: The pattern; what of a URL is after it is looked up among the addresses of the module that begin
    ///     with `/`.
    ///   - exposure: The callers that may use the address, and the addresses of the module in the slot. Nothing but code of
    ///     the same process unless it is given: opening the address stops the scope of a slot for one.
    ///   - attachesOnDemand: Whether a URL attaches a scope where there is none with its input.
    ///   - file: The file that the address is reported with.
    ///   - line: The line of that file.
    /// - Returns: The slot, for attaching.
    public mutating func slot<Attached: ProgramModule>(
        _ module: Attached,
        _ capacity: SlotCapacity = .one,
        at address: String,
        for exposure: Exposure = .code,
        attachesOnDemand: Bool = false,
        file: String = #fileID,
        line: Int = #line
    ) -> Slot<Attached> where Attached.Input: Decodable & Hashable {
        var slot = SlotDraft(module: attached(module), capacity: capacity)
        slot.place = SourceLocation(file: file, line: line, column: 1)
        slot.address = address
        slot.exposure = exposure
        slot.attachesOnDemand = attachesOnDemand
        slot.decodeInput = { try Attached.Input(from: $0) }
        slot.keys = InputKeys(Attached.Input.self)
        return addSlot(slot)
    }

    private func attached<Attached: ProgramModule>(_ module: Attached) -> ModuleDraft {
        ModuleDraft(module, place: draft.place, depth: draft.depth + 1)
    }

    private mutating func addSlot<Attached: ProgramModule>(_ slot: SlotDraft) -> Slot<Attached> {
        change { $0.slots.append(slot) }
        return Slot(owner: draft.identity, index: draft.slots.count - 1)
    }

    // MARK: What is around it

    /// Something around all calls that this module, and what is below it, answers.
    public mutating func intercept(_ interceptor: some Interceptor) {
        change { $0.interceptors.append(interceptor) }
    }

    /// Something around the calls of one action that this module answers.
    public mutating func intercept<I, O>(
        _ action: ModuleAction<I, O>,
        _ body: @escaping @Sendable (I, CallContext, NextCall<I, O>) async throws -> O
    ) {
        change { $0.actionInterceptors.append(ActionInterceptor(contract: action.contract, body: body)) }
    }
}

extension ModuleFeed {
    func endpoint(
        at place: SourceLocation,
        _ body: @escaping @Sendable (Input, CallContext, FeedWriter<Element>) async throws -> Void
    ) -> any AnyEndpoint {
        Endpoint<FeedRequest<Input, Element>, NoValue>(contract, at: place) { request, call in
            try await body(request.input, call, request.writer)
            return NoValue()
        }
    }
}
