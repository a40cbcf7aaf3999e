#if Gateway
import Foundation
import Synchronization
import TestFolder
import Testing

/// Requests to `shunt serve` while its rules change all the time.
///
/// Every set is two files that have the same number in them, and answers with both: an answer from two sets shows two
/// numbers. Every third set is wrong. `SHUNT_LOAD_REQUESTS` says how many requests are made, 10,000 unless it is set;
/// `SHUNT_PROGRAM` which program is asked, the one beside the tests unless it is set.
@Suite struct ReloadUnderLoadTests {
    private static func number(_ name: String, default value: Int) -> Int {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? value
    }

    /// What the clients have seen.
    final class Tally: Sendable {
        let answered = Atomic<Int>(0)
        let failed = Atomic<Int>(0)
        let mixed = Atomic<Int>(0)
        let unexpected = Atomic<Int>(0)
        /// The clients that are not done.
        let running = Atomic<Int>(0)
        /// The number of the set that was written last.
        let written = Atomic<Int>(0)
        let firstProblem = Mutex<String?>(nil)

        func note(_ problem: String) { firstProblem.withLock { $0 = $0 ?? problem } }

        func fail(_ problem: any Error) {
            failed.wrappingAdd(1, ordering: .relaxed)
            note("\(problem)")
        }

        /// Takes an answer; `last` is the newest set that the connection has seen.
        func take(_ numbers: (Int, Int), last: inout Int) {
            answered.wrappingAdd(1, ordering: .relaxed)
            if numbers.0 != numbers.1 {
                mixed.wrappingAdd(1, ordering: .relaxed)
                note("\(numbers)")
            }
            // Rules never go back, and a set that is wrong never answers.
            let number = numbers.0
            if number < last || number > written.load(ordering: .acquiring) || number % 3 == 2 {
                unexpected.wrappingAdd(1, ordering: .relaxed)
                note("\(number) after \(last)")
            }
            last = max(last, number)
        }
    }

    /// The rules as a link to a directory, which is turned: both files of a set change in one moment.
    struct Sets {
        let directory: TestFolder
        var path: String { directory.path + "/rules" }

        init() throws {
            directory = try TestFolder()
            try put(0)
        }

        func put(_ number: Int) throws {
            let directive = number % 3 == 2 ? "retrun" : "return"
            try directory.makeDirectory("set\(number)")
            try directory.write("set\(number)/10-map.conf", "map $host $first { default \"\(number)\"; }\n")
            let text = "server {\n    location / { \(directive) 200 \"$first \(number)\"; }\n}\n"
            try directory.write("set\(number)/20-server.conf", text)
            try directory.turn("rules", to: "set\(number)")
            if number > 1 { try directory.remove("set\(number - 2)") }
        }
    }

    @Test("No request fails and none sees two sets while rules are replaced all the time", .timeLimit(.minutes(60)))
    func reloads() async throws {
        let tally = Tally()
        let clients = 4
        // A connection of its own for one request in five: that costs far more than the request.
        let tenth = Self.number("SHUNT_LOAD_REQUESTS", default: 10_000) / 10
        let sets = try Sets()
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
            let counts = try await Blocking.run { try Self.replace(sets, adminPort, tally) }
            try await group.waitForAll()
            return counts
        }
        let seconds = Double((ContinuousClock.now - start) / .milliseconds(1)) / 1000
        print("reload under load: \(10 * tenth) requests, \(good + bad) reloads, \(seconds) seconds")
        #expect(good >= 5 && bad >= 3)
        #expect(tally.answered.load(ordering: .relaxed) == 10 * tenth)
        #expect(tally.failed.load(ordering: .relaxed) == 0)
        #expect(tally.mixed.load(ordering: .relaxed) == 0)
        #expect(tally.unexpected.load(ordering: .relaxed) == 0)
        #expect(tally.firstProblem.withLock { $0 } == nil)
        gateway.send(SIGTERM)
        #expect(try await gateway.end() == 0)
    }

    /// Replaces the rules forty times a second until the clients are done; how many sets were good and bad.
    private static func replace(_ sets: Sets, _ adminPort: UInt16, _ tally: Tally) throws -> (good: Int, bad: Int) {
        var (good, bad, number) = (0, 0, 0)
        var admin = try TestConnection(port: adminPort)
        let clock = ContinuousClock()
        while tally.running.load(ordering: .acquiring) > 0 {
            let next = clock.now + .milliseconds(25)
            number += 1
            tally.written.store(number, ordering: .releasing)
            try sets.put(number)
            try admin.send("POST /reload HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n")
            let response = try #require(try admin.response())
            if number % 3 == 2 {
                bad += 1
                #expect(response.status == 422)
                #expect(response.text.contains(#"20-server.conf:2:18","code":"#), "\(response.text)")
            } else {
                good += 1
                #expect(response.status == 200, "\(response.text)")
            }
            let rest = next - clock.now
            if rest > .zero { usleep(UInt32(rest / .microseconds(1))) }
        }
        return (good, bad)
    }

    /// Asks on a connection that is kept, up to 32 questions ahead.
    private static func askOnOneConnection(_ count: Int, _ port: UInt16, _ tally: Tally) {
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
            tally.fail(error)
        }
    }

    private static func askOnManyConnections(_ count: Int, _ port: UInt16, _ tally: Tally) {
        let question = Array("GET /x HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n".utf8)
        var last = 0
        for _ in 0..<count {
            do {
                var connection = try NumberedAnswers(port: port)
                try connection.send(question)
                tally.take(try connection.next(), last: &last)
            } catch {
                tally.fail(error)
            }
        }
    }
}
#endif
