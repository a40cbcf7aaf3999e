import DeepLinks
import Testing

@Suite struct AppLinksTests {
    /// The rules next to the package's manifest.
    static let rules = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 } + "/rules"

    @Test(
        arguments: [
            ("3.10.0", "kl://Item/7", Screen.item(7)),
            ("3.10.0", "kl://Item/seven", .home),
            ("3.10.0", "kl://Cashier/checkout?id=1", .pay(page: "checkout")),
            ("3.1.9", "kl://Cashier/checkout?id=1", .web("https://m.example.com/pay/checkout?id=1")),
            ("3.10.0", "https://eu.tracker.example/pixel.gif", nil),
        ]
    )
    func links(_ version: String, _ link: String, _ screen: Screen?) async throws {
        let links = try AppLinks(rules: Self.rules, version: version)
        #expect(try await links.screen(for: link, user: "me") == screen)
    }

    @Test func asksToSignIn() async throws {
        let links = try AppLinks(rules: Self.rules, version: "3.10.0")
        #expect(try await links.screen(for: "kl://Pay/checkout", user: nil) == .signIn(then: "kl://Pay/checkout"))
    }
}
