import Synchronization

extension Scope {
    /// Makes a scope, starts it, and returns it when it is active.
    ///
    /// In a slot for one, a scope with an equal input is returned unchanged, and one with another input is stopped first.
    /// In a slot for each input, a scope with an equal input is returned. Callers that attach with equal inputs at one time
    /// get the same scope there. When the start fails, the slot is as before.
    ///
    /// - Complexity: The same however many scopes there are.
    /// - Throws: What the start threw; `CallError.slotIsFull`, `notActive` and `timedOut`; `CancellationError`.
    @discardableResult
    public func attach<Attached: ProgramModule>(_ slot: Slot<Attached>, for input: Attached.Input) async throws -> Scope
    where Attached.Input: Equatable {
        try await attach(slot, for: input, finds: true) { ($0 as? Attached.Input) == input }
    }

    /// Attaches a scope for as long as `body` runs.
    ///
    /// In a slot for one, the scope that is there is stopped first, and in a slot for each input the one with an equal
    /// input.
    ///
    /// - Throws: As `attach`, and what `body` throws.
    public func with<Attached: ProgramModule, Value: Sendable>(
        _ slot: Slot<Attached>,
        for input: Attached.Input,
        _ body: (Scope) async throws -> Value
    ) async throws -> Value {
        let keys = slot.owner === blueprint.identity ? blueprint.slots[slot.index].keys : nil
        let scope = try await attach(slot, for: input, finds: false) { keys?.areEqual($0, input) ?? false }
        do {
            let value = try await body(scope)
            await scope.detach()
            return value
        } catch {
            await scope.detach()
            throw error
        }
    }

    /// The scopes in a slot, in the order in which they were attached; none for a slot of another module.
    ///
    /// - Complexity: Linear in the children of this scope.
    public func children<Attached: ProgramModule>(in slot: Slot<Attached>) -> [Scope] {
        guard slot.owner === blueprint.identity else { return [] }
        return life.withLock { $0.children.scopes(inSlot: slot.index) }
    }

    /// The scope in a slot that has an input.
    ///
    /// - Complexity: The same however many scopes there are.
    /// - Returns: The scope, which may be starting or stopping; of several the scope that was attached first. Nil where
    ///   there is none, and for a slot of another module.
    public func child<Attached: ProgramModule>(in slot: Slot<Attached>, for input: Attached.Input) -> Scope?
    where Attached.Input: Hashable {
        guard slot.owner === blueprint.identity else { return nil }
        return child(in: blueprint.slots[slot.index].chain(slot.index, of: input)) {
            ($0 as? Attached.Input) == input
        }
    }

    /// The same for an input that is not known by type here.
    package func child(inSlot index: Int, for input: any Sendable) -> Scope? {
        let slot = blueprint.slots[index]
        guard let keys = slot.keys else { return nil }
        return child(in: slot.chain(index, of: input)) { keys.areEqual($0, input) }
    }

    private func child(in chain: ChildList.Chain, _ isEqual: (any Sendable) -> Bool) -> Scope? {
        // Comparing inputs is the user's code, so the lock is not held.
        var candidate = life.withLock { $0.children.next(of: chain, after: nil) }
        while let child = candidate, !isEqual(child.input) {
            candidate = life.withLock { $0.children.next(of: chain, after: child) }
        }
        return candidate
    }

    private func attach<Attached: ProgramModule>(
        _ slot: Slot<Attached>,
        for input: Attached.Input,
        finds: Bool,
        isEqual: (any Sendable) -> Bool
    ) async throws -> Scope {
        guard slot.owner === blueprint.identity else {
            throw CallError.refused(by: name, reason: "the slot belongs to the module \"\(slot.owner.name)\"")
        }
        return try await attach(inSlot: slot.index, input, finds: finds, isEqual: isEqual)
    }

    /// Attaches a scope with an input that is not known by type here.
    package func attach(inSlot index: Int, for input: any Sendable) async throws -> Scope {
        let keys = blueprint.slots[index].keys
        return try await attach(inSlot: index, input, finds: true) { keys?.areEqual($0, input) ?? false }
    }

    /// The next step of attaching.
    private enum AttachStep {
        case begin(Scope)
        case join(Scope)
        case wait(Scope)
        /// The slot was filled meanwhile.
        case lookAgain
    }

    private func attach(
        inSlot index: Int,
        _ input: any Sendable,
        finds: Bool,
        isEqual: (any Sendable) -> Bool
    ) async throws -> Scope {
        while true {
            try Task.checkCancellation()
            switch try nextStep(index, input: input, finds: finds, isEqual) {
            case .begin(let child):
                child.beginStart()
                return try await waitForStart(of: child)
            case .join(let child):
                return try await waitForStart(of: child)
            case .lookAgain:
                continue
            case .wait(let child):
                await child.detach()
                // From inside of that scope its end cannot be waited for; the slot is not free before it.
                if child.isAroundThisTask { throw CallError.slotIsFull(scope: name, limit: 1) }
            }
        }
    }

    private func nextStep(
        _ index: Int,
        input: any Sendable,
        finds: Bool,
        _ isEqual: (any Sendable) -> Bool
    ) throws -> AttachStep {
        let slot = blueprint.slots[index]
        let chain = slot.chain(index, of: input)
        var (last, equal): (Scope?, Scope?)
        var isShared = true
        if case .many = slot.capacity { isShared = false }
        if isShared {
            last = life.withLock { $0.children.last(of: chain) }
            equal = child(in: chain, isEqual)
        }
        /// The scope in the place of the new one.
        let there = slot.capacity == .one ? last : equal
        let new = there == nil ? Scope(slot.module, input: input, parent: self, program: program) : nil
        return try life.withLock { life in
            guard life.state == .starting || life.state == .active else {
                throw CallError.notActive(scope: name, state: life.state)
            }
            if isShared, life.children.last(of: chain) !== last { return .lookAgain }
            guard let new else {
                guard let there, life.children.contains(there) else { return .lookAgain }
                let isStopping = there.life.withLock { $0.state == .stopping || $0.state == .stopped }
                guard finds, equal === there, !isStopping else { return .wait(there) }
                _ = life.children.wait(for: there, 1)
                return .join(there)
            }
            let limit = slot.capacity.limit
            guard life.children.count(inSlot: index) < limit else {
                throw CallError.slotIsFull(scope: name, limit: limit)
            }
            life.children.append(new, chain, waiting: 1)
            return .begin(new)
        }
    }

    /// Waits until a child is active.
    ///
    /// When the last one who waits leaves, the start is given up.
    private func waitForStart(of child: Scope) async throws -> Scope {
        do {
            if !child.isActive { try await child.waitForStart() }
            leave(child, isGivenUp: false)
            return child
        } catch {
            let isGone = leave(child, isGivenUp: true)
            if isGone, !child.isAroundThisTask { _ = try? await child.settled.waitToTheEnd() }
            throw error
        }
    }

    /// - Returns: Whether the child stops.
    @discardableResult
    private func leave(_ child: Scope, isGivenUp: Bool) -> Bool {
        let isLast = life.withLock { $0.children.wait(for: child, -1) == 0 }
        guard isGivenUp else { return false }
        if isLast, child.state == .starting { child.beginStop() }
        return child.state == .stopping || child.state == .stopped
    }
}
