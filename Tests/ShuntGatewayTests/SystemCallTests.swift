#if Gateway
import Glibc
import NginxOracle
import Shunt
import TestFolder
import Testing

/// The number of system calls for a request, which take most of its time.
@Suite(.serialized) struct SystemCallTests {
    static let strace = (["/usr/bin/strace", "/bin/strace"] as [String]).first { access($0, X_OK) == 0 }

    /// True if processes may be traced here; containers often forbid it.
    static let mayTrace: Bool = {
        guard let strace, let folder = try? TestFolder() else { return false }
        let words = [strace, "-o", "/dev/null", "/bin/true"]
        guard let process = try? ChildProcess.start(words, error: folder.path + "/errors") else { return false }
        return ChildProcess.waitForEnd(process, milliseconds: 10_000) == 0
    }()

    @Test(
        "A request is one read and one write for each connection that it is on",
        .enabled(if: mayTrace, "needs strace"),
        .timeLimit(.minutes(10)),
        arguments: [("/own", 1.1), ("/passed", 2.1)]
    )
    func areFew(_ target: String, _ bound: Double) async throws {
        var calls = try await Self.callsOfRequest(target)
        // On a busy machine the upstream's answer comes in two parts now and then, which are two reads, and threads meet more
        // often; a program that always takes more does so each time.
        for _ in 0..<2 where max(calls.reads, calls.writes) > bound || max(calls.waits, calls.changes) > 0.1 {
            calls = try await Self.callsOfRequest(target)
        }
        #expect(calls.reads >= 0.9 && calls.reads <= bound)
        #expect(calls.writes >= 0.9 && calls.writes <= bound)
        #expect(calls.waits <= 0.1)
        #expect(calls.changes <= 0.1)
    }

    /// The calls of each kind for a request.
    private struct Calls {
        var reads = 0.0
        var writes = 0.0
        var waits = 0.0
        var changes = 0.0
    }

    private static let reads: Set = ["read", "readv", "recvfrom", "recvmsg"]
    private static let writes: Set = ["write", "writev", "sendto", "sendmsg"]
    private static let transfers = reads.union(writes)
    private static let traced = transfers.union(["futex", "epoll_ctl"]).sorted().joined(separator: ",")

    private static func callsOfRequest(_ target: String) async throws -> Calls {
        // What starting and stopping takes is in both.
        let (few, many) = (100, 1_100)
        let before = try await calls(target, requests: few)
        let after = try await calls(target, requests: many)
        func each(_ names: Set<String>) -> Double {
            let more = names.reduce(0) { $0 + after[$1, default: 0] - before[$1, default: 0] }
            return Double(more) / Double(many - few)
        }
        return Calls(
            reads: each(reads),
            writes: each(writes),
            waits: each(["futex"]),
            changes: each(["epoll_ctl"])
        )
    }

    /// The number of times that the program made each call, from its start to its end; reads and writes are those of
    /// sockets.
    ///
    /// Others are of timers and of wake-ups, and are more of a request the slower the machine is.
    static func calls(_ target: String, requests: Int) async throws -> [String: Int] {
        let strace = try #require(strace)
        let folder = try TestFolder()
        let rules = try TestFolder()
        let upstream = try TestUpstream { _ in .text("hello") }
        try rules.replace(
            "rules.conf",
            "server { location / { proxy_pass \(upstream.url); } location = /own { return 200 hello; } }"
        )
        let gateway = try await ServedProgram.serving(
            rules: rules.path,
            limits: "exec \(strace) -D -f -y -s 0 -e trace=\(Self.traced) -o \(folder.path)/calls \"$0\" \"$@\""
        )
        let port = gateway.port
        try await Blocking.run {
            var connection = try TestConnection(port: port)
            for _ in 0..<requests {
                try connection.send("GET \(target) HTTP/1.1\r\nHost: a.test\r\nUser-Agent: test\r\n\r\n")
                let response = try #require(try connection.response())
                #expect(response.text == "hello")
            }
        }
        gateway.send(SIGTERM)
        #expect(try await gateway.end() == 0)
        var counts: [String: Int] = [:]
        try await Wait.until("the calls are written") {
            counts = [:]
            let lines = try folder.text("calls").split(separator: "\n")
            for line in lines {
                // The thread, and `read(7<socket:[1234]>,`.
                let words = line.split(separator: " ")
                guard words.count > 1, let bracket = words[1].firstIndex(of: "(") else { continue }
                let name = String(words[1][..<bracket])
                guard !transfers.contains(name) || words[1].contains("<socket:") else { continue }
                counts[name, default: 0] += 1
            }
            // The thread that was there first ends last.
            guard let first = lines.first?.split(separator: " ").first else { return false }
            return lines.contains { $0.hasPrefix("\(first) ") && $0.hasSuffix("+++ exited with 0 +++") }
        }
        return counts
    }
}
#endif
