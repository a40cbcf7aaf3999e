#if Gateway && Fleet
import Glibc
import NginxOracle
import TestFolder

/// An etcd with the first release of a folder; it is killed when the value goes away.
final class RunningEtcd: Sendable {
    private static let program = "/usr/bin/etcd"
    static var isInstalled: Bool { access(program, X_OK) == 0 }

    let url: String
    /// The place where its releases are.
    let store: String
    private let process: pid_t

    /// Starts it, and publishes the rules of the folder.
    init(publishing folder: TestFolder) async throws {
        let (port, otherPort) = try Self.freePorts()
        url = "http://127.0.0.1:\(port)"
        store = "etcd://127.0.0.1:\(port)/web"
        let peer = "http://127.0.0.1:\(otherPort)"
        let words = [
            Self.program, "--data-dir", "\(folder.path)/etcd", "--listen-client-urls", url, "--advertise-client-urls",
            url, "--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer, "--initial-cluster",
            "default=\(peer)",
        ]
        process = try ChildProcess.start(words, error: folder.path + "/etcd.log")
        let store = store
        try await Wait.until("etcd answers") { (try? await FleetNodeTests.publish(folder, to: store)) != nil }
    }

    /// Two ports; both are held while they are chosen, so that they are two.
    private static func freePorts() throws -> (UInt16, UInt16) {
        let first = try LoopbackSocket.listening()
        let second = try LoopbackSocket.listening()
        return (first.port, second.port)
    }

    deinit {
        kill(process, SIGKILL)
        _ = ChildProcess.waitForEnd(process, milliseconds: 10_000)
    }
}
#endif
