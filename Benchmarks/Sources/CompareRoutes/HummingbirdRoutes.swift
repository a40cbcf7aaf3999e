import HTTPTypes
@_spi(Internal) import Hummingbird
import RouteTables

/// A set of routes in Hummingbird's own trie, with a dictionary of methods at each path, as its router has it.
final class HummingbirdRoutes: RouteContestant {
    let name = "Hummingbird"
    private let trie: RouterTrie<[HTTPRequest.Method: Int]>
    private let questions: [(method: HTTPRequest.Method, path: String, route: Int?)]
    private var position = 0

    init(_ questions: RouteQuestions) {
        let builder = RouterPathTrieBuilder<[HTTPRequest.Method: Int]>()
        var routes: [String: [HTTPRequest.Method: Int]] = [:]
        for (index, route) in questions.set.routes.enumerated() {
            if let method = HTTPRequest.Method(route.method) { routes[route.pattern, default: [:]][method] = index }
        }
        var known: Set<String> = []
        for route in questions.set.routes where known.insert(route.pattern).inserted {
            builder.addEntry(RouterPath(route.pattern), value: routes[route.pattern] ?? [:])
        }
        trie = builder.build()
        self.questions = questions.questions.compactMap { question in
            HTTPRequest.Method(question.method).map { ($0, question.path, question.route) }
        }
    }

    var wrongAnswers: Int {
        questions.count { trie.resolve($0.path)?.value[$0.method] != $0.route }
    }

    func round(nanoseconds: Double) -> RouteRound {
        RouteRound.timed(nanoseconds: nanoseconds) { count in
            var matches = 0
            for _ in 0..<count {
                let question = questions[position]
                if trie.resolve(question.path)?.value[question.method] != nil { matches += 1 }
                position += 1
                if position == questions.count { position = 0 }
            }
            return matches
        }
    }
}
