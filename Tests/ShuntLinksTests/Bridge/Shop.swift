import Shunt
import ShuntInterfaces
import ShuntLinks
import ShuntModules
import Synchronization

/// A count that tasks and tests share.
final class Count: Sendable {
    private let count = Mutex(0)

    var value: Int { count.withLock { $0 } }

    func add() { count.withLock { $0 += 1 } }
}

/// The messages that a page got.
final class Messages: Sendable {
    private let messages = Mutex<[String]>([])

    var all: [String] { messages.withLock { $0 } }

    func add(_ message: String) { messages.withLock { $0.append(message) } }
}

/// Waits for other tasks.
func wait(_ words: String, until condition: () -> Bool) async throws {
    struct Vain: Error { var words: String }
    let end = ContinuousClock.now + .seconds(30)
    while !condition() {
        guard ContinuousClock.now < end else { throw Vain(words: words) }
        try await Task.sleep(for: .milliseconds(1))
    }
}

/// Modules that pages call.
enum Shop {
    struct Order: Codable, Sendable { var amount: Int }
    struct Limit: Codable, Sendable { var count: Int }
    struct Unauthorized: StatusError { var status: Int { 401 } }

    static let pay = ModuleAction<Order, String>("pay", at: "shop://pay", for: .web)
    static let forget = ModuleAction<NoValue, NoValue>("forget", at: "shop://forget", for: .web)
    static let fail = ModuleAction<NoValue, NoValue>("fail", at: "shop://fail", for: .web)
    static let sign = ModuleAction<NoValue, String>("sign", at: "shop://sign", for: .web)
    static let hidden = ModuleAction<NoValue, NoValue>("hidden", at: "shop://hidden", for: .network)
    static let endless = ModuleAction<NoValue, NoValue>("endless", at: "shop://endless", for: .web)
    static let count = ModuleFeed<Limit, Int>("count", at: "shop://count/:count", for: .web)
    static let sold = ModuleEvent<Order, String>("sold", at: "shop://sold", for: .web)
    static let user = ValueKey<String>("user")

    struct Counts: Sendable {
        let written = Count()
        let cancelled = Count()
    }

    struct ShopModule: ProgramModule {
        let counts: Counts

        func define(_ definition: inout ModuleDefinition<NoValue>) {
            definition.handle(Shop.pay) { order, _ in "paid \(order.amount)" }
            definition.handle(Shop.forget) { _, _ in NoValue() }
            definition.handle(Shop.fail) { _, _ in throw CancellationError() }
            definition.handle(Shop.sign) { _, call in
                guard let user = call.values[Shop.user] else { throw Unauthorized() }
                return "\(user) of \(call.caller.kind.rawValue) \(call.caller.name ?? "")"
            }
            definition.handle(Shop.hidden) { _, _ in NoValue() }
            definition.handle(Shop.endless) { [counts] _, _ in
                counts.written.add()
                do { try await Task.sleep(for: .seconds(1_000)) } catch { counts.cancelled.add() }
                return NoValue()
            }
            definition.stream(Shop.count) { [counts] limit, _, writer in
                do {
                    for number in 0..<limit.count {
                        counts.written.add()
                        try await writer.write(number)
                    }
                } catch {
                    counts.cancelled.add()
                    throw error
                }
            }
            definition.on(Shop.sold) { order, _ in "sold \(order.amount)" }
        }
    }

    static let origin = "https://shop.example.com"
    static let rules = """
        rewrite_url ^shop://old-pay$ shop://pay last;
        degrade ^~ shop://gone/ https://www.example.com/gone;
        block ^~ shop://evil/;
        """

    /// Runs a test with a bridge to the modules.
    static func run(
        options: Bridge.Options = Bridge.Options(),
        _ body: @escaping @Sendable (Bridge, Counts) async throws -> Void
    ) async throws {
        let counts = Counts()
        var assembly = Assembly()
        assembly.add(ShopModule(counts: counts))
        let modules = try assembly.build()
        let links = try Links(modules, rules: Engine(try RuleSet(text: rules)))
        let bridge = try Bridge(links, origins: [origin], options: options)
        try await modules.run { _ in try await body(bridge, counts) }
    }
}
