#if Gateway
import Dispatch
import Glibc
import Logging
import NginxOracle
import Synchronization
import TestFolder
import Testing

@testable import ShuntGateway

/// The reader of a named pipe that reads when the test calls it.
private final class SlowReader: Sendable {
    let path: String
    private let folder: TestFolder
    private let descriptor: Int32

    init() throws {
        signal(SIGPIPE, SIG_IGN)
        folder = try TestFolder()
        path = folder.path + "/pipe"
        guard mkfifo(path, 0o600) == 0 else { throw TestProblem("mkfifo: \(errno)") }
        descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        // One page, so that little is enough to fill it (F_SETPIPE_SZ).
        _ = fcntl(descriptor, 1_031, 4_096)
    }

    deinit { close(descriptor) }

    /// The bytes that are there.
    func read() -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        return Array(bytes.prefix(max(0, count)))
    }

    /// Reads until a text has come.
    func read(until end: String) async throws -> String {
        // Megabytes wait, which a page at a time would take long.
        _ = fcntl(descriptor, 1_031, 1 << 20)
        var text = ""
        try await Wait.until("\(end) comes") {
            let known = max(0, text.count - end.count)
            while case let part = read(), !part.isEmpty { text += String(decoding: part, as: UTF8.self) }
            return text.dropFirst(known).contains(end)
        }
        return text
    }
}

@Suite("Logs whose readers stop", .timeLimit(.minutes(10)))
struct LogWriterTests {
    private final class Events: Sendable {
        private let gathered = Mutex<[LogWriter.Event]>([])
        var all: [LogWriter.Event] { gathered.withLock(\.self) }
        func add(_ event: LogWriter.Event) { gathered.withLock { $0.append(event) } }
    }

    @Test("Lines that do not fit are lost, counted and reported once; the next lines are whole")
    func loses() async throws {
        let (reader, events) = (try SlowReader(), Events())
        let writer = LogWriter(try LogFile(path: reader.path), limit: 10_000) { event, _ in events.add(event) }
        for number in 0..<100 { writer.append(Array("\(number) \(String(repeating: "x", count: 1_000))\n".utf8)) }
        #expect(writer.lostLines.value >= 80)
        #expect(events.all == [.loses("its reader is too slow")])
        let lost = writer.lostLines.value
        _ = try await reader.read(until: "\n8 ")
        // How many lines were accepted depends on how many the pipe took meanwhile.
        var text = "\n"
        try await Wait.until("it is written again") {
            text += String(decoding: reader.read(), as: UTF8.self)
            return events.all.count == 2
        }
        #expect(events.all.last == .writesAgain(lost: lost))
        writer.append(Array("last\n".utf8))
        text += try await reader.read(until: "last\n")
        #expect(text.hasSuffix("\nlast\n"))
    }

    @Test("A line after one that was cut begins at the beginning of a line")
    func cut() async throws {
        let events = Events()
        var reader = Optional(try SlowReader())
        let path = try #require(reader?.path)
        // Another name of the pipe, which stays when the reader goes.
        let folder = try TestFolder()
        let other = folder.path + "/pipe"
        #expect(link(path, other) == 0)
        let writer = LogWriter(try LogFile(path: path)) { event, _ in events.add(event) }
        writer.append([UInt8](repeating: 0x61, count: 6_000) + [0x0a])
        try await Wait.until("the pipe is full") {
            var count: Int32 = 0
            let descriptor = open(other, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
            defer { close(descriptor) }
            _ = ioctl(descriptor, UInt(FIONREAD), &count)
            return count == 4_096
        }
        reader = nil
        try await Wait.until("the line is lost") { events.all == [.loses("Broken pipe")] }
        let descriptor = open(other, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        defer { close(descriptor) }
        writer.append(Array("b\n".utf8))
        var all: [UInt8] = []
        try await Wait.until("the next line comes") {
            var bytes = [UInt8](repeating: 0, count: 8_192)
            let count = Glibc.read(descriptor, &bytes, bytes.count)
            all += bytes.prefix(max(0, count))
            return all.last == 0x0a
        }
        #expect(all == [UInt8](repeating: 0x61, count: 4_096) + Array("\nb\n".utf8))
        #expect(events.all.last == .writesAgain(lost: 1))
    }

    @Test("A program's log reports how many of its lines were lost")
    func programLog() async throws {
        let reader = try SlowReader()
        let descriptor = open(reader.path, O_WRONLY | O_CLOEXEC)
        defer { close(descriptor) }
        let log = ProgramLog(.json, descriptor: descriptor)
        for _ in 0..<60 { log.logger().notice("\(String(repeating: "x", count: 100_000))") }
        #expect(ProgramLog.lostLines.value >= 10)
        let text = try await reader.read(until: "lines of this log were lost")
        #expect(text.split(separator: "\n").last?.hasPrefix("{\"time\":") == true)
    }

    @Test("An access log whose reader stops holds up no request")
    func accessLog() async throws {
        let reader = try SlowReader()
        let change = RunningGateway.Change { options in
            options.accessLog = reader.path
            options.logQueueBytes = 20_000
        }
        try await RunningGateway.with(["rules.conf": "server { return 204; }"], options: change) { gateway in
            let target = "/" + String(repeating: "x", count: 8_000)
            for _ in 0..<20 { #expect(try await gateway.get(target).status == 204) }
            try await Wait.until("the loss is reported") {
                gateway.messages.all.contains {
                    $0.contains("warning the access log \(reader.path) is not written: its reader is too slow")
                }
            }
            let metrics = try await gateway.get("/metrics", from: gateway.adminPort).text
            let lost = metrics.matches(of: /shunt_log_lost_lines_total{log="access"} (\d+)/).first
            #expect(Int(lost?.1 ?? "") ?? 0 > 0)
            try await Wait.until("the log is written again") {
                _ = reader.read()
                return gateway.messages.all.contains { $0.contains("\(reader.path) is written again; ") }
            }
            #expect(gateway.messages.all.count { $0.contains("is not written") } == 1)
        }
    }

    @Test("A standard error that nothing reads holds up neither requests nor reloads nor the end")
    func standardError() async throws {
        let reader = try SlowReader()
        let filler = open(reader.path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
        defer { close(filler) }
        let page = [UInt8](repeating: 0x2e, count: 4_096)
        while write(filler, page, page.count) > 0 {}
        let folder = try TestFolder(["rules/a.conf": "server { location / { return 200 one; } }"])
        let socket = folder.path + "/socket"
        let words = ["--rules", folder.path + "/rules", "--listen", "unix:" + socket, "--log-level", "debug"]
        let process = try ChildProcess.start(
            [ServedProgram.program, "serve"] + words,
            environment: ["PATH=/usr/bin:/bin"],
            error: reader.path
        )
        defer { kill(process, SIGKILL) }
        func answer() async throws -> String? {
            try await Blocking.run {
                guard var connection = try? TestConnection(path: socket) else { return nil }
                try connection.send("GET / HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n")
                return try connection.response()?.text
            }
        }
        try await Wait.until("it answers") { try await answer() == "one" }
        for word in ["two", "three"] {
            try folder.replace("rules/a.conf", "server { location / { return 200 \(word); } }")
            kill(process, SIGHUP)
            try await Wait.until("it answers by new rules") { try await answer() == word }
        }
        kill(process, SIGTERM)
        var status: Int32 = 0
        try await Wait.until("it ends") { waitpid(process, &status, WNOHANG) == process }
        #expect(status == 0)
        // The end that reads was open until here.
        withExtendedLifetime(reader) {}
    }
}
#endif
