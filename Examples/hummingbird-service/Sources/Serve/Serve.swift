import Foundation
import Hummingbird
import Logging
import Shop

/// Serves the shop at http://127.0.0.1:8080; try /item/7, /i7.html and /sale/.
@main
struct Serve {
    static func main() async {
        let logger = Logger(label: "shop")
        do {
            try await makeShop(rules: "rules", logger: logger).runService()
        } catch {
            // Wrong rules are a text with the line and a caret; an error that `main` throws is a crash.
            logger.critical("\(error)")
            exit(1)
        }
    }
}
