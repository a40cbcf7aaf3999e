#if Fleet
import Foundation
import NginxOracle
import ShuntFleet
import Synchronization
import TestFolder

/// A real etcd with a folder and separate ports; it is ended when the value goes away.
final class EtcdProcess: Sendable {
    /// Debian's.
    static var executable: String? {
        ["/usr/bin/etcd", "/usr/local/bin/etcd"].first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    let folder: TestFolder
    let name: String
    let clientPort: UInt16
    let peerPort: UInt16
    private let scheme: String
    private let extra: [String]
    private let cluster = Mutex("")
    private let process: Mutex<pid_t> = Mutex(0)

    var url: String { "\(scheme)://127.0.0.1:\(clientPort)" }
    var peer: String { "\(name)=http://127.0.0.1:\(peerPort)" }

    /// Makes a member; nothing runs yet.
    init(_ name: String = "one", folder: TestFolder? = nil, scheme: String = "http", _ extra: [String] = []) throws {
        self.folder = try folder ?? TestFolder(inMemory: true)
        self.name = name
        self.scheme = scheme
        self.extra = extra
        // Both are held while they are chosen, so that they are two.
        let client = try LoopbackSocket.listening()
        let peer = try LoopbackSocket.listening()
        (clientPort, peerPort) = (client.port, peer.port)
    }

    deinit { kill() }

    /// A member that runs alone, and answers.
    static func running(_ options: (inout EtcdOptions) -> Void = { _ in }) async throws -> EtcdProcess {
        let etcd = try EtcdProcess()
        try etcd.start()
        var asked = EtcdOptions(endpoints: [etcd.url])
        options(&asked)
        try await ready(asked)
        return etcd
    }

    /// Starts it, also again with the data that it has.
    func start(cluster: [EtcdProcess] = []) throws {
        guard let executable = Self.executable else { throw TestProblem("etcd is not installed") }
        let members = self.cluster.withLock { known in
            if known.isEmpty { known = cluster.isEmpty ? peer : cluster.map(\.peer).joined(separator: ",") }
            return known
        }
        let peerURL = "http://127.0.0.1:\(peerPort)"
        let arguments = [
            executable, "--name", name, "--data-dir", "\(folder.path)/\(name)", "--listen-client-urls", url,
            "--advertise-client-urls", url, "--listen-peer-urls", peerURL, "--initial-advertise-peer-urls", peerURL,
            "--initial-cluster", members, "--heartbeat-interval", "50", "--election-timeout", "500",
            "--logger", "zap", "--log-level", "error", "--log-outputs", "stderr",
        ]
        let started = try ChildProcess.start(arguments + extra, error: "\(folder.path)/\(name).log")
        process.withLock { $0 = started }
    }

    /// Waits until a cluster answers, or reports something that waiting does not change.
    static func ready(_ options: EtcdOptions) async throws {
        let client = EtcdClient(options)
        try await eventually {
            do throws(EtcdError) {
                _ = try await client.range(EtcdRange("ready"))
                return true
            } catch {
                return error.needsAttention
            }
        }
    }

    /// Sends a signal: SIGSTOP, SIGCONT.
    func signal(_ signal: Int32) { _ = process.withLock { $0 > 0 ? Foundation.kill($0, signal) : 0 } }

    /// Ends it as a crash does.
    func kill() {
        process.withLock { process in
            guard process > 0 else { return }
            Foundation.kill(process, SIGKILL)
            _ = ChildProcess.waitForEnd(process, milliseconds: 5000)
            process = 0
        }
    }

    /// The bytes of its memory.
    var residentBytes: Int {
        let process = process.withLock { $0 }
        let text = (try? String(contentsOfFile: "/proc/\(process)/statm", encoding: .utf8)) ?? ""
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return pages * Int(getpagesize())
    }

    /// The number of times that a client has asked for a token since it started, by its own count.
    func authentications() throws -> Int {
        let name = #"grpc_server_handled_total{grpc_code="#
        return try ask("GET /metrics", "").split(separator: "\n")
            .filter { $0.hasPrefix(name) && $0.contains(#"grpc_method="Authenticate""#) }
            .compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }
            .reduce(0, +)
    }

    /// Asks what the client has no use for.
    @discardableResult
    func post(_ path: String, _ body: String, token: String? = nil) throws -> String {
        try ask("POST \(path)", body, token)
    }

    private func ask(_ request: String, _ body: String, _ token: String? = nil) throws -> String {
        let socket = try LoopbackSocket.connected(to: clientPort, timeoutSeconds: 5)
        let authorization = token.map { "Authorization: \($0)\r\n" } ?? ""
        let head =
            "\(request) HTTP/1.0\r\nHost: 127.0.0.1\r\n\(authorization)Content-Length: \(body.utf8.count)\r\n\r\n"
        guard socket.send(Array((head + body).utf8)) else { throw TestProblem("etcd takes nothing") }
        var answer: [UInt8] = []
        var space = [UInt8](repeating: 0, count: 1 << 16)
        while case .bytes = socket.receive(into: &answer, space: &space) {}
        let text = String(decoding: answer, as: UTF8.self)
        guard text.contains(" 200 ") else { throw TestProblem("\(request): \(text)") }
        return text.components(separatedBy: "\r\n\r\n").last ?? ""
    }
}

/// A problem that ends a test.
struct TestProblem: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// Looks again and again until something is so.
func eventually(within limit: Duration = .seconds(60), _ isSo: () async throws -> Bool) async throws {
    let end = ContinuousClock.now + limit
    while try await !isSo() {
        guard ContinuousClock.now < end else { throw TestProblem("it is not so after \(limit)") }
        try await Task.sleep(for: .milliseconds(10))
    }
}
#endif
