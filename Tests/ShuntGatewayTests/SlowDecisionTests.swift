#if Gateway
import Dispatch
import Glibc
import NginxOracle
import Shunt
import Synchronization
import TestFolder
import Testing

@testable import ShuntGateway

/// A request that takes long to decide about keeps no other request waiting, and is decided as it would be.
@Suite(.serialized) struct SlowDecisionTests {
    /// A path that takes some hundred thousand steps, and one that takes more than there are.
    static let slow = "/" + String(repeating: "a", count: 14) + "bc"
    static let endless = "/" + String(repeating: "a", count: 60) + "bc"

    static let rules = [
        "rules.conf": """
        server {
            if ($uri ~ "(a+)+b$") { return 403; }
            location /up { proxy_pass http://UPSTREAM; }
            location / { return 200 "$uri $arg_n"; }
        }
        """
    ]

    static func request(_ target: String, _ fields: [String] = [], body: String = "", method: String = "GET") -> String
    {
        let length = body.isEmpty ? [] : ["Content-Length: \(body.utf8.count)"]
        return (["\(method) \(target) HTTP/1.1", "Host: a.test"] + length + fields + ["", body])
            .joined(separator: "\r\n")
    }

    @Test("Requests before and after it on the same connection are answered in order")
    func order() async throws {
        try await RunningGateway.with(Self.rules) { gateway in
            // The failing request comes last: as in nginx, a 500 ends the connection.
            let targets = ["/?n=1", Self.slow + "?n=2", "/?n=3", Self.slow + "?n=4", "/aab", "/?n=5", Self.endless]
            let text = targets.map { Self.request($0) }.joined()
            let responses = try await gateway.send(text, responses: targets.count)
            try #require(responses.map(\.status) == [200, 200, 200, 200, 403, 200, 500])
            #expect(responses[1].text == Self.slow + " 2" && responses[5].text == "/ 5")
            #expect(responses[6].text.contains("match limit"))
            let metrics = try await gateway.get("/metrics", from: gateway.adminPort).text
            #expect(metrics.contains("shunt_slow_decisions_total 3\n"))
            #expect(metrics.contains("shunt_decisions_total{decision=\"fail\"} 1\n"))
            #expect(metrics.contains("shunt_decisions_total{decision=\"respond\"} 6\n"))
        }
    }

    @Test("An upstream gets the whole of a body that waited", arguments: [0, 5, 100_000])
    func body(_ length: Int) async throws {
        let upstream = try TestUpstream { .text("\($0.line) \($0.body.count)") }
        let text = Self.rules["rules.conf"] ?? ""
        let files = ["rules.conf": text.replacing("UPSTREAM", with: "127.0.0.1:\(upstream.port)")]
        try await RunningGateway.with(files) { gateway in
            let body = String(repeating: "b", count: length)
            let both =
                Self.request("/up" + Self.slow, body: body, method: "POST")
                + Self.request("/?n=2", ["Connection: close"])
            let responses = try await gateway.send(both, responses: 2)
            #expect(responses.map(\.status) == [200, 200])
            #expect(responses.first?.text == "POST /up\(Self.slow) HTTP/1.1 \(length)")
            #expect(responses.last?.text == "/ 2")
        }
    }

    @Test("Another client's request is answered while many wait")
    func others() async throws {
        try await RunningGateway.with(Self.rules) { gateway in
            let port = gateway.port
            let count = 40
            let answered = try await Blocking.run {
                let text = Array((0..<count).map { _ in Self.request(Self.endless) }.joined().utf8)
                // One at least on the event loop of the other client; their requests take turns.
                let first = try LoopbackSocket.connected(to: port, timeoutSeconds: 20)
                let second = try LoopbackSocket.connected(to: port, timeoutSeconds: 20)
                let third = try LoopbackSocket.connected(to: port, timeoutSeconds: 20)
                let fourth = try LoopbackSocket.connected(to: port, timeoutSeconds: 20)
                #expect(first.send(text) && second.send(text) && third.send(text) && fourth.send(text))
                var other = try TestConnection(port: port)
                try other.send(Self.request("/?n=1"))
                #expect(try other.response()?.status == 200)
                let descriptors = [first.descriptor, second.descriptor, third.descriptor, fourth.descriptor]
                return descriptors.map { Self.answers(waitingOn: $0) }
            }
            #expect(answered.allSatisfy { $0 < count }, "\(answered)")
        }
    }

    /// The number of answers that have arrived at a socket and are not read yet.
    private static func answers(waitingOn descriptor: Int32) -> Int {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let length = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
        return String(decoding: bytes.prefix(max(0, length)), as: UTF8.self).ranges(of: "HTTP/1.1 500").count
    }

    @Test("A client that leaves while it waits takes nothing with it")
    func leaving() async throws {
        try await RunningGateway.with(Self.rules) { gateway in
            let port = gateway.port
            try await Blocking.run {
                for _ in 0..<50 {
                    let connection = try TestConnection(port: port)
                    try connection.send(Self.request(Self.endless))
                }
            }
            let response = try await gateway.get(Self.slow)
            #expect(response.status == 200)
        }
    }

    @Test("If too many wait, the answer is 503, and others are served on the same connection")
    func tooMany() async throws {
        try await RunningGateway.with(Self.rules, options: .init { $0.slowDecisionLimit = 0 }) { gateway in
            let text = [Self.endless, "/?n=1", Self.slow, "/?n=2"].map { Self.request($0) }.joined()
            let responses = try await gateway.send(text, responses: 4)
            #expect(responses.map(\.status) == [503, 200, 503, 200])
            #expect(responses.first?.text.contains("too many requests take long to decide") == true)
            #expect(responses.last?.text == "/ 2")
        }
    }

    // MARK: The queue

    @Test("They are decided in their order, those without a client are not, and no more wait than may")
    func queue() async throws {
        let folder = try TestFolder()
        try folder.replace("rules.conf", "server { return 200; }")
        let snapshot = try await RuleStore.open(path: folder.path).snapshot
        let decisions = SlowDecisions(limit: 4)
        let decided = Mutex<[Int]>([])
        try await Blocking.run {
            let begun = DispatchSemaphore(value: 0)
            let mayGoOn = DispatchSemaphore(value: 0)
            let ended = DispatchSemaphore(value: 0)
            let question = RuleRequest(target: "/", host: "a.test")
            let blocking = SlowDecisions.Request(question, rules: snapshot, in: nil) { _ in
                begun.signal()
                mayGoOn.wait()
            }
            #expect(decisions.decide(blocking))
            begun.wait()
            let waiting = (0..<5)
                .map { number in
                    SlowDecisions.Request(question, rules: snapshot, in: nil) { held in
                        decided.withLock { $0.append(held.withView { $0.status } == 200 ? number : -1) }
                        if number == 3 { ended.signal() }
                    }
                }
            #expect(waiting.map { decisions.decide($0) } == [true, true, true, true, false])
            waiting[1].drop()
            mayGoOn.signal()
            ended.wait()
            #expect(decided.withLock { $0 } == [0, 2, 3])
            // There is room again, and a thread.
            #expect(decisions.decide(waiting[4]))
        }
    }
}
#endif
