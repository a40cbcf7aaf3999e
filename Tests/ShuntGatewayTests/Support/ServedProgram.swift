#if Gateway
import Foundation
import Glibc
import NginxOracle
import Synchronization
import TestFolder
import TestSettings

/// `shunt serve` as a separate process: the program next to the tests, or the program that `SHUNT_PROGRAM` names.
///
/// Killed when the value goes away.
final class ServedProgram: Sendable {
    let process: pid_t
    /// The port that requests come in at; 0 where it was not waited for.
    let port: UInt16
    /// The port of the admin listener.
    let adminPort: UInt16
    private let files: TestFolder
    private let status = Mutex<Int32?>(nil)

    static let program: String = {
        if let given = TestSettings.program { return given }
        let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(fileURLWithPath: tests).deletingLastPathComponent().appendingPathComponent("shunt").path
    }()

    /// Starts the program on ports that the system chooses.
    ///
    /// - Parameters:
    ///   - rules: The path of the rules.
    ///   - options: What else is on the command line.
    ///   - limits: What a shell does before it turns into the program.
    ///   - port: The port that the options name; nil lets the system choose one.
    /// - Returns: The program, which listens.
    /// - Throws: When it cannot be started, or does not listen.
    static func serving(
        rules: String,
        options: [String] = [],
        limits: String? = nil,
        listensAt port: UInt16? = nil
    ) async throws -> ServedProgram {
        let files = try TestFolder()
        let process = try start(rules, options, files, limits: limits, listensAt: port)
        var ports: (UInt16, UInt16) = (0, 0)
        try await Wait.until("shunt serve listens") {
            let text = try files.text("errors")
            ports = (
                Self.port(in: text, after: "requests come in at "),
                Self.port(in: text, after: "the admin listener is at ")
            )
            return ports.0 != 0 && ports.1 != 0
        }
        return ServedProgram(process: process, files: files, ports: ports)
    }

    /// Starts a program that is going to end without a signal.
    ///
    /// - Parameters:
    ///   - rules: The path of the rules.
    ///   - options: What else is on the command line.
    /// - Returns: The program.
    /// - Throws: When it cannot be started.
    static func ending(rules: String, options: [String] = []) throws -> ServedProgram {
        let files = try TestFolder()
        return ServedProgram(process: try start(rules, options, files), files: files, ports: (0, 0))
    }

    /// Starts the program as systemd does that has opened a socket for it, and waits until it listens.
    static func inheriting(_ socket: Int32, words: [String]) async throws -> ServedProgram {
        let files = try TestFolder()
        let shell = ["/bin/sh", "-c", "export LISTEN_PID=$$ LISTEN_FDS=1; exec \"$0\" \"$@\""]
        let process = try spawn(shell + [program] + words, files, inheriting: socket)
        try await Wait.until("shunt serve listens") { try files.text("errors").contains("requests come in at ") }
        return ServedProgram(process: process, files: files, ports: (0, 0))
    }

    /// Starts the program to show its help, which is its output.
    static func helping(_ words: [String]) throws -> ServedProgram { try running(words + ["--help"]) }

    /// Starts the program with arguments with which it ends without a signal.
    static func running(_ words: [String]) throws -> ServedProgram {
        let files = try TestFolder()
        return ServedProgram(process: try spawn([program] + words, files), files: files, ports: (0, 0))
    }

    private init(process: pid_t, files: TestFolder, ports: (UInt16, UInt16)) {
        self.process = process
        self.files = files
        (port, adminPort) = ports
    }

    private static func start(
        _ rules: String,
        _ options: [String],
        _ files: TestFolder,
        limits: String? = nil,
        listensAt port: UInt16? = nil
    ) throws -> pid_t {
        let listen = port == nil ? ["--listen", "127.0.0.1:0"] : []
        let shell = limits.map { ["/bin/sh", "-c", "\($0); exec \"$0\" \"$@\""] } ?? []
        return try spawn(
            shell + [program, "serve", "--rules", rules] + listen + ["--admin", "0"] + options,
            files
        )
    }

    private static func spawn(_ words: [String], _ files: TestFolder, inheriting socket: Int32? = nil) throws -> pid_t {
        try ChildProcess.start(
            words,
            environment: ProcessInfo.processInfo.environment.map { "\($0)=\($1)" },
            sockets: socket.map { [$0] } ?? [],
            output: "\(files.path)/output",
            error: "\(files.path)/errors"
        )
    }

    private static func port(in text: String, after words: String) -> UInt16 {
        guard let found = text.range(of: words + "127.0.0.1:") else { return 0 }
        return UInt16(text[found.upperBound...].prefix { $0.isNumber }) ?? 0
    }

    deinit {
        kill(process, SIGKILL)
        while !hasEnded() { usleep(1000) }
    }

    /// The standard error of the program.
    var errors: String { (try? files.text("errors")) ?? "" }

    /// The standard output of the program.
    var output: String { (try? files.text("output")) ?? "" }

    func send(_ signal: Int32) { kill(process, signal) }

    /// The status with which the program ends, which is waited for; 1000 and the number of a signal that ended it.
    func end() async throws -> Int32 {
        try await Wait.until("shunt serve ends") { hasEnded() }
        let status = status.withLock { $0 ?? 0 }
        return status & 0x7f == 0 ? status >> 8 & 0xff : 1000 + status & 0x7f
    }

    private func hasEnded() -> Bool {
        status.withLock { known in
            if known != nil { return true }
            var status: Int32 = 0
            guard waitpid(process, &status, WNOHANG) != 0 else { return false }
            known = status
            return true
        }
    }

    /// The memory of the program, in bytes.
    func residentBytes() throws -> Int { try bytes(of: "VmRSS") }

    /// The program's own memory in bytes, without pages of files: the kernel decides how many of these are in memory.
    func ownBytes() throws -> Int { try bytes(of: "RssAnon") + bytes(of: "RssShmem") }

    private func bytes(of name: String) throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        for line in text.split(separator: "\n") where line.hasPrefix("\(name):") {
            if let kilobytes = line.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) {
                return kilobytes * 1024
            }
        }
        throw TestProblem("no \(name) in \(text)")
    }

    /// The response to a GET, on a separate connection.
    func ask(_ target: String, from port: UInt16? = nil) async throws -> TestResponse {
        try await ask("GET", target, from: port)
    }

    /// Has the rules loaded again.
    func reload() async throws -> TestResponse { try await ask("POST", "/reload", from: adminPort) }

    private func ask(_ method: String, _ target: String, from port: UInt16?) async throws -> TestResponse {
        let port = port ?? self.port
        let host = port == adminPort ? "localhost" : "a.test"
        return try await Blocking.run {
            var connection = try TestConnection(port: port)
            let lines = [
                "\(method) \(target) HTTP/1.1", "Host: \(host)", "Connection: close", "Content-Length: 0", "", "",
            ]
            try connection.send(lines.joined(separator: "\r\n"))
            guard let response = try connection.response() else { throw TestProblem("no response to \(target)") }
            return response
        }
    }
}

/// Waiting for what another process does.
enum Wait {
    /// Asks again and again, for at most two minutes.
    static func until(_ what: String, _ condition: () async throws -> Bool) async throws {
        let end = ContinuousClock.now + .seconds(120)
        while try await !condition() {
            guard ContinuousClock.now < end else { throw TestProblem("waited two minutes in vain: \(what)") }
            try await Task.sleep(for: .milliseconds(2))
        }
    }
}
#endif
