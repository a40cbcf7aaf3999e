import Bank
import ShuntLinks
import ShuntModules

/// Opens a link of the bank: `swift run Pay "yourbank://payments/pay?amount=5"`.
@main
struct Pay {
    static func main() async throws {
        let url = CommandLine.arguments.dropFirst().first ?? "yourbank://payments/pay?amount=5"
        let modules = try Bank.assembly().build()
        let links = try Bank.links(to: modules, rules: "rules")
        try await modules.run { _ in
            let answer = try await links.open(url, from: Caller(.link))
            print(try answer.json().map { String(decoding: $0, as: UTF8.self) } ?? "\(answer)")
        }
    }
}
