import Synchronization

/// One definition of a module in one assembly; what it issued is recognised by it.
@usableFromInline
package final class ModuleIdentity: Sendable {
    let name: String

    init(name: String) { self.name = name }
}

/// A value that each scope of a module has: read it with `call[member]` or `scope[member]`.
public struct ScopeMember<Value: Sendable>: Sendable {
    @usableFromInline let owner: ModuleIdentity
    @usableFromInline let index: Int
}

/// The members of a scope that is being created: members defined before the present one.
public struct ScopeMembers: ~Copyable {
    @usableFromInline let scope: Scope

    /// The value of a member.
    @inlinable
    public subscript<Value>(_ member: ScopeMember<Value>) -> Value { scope[member] }
}

/// The source of a member's value: stored, or computed at each reading.
enum MemberSource<Value: Sendable>: Sendable {
    case value(Value)
    case read(@Sendable () -> Value)
}

/// The place of a member in a scope.
@usableFromInline
protocol AnyMemberPlace: AnyObject, Sendable {
    /// Makes the value; the scope is starting.
    func fill(for scope: Scope) async throws
}

/// The place of a member of one type: empty until the scope starts, then never changed.
///
/// It has its own room, since what Swift adds to the reading of a `var` (a check of access) and of an
/// `AtomicLazyReference` (a search for its types) is many times the reading. There is no race, and no reading of an
/// empty place: the one task that starts the scope fills the places one after another, each once, and counts each among
/// `Scope.madeMembers` when it is filled; no one reads one that is not counted.
@usableFromInline
@safe final class MemberPlace<Value: Sendable>: AnyMemberPlace {
    /// The value, where it is there.
    @usableFromInline nonisolated(unsafe) let value = UnsafeMutablePointer<Value>.allocate(capacity: 1)
    /// The closure that computes the value at each reading; nil if it is stored.
    @usableFromInline nonisolated(unsafe) let make = UnsafeMutablePointer<(@Sendable () -> Value)?>
        .allocate(capacity: 1)
    private let hasValue = Atomic<Bool>(false)
    private let source: @Sendable (Scope) async throws -> MemberSource<Value>

    init(_ source: @escaping @Sendable (Scope) async throws -> MemberSource<Value>) {
        self.source = source
        unsafe make.initialize(to: nil)
    }

    deinit {
        if hasValue.load(ordering: .acquiring) { unsafe value.deinitialize(count: 1) }
        unsafe make.deinitialize(count: 1)
        unsafe value.deallocate()
        unsafe make.deallocate()
    }

    /// The value; the place must be filled.
    @inlinable
    func read() -> Value {
        if let make = unsafe make.pointee { return make() }
        return unsafe value.pointee
    }

    @usableFromInline
    func fill(for scope: Scope) async throws {
        switch try await source(scope) {
        case .value(let value):
            unsafe self.value.initialize(to: value)
            hasValue.store(true, ordering: .releasing)
        case .read(let make):
            unsafe self.make.pointee = make
        }
    }
}

/// Makes the place of a member in a scope.
typealias MemberPlan = @Sendable () -> any AnyMemberPlace
