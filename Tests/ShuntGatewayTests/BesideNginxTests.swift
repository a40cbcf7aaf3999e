#if Gateway
import Foundation
import NginxOracle
import Shunt
import Synchronization
import TestFolder
import Testing

@testable import ShuntGateway

@Suite("Shunt next to nginx")
struct BesideNginxTests {
    private static func recipe(_ beside: BesideProxy) throws -> Recipe {
        try Recipe("beside-nginx").asking(beside.service.port, upstream: beside.upstream.port)
    }

    private static func throughNginx<Result: Sendable>(
        _ rules: String,
        _ body: @escaping @Sendable (UInt16) throws -> Result
    ) async throws -> Result {
        try await Blocking.run { try RealNginx.with(rules, body) }
    }

    @Test("The client of nginx gets what the client of the gateway gets", .timeLimit(.minutes(10)))
    func answersAsTheGateway() async throws {
        try await BesideProxy.with(BesideProxy.rules, .accel) { beside in
            let change = RunningGateway.Change { options in
                options.upstream = UpstreamAddress(beside.upstream.url)
                options.listeners = [Listener("127.0.0.1:0=0.0.0.0:80")].compactMap(\.self)
            }
            try await RunningGateway.with(["rules.conf": BesideProxy.rules], options: change) { gateway in
                let large = String(repeating: "x", count: 1 << 20)
                var requests = ["/moved?x=1", "/gone", "/told", "/blocked", "/failing", "/closed", "/", "/%41%2f?a"]
                    .map { BesideProxy.request("GET \($0)") }
                for method in ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] {
                    requests.append(BesideProxy.request("\(method) /old/a%20b?x=%20"))
                }
                for method in ["POST", "PUT", "PATCH"] {
                    requests.append(BesideProxy.request("\(method) /old/body", body: large))
                }
                let chunked = "POST /old/chunks HTTP/1.1\r\nHost: a.test\r\nTransfer-Encoding: chunked\r\n\r\n"
                requests.append(chunked + "3\r\nabc\r\n0\r\n\r\n")
                let nginx = "client_max_body_size 2m;\n" + (try Self.recipe(beside)["shunt.conf"])
                let (questions, port) = (requests, gateway.port)
                try await Self.throughNginx(nginx) { nginxPort in
                    for request in questions {
                        let isHead = request.hasPrefix("HEAD")
                        let expected = try BesideProxy.ask(port, request, isHead: isHead)
                        let found = try BesideProxy.ask(nginxPort, request, isHead: isHead)
                        let line = request.prefix { $0 != "\r\n" }
                        #expect(found == expected, "\(line)")
                        #expect(found?["Location"] == expected?["Location"], "\(line)")
                        #expect(found?["X-Why"] == expected?["X-Why"], "\(line)")
                        #expect(found?["X-Shunt-Action"] == nil, "\(line)")
                    }
                }
            }
        }
    }

    @Test("A client chooses no server by a path that loses its first slash", .timeLimit(.minutes(10)))
    func withoutSlash() async throws {
        let rules = "server { listen 80; location /api/ { rewrite ^/api/(.*) $1 break; proxy_pass http://127.0.0.1; } }"
        try await BesideProxy.with(rules, .accel) { beside in
            let request = BesideProxy.request("GET /api/:\(beside.upstream.port)/x")
            try await Self.throughNginx(try Self.recipe(beside)["shunt.conf"]) { (port) throws in
                #expect(try BesideProxy.ask(port, request)?.status == 404)
            }
            #expect(beside.upstream.requests.isEmpty)
        }
    }

    @Test("Random rules and requests", .timeLimit(.minutes(20)))
    func randomRules() async throws {
        try await BesideProxy.with("server { return 200; }", .accel) { beside in
            let nginx = try NginxInFront(Self.recipe(beside)["shunt.conf"])
            let random = BesideRandom(sets: 40, seed: 7_000)
            let count = try await random.compare(beside, nginx.port)
            print("\(count) requests beside nginx as without it")
            #expect(count > random.sets * 5)
        }
    }

    @Test("Every byte arrives at the upstream as the gateway sends it", .timeLimit(.minutes(10)))
    func everyByte() async throws {
        let rules = """
            server {
                listen 80;
                location /in/ { rewrite ^/in/(.*)$ /out/$1 break; }
                location /decoded/ { rewrite ^ $uri?was=$arg_x break; }
            }
            """
        try await BesideProxy.with(rules, .accel) { beside in
            let change = RunningGateway.Change { options in
                options.upstream = UpstreamAddress(beside.upstream.url)
                options.listeners = [Listener("127.0.0.1:0=0.0.0.0:80")].compactMap(\.self)
            }
            try await RunningGateway.with(["rules.conf": rules], options: change) { gateway in
                let port = gateway.port
                try await Self.throughNginx(try Self.recipe(beside)["shunt.conf"]) { nginxPort in
                    var arrived = 0
                    for byte in 0...255 {
                        let escape = "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
                        for target in ["/\(escape)", "/in/a\(escape)b", "/decoded/\(escape)?x=\(escape)"] {
                            let request = BesideProxy.request("GET \(target)")
                            let expected = try BesideProxy.ask(port, request)
                            let found = try BesideProxy.ask(nginxPort, request)
                            #expect(found?.status == expected?.status, "\(target)")
                            if expected?.status == 200 {
                                arrived += 1
                                #expect(found?.text == expected?.text, "\(target)")
                            }
                        }
                    }
                    #expect(arrived > 700)
                }
            }
        }
    }

    @Test("A client cannot speak for Shunt", .timeLimit(.minutes(10)))
    func clientsCannotSetHeaders() async throws {
        try await BesideProxy.with(BesideProxy.rules, .accel) { beside in
            let headers =
                DecisionHeader.allCases.map { "\($0.rawValue): /evil" } + ["X-Forwarded-For: 192.0.2.9"]
                + ["X-Accel-Redirect: @shunt_close", "X-Forwarded-Proto: https"]
            let response = try await Self.throughNginx(try Self.recipe(beside)["shunt.conf"]) { port in
                try BesideProxy.ask(port, BesideProxy.request("GET /old/x", headers))
            }
            #expect(response?.text == "GET /new/x 0 0")
            let received = try #require(beside.upstream.requests.first)
            for header in DecisionHeader.allCases { #expect(received[header.rawValue] == nil) }
            #expect(received["X-Forwarded-Proto"] == "http")
        }
    }

    @Test(
        "Without Shunt the recipe answers 503, or asks a second instance, or lets everything through",
        .timeLimit(.minutes(10))
    )
    func withoutShunt() async throws {
        try await BesideProxy.with(BesideProxy.rules, .accel) { beside in
            let stopped = try Recipe("beside-nginx").asking(1, upstream: beside.upstream.port)
            let request = BesideProxy.request("GET /moved")
            let refused = try await Self.throughNginx(stopped["shunt.conf"]) { try BesideProxy.ask($0, request) }
            #expect(refused?.status == 503)
            let second = try stopped.replacing(
                "# server 127.0.0.1:9001",
                with: "server 127.0.0.1:\(beside.service.port)"
            )
            let answered = try await Self.throughNginx(second["shunt.conf"]) { try BesideProxy.ask($0, request) }
            #expect(answered?.status == 301)
            let open = try stopped.replacing("return 503;", with: "proxy_pass http://backend;")
            let through = try await Self.throughNginx(open["shunt.conf"]) { try BesideProxy.ask($0, request) }
            #expect(through?.text == "GET /moved 0 0")
        }
    }

    @Test(
        "Rules that change under questions: none fails, and each has one version's decision",
        .timeLimit(.minutes(10))
    )
    func reloads() async throws {
        func rules(_ number: Int) -> String {
            "server { listen 80; rewrite ^/a/(.*)$ /\(number)/$1; rewrite ^(.*)$ $1/\(number) break; }"
        }
        try await BesideProxy.with(rules(0), .accel) { beside in
            let nginx = try NginxInFront(Self.recipe(beside)["shunt.conf"])
            let nginxPort = nginx.port
            let (isDone, asked) = (Tally(), Tally())
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                for _ in 0..<2 {
                    tasks.addTask {
                        try await Blocking.run {
                            var connection = try TestConnection(port: nginxPort)
                            while isDone.count == 0 {
                                try connection.send(BesideProxy.request("GET /a/x"))
                                let response = try connection.response()
                                let parts =
                                    response?.text.split(separator: " ").dropFirst().first?.split(separator: "/") ?? []
                                #expect(parts.count == 3 && parts.first == parts.last, "\(response?.text ?? "nothing")")
                                asked.add()
                            }
                        }
                    }
                }
                for number in 1...20 {
                    try beside.service.directory.replace("rules.conf", rules(number))
                    await beside.service.gateway.reload()
                    let before = asked.count
                    try await Wait.until("requests are answered") { asked.count > before + 4 }
                }
                isDone.add()
                try await tasks.waitForAll()
            }
            print("\(asked.count) questions under 20 reloads")
        }
    }

    @Test("A mirror gets every request, and no client waits for it", .timeLimit(.minutes(10)))
    func mirrors() async throws {
        let change = RunningGateway.Change { options in
            BesideProxy.change(.observe).apply(&options)
            options.accessLog = options.rules + "/decisions"
        }
        let upstream = try BesideProxy.upstream()
        try await RunningGateway.with(["rules.conf": BesideProxy.rules], options: change) { service in
            let recipe = try Recipe("beside-nginx").asking(service.port, upstream: upstream.port)
            let response = try await Self.throughNginx(recipe["observe.conf"]) { port in
                let response = try BesideProxy.ask(port, BesideProxy.request("POST /moved?x=1", body: "abc"))
                // The mirror's answer is nothing that a client could wait for.
                for _ in 0..<2_000 {
                    if try service.directory.text("decisions").contains("\n") { break }
                    usleep(5_000)
                }
                return response
            }
            #expect(response?.text.hasPrefix("POST /moved?x=1 3 ") == true)
            let line = try service.directory.text("decisions")
            #expect(line.contains(#""method":"POST""#) && line.contains(#""decided_status":301"#), "\(line)")
        }
    }
}

/// The number of times that something happened.
final class Tally: Sendable {
    private let number = Mutex(0)

    var count: Int { number.withLock { $0 } }

    func add() { number.withLock { $0 += 1 } }
}

/// An nginx that runs as long as the value is there.
private struct NginxInFront: ~Copyable {
    let port: UInt16
    private let process: NginxProcess

    init(_ rules: String) throws {
        (process, port) = try RealNginx.started(rules)
    }

    deinit { process.stop() }
}
#endif
