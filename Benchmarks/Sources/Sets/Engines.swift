import Measurement
import Shunt

/// Many small engines in one process, as a program with many customers has them.
enum Engines {
    /// The bytes that each of a thousand engines of ten rules has allocated after it decided.
    static func bytesOfEach() throws -> Int {
        let before = Memory.live()
        let engines = try (0..<1000)
            .map { tenant in
                let rules = (0..<10).map { "rewrite ^/t\(tenant)/old-\($0)/(.*)$ /new-\($0)/$1 last;\n" }
                return Engine(try RuleSet(text: "server {\n\(rules.joined())}\n"))
            }
        for (tenant, engine) in engines.enumerated() {
            let request = RuleRequest(target: "/t\(tenant)/old-3/x", host: "a.example")
            _ = engine.withDecision(for: request) { $0.status ?? 0 }
        }
        return withExtendedLifetime(engines) { (Memory.live() - before) / engines.count }
    }
}
