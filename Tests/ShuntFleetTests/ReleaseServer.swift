#if Fleet
import Foundation
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
        let http = """
            log_format short "$status $uri";
            access_log \(process.folder)/access short;
            server {
                listen 127.0.0.1:\(socket.port);
                location /web/ { alias \(tree)/; }
                location /slow/ { alias \(tree)/; limit_rate 1; }
                location /busy/ { add_header Retry-After 7 always; return 429; }
            }
            """
        try process.configure(http, connections: 64)
        try process.start(sockets: [socket.descriptor])
    }

    deinit { process.stop() }

    /// The answers so far, without files that are named by their content.
    var answers: [String] {
        let text = (try? String(contentsOfFile: process.folder + "/access", encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map(String.init).filter { $0.hasSuffix("/pointer") }
    }
}
#endif
