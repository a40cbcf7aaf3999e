#if Gateway
import Foundation
import Synchronization
import TestFolder
import TestSettings
import Testing

/// Measures reloads of `shunt serve`; what is measured is printed.
///
/// For `SHUNT_MEASURE=1`, with the optimized program in `SHUNT_PROGRAM`: the tests of every day are too short and the
/// program next to them is not optimized.
@Suite(.serialized, .enabled(if: TestSettings.measures))
struct ReloadMeasurements {
    /// Rules for a measurement: many rewrites, and an answer with two numbers that are the same.
    static func rules(_ count: Int, answer: Int) -> String {
        let rewrites = (1...count).map { "rewrite ^/old/section-\($0)/page-(\\d+)\\.html$ /new/section-\($0)/$1 last;" }
        return "server {\n\(rewrites.joined(separator: "\n"))\nlocation / { return 200 \"\(answer) \(answer)\"; }\n}\n"
    }

    static let question = Array("GET /x HTTP/1.1\r\nHost: a.test\r\n\r\n".utf8)

    static func quantile(_ sorted: [Int], _ part: Double) -> Int {
        sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))]
    }

    @Test("From a saved file to the first answer by it", arguments: [(1_000, 15), (100_000, 7)])
    func effect(count: Int, rounds: Int) async throws {
        let directory = try TestFolder()
        try directory.replace("rules.conf", Self.rules(count, answer: 0))
        // Saving often is what damping is for, so each round has a separate program.
        var times: [Int] = []
        for round in 1...rounds {
            let gateway = try await ServedProgram.serving(rules: directory.path)
            let text = Self.rules(count, answer: round)
            let port = gateway.port
            times.append(
                try await Blocking.run {
                    var connection = try NumberedAnswers(port: port)
                    usleep(300_000)
                    try directory.replace("rules.conf", text)
                    let start = ContinuousClock.now
                    repeat {
                        usleep(500)
                        try connection.send(Self.question)
                    } while try connection.next()[0] != round
                    return Int((ContinuousClock.now - start) / .milliseconds(1))
                }
            )
        }
        times.sort()
        let (middle, last) = (times[times.count / 2], times[times.count - 1])
        print("effect of a change with \(count) rules: median \(middle) ms, longest \(last) ms of \(rounds)")
    }

    /// The state that the clients of a measurement share with the reloader.
    private final class Latencies: Sendable {
        let isReloading = Atomic<Bool>(false)
        let isDone = Atomic<Bool>(false)
        let samples = Mutex<(quiet: [Int], reloading: [Int])>(([], []))

        /// Asks until the measurement is done, and notes how many nanoseconds each answer took.
        func ask(_ port: UInt16) throws {
            var connection = try NumberedAnswers(port: port)
            var (quiet, reloading): ([Int], [Int]) = ([], [])
            while !isDone.load(ordering: .relaxed) {
                let wasReloading = isReloading.load(ordering: .relaxed)
                let start = ContinuousClock.now
                try connection.send(ReloadMeasurements.question)
                _ = try connection.next()
                let time = Int((ContinuousClock.now - start) / .nanoseconds(1))
                // Whatever belongs to both is left out.
                if isReloading.load(ordering: .relaxed) == wasReloading {
                    if wasReloading { reloading.append(time) } else { quiet.append(time) }
                }
                usleep(200)
            }
            samples.withLock { all in
                all.quiet += quiet
                all.reloading += reloading
            }
        }
    }

    @Test("Latency while 10,000 rules are loaded, next to that of quiet moments of the same run")
    func latency() async throws {
        let directory = try TestFolder()
        try directory.replace("rules.conf", Self.rules(10_000, answer: 0))
        let gateway = try await ServedProgram.serving(rules: directory.path)
        let port = gateway.port
        let latencies = Latencies()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask { try await Blocking.run { try latencies.ask(port) } }
            }
            var duration = Duration.zero
            let rounds = 150
            for round in 1...rounds {
                try directory.replace("rules.conf", Self.rules(10_000, answer: round))
                // What the change itself starts is over before the quiet time begins.
                latencies.isReloading.store(true, ordering: .relaxed)
                let start = ContinuousClock.now
                #expect(try await gateway.reload().status == 200)
                duration += ContinuousClock.now - start
                latencies.isReloading.store(false, ordering: .relaxed)
                try await Task.sleep(for: .milliseconds(100))
            }
            latencies.isDone.store(true, ordering: .relaxed)
            try await group.waitForAll()
            print("a reload of 10000 rules: \(duration / .milliseconds(1) / Double(rounds)) ms")
        }
        let (quiet, reloading) = latencies.samples.withLock { ($0.quiet.sorted(), $0.reloading.sorted()) }
        for part in [0.5, 0.99, 0.999] {
            let (before, during) = (Self.quantile(quiet, part), Self.quantile(reloading, part))
            let ratio = Double(during) / Double(max(1, before))
            print("latency, quantile \(part): quiet \(before / 1000) us, reloading \(during / 1000) us, ratio \(ratio)")
        }
        print("latency: \(quiet.count) requests in quiet moments, \(reloading.count) while rules were loaded")
    }

    @Test("Memory over 1,000 reloads of 10,000 rules")
    func memory() async throws {
        let directory = try TestFolder()
        try directory.replace("rules.conf", Self.rules(10_000, answer: 0))
        let gateway = try await ServedProgram.serving(rules: directory.path)
        var sizes: [Int] = []
        for round in 1...1_000 {
            try directory.replace("rules.conf", Self.rules(10_000, answer: round))
            #expect(try await gateway.reload().status == 200)
            sizes.append(try gateway.residentBytes())
        }
        for end in [1, 10, 20, 50, 100, 200, 500, 1000] {
            let highest = sizes[max(0, end - 20)..<end].max() ?? 0
            print("memory after \(end) reloads of 10000 rules: at most \(highest >> 10) KiB in the last twenty")
        }
    }
}
#endif
