#if Gateway
import Glibc
import Shunt
import ShuntGateway
import Synchronization
import Testing

/// Requests while the rules change all the time.
///
/// Every set is two files that have the same number in them, and answers with both: an answer from two sets shows two
/// numbers. `SHUNT_LOAD_REQUESTS` says how many requests are made: 20,000 unless it is set.
@Suite(.serialized) struct ReloadUnderLoadTests {
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

        func fail(_ problem: String) {
            failed.wrappingAdd(1, ordering: .relaxed)
            firstProblem.withLock { $0 = $0 ?? problem }
        }

        /// Takes a response; `last` is the newest set that the connection has seen.
        func take(_ response: TestResponse, last: inout Int) {
            answered.wrappingAdd(1, ordering: .relaxed)
            let numbers = response.text.split(separator: " ").compactMap { Int($0) }
            guard response.status == 200, numbers.count == 2 else {
                fail("\(response.status) \(response.text)")
                return
            }
            if numbers[0] != numbers[1] { mixed.wrappingAdd(1, ordering: .relaxed) }
            // Rules never go back, and a set that is wrong, every third, never answers.
            let number = numbers[0]
            if number < last || number > written.load(ordering: .acquiring) || number % 3 == 2 {
                unexpected.wrappingAdd(1, ordering: .relaxed)
                firstProblem.withLock { $0 = $0 ?? "\(number) after \(last)" }
            }
            last = max(last, number)
        }
    }

    private static let requests = getenv("SHUNT_LOAD_REQUESTS").flatMap { Int(String(cString: $0)) } ?? 20_000

    private static func files(_ number: Int) -> [String: String] {
        let directive = number % 3 == 2 ? "retrun" : "return"
        return [
            "10-map.conf": "map $host $first { default \"\(number)\"; }\n",
            "20-server.conf": "server {\n    location / { \(directive) 200 \"$first \(number)\"; }\n}\n",
        ]
    }

    @Test("No request fails and none sees two sets while rules are replaced all the time", .timeLimit(.minutes(30)))
    func reloads() async throws {
        let tally = Tally()
        let clients = 4
        let share = Self.requests / clients
        try await RunningGateway.with(Self.files(0)) { gateway in
            tally.running.store(clients, ordering: .releasing)
            var good = 0
            var bad = 0
            try await withThrowingTaskGroup(of: Void.self) { group in
                for client in 0..<clients {
                    let port = gateway.port
                    let isKept = client % 2 == 0
                    group.addTask {
                        try await Blocking.run {
                            defer { tally.running.wrappingSubtract(1, ordering: .acquiringAndReleasing) }
                            if isKept {
                                Self.askOnOneConnection(share, port, tally)
                            } else {
                                Self.askOnManyConnections(share, port, tally)
                            }
                        }
                    }
                }
                var number = 0
                while tally.running.load(ordering: .acquiring) > 0 {
                    number += 1
                    tally.written.store(number, ordering: .releasing)
                    for (name, text) in Self.files(number) { try gateway.directory.write(name, text) }
                    let report = await gateway.gateway.reload()
                    if number % 3 == 2 {
                        bad += 1
                        #expect(report.failure?.reason == .invalid)
                        #expect(report.failure?.diagnostics.first?.location.line == 2)
                    } else {
                        good += 1
                        #expect(report.failure == nil)
                    }
                }
                try await group.waitForAll()
            }
            let status = try await gateway.get("/status", from: gateway.adminPort).text
            #expect(status.contains("\"failures\":\(bad),"))
            #expect(gateway.messages.all.count { $0.contains("stays in use") } == bad)
            #expect(good + bad >= 10)
        }
        #expect(tally.answered.load(ordering: .relaxed) == share * clients)
        #expect(tally.failed.load(ordering: .relaxed) == 0)
        #expect(tally.mixed.load(ordering: .relaxed) == 0)
        #expect(tally.unexpected.load(ordering: .relaxed) == 0)
        #expect(tally.firstProblem.withLock { $0 } == nil)
    }

    private static func askOnOneConnection(_ count: Int, _ port: UInt16, _ tally: Tally) {
        do {
            var connection = try TestConnection(port: port)
            var last = 0
            for _ in 0..<count {
                try connection.send("GET /x HTTP/1.1\r\nHost: a.test\r\n\r\n")
                guard let response = try connection.response() else {
                    return tally.fail("the connection was closed")
                }
                tally.take(response, last: &last)
            }
        } catch {
            tally.fail("\(error)")
        }
    }

    private static func askOnManyConnections(_ count: Int, _ port: UInt16, _ tally: Tally) {
        for _ in 0..<count {
            do {
                var connection = try TestConnection(port: port)
                var last = 0
                try connection.send("GET /x HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n")
                guard let response = try connection.response() else {
                    tally.fail("the connection was closed")
                    continue
                }
                tally.take(response, last: &last)
            } catch {
                tally.fail("\(error)")
            }
        }
    }
}
#endif
