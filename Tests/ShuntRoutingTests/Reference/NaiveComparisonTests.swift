import ShuntCore
import Testing

@testable import ShuntRouting

@Suite("Frozen table and naive matcher")
struct NaiveComparisonTests {
    /// Adds random routes, leaving out those that cannot be distinguished from others.
    private func randomTable(
        _ random: inout RandomRoutes,
        groups: Bool,
        priorities: Bool
    ) throws -> (RouteTable, NaiveMatcher) {
        var builder = RouteTableBuilder()
        var naive = NaiveMatcher(entries: [])
        for _ in 0..<Int.random(in: 1...12, using: &random.generator) {
            let text = random.pattern(allowsGroups: groups)
            guard let pattern = try? RoutePattern(text) else { continue }
            let method = Bool.random(using: &random.generator) ? "GET" : nil
            let priority = priorities ? Int.random(in: -1...1, using: &random.generator) : 0
            let id = builder.add(text, methods: method.map { [$0] } ?? [], priority: priority)
            if (try? builder.build()) == nil {
                builder.remove(id)
            } else {
                naive.entries.append(NaiveMatcher.Entry(pattern: pattern, priority: priority, method: method))
            }
        }
        return (try builder.build(), naive)
    }

    @Test(
        "both find the same routes, values and candidates",
        arguments: [(false, false), (true, false), (false, true), (true, true)]
    )
    func agree(groups: Bool, priorities: Bool) throws {
        let scratch = RouteScratch()
        for seed in 1...30 {
            var random = RandomRoutes(seed: UInt64(seed))
            let (table, naive) = try randomTable(&random, groups: groups, priorities: priorities)
            for _ in 0..<60 {
                let path = random.path()
                let method = Bool.random(using: &random.generator) ? "GET" : "POST"
                let expected = naive.candidates(path, method: method)
                let match = table.match(path, method: method)
                let place = "seed \(seed) \(path) \(method) \(naive.entries.map(\.pattern.text))"
                #expect(
                    match?.route.fullPattern.text == expected.first.map { naive.entries[$0.route].pattern.text },
                    "\(place)"
                )
                if let match, let first = expected.first {
                    let values = Dictionary(uniqueKeysWithValues: match.parameters.map { ($0.name, $0.value) })
                    #expect(values == first.values, "\(place)")
                }
                var seen: Set<String> = []
                let all = table.candidates(for: path, method: method).map(\.route.fullPattern.text)
                var wanted: Set<String> = []
                #expect(
                    all.filter { seen.insert($0).inserted }
                        == expected.map { naive.entries[$0.route].pattern.text }.filter { wanted.insert($0).inserted },
                    "\(place)"
                )
                checkGeneralSearch(table, path, method, match, scratch, place)
            }
        }
    }

    /// The search for all tables must find what the one for plain tries finds.
    private func checkGeneralSearch(
        _ table: RouteTable,
        _ path: String,
        _ method: String,
        _ match: RouteMatch?,
        _ scratch: RouteScratch,
        _ place: String
    ) {
        let bytes = Array(path.utf8)
        let parts = RouteSubject(splitting: bytes.span)
        var request = table.request(bytes.span, parts)
        request.methods = table.methods(named: method).rawValue
        request.isFirst = false
        let lookup = table.search(bytes.span, parts: parts, start: request, after: nil, scratch: scratch)
        #expect(lookup.isMatch == (match != nil), "\(place)")
        guard lookup.isMatch, let match else { return }
        #expect(lookup.route == match.route.id, "\(place)")
        let again = table.match(lookup, url: bytes, parts: parts, scratch: scratch)
        #expect(again?.parameters.map(\.value) == match.parameters.map(\.value), "\(place)")
    }

    @Test("what is generated from a match leads back to it")
    func generation() throws {
        var generated = 0
        for seed in 1...30 {
            var random = RandomRoutes(seed: UInt64(1000 + seed))
            var builder = RouteTableBuilder()
            for number in 0..<8 {
                let id = builder.add(random.pattern(allowsGroups: true), name: "r\(number)")
                if (try? builder.build()) == nil { builder.remove(id) }
            }
            let table = try builder.build()
            for _ in 0..<40 {
                guard let match = table.match(random.path()), let name = match.route.name else { continue }
                let values = Dictionary(uniqueKeysWithValues: match.parameters.map { ($0.name, $0.value) })
                // A value of a tail may hold a slash that was escaped; joined to others it cannot be distinguished from
                // them.
                if match.wildcardComponents?.contains(where: { $0.contains("/") }) ?? false { continue }
                do {
                    let url = try table.generate(route: name, values: values)
                    let back = try #require(table.match(url))
                    #expect(back.route.id == match.route.id)
                    let again = Dictionary(uniqueKeysWithValues: back.parameters.map { ($0.name, $0.value) })
                    for (name, value) in values { #expect(again[name] == value, "seed \(seed) \(url)") }
                    generated += 1
                } catch RouteGenerationError.notInvertible {
                    // Another form of the URL is needed, such as a group without parameters that is left out.
                    continue
                }
            }
        }
        #expect(generated > 200)
    }
}
