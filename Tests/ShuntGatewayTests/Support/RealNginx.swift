#if Gateway
import NginxOracle

/// A real nginx that serves the same rules as a gateway.
enum RealNginx {
    /// Runs a test against nginx with these rules, whose `listen 80;` is on the port that the test gets.
    static func with<Result>(_ rules: String, _ body: (_ port: UInt16) throws -> Result) throws -> Result {
        let (process, port) = try started(rules)
        let result = Swift.Result { try body(port) }
        let refusal = process.refusal()
        process.stop()
        if let refusal { throw TestProblem(refusal) }
        return try result.get()
    }

    /// Starts nginx with these rules; its owner stops it.
    static func started(_ rules: String) throws -> (process: NginxProcess, port: UInt16) {
        let process = try NginxProcess()
        let socket = try LoopbackSocket.listening()
        let http = """
            access_log off;
            keepalive_requests 100000;
            \(rules.replacing(#/listen 80([; ])/#, with: { "listen 127.0.0.1:\(socket.port)\($0.1)" }))
            """
        try process.configure(http, connections: 256)
        try process.start(sockets: [socket.descriptor])
        return (process, socket.port)
    }
}
#endif
