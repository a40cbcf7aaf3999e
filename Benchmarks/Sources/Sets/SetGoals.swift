import Measurement

/// The goals of the project for rules as people write them.
struct SetGoals {
    struct Goal {
        var name: String
        var bound: Double
        var value: Double
        var show: (Double) -> String
    }

    var results: SetResults

    /// The goals that this run has measured.
    var all: [Goal] {
        [
            time("the shipped rules", "shipped", 400), allocations,
            time("deep links", "deep-links", 350), time("a publisher's redirects", "specifications", 200),
            goal("sites asked by HTTPS, median", 200, results.result("secure-hosts")?.measurement.median, Numbers.time),
            part("an `if` on a version", "if-version", 40), part("an `if` on a time", "if-time", 25),
            part("an `if` on a time of day", "if-time-of-day", 25), part("an `if` on a share", "if-share", 40),
            part("3,000 networks by `geo`", "if-geo", 40), part("the host of a route", "host-routes", 15),
            goal("100,000 mixed rules over 10", 1.5, results.result("mixed-100000")?.quotient, Numbers.plain),
            goal("the same, caches emptied", 1.8, results.result("mixed-100000")?.coldQuotient, Numbers.plain),
            goal("an engine of 10 rules, KiB", 8, results.engineBytes.map { Double($0) / 1024 }, Numbers.plain),
        ]
        .compactMap(\.self) + loads
    }

    private var loads: [Goal] {
        let map = results.result("map-1000000")
        let rewrites = results.result("rewrites-1000000")?.measurement
        let nginx = map?.nginx
        return [
            goal(
                "a map of 1,000,000 over nginx, time",
                1,
                over(map?.measurement.loadSeconds, nginx?.loadSeconds),
                Numbers.plain
            ),
            goal(
                "the same, most memory",
                1.3,
                over(map.map { Double($0.measurement.peakBytes) }, nginx.map { Double($0.peakBytes) }),
                Numbers.plain
            ),
            goal("1,000,000 rewrites, seconds", 3, rewrites?.loadSeconds, Numbers.plain),
            goal("the same, MiB at most", 500, rewrites.map { Double($0.peakBytes) / 1_048_576 }, Numbers.plain),
        ]
        .compactMap(\.self)
    }

    private var allocations: Goal? {
        goal("the same, allocations", 0.3, results.result("shipped")?.measurement.allocations, Numbers.plain)
    }

    private func goal(_ name: String, _ bound: Double, _ value: Double?, _ show: @escaping (Double) -> String) -> Goal?
    {
        value.map { Goal(name: name, bound: bound, value: $0, show: show) }
    }

    private func time(_ name: String, _ set: String, _ bound: Double) -> Goal? {
        goal(name, bound, results.result(set)?.measurement.nanoseconds, Numbers.time)
    }

    private func part(_ name: String, _ set: String, _ bound: Double) -> Goal? {
        goal(name, bound, results.result(set)?.added, Numbers.time)
    }

    private func over(_ upper: Double?, _ lower: Double?) -> Double? {
        guard let upper, let lower, lower > 0 else { return nil }
        return upper / lower
    }
}
