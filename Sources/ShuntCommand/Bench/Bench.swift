import CAllocationCounter
import Glibc
import Shunt

struct Bench {
    let engine: Engine
    let requests: [RuleRequest]
    private let held: HeldRequests

    init(engine: Engine, requests: [RuleRequest]) {
        self.engine = engine
        self.requests = requests
        held = HeldRequests(requests)
    }

    /// The most single decisions that are kept for the percentiles.
    private static let sampleLimit = 2_000_000

    /// The fewest decisions between two readings of the clock, which take as long as several.
    private static let decisionsAtOnce = 2048

    /// Measures whole rounds over all requests for `seconds`, and between them rounds decision by decision, which take up to
    /// a quarter of that on top.
    func measure(forSeconds seconds: Double, into result: inout BenchResult) {
        var sum = round()
        let wanted = Int(seconds * 1e9)
        let overhead = ProcessorClock.overhead()
        var samples: [UInt32] = []
        samples.reserveCapacity(min(Self.sampleLimit, requests.count))
        var shortest = [UInt32](repeating: .max, count: requests.count)
        var sampled = 0
        let rounds = max(1, Self.decisionsAtOnce / requests.count)
        repeat {
            let allocations = Allocations.count
            let start = ProcessorClock.nanoseconds
            for _ in 0..<rounds { sum &+= round() }
            result.nanoseconds += max(1, ProcessorClock.nanoseconds - start - overhead)
            result.allocations += Allocations.count - allocations
            result.requestCount += rounds * requests.count
            if sampled * 4 <= result.nanoseconds, samples.count < Self.sampleLimit {
                let start = ProcessorClock.nanoseconds
                sum &+= sample(overhead, into: &samples, &shortest)
                sampled += ProcessorClock.nanoseconds - start
            }
        } while result.nanoseconds < wanted
        samples.sort()
        result.take(samples)
        result.shortest = shortest
        result.slowRequests = SlowRequest.slowest(requests, shortest, of: engine)
        // The sum is used, so that no decision can be left out.
        result.checksum = sum
    }

    @inline(never)
    private func round() -> Int {
        var sum = 0
        for index in 0..<held.requests.count { sum &+= decide(held.requests[index].request) }
        return sum
    }

    @inline(never)
    private func sample(_ overhead: Int, into samples: inout [UInt32], _ shortest: inout [UInt32]) -> Int {
        var sum = 0
        for index in 0..<held.requests.count {
            guard samples.count < Self.sampleLimit else { break }
            let start = ProcessorClock.nanoseconds
            sum &+= decide(held.requests[index].request)
            let time = UInt32(clamping: ProcessorClock.nanoseconds - start - overhead)
            samples.append(time)
            shortest[index] = min(shortest[index], time)
        }
        return sum
    }

    @inline(__always)
    private func decide(_ request: borrowing RuleRequest) -> Int {
        engine.withDecision(for: request) { decision in decision.status ?? 0 }
    }
}

/// Requests that are borrowed where they lie: one taken out of an array is a copy, which takes a third as long as some decisions.
final class HeldRequests {
    /// A request that cannot be copied.
    struct Held: ~Copyable {
        let request: RuleRequest
    }

    let requests: UnsafeMutableBufferPointer<Held>

    init(_ requests: [RuleRequest]) {
        self.requests = .allocate(capacity: requests.count)
        for (index, request) in requests.enumerated() {
            self.requests.initializeElement(at: index, to: Held(request: request))
        }
    }

    deinit {
        requests.deinitialize()
        requests.deallocate()
    }
}

/// The processor time of the calling thread.
enum ProcessorClock {
    /// Nanoseconds since the thread began.
    static var nanoseconds: Int {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }

    /// Returns the cost of two readings of the clock, which every measurement includes.
    static func overhead() -> Int {
        var least = Int.max
        for _ in 0..<1000 {
            let start = nanoseconds
            least = min(least, nanoseconds - start)
        }
        return least
    }
}

enum Allocations {
    /// The number of allocations by the calling thread.
    static var count: Int { Int(truncatingIfNeeded: allocation_count()) }

    /// The bytes that are allocated and not freed.
    static var liveBytes: Int { Int(truncatingIfNeeded: allocated_bytes()) }
}
