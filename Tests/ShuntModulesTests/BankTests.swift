import ShuntModules
import ShuntModulesTesting
import Testing

// The program of docs/modules.md: orders, payments and sign-in, three modules that do not know each other.

/// The calls of the module of orders.
enum Orders {
    struct Order: Codable, Hashable, Sendable { var amount: Int }
    static let place = ModuleAction<Order, String>("Orders.place")
    static let placed = ModuleEvent<Order, NoValue>("Orders.placed")
}

/// The calls of payments, the values of a payment, and its errors.
enum Bank {
    static let pay = ModuleAction<Int, String>("Bank.pay")
    static let token = ValueKey<String>("bank token")
    struct Unauthorized: StatusError { var status = 401 }
}

/// The service of the sign-in.
protocol Session: Sendable {
    func token() async throws -> String
}
enum SignIn { static let session = ServiceKey<any Session>("SignIn.session") }

struct OrdersModule: ProgramModule {
    func define(_ definition: inout ModuleDefinition<NoValue>) {
        let pay = definition.require(Bank.pay)
        definition.handle(Orders.place) { order, call in
            let receipt = try await call[pay](order.amount)
            _ = await call.scope.root.send(Orders.placed, order)
            return receipt
        }
    }
}

struct BankModule: ProgramModule {
    func define(_ definition: inout ModuleDefinition<NoValue>) {
        definition.handle(Bank.pay) { amount, call in
            guard let token = call.values[Bank.token] else { throw Bank.Unauthorized() }
            return "paid \(amount) with \(token)"
        }
    }
}

actor SessionStore: Session {
    private var count = 0

    func load() async throws {}
    func token() -> String {
        count += 1
        return "token \(count)"
    }
}

struct SignInModule: ProgramModule {
    func define(_ definition: inout ModuleDefinition<NoValue>) {
        definition.level = .basic
        let store = definition.own { _ in SessionStore() }
        definition.provide(SignIn.session) { $0[store] }
        definition.onStart { scope in try await scope[store].load() }
    }
}

func shop() -> Assembly {
    var assembly = Assembly()
    assembly.add(OrdersModule())
    assembly.add(BankModule())
    assembly.add(SignInModule())
    assembly.intercept(
        Recovery("bank token") { error, _ in
            error is Bank.Unauthorized ? "token" : nil
        } repair: { _, scope in
            CallValues(Bank.token, try await scope.service(SignIn.session).token())
        }
    )
    return assembly
}

@Suite struct BankTests {
    @Test("The program of docs/modules.md: pay, 401, sign in, pay again")
    func program() async throws {
        let modules = try shop().build()
        let receipt = try await modules.run { app in
            try await app.call(Orders.place, .init(amount: 5))
        }
        #expect(receipt == "paid 5 with token 1")
    }

    @Test("The test of docs/modules.md: a module alone")
    func replaced() async throws {
        var assembly = Assembly()
        assembly.add(OrdersModule())
        assembly.replace(Bank.pay) { amount, _ in "stub \(amount)" }
        let receipt = try await assembly.build().run { try await $0.call(Orders.place, .init(amount: 5)) }
        #expect(receipt == "stub 5")
    }

    @Test("The mistake that docs/modules.md shows")
    func mistake() throws {
        var assembly = Assembly()
        assembly.add(OrdersModule(), file: "Shop/Program.swift", line: 4)
        let action = ModuleAction<Int, String>("Bank.bay")
        assembly.add(AnyModule("Misspelt") { $0.handle(action) { _, _ in "" } })
        let message = """
            Shop/Program.swift:4:1: error: "OrdersModule" requires the action "Bank.pay", which no module answers [missing-action]
                 = did you mean "Bank.bay"?

            """
        let error = #expect(throws: AssemblyError.self) { try assembly.build() }
        #expect(error?.description.hasPrefix(message) == true)
    }

    @Test("A scope of docs/modules.md: one for each session")
    func scopes() async throws {
        let home = HomeModule()
        var assembly = Assembly()
        assembly.add(home)
        let number = try await assembly.build().run { app in try await app.call(Home.visit, "ann") }
        #expect(number == "hello ann")
    }
}

enum Home { static let visit = ModuleAction<String, String>("Home.visit") }
enum Visit { static let greet = ModuleAction<NoValue, String>("Visit.greet") }

struct VisitModule: ProgramModule {
    func define(_ definition: inout ModuleDefinition<String>) {
        let name = definition.input
        definition.handle(Visit.greet) { _, call in "hello \(call[name])" }
    }
}

struct HomeModule: ProgramModule {
    func define(_ definition: inout ModuleDefinition<NoValue>) {
        let visit = definition.slot(VisitModule(), .many(limit: 1_000))
        definition.handle(Home.visit) { name, call in
            try await call.scope.with(visit, for: name) { try await $0.call(Visit.greet) }
        }
    }
}
