import Benchmark
import RouteTables

let benchmarks: @Sendable () -> Void = {
    Benchmark.defaultConfiguration = .init(
        metrics: [.cpuTotal, .wallClock, .throughput],
        scalingFactor: .kilo,
        maxDuration: .seconds(2)
    )

    for questions in RouteQuestions.all {
        let name = questions.name.replacing(" ", with: "-")
        Benchmark("routes.\(name)") { benchmark in
            let routes = try ShuntRoutes(questions)
            benchmark.startMeasurement()
            blackHole(routes.run(from: 0, count: benchmark.scaledIterations.count))
        }
    }

    Benchmark("routes.build.10000", configuration: .init(metrics: [.cpuTotal, .wallClock], maxDuration: .seconds(2))) {
        benchmark in
        let questions = RouteQuestions(.generated(10_000))
        benchmark.startMeasurement()
        blackHole(try ShuntRoutes(questions))
    }
}
