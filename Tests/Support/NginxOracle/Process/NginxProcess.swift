import Foundation
import Glibc
import TestFolder

/// One private nginx: a separate folder, listening sockets that were opened beforehand, and a process that is
/// stopped by the id it was started with.
///
/// The sockets are handed over the way a binary upgrade does it, through the variable `NGINX`. So no other program can
/// take a port in between, and connections wait in the kernel until nginx accepts: there is nothing to poll.
package final class NginxProcess {
    /// nginx refused its configuration.
    package struct Refused: Error {
        package var message: String
    }

    private let files: TestFolder
    private var process: pid_t = 0

    /// The binary to run: the environment's `NGINX`, else Debian's.
    package static var executable: String? {
        let path = ProcessInfo.processInfo.environment["NGINX"] ?? "/usr/sbin/nginx"
        return FileManager.default.isExecutableFile(atPath: path) ? path : nil
    }

    /// Makes the folder; nothing runs yet.
    package init() throws {
        files = try TestFolder()
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
    }

    deinit {
        stop()
    }

    package var folder: String { files.path }

    /// The document root: empty, and deep, so that `..` in a rewritten path meets nothing.
    package var root: String { "\(folder)/a/b/c/d/e/root" }
    /// The document root of a rule set with files: no other root begins with its name, for a path may lack its slash.
    private func ownRoot(_ index: Int) -> String { "\(folder)/a/b/c/d/e/\(index)/root" }
    package var log: String { "\(folder)/log" }
    private var standardError: String { "\(folder)/stderr" }

    /// Writes a file of the folder.
    package func write(_ bytes: [UInt8], to name: String) throws {
        guard FileManager.default.createFile(atPath: "\(folder)/\(name)", contents: Data(bytes)) else {
            throw OracleFailure("cannot write \(folder)/\(name)")
        }
    }

    /// The document root of a rule set: the empty one, or a separate one with its files in it.
    package func documentRoot(_ index: Int, files: [SupportFile]) throws -> String {
        let ownRoot = files.isEmpty ? root : ownRoot(index)
        for file in files {
            let path = file.kind == .configuration ? "\(folder)/\(file.path)" : "\(ownRoot)/\(file.path)"
            let parent = file.kind == .folder ? path : (path as NSString).deletingLastPathComponent
            try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
            if file.kind == .folder { continue }
            guard FileManager.default.createFile(atPath: path, contents: Data(file.content)) else {
                throw OracleFailure("cannot write \(path)")
            }
        }
        if !files.isEmpty {
            try FileManager.default.createDirectory(atPath: ownRoot, withIntermediateDirectories: true)
        }
        return ownRoot
    }

    /// Writes `nginx.conf`: one worker, whatever it writes in the folder.
    ///
    /// - Parameters:
    ///   - http: What is in `http`.
    ///   - connections: The most connections.
    ///   - main: What is in front of it.
    /// - Throws: When it cannot be written.
    package func configure(_ http: String, connections: Int, main: String = "") throws {
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map { "\($0)_temp_path \(folder)/\($0);\n" }
        let text = """
            daemon off;
            \(geteuid() == 0 ? "user root;" : "")
            worker_processes 1;
            pid \(folder)/pid;
            error_log \(log) error;
            \(main)
            events { worker_connections \(connections); }
            http {
            \(temporary.joined())
            \(http)
            }

            """
        try write(Array(text.utf8), to: "nginx.conf")
    }

    /// Starts nginx on `nginx.conf` in the folder.
    ///
    /// Whether it likes the file shows when it answers, or in `refusal`.
    package func start(sockets: [Int32]) throws {
        guard let executable = Self.executable else { throw OracleFailure("nginx is not installed") }
        let inherited = sockets.indices.map { "\(ChildProcess.firstSocket + Int32($0));" }.joined()
        let arguments = [executable, "-p", "\(folder)/", "-c", "nginx.conf", "-e", "log"]
        process = try ChildProcess.start(
            arguments,
            environment: ["NGINX=\(inherited)"],
            sockets: sockets,
            error: standardError
        )
    }

    /// Asks nginx whether it accepts `nginx.conf`: nil, or the first message of level emerg.
    package func refusalByTest() throws -> String? {
        guard let executable = Self.executable else { throw OracleFailure("nginx is not installed") }
        let arguments = [executable, "-t", "-q", "-p", "\(folder)/", "-c", "nginx.conf", "-e", "log"]
        process = try ChildProcess.start(arguments, error: standardError)
        return waitForEnd(milliseconds: 10_000) == 0 ? nil : firstError
    }

    /// nil while nginx runs, otherwise why it ended.
    package func refusal() -> String? {
        guard process > 0 else { return firstError }
        var status: Int32 = 0
        guard waitpid(process, &status, WNOHANG) == process else { return nil }
        process = 0
        return firstError
    }

    /// Waits for a process that has closed its sockets to be gone, and returns the reason.
    package func refusalAfterEnd() -> String? {
        waitForEnd(milliseconds: 5000) == nil ? nil : firstError
    }

    /// Stops nginx and waits for it: politely, which lets requests end, then firmly.
    package func stop(letsRequestsEnd: Bool = true) {
        for signal in (letsRequestsEnd ? [SIGQUIT] : []) + [SIGTERM, SIGKILL] where process > 0 {
            kill(process, signal)
            _ = waitForEnd(milliseconds: 5000)
        }
    }

    private var firstError: String {
        let text = FileManager.default.contents(atPath: standardError).map { String(decoding: $0, as: UTF8.self) } ?? ""
        let lines = text.split(separator: "\n").filter { $0.contains("[emerg]") }
        guard let line = lines.first, let mark = line.range(of: "[emerg] ") else { return "nginx ended: \(text)" }
        // After the level are the process ids on some lines, "1#1: "; the message follows.
        let rest = line[mark.upperBound...]
        if let colon = rest.range(of: ": "), rest[..<colon.lowerBound].allSatisfy({ $0.isNumber || $0 == "#" }) {
            return String(rest[colon.upperBound...])
        }
        return String(rest)
    }

    private func waitForEnd(milliseconds: Int) -> Int32? {
        guard process > 0 else { return 0 }
        let status = ChildProcess.waitForEnd(process, milliseconds: milliseconds)
        if status != nil { process = 0 }
        return status
    }
}
