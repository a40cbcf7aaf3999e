import Hummingbird
import HummingbirdTesting
import Logging
import Shop
import Testing

@Suite struct ShopTests {
    /// The rules next to the package's manifest.
    static let rules = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 } + "/rules"

    @Test func serves() async throws {
        let shop = try await makeShop(rules: Self.rules, logger: Logger(label: "test"))
        try await shop.test(.router) { client in
            try await client.execute(uri: "/item/7", method: .get) { response in
                #expect(String(buffer: response.body) == "item 7, by no rule\n")
            }
            try await client.execute(uri: "/i7.html", method: .get) { response in
                #expect(String(buffer: response.body).hasPrefix("item 7, by "))
                #expect(String(buffer: response.body).hasSuffix("10-shop.conf:5:5\n"))
            }
            try await client.execute(uri: "/sale/", method: .get) { response in
                #expect(response.status == .found)
                #expect(response.headers[.location] == "/item/7")
            }
            try await client.execute(uri: "/intern/x", method: .get) { response in
                #expect(response.status == .notFound)
            }
        }
    }
}
