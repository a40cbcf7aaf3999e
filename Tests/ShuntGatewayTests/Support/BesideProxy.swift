#if Gateway
import ShuntGateway

/// A decision service, an upstream that reports what it got, and a proxy between them that one asks.
struct BesideProxy: Sendable {
    let service: RunningGateway
    let upstream: TestUpstream

    /// The requests that the upstream answers: everything that the rules could have changed.
    static func upstream() throws -> TestUpstream {
        try TestUpstream { request in
            let line = request.line.split(separator: " ")
            let body = "\(request.body.count) \(request.body.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xffff })"
            return .text("\(line.first ?? "") \(line.dropFirst().first ?? "") \(body)")
        }
    }

    /// The options of a decision service for a proxy on this machine.
    static func change(
        _ form: DecisionService.Form,
        _ question: DecisionService.Question = .request,
        trusting proxy: String? = "127.0.0.1"
    ) -> RunningGateway.Change {
        RunningGateway.Change { options in
            options.decisionService = DecisionService(form: form, question: question)
            if let proxy { _ = options.trustedProxies.trust(proxy) }
            options.listeners = [Listener("127.0.0.1:0=0.0.0.0:80")].compactMap(\.self)
        }
    }

    /// Runs a test with a service of these rules.
    static func with(
        _ rules: String,
        _ form: DecisionService.Form,
        _ question: DecisionService.Question = .request,
        _ body: (BesideProxy) async throws -> Void
    ) async throws {
        let upstream = try upstream()
        try await RunningGateway.with(["rules.conf": rules], options: change(form, question)) { service in
            try await body(BesideProxy(service: service, upstream: upstream))
        }
    }

    /// The response to a request, of the server at a port; nil where the connection is closed without one.
    static func ask(_ port: UInt16, _ bytes: [UInt8], isHead: Bool = false) throws -> TestResponse? {
        var connection = try TestConnection(port: port)
        try connection.send(bytes)
        return try connection.response(isHead: isHead)
    }

    static func ask(_ port: UInt16, _ text: String, isHead: Bool = false) throws -> TestResponse? {
        try ask(port, Array(text.utf8), isHead: isHead)
    }

    /// The text of a request with a Host.
    static func request(_ line: String, _ headers: [String] = [], body: String = "") -> String {
        let length = body.isEmpty ? [] : ["Content-Length: \(body.utf8.count)"]
        let lines = ["\(line) HTTP/1.1", "Host: a.test"] + headers + length + ["", ""]
        return lines.joined(separator: "\r\n") + body
    }

    /// Rules with one of each decision, and rewrites that encode and decode.
    static let rules = """
        server {
            listen 80;
            location /moved { return 301 /there?x=$arg_x; }
            location /gone { return 410; }
            location /told { return 200 "told"; }
            location /blocked { add_header X-Why "rule"; return 403 "no"; }
            location /failing { rewrite ^/failing(.*)$ /failing$1x; }
            location /closed { return 444; }
            location /old/ { rewrite ^/old/(.*)$ /new/$1 break; }
            location /named/ { proxy_pass http://127.0.0.1:3000/path/; }
            location / { }
        }
        """
}
#endif
