#if Gateway
import Foundation
import Synchronization
import TestSettings
import Testing

/// Requests to `shunt serve` while its rules change all the time.
///
/// Every set answers with the numbers of both of its files: an answer from two sets shows two numbers.
/// `SHUNT_LOAD_REQUESTS` is the number of requests, 10,000 unless it is set; `SHUNT_PROGRAM` the program, the one next
/// to the tests unless it is set.
@Suite struct ReloadUnderLoadTests {
    /// The number of requests that are sent.
    static let requestCount = TestSettings.loadRequests

    @Test("No request fails and none sees two sets while rules are replaced all the time", .timeLimit(.minutes(60)))
    func reloads() async throws {
        let tally = LoadTally()
        let clients = 4
        // A separate connection for one request in five: that costs far more than the request.
        let tenth = Self.requestCount / 10
        let sets = try NumberedSets()
        let gateway = try await ServedProgram.serving(rules: sets.path)
        let (port, adminPort) = (gateway.port, gateway.adminPort)
        tally.running.store(clients, ordering: .releasing)
        let start = ContinuousClock.now
        let (good, bad) = try await withThrowingTaskGroup(of: Void.self) { group in
            for client in 0..<clients {
                group.addTask {
                    try await Blocking.run {
                        defer { tally.running.wrappingSubtract(1, ordering: .acquiringAndReleasing) }
                        if client % 2 == 0 {
                            Self.askOnOneConnection(4 * tenth, port, tally)
                        } else {
                            Self.askOnManyConnections(tenth, port, tally)
                        }
                    }
                }
            }
            let counts = try await Blocking.run {
                try sets.replace(adminPort) {
                    tally.written.store($0, ordering: .releasing)
                } while: {
                    tally.isRunning
                }
            }
            try await group.waitForAll()
            return counts
        }
        let seconds = Double((ContinuousClock.now - start) / .milliseconds(1)) / 1000
        print("reload under load: \(10 * tenth) requests, \(good + bad) reloads, \(seconds) seconds")
        #expect(good >= 5 && bad >= 3)
        let counts = tally.all
        #expect(counts.fine == 10 * tenth && counts.all == 10 * tenth && counts.mixed == 0, "\(counts)")
        gateway.send(SIGTERM)
        #expect(try await gateway.end() == 0)
    }

    /// Asks on a connection that is kept, up to 32 questions ahead.
    private static func askOnOneConnection(_ count: Int, _ port: UInt16, _ tally: LoadTally) {
        do {
            let question = Array("GET /x HTTP/1.1\r\nHost: a.test\r\n\r\n".utf8)
            var connection = try NumberedAnswers(port: port)
            var last = 0
            var rest = count
            while rest > 0 {
                let ahead = min(rest, 32)
                try connection.send(Array(repeating: question, count: ahead).flatMap { $0 })
                for _ in 0..<ahead { tally.take(try connection.next(), last: &last) }
                rest -= ahead
            }
        } catch {
            tally.fail("\(error)")
        }
    }

    private static func askOnManyConnections(_ count: Int, _ port: UInt16, _ tally: LoadTally) {
        let question = Array("GET /x HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n".utf8)
        var last = 0
        for _ in 0..<count {
            do {
                var connection = try NumberedAnswers(port: port)
                try connection.send(question)
                tally.take(try connection.next(), last: &last)
            } catch {
                tally.fail("\(error)")
            }
        }
    }
}
#endif
