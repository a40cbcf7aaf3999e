#if Gateway
import Shunt
import TestSettings
import Testing

@testable import ShuntGateway

/// The answers to clients and the requests to upstreams, compared with a real nginx that has the same configuration.
///
/// `SHUNT_SERVING_SETS` is the number of configurations, `SHUNT_SERVING_SEED` the first of their seeds.
@Suite(.serialized) struct ServingDifferentialTests {
    /// The answer to a request, and the requests to upstreams for it.
    private struct Outcome: Equatable, CustomStringConvertible {
        var answer: [String]
        var asked: [String]

        var description: String { (answer + asked.map { "asked \($0)" }).joined(separator: "\n        ") }
    }

    private static let headers = [
        "Location", "Set-Cookie", "Cache-Control", "WWW-Authenticate", "X-Own", "X-User", "Content-Type",
    ]

    private static func outcome(
        _ request: RandomServing.Request,
        _ name: String,
        at port: UInt16,
        _ book: ObedientUpstream.Book
    ) throws
        -> Outcome
    {
        var connection = try TestConnection(port: port)
        try connection.send(request.bytes(named: name))
        let received: TestResponse?
        do { received = try connection.response(isHead: request.method == "HEAD") } catch let problem as TestProblem {
            return Outcome(answer: ["\(problem)"], asked: book.page(name))
        }
        guard let response = received else { return Outcome(answer: ["closed"], asked: book.page(name)) }
        var lines = ["\(response.status)"]
        // The gateway has a line of text where nginx has a page.
        let isOwn =
            response.text.isEmpty || response.text.hasPrefix("<html>") || response.text.hasPrefix("\(response.status) ")
        if !isOwn { lines.append(response.text) }
        for header in headers {
            guard var value = response[header] else { continue }
            if header == "Content-Type", isOwn || request.method == "HEAD" { continue }
            if header == "Location" { value = value.replacing(":\(port)", with: "") }
            lines.append("\(header): \(value)")
        }
        return Outcome(answer: lines, asked: book.page(name))
    }

    @Test("Random configurations are served as nginx serves them", .timeLimit(.minutes(600)))
    func random() async throws {
        let book = ObedientUpstream.Book()
        let upstreams = [try ObedientUpstream("A", book), try ObedientUpstream("B", book)]
        let urls = upstreams.map(\.url) + ["http://127.0.0.1:1"]
        let first = TestSettings.servingSeed
        var count = 0
        var wrong = 0
        for seed in first..<(first + TestSettings.servingSets) where wrong < 5 {
            var random = RandomServing(seed: seed, upstreams: urls)
            let rules = random.rules()
            let requests = (0..<16).map { _ in random.request() }
            let change = RunningGateway.Change {
                $0.listeners = [Listener("127.0.0.1:0=0.0.0.0:80")].compactMap(\.self)
            }
            try await RunningGateway.with(["rules.conf": rules], options: change) { (gateway) async throws in
                let port = gateway.port
                let pairs = try await Blocking.run {
                    try RealNginx.with(rules) { nginxPort in
                        try requests.enumerated()
                            .map { number, request in
                                let expected = try Self.outcome(request, "n\(seed)-\(number)", at: nginxPort, book)
                                return (
                                    request, expected, try Self.outcome(request, "g\(seed)-\(number)", at: port, book)
                                )
                            }
                    }
                }
                for (request, expected, found) in pairs {
                    count += 1
                    guard found != expected else { continue }
                    wrong += 1
                    Issue.record("seed \(seed): \(request)\n nginx: \(expected)\n shunt: \(found)\n\(rules)")
                }
            }
        }
        #expect(count >= TestSettings.servingSets * 16 || wrong > 0)
    }
}
#endif
