import Benchmark
import Shunt
import Workloads

let benchmarks: @Sendable () -> Void = {
    Benchmark.defaultConfiguration = .init(
        metrics: [.wallClock, .throughput],
        scalingFactor: .kilo,
        maxDuration: .seconds(2)
    )

    // Names have no slash in them: the tool cannot compare such with its thresholds.
    for count in [10, 1000, 10_000] {
        for workload in [RewriteWorkload.prefixes(count), .mixed(count)] {
            guard let rules = try? RuleSet(text: workload.serverText()) else { continue }
            let engine = Engine(rules)
            for kind in URLKind.allCases {
                let lookups = Lookups(engine: engine, requests: Lookups.requests(paths: workload.paths(kind)))
                Benchmark("\(workload.name).\(count).\(kind.rawValue)") { benchmark in
                    blackHole(lookups.run(from: 0, count: benchmark.scaledIterations.count))
                }
            }
        }
    }

    Benchmark("parse.url") { benchmark in
        let url = Array("https://www.example.com/news/section-17/spring-sale/page.html?from=mail&id=42".utf8)
        for _ in benchmark.scaledIterations {
            blackHole(try? URLParser.parse(url.span))
        }
    }

    if let lookups = try? Lookups.dispatch(.mixed(10_000)) {
        Benchmark("dispatch.10000") { benchmark in
            blackHole(lookups.run(from: 0, count: benchmark.scaledIterations.count))
        }
    }
}
