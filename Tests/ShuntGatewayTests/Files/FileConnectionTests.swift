#if Gateway
import Glibc
import Shunt
import ShuntCore
import ShuntGateway
import Synchronization
import TestFolder
import Testing

/// The connections of clients that get files.
@Suite(.serialized) struct FileConnectionTests {
    private static func change(_ more: @escaping (inout GatewayOptions) -> Void = { _ in }) -> RunningGateway.Change {
        RunningGateway.Change { options in
            options.engine.fileSystem = LocalFileSystem()
            more(&options)
        }
    }

    private static func get(_ target: String) -> String {
        "GET \(target) HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n"
    }

    /// The number of bytes on their way in the connections of a port.
    private static func bytesOnTheirWay(at port: UInt16) throws -> Int {
        let table = String(
            decoding: try LocalFileSystem().read("/proc/\(getpid())/net/tcp", limit: 1 << 24),
            as: UTF8.self
        )
        let place = ":" + String(65_536 + Int(port), radix: 16, uppercase: true).dropFirst()
        var sum = 0
        for line in table.split(separator: "\n").dropFirst() {
            let words = line.split(separator: " ")
            let queues = words[4].split(separator: ":").compactMap { Int($0, radix: 16) }
            // A connection that is established, or whose server has written everything.
            guard ["01", "04"].contains(words[3]), queues.count == 2 else { continue }
            if words[1].hasSuffix(place) { sum += queues[0] }
            if words[2].hasSuffix(place) { sum += queues[1] }
        }
        return sum
    }

    /// The number of descriptors of this process for a file.
    private static func descriptors(of path: String) -> Int {
        guard let names = try? LocalFileSystem().list("/proc/self/fd", limit: 100_000) else { return -1 }
        return names.count { (try? LocalFileSystem().realPath("/proc/self/fd/\($0)")) == path }
    }

    /// The number of bytes on their way in the connections of a port, after it has become steady above 0.
    private static func settledBytes(at port: UInt16) throws -> Int {
        var last = try bytesOnTheirWay(at: port)
        var steady = 0
        for _ in 0..<300 where steady < 7 {
            usleep(100_000)
            let bytes = try bytesOnTheirWay(at: port)
            steady = bytes > 0 && bytes == last ? steady + 1 : 0
            last = bytes
        }
        return last
    }

    /// Has a client not read the end of a file, which the system has not taken either.
    private static func stuck(
        _ folder: TestFolder,
        at port: UInt16,
        _ body: (_ connection: inout TestConnection, _ path: String) throws -> Void
    ) throws {
        try folder.write([UInt8](repeating: 98, count: 30_000_000), to: "large")
        var taken = 0
        do {
            let first = try TestConnection(port: port)
            try first.send(get("/large"))
            taken = try settledBytes(at: port)
        }
        // The system takes more from one connection than from the other: the end has to be longer then.
        for attempt in 0..<20 {
            usleep(100_000)
            let name = "end\(attempt)"
            try folder.write([UInt8](repeating: 98, count: taken + 14_000), to: name)
            let path = try LocalFileSystem().realPath(folder.path + "/" + name)
            var connection = try TestConnection(port: port)
            try connection.send(get("/" + name))
            let now = try settledBytes(at: port)
            if descriptors(of: path) == 1 { return try body(&connection, path) }
            taken = max(taken + 14_000, now)
        }
        Issue.record("The system has taken all of \(taken).")
    }

    private static func isClosed(_ path: String) -> Bool {
        for _ in 0..<600 where descriptors(of: path) != 0 { usleep(100_000) }
        return descriptors(of: path) == 0
    }

    @Test("A file that becomes shorter near its end ends the connection")
    func shortened() async throws {
        let folder = try TestFolder()
        try await RunningGateway.with(["r.conf": "server { root \(folder.path); }"], options: Self.change()) {
            (gateway) async throws in
            let port = gateway.port
            try await Blocking.run {
                try Self.stuck(folder, at: port) { connection, path in
                    #expect(truncate(path, 1_000) == 0)
                    let problem = #expect(throws: TestProblem.self) { try connection.response() }
                    #expect(problem?.isSilence == false)
                    #expect(Self.isClosed(path))
                }
            }
        }
    }

