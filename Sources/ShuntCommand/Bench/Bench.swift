import Shunt

/// Decides about requests again and again.
struct Bench {
    let engine: Engine
    let requests: [RuleRequest]

    /// The most single decisions that are kept for the percentiles.
    private static let sampleLimit = 2_000_000

    /// Measures whole rounds over all requests for `seconds`, and between them rounds decision by decision, which take up to
    /// a quarter of that on top.
    func measure(forSeconds seconds: Double, into result: inout BenchResult) {
        var sum = round()
        let wanted = Int(seconds * 1e9)
        let overhead = ProcessorClock.overhead()
        var samples: [UInt32] = []
        samples.reserveCapacity(min(Self.sampleLimit, requests.count))
        var sampled = 0
        repeat {
            let allocations = Allocations.count
            let start = ProcessorClock.nanoseconds
            sum &+= round()
            result.nanoseconds += ProcessorClock.nanoseconds - start
            result.allocations += Allocations.count - allocations
            result.requestCount += requests.count
            if sampled * 4 <= result.nanoseconds, samples.count < Self.sampleLimit {
                let start = ProcessorClock.nanoseconds
                sum &+= sample(overhead, into: &samples)
                sampled += ProcessorClock.nanoseconds - start
            }
        } while result.nanoseconds < wanted
        samples.sort()
        result.take(samples)
        // The sum is used, so that no decision can be left out.
        result.checksum = sum
    }

    @inline(never)
    private func round() -> Int {
        var sum = 0
        for request in requests { sum &+= decide(request) }
        return sum
    }

    @inline(never)
    private func sample(_ overhead: Int, into samples: inout [UInt32]) -> Int {
        var sum = 0
        for request in requests {
            guard samples.count < Self.sampleLimit else { break }
            let start = ProcessorClock.nanoseconds
            sum &+= decide(request)
            let time = ProcessorClock.nanoseconds - start - overhead
            samples.append(UInt32(clamping: max(0, time)))
        }
        return sum
    }

    @inline(__always)
    private func decide(_ request: borrowing RuleRequest) -> Int {
        engine.withDecision(for: request) { decision in decision.status ?? 0 }
    }
}
