#if Gateway
import Foundation
import NginxOracle
import SeededRandom
import Synchronization
import Testing

/// Requests to `shunt serve` that its rules answer, and others that they pass to two upstreams, with bodies of up to 1 MiB, while the
/// rules change all the time.
///
/// `SHUNT_LOAD_REQUESTS` is the number of requests, 10,000 unless it is set; `SHUNT_PROGRAM` the program, the one next
/// to the tests unless it is set.
@Suite(.serialized) struct ProxiedLoadTests {
    static let clients = 4

    /// Two servers of a group, which answer by `LoadRequest`.
    struct Upstreams: Sendable {
        let servers: [SocketServer]

        init() throws {
            servers = try (0..<2)
                .map { _ in
                    try SocketServer { descriptor, _ in
                        var reader = WireReader(descriptor)
                        let connection = ScriptedUpstream.Connection(descriptor: descriptor, number: 0)
                        while let request = TestUpstream.request(&reader),
                            connection.send(LoadRequest.answer(to: request))
                        {}
                    }
                }
        }

        var sets: NumberedSets {
            get throws {
                try NumberedSets(
                    groups: """
                        upstream app {
                            server 127.0.0.1:\(servers[0].port) max_fails=0;
                            server 127.0.0.1:\(servers[1].port) max_fails=0;
                            keepalive 16;
                        }

                        """,
                    locations: """
                            location /up/ {
                                client_max_body_size 0;
                                proxy_http_version 1.1;
                                proxy_set_header Connection "";
                                proxy_set_header X-Set "$first NUMBER";
                                add_header X-First $first;
                                add_header X-Second NUMBER;
                                proxy_pass http://app;
                            }

                        """
                )
            }
        }

        /// Has one server die after the other, each after so many requests, and come back half as many later.
        func die(every count: Int, _ tally: LoadTally) throws {
            var next = 0
            func wait(_ more: Int) {
                next = tally.all.all + more
                while tally.isRunning, tally.all.all < next { usleep(500) }
            }
            while tally.isRunning {
                for server in servers {
                    wait(count / 2)
                    // What begins from here on may meet it.
                    tally.isOneDead.store(true, ordering: .sequentiallyConsistent)
                    tally.deaths.add(1, ordering: .sequentiallyConsistent)
                    server.die()
                    wait(count / 2)
                    try server.comeBack()
                    tally.isOneDead.store(false, ordering: .sequentiallyConsistent)
                }
            }
        }

        var killedCount: Int { servers.reduce(0) { $0 + $1.killedCount } }
    }

    /// Asks so many requests, on connections that are kept or on one each.
    static func ask(_ count: Int, client: Int, keeps: Bool, port: UInt16, _ tally: LoadTally) throws {
        var random = SeededGenerator(seed: UInt64(client))
        var done = 0
        var last = 0
        while done < count {
            var connection = try TestConnection(port: port)
            var isOpen = true
            while isOpen, done < count {
                let request = LoadRequest(done * clients + client, &random)
                isOpen = ask(request, &connection, tally, &last) && keeps
                done += 1
            }
        }
    }

    /// Returns true if another request may follow on the connection.
    private static func ask(
        _ request: LoadRequest,
        _ connection: inout TestConnection,
        _ tally: LoadTally,
        _ last: inout Int
    ) -> Bool {
        let deaths =
            tally.deaths.load(ordering: .sequentiallyConsistent)
            - (tally.isOneDead.load(ordering: .sequentiallyConsistent) ? 1 : 0)
        do {
            try connection.send(request.bytes)
            guard let response = try connection.response(isHead: request.method == "HEAD") else {
                throw TestProblem("no response to \(request)")
            }
            tally.take(try request.numbers(response), last: &last)
            return response["connection"] != "close"
        } catch {
            let died = tally.deaths.load(ordering: .sequentiallyConsistent) - deaths
            tally.fail(request, hasBegun: connection.isWithinResponse, deaths: died, error)
            return false
        }
    }

