import Synchronization

extension Scope {
    /// Makes a scope, starts it, and gives it back when it is active.
    ///
    /// In a slot for one, a scope with an equal input is given back as it is, and one with another input is stopped
    /// first. Those who attach with equal inputs at one time get the same scope. When the start fails, the slot is empty
    /// again.
    ///
    /// - Throws: What the start threw; `CallError.slotIsFull`, `notActive` and `timedOut`; `CancellationError`.
    @discardableResult
    public func attach<Attached: Module>(_ slot: Slot<Attached>, _ input: Attached.Input) async throws -> Scope
    where Attached.Input: Equatable {
        try await attach(slot) {
            ($0 as? Attached.Input) == input
        } make: {
            input
        }
    }

    /// Attaches a scope for as long as `body` runs.
    ///
    /// In a slot for one, the scope that is there is stopped first.
    ///
    /// - Throws: As `attach`, and what `body` throws.
    public func with<Attached: Module, Value: Sendable>(
        _ slot: Slot<Attached>,
        _ input: Attached.Input,
        _ body: (Scope) async throws -> Value
    ) async throws -> Value {
        let scope = try await attach(slot) { _ in
            false
        } make: {
            input
        }
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
    public func children<Attached: Module>(in slot: Slot<Attached>) -> [Scope] {
        guard slot.owner === blueprint.identity else { return [] }
        return children(inSlot: slot.index)
    }

    package func children(inSlot index: Int) -> [Scope] {
        life.withLock { life in life.children.filter { $0.slot == index }.map(\.scope) }
    }

    private func attach<Attached: Module>(
        _ slot: Slot<Attached>,
        isEqual: (any Sendable) -> Bool,
        make: () -> any Sendable
    ) async throws -> Scope {
        guard slot.owner === blueprint.identity else {
            throw CallError.refused(by: name, reason: "the slot belongs to the module \"\(slot.owner.name)\"")
        }
        return try await attach(inSlot: slot.index, isEqual: isEqual, make: make)
    }

    /// What attaching has to do next.
    private enum AttachStep {
        case begin(Scope)
        case join(Scope)
        case wait(Scope)
        /// The slot was filled meanwhile.
        case lookAgain
    }

    /// Attaches a scope with an input that is not known by type here.
    package func attach(
        inSlot index: Int,
        isEqual: (any Sendable) -> Bool,
        make: () -> any Sendable
    ) async throws -> Scope {
        let slot = blueprint.slots[index]
        while true {
            try Task.checkCancellation()
            switch try nextStep(index, slot, isEqual, make) {
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
        _ slot: SlotBlueprint,
        _ isEqual: (any Sendable) -> Bool,
        _ make: () -> any Sendable
    ) throws -> AttachStep {
        // Comparing inputs is the user's code, so it is done before the lock is taken.
        let seen = children(inSlot: index)
        let equal = seen.first { isEqual($0.input) }
        let new = Scope(slot.module, input: make(), parent: self, program: program)
        return try life.withLock { life in
            guard life.state == .starting || life.state == .active else {
                throw CallError.notActive(scope: name, state: life.state)
            }
            let there = life.children.indices.filter { life.children[$0].slot == index }
            switch slot.capacity {
            case .one:
                if let first = there.first {
                    let child = life.children[first].scope
                    guard seen.contains(where: { $0 === child }) else { return .lookAgain }
                    let isStopping = child.life.withLock { $0.state == .stopping || $0.state == .stopped }
                    guard equal === child, !isStopping else { return .wait(child) }
                    life.children[first].waiting += 1
                    return .join(child)
                }
            case .many(let limit):
                guard there.count < limit else { throw CallError.slotIsFull(scope: name, limit: limit) }
            }
            life.children.append(Child(scope: new, slot: index, waiting: 1))
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
        let isLast = life.withLock { life -> Bool in
            guard let index = life.children.firstIndex(where: { $0.scope === child }) else { return true }
            life.children[index].waiting -= 1
            return life.children[index].waiting == 0
        }
        guard isGivenUp else { return false }
        if isLast, child.state == .starting { child.beginStop() }
        return child.state == .stopping || child.state == .stopped
    }
}
