import Shunt

/// The measurements of older rules, next to those of newer ones.
struct ComparedResult {
    /// The path of the older rules.
    let name: String
    private let mean: Double
    private let median: Int
    private let percentile99: Int

    init(name: String, _ result: BenchResult) {
        (self.name, mean, median, percentile99) = (name, result.mean, result.median, result.percentile99)
    }

    /// The mean of the newer rules, divided by the mean of the older ones.
    private func ratio(_ newer: BenchResult) -> Double { newer.mean / max(mean, 1) }

    func line(against newer: BenchResult) -> String {
        "before       mean \(BenchResult.decimal(mean, 0)) ns, median \(median) ns, 99 % within \(percentile99) ns: "
            + "now \(BenchResult.decimal(ratio(newer), 2)) times, with \(name)"
    }

    func members(against newer: BenchResult) -> JSONObject {
        [
            "rules": name, "ns_per_request": ["mean": mean, "p50": median, "p99": percentile99] as JSONObject,
            "ratio": ratio(newer),
        ]
    }
}
