public import Synchronization

/// A module that is alive.
///
/// Safe to use from any task.
///
/// A scope has an input, members, tasks and children; stopping it frees all of that. The root is the program.
public final class Scope: Sendable, Identifiable {
    /// The place where a scope is in its life.
    @nonexhaustive
    public enum State: String, Sendable, Hashable {
        /// Its members are made and its start work is done.
        case starting
        /// It answers.
        case active
        /// Its children, tasks and calls are being ended.
        case stopping
        /// Nothing of it runs any more.
        case stopped
    }

    /// The mutable state of a scope.
    struct Life {
        var state = State.starting
        var children = ChildList()
        var tasks: [Int: RunningTask] = [:]
        var nextTask = 0
        var watchers: [Int: AsyncStream<State>.Continuation] = [:]
    }

    struct RunningTask {
        var name: String
        var task: Task<Void, Never>
        /// The callback for the waiting caller when the scope is detached.
        var onDetach: (@Sendable () -> Void)?
    }

    let blueprint: Blueprint
    /// That of the blueprint, without the way there.
    @usableFromInline let identity: ModuleIdentity
    package let program: ModuleProgram
    /// The scope above; nil for the root.
    public let parent: Scope?
    package let input: any Sendable
    /// True if calls into the scope end with it: all but the modules of the program itself may be detached.
    let endsCalls: Bool
    @usableFromInline let members: [any AnyMemberPlace]
    /// The service cells; members are created in their order.
    @usableFromInline let madeMembers = Atomic<Int>(0)
    let services: [any AnyServiceCell]
    let life = Mutex(Life())
    private let activity = Atomic<Bool>(false)
    /// Its start has ended.
    let started = Promise<Void>()
    /// It stopped, or the time for that is over.
    let settled = Promise<Void>()
    /// Nothing of it runs any more.
    let ended = Promise<Void>()
    /// All its tasks have ended.
    let idle = Promise<Void>()

    init(_ blueprint: Blueprint, input: any Sendable, parent: Scope?, program: ModuleProgram) {
        self.blueprint = blueprint
        identity = blueprint.identity
        self.program = program
        self.parent = parent
        self.input = input
        endsCalls = parent?.parent != nil
        members = blueprint.members.map { $0() }
        services = blueprint.services.map { $0.makeCell() }
    }

    /// The name of the module.
    public var name: String { blueprint.name }

    /// The scope of the whole program.
    public var root: Scope {
        var scope = self
        while let parent = scope.parent { scope = parent }
        return scope
    }

    /// The names from the root to this scope.
    package var path: [String] {
        var names = [name]
        var scope = self
        while let parent = scope.parent {
            names.append(parent.name)
            scope = parent
        }
        return names.reversed()
    }

    /// The place where it is in its life.
    public var state: State { life.withLock { $0.state } }

    /// True if it answers: read without a lock for each call.
    package var isActive: Bool { activity.load(ordering: .acquiring) }

    /// True if all its members are made, so that its services can read them.
    var hasMembers: Bool { madeMembers.load(ordering: .acquiring) == members.count }

    /// Reports that another member is created.
    func countMember() { madeMembers.add(1, ordering: .releasing) }

    /// The scopes below, in the order in which they were attached.
    public var children: [Scope] { life.withLock { $0.children.scopes } }

    /// The state now, and each one that follows, until the scope has stopped.
    public var states: AsyncStream<State> {
        AsyncStream { continuation in
            let (id, hasStopped) = life.withLock { life -> (Int, Bool) in
                life.nextTask += 1
                continuation.yield(life.state)
                if life.state != .stopped { life.watchers[life.nextTask] = continuation }
                return (life.nextTask, life.state == .stopped)
            }
            if hasStopped { continuation.finish() }
            continuation.onTermination = { [weak self] _ in
                // Let go outside of the lock: letting go of a continuation may run this again.
                let watcher = self?.life.withLock { $0.watchers.removeValue(forKey: id) }
                _ = watcher
            }
        }
    }

    /// A member of the scope.
    ///
    /// It is there as soon as it was made, and as long as someone holds the scope.
    ///
    /// Reading a member of another module, or one that is not made yet, is a mistake in the program and stops it.
    @inlinable
    public subscript<Value>(_ member: ScopeMember<Value>) -> Value {
        guard member.owner === identity, member.index < madeMembers.load(ordering: .acquiring),
            let place = members[member.index] as? MemberPlace<Value>
        else { refuse(member.owner, member.index) }
        return place.read()
    }

    /// Stops the program: a member cannot be read here.
    @usableFromInline
    func refuse(_ owner: ModuleIdentity, _ index: Int) -> Never {
        // Calls and services are refused until all members are made, so only what makes a member can come here too early. It makes
        // them in the order of `define`, where each is a local constant: Swift refuses a closure that names one further down.
        if owner === identity, index >= madeMembers.load(ordering: .acquiring) {
            preconditionFailure("a member of \"\(name)\" is read before it is created")
        }
        // Members are constants that `define` issues and code names: no URL, rule or message can name one, so which
        // member is read from which scope is settled when the program is written, and shows at the first reading.
        preconditionFailure("a member of the module \"\(owner.name)\" is read from the scope \"\(name)\"")
    }

    /// Goes from one state to the next, and notifies those who watch; nothing happens in another state.
    func advance(from old: State, to new: State) -> Bool {
        let (hasAdvanced, ended) = life.withLock { life -> (Bool, [AsyncStream<State>.Continuation]) in
            guard life.state == old else { return (false, []) }
            change(&life, to: new)
            guard new == .stopped else { return (true, []) }
            defer { life.watchers = [:] }
            return (true, Array(life.watchers.values))
        }
        // Outside of the lock, since the end of a stream takes it.
        for watcher in ended { watcher.finish() }
        return hasAdvanced
    }

    /// Changes the state; the lock is held.
    func change(_ life: inout Life, to new: State) {
        life.state = new
        activity.store(new == .active, ordering: .releasing)
        for watcher in life.watchers.values { watcher.yield(new) }
    }
}
