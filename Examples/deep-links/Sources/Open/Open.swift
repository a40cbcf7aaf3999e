import DeepLinks

/// Shows where links lead: `swift run Open kl://Item/7 kl://Cashier/checkout`.
@main
struct Open {
    static func main() async throws {
        let links = try AppLinks(rules: "rules", version: "3.10.0")
        let arguments = CommandLine.arguments.dropFirst()
        for link in arguments.isEmpty ? ["kl://Item/7", "kl://Pay/checkout", "https://a.tracker.example/"] : arguments {
            let screen = try await links.screen(for: link, user: "me")
            print(link, "→", screen.map { "\($0)" } ?? "nothing")
        }
    }
}
