import Hummingbird
import Logging
import Shop

/// Serves the shop at http://127.0.0.1:8080; try /item/7, /i7.html and /sale/.
@main
struct Serve {
    static func main() async throws {
        try await makeShop(rules: "rules", logger: Logger(label: "shop")).runService()
    }
}
