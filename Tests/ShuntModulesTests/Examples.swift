import ShuntModules
import ShuntModulesTesting
import Synchronization
import Testing

/// Modules that many tests use.
enum A {
    struct Detail: Codable, Hashable, Sendable { var key: String }
    struct Page: Codable, Hashable, Sendable { var title: String }
    static let detail = ModuleAction<Detail, Page>("A.detail", at: "demo://A/detail", for: .links)
    static let presentImage = ModuleAction<[UInt8], Int>("A.presentImage")
}

struct ModuleA: ProgramModule {
    func define(_ definition: inout ModuleDefinition<NoValue>) {
        definition.handle(A.detail) { input, _ in A.Page(title: input.key) }
        definition.handle(A.presentImage) { image, _ in image.withUnsafeBytes { Int(bitPattern: $0.baseAddress) } }
    }
}

protocol TradeService: Sendable { func itemCount() async -> Int }
enum Trade { static let service = ServiceKey<any TradeService>("Trade.service") }
actor TradeStore: TradeService {
    func itemCount() -> Int { 3 }
}
struct TradeModule: ProgramModule {
    func define(_ definition: inout ModuleDefinition<NoValue>) {
        definition.level = .basic
        let store = definition.own { _ in TradeStore() }
        definition.provide(Trade.service) { $0[store] }
    }
}

enum Shop { static let count = ModuleAction<NoValue, Int>("Shop.count") }
struct ShopModule: ProgramModule {
    func define(_ definition: inout ModuleDefinition<NoValue>) {
        let trade = definition.require(Trade.service)
        definition.handle(Shop.count) { _, call in await call[trade].itemCount() }
    }
}

enum Payments {
    struct Payment: Codable, Hashable, Sendable { var amount: Int }
    struct Receipt: Codable, Hashable, Sendable { var number: String }
    struct Unauthorized: StatusError, Equatable { var status = 401, realm = "payments" }
    static let pay = ModuleAction<Payment, Receipt>("Payments.pay", at: "yourbank://payments/pay", for: .links)
    static let token = ValueKey<String>("payment token")
}
enum Login {
    struct TokenRequest: Codable, Sendable { var presentation = Presentation.modal }
    static let paymentToken = ModuleAction<TokenRequest, String>("Login.paymentToken")
}

/// Any module, made of a closure.
struct AnyModule: ProgramModule {
    let name: String
    let body: @Sendable (inout ModuleDefinition<NoValue>) -> Void

    init(_ name: String, _ body: @escaping @Sendable (inout ModuleDefinition<NoValue>) -> Void) {
        self.name = name
        self.body = body
    }

    func define(_ definition: inout ModuleDefinition<NoValue>) { body(&definition) }
}

/// Any module with an input.
struct InputModule<Input: Sendable>: ProgramModule {
    let name: String
    let body: @Sendable (inout ModuleDefinition<Input>) -> Void

    init(_ name: String, _ body: @escaping @Sendable (inout ModuleDefinition<Input>) -> Void) {
        self.name = name
        self.body = body
    }

    func define(_ definition: inout ModuleDefinition<Input>) { body(&definition) }
}

/// Hands what a definition issued to a test.
final class Kept<Value: Sendable>: Sendable {
    private let kept = Mutex<Value?>(nil)

    var value: Value? {
        get { kept.withLock { $0 } }
        set { kept.withLock { $0 = newValue } }
    }

    func get() throws -> Value { try #require(value) }
}

/// The events, in order.
final class Log: Sendable {
    private let kept = Mutex<[String]>([])

    var lines: [String] { kept.withLock { $0 } }

    func callAsFunction(_ line: String) { kept.withLock { $0.append(line) } }

    func count(_ line: String) -> Int { lines.count { $0 == line } }
}

/// A number that tasks share.
final class Counter: Sendable {
    private let number = Mutex(0)

    var value: Int { number.withLock { $0 } }

    @discardableResult
    func increment() -> Int {
        number.withLock { number in
            number += 1
            return number
        }
    }
}

/// Opens once; tasks wait for it.
final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var waiting: [Int: CheckedContinuation<Void, any Error>] = [:]
        var next = 0
        var arrived = 0
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }
    private let state = Mutex(State())

    /// Waits until it opens.
    ///
    /// - Parameter stubborn: True if a cancelled task continues to wait.
    /// - Throws: `CancellationError`.
    func wait(stubborn: Bool = false) async throws {
        let id = state.withLock { state in
            state.next += 1
            return state.next
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let (result, watchers) = state.withLock {
                    state -> (Result<Void, any Error>?, [CheckedContinuation<Void, Never>]) in
                    state.arrived += 1
                    let due = state.watchers.filter { $0.count <= state.arrived }.map(\.continuation)
                    state.watchers.removeAll { $0.count <= state.arrived }
                    if state.isOpen { return (.success(()), due) }
                    if !stubborn, Task.isCancelled { return (.failure(CancellationError()), due) }
                    state.waiting[id] = continuation
                    return (nil, due)
                }
                for watcher in watchers { watcher.resume() }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            if !stubborn {
                state.withLock { $0.waiting.removeValue(forKey: id) }?.resume(throwing: CancellationError())
            }
        }
    }

    /// Returns when so many have come here.
    func arrivals(_ count: Int = 1) async {
        await withCheckedContinuation { continuation in
            let isDue = state.withLock { state -> Bool in
                if state.arrived >= count { return true }
                state.watchers.append((count, continuation))
                return false
            }
            if isDue { continuation.resume() }
        }
    }

    func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for continuation in waiting { continuation.resume() }
    }
}

struct Failure: Error, Equatable {
    var name: String

    init(_ name: String = "failure") { self.name = name }
}

/// Builds and runs modules.
@discardableResult
func run<Value: Sendable>(
    _ modules: [AnyModule] = [],
    clock: (any Clock<Duration>)? = nil,
    _ change: (inout Assembly) -> Void = { _ in },
    body: @escaping @Sendable (Scope) async throws -> Value
) async throws -> Value {
    var options = Assembly.Options()
    if let clock {
        options.clock = clock
    } else {
        // A busy machine is not what is tested.
        options.startTime = .seconds(600)
    }
    var assembly = Assembly(options: options)
    for module in modules { assembly.add(module) }
    change(&assembly)
    return try await assembly.build().run(body)
}

extension CallError {
    /// The name of the case, for comparing.
    var kind: String { Mirror(reflecting: self).children.first?.label ?? "" }
}

/// The kind of the `CallError` that a body throws.
func callError<Value>(_ body: () async throws -> Value) async -> String {
    do {
        _ = try await body()
        return "no error"
    } catch let error as CallError {
        return error.kind
    } catch {
        return "\(error)"
    }
}
