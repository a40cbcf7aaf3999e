#if Fleet
import Foundation
import Glibc
import NginxOracle

/// A real nginx that serves a tree of releases, well and badly.
final class ReleaseServer {
    private let process: NginxProcess
    let base: String

    init?(_ tree: String) throws {
        guard NginxProcess.executable != nil else { return nil }
        process = try NginxProcess()
        let socket = try LoopbackSocket.listening()
        base = "http://127.0.0.1:\(socket.port)/"
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map { "\($0)_temp_path \(process.folder)/\($0);\n" }
        let text = """
            daemon off;
            \(geteuid() == 0 ? "user root;" : "")
            worker_processes 1;
            pid \(process.folder)/pid;
            error_log \(process.log) error;
            events { worker_connections 64; }
            http {
            \(temporary.joined())
            log_format short "$status $uri";
            access_log \(process.folder)/access short;
            server {
                listen 127.0.0.1:\(socket.port);
                location /web/ { alias \(tree)/; }
                location /slow/ { alias \(tree)/; limit_rate 1; }
                location /busy/ { add_header Retry-After 7 always; return 429; }
            }
            }
            """
        try process.write(Array(text.utf8), to: "nginx.conf")
        try process.start(sockets: [socket.descriptor])
    }

    deinit { process.stop() }

    /// What was answered so far, without what comes by its content.
    var answers: [String] {
        let text = (try? String(contentsOfFile: process.folder + "/access", encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map(String.init).filter { $0.hasSuffix("/pointer") }
    }
}
#endif
