import Synchronization

/// One definition of a module in one assembly; what it gave out is recognised by it.
package final class ModuleIdentity: Sendable {
    let name: String

    init(name: String) { self.name = name }
}

/// A value that each scope of a module has: read it with `call[member]` or `scope[member]`.
public struct Member<Value: Sendable>: Sendable {
    let owner: ModuleIdentity
    let index: Int
}

/// The members of a scope that is being made: those that were defined before the one that is made now.
public struct Members: ~Copyable {
    let scope: Scope

    /// The value of a member.
    public subscript<Value>(_ member: Member<Value>) -> Value { scope[member] }
}

/// How a member's value is had: it is there, or made at each reading.
enum MemberSource<Value: Sendable>: Sendable {
    case value(Value)
    case read(@Sendable () -> Value)
}

/// The place of a member in a scope.
protocol AnyMemberPlace: AnyObject, Sendable {}

/// The place of a member of one type: empty until the scope starts, then never changed.
final class MemberPlace<Value: Sendable>: AnyMemberPlace {
    final class Box: Sendable {
        let source: MemberSource<Value>

        init(_ source: MemberSource<Value>) { self.source = source }
    }

    private let box = AtomicLazyReference<Box>()

    var value: Value? {
        switch box.load()?.source {
        case .value(let value): value
        case .read(let make): make()
        case nil: nil
        }
    }

    func fill(_ source: MemberSource<Value>) { _ = box.storeIfNil(Box(source)) }
}

/// How the scopes of a module come to a member.
struct MemberPlan: Sendable {
    /// Makes the place.
    let makePlace: @Sendable () -> any AnyMemberPlace
    /// Fills it; the scope is starting.
    let fill: @Sendable (Scope, any AnyMemberPlace) async throws -> Void

    init<Value: Sendable>(
        _: Value.Type,
        _ source: @escaping @Sendable (Scope) async throws -> MemberSource<Value>
    ) {
        makePlace = { MemberPlace<Value>() }
        fill = { scope, place in
            let source = try await source(scope)
            (place as? MemberPlace<Value>)?.fill(source)
        }
    }
}
