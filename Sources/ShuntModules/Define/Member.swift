import Synchronization

/// One definition of a module in one assembly; what it gave out is recognised by it.
@usableFromInline
package final class ModuleIdentity: Sendable {
    let name: String

    init(name: String) { self.name = name }
}

/// A value that each scope of a module has: read it with `call[member]` or `scope[member]`.
public struct Member<Value: Sendable>: Sendable {
    @usableFromInline let owner: ModuleIdentity
    @usableFromInline let index: Int
}

/// The members of a scope that is being made: those that were defined before the one that is made now.
public struct Members: ~Copyable {
    @usableFromInline let scope: Scope

    /// The value of a member.
    @inlinable
    public subscript<Value>(_ member: Member<Value>) -> Value { scope[member] }
}

/// How a member's value is had: it is there, or made at each reading.
enum MemberSource<Value: Sendable>: Sendable {
    case value(Value)
    case read(@Sendable () -> Value)

    /// An object for the place in a scope.
    fileprivate var object: any AnyObject & Sendable {
        switch self {
        case .value(let value): MadeMember(value)
        case .read(let make): ReadMember(make)
        }
    }
}

/// A member whose value is there.
@usableFromInline
final class MadeMember<Value: Sendable>: Sendable {
    @usableFromInline let value: Value

    init(_ value: Value) { self.value = value }
}

/// A member whose value is made at each reading.
@usableFromInline
final class ReadMember<Value: Sendable>: Sendable {
    @usableFromInline let make: @Sendable () -> Value

    init(_ make: @escaping @Sendable () -> Value) { self.make = make }
}

/// The place of a member in a scope: empty until the scope starts, then never changed.
final class MemberPlace: Sendable {
    // An `AtomicLazyReference` would do, but reading it costs 500 instructions, since it looks its types up each time.
    // There is no race: the one task that starts the scope writes it, once, and nobody reads it before the flag says that
    // this was done.
    private nonisolated(unsafe) var made: (any AnyObject & Sendable)?
    private let isFilled = Atomic<Bool>(false)

    /// A `MadeMember` or a `ReadMember`; nil until it is made.
    var object: (any AnyObject & Sendable)? { isFilled.load(ordering: .acquiring) ? unsafe made : nil }

    func fill(_ object: any AnyObject & Sendable) {
        unsafe made = object
        isFilled.store(true, ordering: .releasing)
    }
}

/// How the scopes of a module come to a member.
struct MemberPlan: Sendable {
    /// Makes what goes into its place; the scope is starting.
    let make: @Sendable (Scope) async throws -> any AnyObject & Sendable

    init<Value: Sendable>(
        _: Value.Type,
        _ source: @escaping @Sendable (Scope) async throws -> MemberSource<Value>
    ) {
        make = { try await source($0).object }
    }
}
