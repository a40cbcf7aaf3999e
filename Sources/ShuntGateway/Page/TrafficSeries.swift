#if Gateway
import Shunt
import Synchronization

/// The counts over the last half hour: the data of the page's charts.
final class TrafficSeries: Sendable {
    /// The time between two samples, in seconds.
    static let pause: Int64 = 5
    private static let limit = 360

    /// The counts at a time.
    struct Sample: Sendable {
        var time: Int64
        /// By kind of decision, in the order of `Decision.Kind.allCases`.
        var decisions: [Int]
        /// By bucket of `LoopMetrics.bounds`, the last for what took longer.
        var durations: [Int]
        /// Answers with 502 and 504.
        var failures: Int
    }

    private let samples = Mutex<[Sample]>([])

    /// Adds up what the event loops have counted.
    func sample(_ loops: [LoopMetrics]) {
        func sum(_ counter: (LoopMetrics) -> Counter?) -> Int { loops.reduce(0) { $0 &+ (counter($1)?.value ?? 0) } }
        let sample = Sample(
            time: Timestamp.now().seconds,
            decisions: Decision.Kind.allCases.map { kind in loops.reduce(0) { $0 &+ $1.decisions(kind) } },
            durations: (0...LoopMetrics.bounds.count).map { index in sum { $0.durations[index] } },
            failures: sum { $0.upstreamFailures } + sum { $0.upstreamTimeouts }
        )
        samples.withLock { samples in
            samples.append(sample)
            if samples.count > Self.limit { samples.removeFirst() }
        }
    }

    /// The bound that so large a share of the requests of the last minute took at most, in microseconds; nil where none came in.
    private static func duration(of share: Double, _ samples: [Sample]) -> Int? {
        guard let last = samples.last else { return nil }
        let first = samples[max(0, samples.count - 1 - Int(60 / pause))]
        let counts = zip(last.durations, first.durations).map { $0 - $1 }
        guard let end = LoopMetrics.end(of: share, in: counts) else { return nil }
        return end.bucket < LoopMetrics.bounds.count ? LoopMetrics.bounds[end.bucket] : .max
    }

    /// The samples as JSON, the oldest first.
    func bytes() -> [UInt8] {
        let samples = samples.withLock { $0 }
        let shares = [("half", 0.5), ("99_percent", 0.99)]
            .compactMap { name, share in
                Self.duration(of: share, samples).map { (name, JSONText($0 == .max ? nil : Array("\($0)".utf8))) }
            }
        let report: JSONObject = [
            "pause": Self.pause,
            "kinds": Decision.Kind.allCases.map(\.rawValue),
            "bounds_microseconds": LoopMetrics.bounds,
            "last_minute": JSONObject(shares),
            "samples": samples.map { sample -> JSONObject in
                [
                    "time": sample.time, "decisions": sample.decisions, "durations": sample.durations,
                    "failures": sample.failures,
                ]
            },
        ]
        return report.line
    }
}
#endif
