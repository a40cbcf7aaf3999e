#if Gateway
import Shunt
import ShuntCore
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
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("pause", Self.pause)
            writer.name("kinds")
            writer.array { writer in for kind in Decision.Kind.allCases { writer.string(kind.rawValue) } }
            writer.name("bounds_microseconds")
            writer.array { writer in for bound in LoopMetrics.bounds { writer.number(bound) } }
            writer.name("last_minute")
            writer.object { writer in
                for (name, share) in [("half", 0.5), ("99_percent", 0.99)] {
                    guard let duration = Self.duration(of: share, samples) else { continue }
                    writer.name(name)
                    if duration == .max { writer.null() } else { writer.number(duration) }
                }
            }
            writer.name("samples")
            writer.array { writer in
                for sample in samples {
                    writer.object { writer in
                        writer.member("time", sample.time)
                        for (name, numbers) in [("decisions", sample.decisions), ("durations", sample.durations)] {
                            writer.name(name)
                            writer.array { writer in for number in numbers { writer.number(number) } }
                        }
                        writer.member("failures", sample.failures)
                    }
                }
            }
        }
        writer.newline()
        return writer.bytes
    }
}
#endif