    /// Has all clients ask a port, the last of them on a connection for each request.
    static func run(_ count: Int, port: UInt16, _ tally: LoadTally, while others: @escaping @Sendable () throws -> Void)
        async throws
    {
        tally.running.store(clients, ordering: .releasing)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for client in 0..<clients {
                group.addTask {
                    try await Blocking.run {
                        defer { tally.running.subtract(1, ordering: .acquiringAndReleasing) }
                        // The last one makes a fifth of the requests: a connection costs more than a request.
                        let own = count / 5
                        let share = client == clients - 1 ? own : (count - own) / (clients - 1)
                        try ask(share, client: client, keeps: client < clients - 1, port: port, tally)
                    }
                }
            }
            group.addTask { try await Blocking.run(others) }
            try await group.waitForAll()
        }
    }

    @Test(
        "While rules are replaced and upstreams die, no request fails but what nginx would fail, none is mixed, and memory stays",
        .timeLimit(.minutes(120)),
        arguments: [false, true]
    )
    func load(_ die: Bool) async throws {
        let count = ReloadUnderLoadTests.requestCount
        let upstreams = try Upstreams()
        let sets = try upstreams.sets
        let gateway = try await ServedProgram.serving(rules: sets.path)
        let (port, adminPort) = (gateway.port, gateway.adminPort)
        // What the program has for good: its buffers, its connections, a rule set and the next one.
        let warm = LoadTally()
        try await Self.run(max(1_000, count / 10), port: port, warm) {}
        let before = try gateway.residentBytes()

        let tally = LoadTally()
        let start = ContinuousClock.now
        let reloads = Mutex((good: 0, bad: 0))
        async let deaths: Void = Blocking.run {
            while !tally.isRunning { usleep(500) }
            if die { try upstreams.die(every: 400, tally) }
        }
        try await Self.run(count, port: port, tally) {
            let counts = try sets.replace(adminPort) {
                tally.written.store($0, ordering: .releasing)
            } while: {
                tally.isRunning
            }
            reloads.withLock { $0 = counts }
        }
        try await deaths
        let time = ContinuousClock.now - start
        let after = try gateway.residentBytes()
        let (counts, died) = (tally.all, tally.deaths.load(ordering: .relaxed))
        print(
            """
            proxied load: \(counts.all) requests in \(time), \(reloads.withLock { $0 }) reloads, \(died) deaths with \
            \(upstreams.killedCount) connections: \(counts), \(before >> 20) MiB before, \(after >> 20) MiB after
            """
        )
        #expect(warm.all.excused + warm.all.failed + warm.all.mixed == 0, "\(warm.all)")
        #expect(counts.failed == 0 && counts.mixed == 0, "\(counts)")
        #expect(counts.all >= count - Self.clients)
        #expect(reloads.withLock { $0.good >= 5 && $0.bad >= 3 })
        // Each death costs no more requests than it broke connections.
        #expect(counts.excused <= (die ? upstreams.killedCount : 0), "\(counts)")
        #expect(!die || died > 4)
        #expect(after < before * 5 / 4 + 16 << 20)
        gateway.send(SIGTERM)
        #expect(try await gateway.end() == 0)
    }

    @Test(
        "nginx fails the same kinds of requests while upstreams die",
        .enabled(if: NginxProcess.executable != nil, "nginx is not installed")
    )
    func deathsWithNginx() async throws {
        let upstreams = try Upstreams()
        let files = try upstreams.sets.files(0)
        let server = files.server.replacing("server {", with: "server {\n    listen 80;", maxReplacements: 1)
        let (process, port) = try RealNginx.started(files.map + server)
        defer { process.stop() }
        let tally = LoadTally()
        try await Self.run(min(ReloadUnderLoadTests.requestCount, 100_000), port: port, tally) {
            try upstreams.die(every: 400, tally)
        }
        let counts = tally.all
        print("proxied load, nginx: \(tally.deaths.load(ordering: .relaxed)) deaths: \(counts)")
        #expect(counts.failed == 0 && counts.mixed == 0, "\(counts)")
        #expect(counts.excused <= upstreams.killedCount)
        #expect(process.refusal() == nil)
    }
}
#endif
