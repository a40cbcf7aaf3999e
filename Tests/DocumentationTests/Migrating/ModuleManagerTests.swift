import ShuntModules
import Testing

/// The public protocols: one target that both modules import.
protocol GoodsPrices: Sendable { func price(of goods: String) -> Int }
enum Goods { static let prices = ServiceKey<any GoodsPrices>("Goods.prices") }

/// The module Goods, which registers what it offers.
struct PriceList: GoodsPrices {
    func price(of goods: String) -> Int { goods == "tea" ? 4 : 0 }
}
struct GoodsModule: ProgramModule {
    func define(_ definition: inout ModuleDefinition<NoValue>) {
        definition.provide(Goods.prices) { _ in PriceList() }
    }
}

/// The module Cart, which knows the protocol and not the class.
enum Cart { static let total = ModuleAction<[String], Int>("Cart.total") }
struct CartModule: ProgramModule {
    func define(_ definition: inout ModuleDefinition<NoValue>) {
        let prices = definition.require(Goods.prices)
        definition.handle(Cart.total) { goods, call in
            goods.reduce(0) { $0 + call[prices].price(of: $1) }
        }
    }
}

/// Sources/ShuntModules/ShuntModules.docc/FromModuleManager.md.
@Suite struct ModuleManagerTests {
    @Test("A class for a protocol, and another in a test")
    func classForProtocol() async throws {
        struct FixedPrices: GoodsPrices {
            func price(of goods: String) -> Int { 1 }
        }
        var assembly = Assembly()
        assembly.add(GoodsModule())
        assembly.add(CartModule())
        try await assembly.build()
            .run { (app) async throws in
                #expect(try await app.call(Cart.total, ["tea", "tea"]) == 8)
                let prices = try await app.service(Goods.prices)
                #expect(prices.price(of: "tea") == 4)
            }
        assembly.replace(Goods.prices, FixedPrices())
        try await assembly.build()
            .run { (app) async throws in
                #expect(try await app.call(Cart.total, ["tea", "tea"]) == 2)
            }
    }
}
