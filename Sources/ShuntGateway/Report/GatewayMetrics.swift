#if Gateway
import Shunt
import Synchronization

/// A number that many threads may add to.
final class Counter: Sendable {
    private let number = Atomic<Int>(0)

    var value: Int { number.load(ordering: .relaxed) }

    func add(_ amount: Int = 1) { number.wrappingAdd(amount, ordering: .relaxed) }
}

/// The counts of one event loop; each has its own, so that none waits for another.
final class LoopMetrics: Sendable {
    /// The upper bounds of the buckets of durations, in microseconds.
    static let bounds = [250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 1_000_000, 5_000_000]

    private let decisions = Decision.Kind.allCases.map { _ in Counter() }
    /// Responses by the first digit of their status; the last is for connections closed without an answer.
    let responses = (0..<6).map { _ in Counter() }
    /// The numbers of requests that took no longer than each bound; the last is for longer ones.
    let durations = (0..<13).map { _ in Counter() }
    let totalMicroseconds = Counter()
    let connectionsOpened = Counter()
    let connectionsClosed = Counter()
    let malformedRequests = Counter()
    let slowDecisions = Counter()
    let upstreamFailures = Counter()
    let upstreamTimeouts = Counter()
    let requestBytes = Counter()
    let responseBytes = Counter()

    func decisions(_ kind: Decision.Kind) -> Int { Self.number(of: kind).map { decisions[$0].value } ?? 0 }

    func count(_ kind: Decision.Kind) { if let number = Self.number(of: kind) { decisions[number].add() } }

    private static func number(of kind: Decision.Kind) -> Int? { Decision.Kind.allCases.firstIndex(of: kind) }

    /// Counts an exchange that has ended.
    func count(status: Int, microseconds: Int) {
        responses[(1...5).contains(status / 100) && status != 444 ? status / 100 - 1 : 5].add()
        var bucket = 0
        while bucket < Self.bounds.count, microseconds > Self.bounds[bucket] { bucket += 1 }
        durations[bucket].add()
        totalMicroseconds.add(microseconds)
    }

    /// The place where a share of requests ends in a histogram of how long they took: a bucket, and how much of it
    /// belongs to the share; nil where there are none.
    static func end(of share: Double, in counts: [Int]) -> (bucket: Int, part: Double)? {
        var rest = Double(counts.reduce(0, +)) * share
        guard rest > 0 else { return nil }
        for (bucket, count) in counts.enumerated() {
            if rest <= Double(count) { return (bucket, rest / Double(count)) }
            rest -= Double(count)
        }
        return (bounds.count, 1)
    }
}
#endif