    @Test("A client that does not take the end of an answer in time loses its connection")
    func silent() async throws {
        let folder = try TestFolder()
        let change = Self.change { $0.clientTimeout = 2 }
        try await RunningGateway.with(["r.conf": "server { root \(folder.path); }"], options: change) {
            (gateway) async throws in
            let port = gateway.port
            try await Blocking.run {
                try Self.stuck(folder, at: port) { _, path in #expect(Self.isClosed(path)) }
            }
        }
    }

    @Test("A client that has closed its side gets its file", arguments: ["/f", "/long", "/none"])
    func halfClosed(target: String) async throws {
        let folder = try TestFolder(["f": "file"])
        try folder.write([UInt8](repeating: 97, count: 3_000_000), to: "long")
        let rules = "server { listen 80; root \(folder.path); location / { error_page 404 =200 /f; } }"
        try await RunningGateway.with(["r.conf": rules], options: Self.change()) { (gateway) async throws in
            let port = gateway.port
            @Sendable func answer(at port: UInt16) throws -> TestResponse? {
                var connection = try TestConnection(port: port)
                try connection.send("GET \(target) HTTP/1.1\r\nHost: a.test\r\n\r\n")
                connection.endInput()
                let response = try connection.response()
                #expect(try connection.isAtEnd())
                return response
            }
            let found = try await Blocking.run { try answer(at: port) }
            #expect(found?.status == 200)
            // nginx breaks a long answer off where the system takes only a part of it at once.
            guard target != "/long" else { return #expect(found?.body.count == 3_000_000) }
            #expect(try await Blocking.run { try RealNginx.with(rules) { try answer(at: $0) } } == found)
        }
    }

    @Test("A client that ends its side within a body gets its file, and the end of the connection")
    func halfRequest() async throws {
        let folder = try TestFolder(["f": "file"])
        try await RunningGateway.with(["r.conf": "server { root \(folder.path); }"], options: Self.change()) {
            (gateway) async throws in
            let port = gateway.port
            try await Blocking.run {
                var connection = try TestConnection(port: port)
                try connection.send("GET /f HTTP/1.1\r\nHost: a.test\r\nContent-Length: 9\r\n\r\nxxx")
                connection.endInput()
                #expect(try connection.response()?.text == "file")
                #expect(try connection.isAtEnd())
            }
        }
    }

    @Test(
        "A body of a known length has the limit, too, and the rules may set another one",
        arguments: [
            ("/f", 2_048, 413), ("/f", 900, 200), ("/own/f", 2_048, 200), ("/own/f", 5_000, 413),
            ("/page/f", 2_048, 413),
        ]
    )
    func knownBody(target: String, length: Int, status: Int) async throws {
        let folder = try TestFolder(["f": "file", "own/f": "file", "page/f": "file"])
        let rules = """
            server {
                root \(folder.path);
                location /own/ { client_max_body_size 4k; }
                location /page/ { error_page 413 /f; }
            }
            """
        try await RunningGateway.with(["r.conf": rules], options: Self.change { $0.maximumBodyBytes = 1_000 }) {
            (gateway) async throws in
            let head = "GET \(target) HTTP/1.1\r\nHost: a.test\r\nContent-Length: \(length)\r\n\r\n"
            let answer = try await gateway.send(head + String(repeating: "x", count: length)).first
            #expect(answer?.status == status)
            if target == "/page/f" { #expect(answer?.text == "file") }
            let chunk = "\(String(length, radix: 16))\r\n\(String(repeating: "x", count: length))\r\n0\r\n\r\n"
            let chunked = "GET \(target) HTTP/1.1\r\nHost: a.test\r\nTransfer-Encoding: chunked\r\n\r\n\(chunk)"
            let isWhole =
                try await gateway.send(chunked + "GET /f HTTP/1.1\r\nHost: a.test\r\n\r\n", responses: 2).count == 2
            // As in nginx, only what an upstream gets has a limit in chunks.
            #expect(isWhole)
        }
    }

    @Test("A request that gates have counted is decided about by the same rules again")
    func reloaded() async throws {
        let folder = try TestFolder(["f": "file"])
        let admin = Atomic<UInt16>(0)
        let files = Mutex<TestFolder?>(nil)
        let limited = "limit_req_zone $host zone=b:1m rate=1r/m; limit_req_zone $host zone=a:1m rate=1r/m;"
        let upstream = try TestUpstream { _ in
            let rules = """
                \(limited) server { listen 80; location / { limit_req zone=a burst=9 nodelay; root \(folder.path); } }
                """
            try? files.withLock { try $0?.replace("r.conf", rules) }
            if var connection = try? TestConnection(port: admin.load(ordering: .relaxed)) {
                try? connection.send("POST /reload HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n")
                _ = try? connection.response()
            }
            return .text("", headers: ["X-Accel-Redirect: /f"])
        }
        let rules = """
            limit_req_zone $host zone=a:1m rate=1r/m;
            server {
                listen 80;
                location = / { limit_conn_log_level info; proxy_pass \(upstream.url); }
                location / { limit_req zone=a burst=9 nodelay; root \(folder.path); }
            }
            """
        try await RunningGateway.with(["r.conf": rules], options: Self.change()) { (gateway) async throws in
            admin.store(gateway.adminPort, ordering: .relaxed)
            files.withLock { $0 = gateway.directory }
            #expect(try await gateway.get("/").text == "file")
            #expect(try await gateway.get("/f").text == "file")
        }
    }
}
#endif
