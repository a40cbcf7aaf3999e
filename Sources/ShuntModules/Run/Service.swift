import ShuntCore
import ShuntInterfaces
import Synchronization

/// The way the scopes of a module reach a service.
struct ServicePlan: Sendable {
    let name: String
    let valueType: Any.Type
    let place: SourceLocation
    /// The list that it is a value of; nil for a separate service.
    var list: String?
    private(set) var makeCell: @Sendable () -> any AnyServiceCell

    init<Value>(
        _ key: ServiceKey<Value>,
        at place: SourceLocation,
        _ factory: @escaping @Sendable () -> ServiceCell<Value>.Factory
    ) {
        name = key.name
        valueType = Value.self
        self.place = place
        makeCell = { ServiceCell(name: key.name, factory()) }
    }
}

extension ServicePlan {
    /// The name of the service, or of the list that it is a value of.
    var shownName: String { list ?? name }

    /// Puts something around the service.
    mutating func decorate(_ decoration: @escaping @Sendable (any AnyServiceCell) -> any AnyServiceCell) {
        let make = makeCell
        makeCell = { decoration(make()) }
    }
}

protocol AnyServiceCell: AnyObject, Sendable {}

/// A service that is created at its first use.
public struct LazyService<Value: Sendable>: Sendable {
    let read: @Sendable () async throws -> Value

    /// The service; throws what making it throws, and `CallError`.
    public func callAsFunction() async throws -> Value { try await read() }
}

/// A service of a scope.
final class ServiceCell<Value: Sendable>: AnyServiceCell {
    enum Factory: Sendable {
        /// Made at its first use.
        case once(@Sendable (Scope) async throws -> Value)
        /// Asked at each reading.
        case read(@Sendable (Scope) -> Value)
    }

    private final class Box: Sendable {
        let value: Value

        init(_ value: Value) { self.value = value }
    }

    private let name: String
    private let factory: Factory
    private let made = AtomicLazyReference<Box>()
    private let making = SharedWork<NoValue, Value>()

    init(name: String, _ factory: Factory) {
        self.name = name
        self.factory = factory
    }

    /// The same service with something around it.
    func decorated(_ body: @escaping @Sendable (Value) -> Value) -> ServiceCell {
        switch factory {
        case .once(let make): ServiceCell(name: name, .once { body(try await make($0)) })
        case .read(let make): ServiceCell(name: name, .read { body(make($0)) })
        }
    }

    /// The service for those who read it again and again.
    func source(for provider: Scope) async throws -> MemberSource<Value> {
        switch factory {
        case .read(let make): .read { make(provider) }
        case .once: .value(try await value(of: provider))
        }
    }

    /// The service.
    func value(of provider: Scope) async throws -> Value {
        switch factory {
        case .read(let make): return make(provider)
        case .once(let make):
            if let box = made.load() { return box.value }
            let asking = ServiceMaking.current
            try provider.program.making.begin(asking, waitsFor: name)
            defer { provider.program.making.end(asking, waitsFor: name) }
            return try await making.share(NoValue(), in: provider, as: "service \(name)") { [self] in
                if let box = made.load() { return box.value }
                let value = try await ServiceMaking.$current.withValue(name) { try await make(provider) }
                return made.storeIfNil(Box(value)).value
            }
        }
    }
}

/// The services that wait for others while they are created, so that a circle is an error and not an endless wait.
final class ServiceMaking: Sendable {
    /// The service that this task makes.
    @TaskLocal static var current: String?

    private let waits = Mutex<[String: [String]]>([:])

    func begin(_ name: String?, waitsFor other: String) throws {
        guard let name else { return }
        try waits.withLock { waits in
            if let circle = Self.path(from: other, to: name, in: waits, [other]) {
                throw CallError.circularService(names: [name] + circle)
            }
            waits[name, default: []].append(other)
        }
    }

    func end(_ name: String?, waitsFor other: String) {
        guard let name else { return }
        waits.withLock { waits in
            if let index = waits[name]?.firstIndex(of: other) { waits[name]?.remove(at: index) }
            if waits[name]?.isEmpty == true { waits[name] = nil }
        }
    }

    private static func path(
        from start: String,
        to end: String,
        in waits: [String: [String]],
        _ path: [String]
    ) -> [String]? {
        if start == end { return path }
        for next in waits[start] ?? [] where !path.contains(next) {
            if let found = Self.path(from: next, to: end, in: waits, path + [next]) { return found }
        }
        return nil
    }
}

/// An object that lives as long as someone holds it.
final class UsedObject<Object: AnyObject & Sendable>: Sendable {
    private struct Reference: Sendable {
        weak var object: Object?
    }

    private let reference = Mutex(Reference())

    /// The object; made where no one holds one.
    ///
    /// Of objects made at one time the first is used.
    func current(_ make: () -> Object) -> Object {
        if let object = reference.withLock({ $0.object }) { return object }
        let new = make()
        return reference.withLock { reference in
            if let object = reference.object { return object }
            reference.object = new
            return new
        }
    }
}
