#if Gateway
import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NginxOracle
import Shunt
import TestFolder
import Testing

@testable import ShuntGateway

@Suite("Sockets that listen", .timeLimit(.minutes(10)))
struct ListenSocketTests {
    /// A port that was free a moment ago.
    private static func freePort() throws -> UInt16 { try LoopbackSocket.listening().port }

    @Test(
        "The listens of nginx's files start, and each address has its server",
        arguments: [
            ("server { listen P; listen [::]:P; return 200 all; }", ["127.0.0.1 all", "127.0.0.2 all", "[::1] all"]),
            (
                "server { listen P default_server; listen [::]:P default_server ipv6only=on; return 200 all; }",
                ["[::1] all"]
            ),
            ("server { listen [::]:P; return 200 all; }", ["127.0.0.1 -", "[::1] all"]),
            (
                "server { listen [::]:P ipv6only=off backlog=7 reuseport; return 200 all; }",
                ["127.0.0.1 all", "[::1] all"]
            ),
            (
                "server { listen P; return 200 all; } server { listen 127.0.0.1:P; return 200 one; }",
                ["127.0.0.1 one", "127.0.0.2 all", "[::1] -"]
            ),
            (
                "server { listen [::1]:P; return 200 one; } server { listen *:P; listen [::]:P; return 200 all; }",
                ["127.0.0.1 all", "[::1] one"]
            ),
        ]
    )
    func listens(rules: String, expected: [String]) async throws {
        let port = try Self.freePort()
        let change = RunningGateway.Change { $0.listeners = [] }
        try await RunningGateway.with(
            ["a.conf": rules.replacing("P;", with: "\(port);").replacing("P ", with: "\(port) ")],
            options: change
        ) { _ in
            try await Self.check(expected, port: port)
        }
    }

    /// Checks the bodies of answers at addresses; `-` for an address that does not answer.
    private static func check(_ expected: [String], port: UInt16) async throws {
        for line in expected {
            let words = line.split(separator: " ")
            var request = HTTPClientRequest(url: "http://\(words[0]):\(port)/")
            request.headers.add(name: "Connection", value: "close")
            let answer = try? await HTTPClient.shared.execute(request, timeout: .seconds(20))
            let body = try await answer?.body.collect(upTo: 1_000)
            #expect(body.map { String(buffer: $0) } ?? "-" == words[1], "\(line)")
        }
    }

    @Test(
        "After a reload only servers that listen at a socket in the same way answer there",
        arguments: [
            ("listen P;", "", ["127.0.0.1 -"]),
            ("listen P;", "listen 127.0.0.1:P;", ["127.0.0.1 one", "127.0.0.2 -"]),
            ("listen 127.0.0.1:P;", "listen P;", ["127.0.0.1 one"]),
            ("listen P;", "listen P proxy_protocol;", ["127.0.0.1 -"]),
            ("listen P;", "listen P default_server;", ["127.0.0.1 one", "127.0.0.2 one"]),
        ]
    )
    func listensOfReloads(before: String, after: String, expected: [String]) async throws {
        let port = try Self.freePort()
        let folder = try TestFolder()
        func rules(_ listen: String) -> String {
            let own = listen.isEmpty ? "" : "server { \(listen.replacing("P", with: "\(port)")) return 200 one; }"
            return own + "server { listen unix:\(folder.path)/s; return 200 other; }"
        }
        let change = RunningGateway.Change { $0.listeners = [] }
        try await RunningGateway.with(["a.conf": rules(before)], options: change) { gateway in
            let request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
            var kept = try TestConnection(port: port)
            try kept.send(request)
            #expect(try kept.response()?.text == "one")
            try gateway.directory.replace("a.conf", rules(after))
            await gateway.gateway.reload()
            try await Self.check(expected, port: port)
            try? kept.send(request)
            let text = (try? kept.response())??.text
            #expect(text ?? "-" == expected[0].split(separator: " ")[1])
            var other = try TestConnection(path: folder.path + "/s")
            try other.send(request)
            #expect(try other.response()?.text == "other")
        }
    }

    @Test("--listen for every IPv6 address takes IPv4 unless another listener does")
    func commandListeners() async throws {
        for others in [[], ["0.0.0.0"]] {
            let port = try Int(Self.freePort())
            let change = RunningGateway.Change { options in
                options.listeners = (["::"] + others).map { Listener(.socket(SocketEndpoint(host: $0, port: port))) }
            }
            try await RunningGateway.with(["a.conf": "server { return 200 x; }"], options: change) { gateway in
                #expect(try await gateway.get("/").text == "x")
                var connection = try TestConnection(port: UInt16(port))
                try connection.send("GET / HTTP/1.0\r\n\r\n")
                #expect(try connection.response()?.text == "x")
            }
        }
    }

    @Test("A start that cannot listen is one line with the address, the place and the cause")
    func refused() async throws {
        let taken = try LoopbackSocket.listening()
        let folder = try TestFolder([
            "rules/a.conf": "server { return 200 x; }", "token": "0123456789abcdef", "file": "",
        ])
        let cases = [
            ("127.0.0.1:\(taken.port)", "address in use"), ("192.0.2.1:80", "this machine does not have the address"),
            ("unix:\(folder.path)/file", "there is a file that is not a socket"),
            ("unix:/\(String(repeating: "x", count: 120))", "the path is too long"),
        ]
        for (address, cause) in cases {
            try folder.write("options", "# Where\nlisten 127.0.0.1:0\nlisten \(address)\nadmin 0\n")
            let words = ["--options", "\(folder.path)/options", "--admin-token-file", "\(folder.path)/token"]
            let program = try ServedProgram.running(["serve", "--rules", "\(folder.path)/rules"] + words)
            #expect(try await program.end() == 3)
            let lines = program.errors.split(separator: "\n").filter { !$0.contains(" notice shunt: ") }
            #expect(lines == ["shunt: error: cannot listen on \(address) (from \(folder.path)/options:3): \(cause)"])
        }
        let port = taken.port
        try folder.write("rules/a.conf", "server {\n    listen 127.0.0.1:\(port);\n}\n")
        for (words, message) in [
            ([], "cannot listen on 127.0.0.1:\(port) (from \(folder.path)/rules/a.conf:2:12): address in use"),
            (["--listen", "127.0.0.1:\(port)"], "cannot listen on 127.0.0.1:\(port) (from --listen): address in use"),
            (
                ["--listen", "127.0.0.1:0", "--admin", "\(port)"],
                "cannot listen on 127.0.0.1:\(port) (from --admin): address in use"
            ),
        ] {
            let program = try ServedProgram.running(["serve", "--rules", "\(folder.path)/rules"] + words)
            #expect(try await program.end() == 3)
            #expect(program.errors.contains("shunt: error: \(message)\n"), "\(program.errors)")
        }
    }

    @Test("A listen for QUIC alone is refused, and served over TCP nowhere")
    func quic() async throws {
        let folder = try TestFolder(["a.conf": "server { listen 127.0.0.1:\(try Self.freePort()) quic; return 200 x; }"]
        )
        let program = try ServedProgram.running(["serve", "--rules", folder.path])
        #expect(try await program.end() == 3)
        #expect(
            program.errors.contains("\(folder.path)/a.conf:1:17: the gateway does not speak QUIC"),
            "\(program.errors)"
        )
    }

    @Test("An address that is given twice is an error of the command line")
    func twice() async throws {
        let folder = try TestFolder([
            "a.conf": "server { return 200 x; }", "options": "listen 8080\nlisten 0.0.0.0:8080\n",
        ])
        let program = try ServedProgram.running([
            "serve", "--rules", folder.path, "--options", "\(folder.path)/options",
        ])
        #expect(try await program.end() == 2)
        let places = "\(folder.path)/options:1 and \(folder.path)/options:2"
        #expect(program.errors.contains("--listen 0.0.0.0:8080 is given twice (\(places))."), "\(program.errors)")
    }

    @Test("Options show no secrets")
    func secrets() {
        var options = GatewayOptions(rules: "/rules")
        options.adminToken = [115, 117, 112]
        for text in ["\(options)", String(reflecting: options), "\([options])"] { #expect(!text.contains("115")) }
    }
}

@Suite("Unix sockets", .timeLimit(.minutes(10)))
struct UnixSocketTests {
    private static func change(_ path: String, isShared: Bool = false, mode: UInt32? = nil) -> RunningGateway.Change {
        RunningGateway.Change { options in
            options.listeners = [Listener(.unix(path))]
            options.sharesPorts = isShared
            options.socketMode = mode
        }
    }

    private static func rules(_ text: String) -> [String: String] { ["a.conf": "server { return 200 \(text); }"] }

    private static func ask(_ path: String) async throws -> String {
        try await Blocking.run {
            var connection = try TestConnection(path: path)
            try connection.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            return try connection.response()?.text ?? "-"
        }
    }

    @Test("A second gateway is refused while the first answers, and may take over with --reuse-port")
    func second() async throws {
        let folder = try TestFolder()
        let path = folder.path + "/s"
        try await RunningGateway.with(Self.rules("one"), options: Self.change(path)) { (_) async throws in
            await #expect(
                throws: ListenError.refused(
                    address: "unix:\(path)",
                    origin: nil,
                    cause: "another program listens there"
                )
            ) {
                try await RunningGateway.with(Self.rules("two"), options: Self.change(path)) { _ in }
            }
            #expect(try await Self.ask(path) == "one")
        }
        #expect(access(path, F_OK) != 0)
        try await RunningGateway.with(Self.rules("three"), options: Self.change(path, isShared: true)) { first in
            try await RunningGateway.with(Self.rules("four"), options: Self.change(path, isShared: true)) { _ in
                #expect(try await Self.ask(path) == "four")
                await first.shutDown()
                try await Wait.until("the first one has stopped") {
                    first.messages.all.contains { $0.contains("has stopped") }
                }
                #expect(try await Self.ask(path) == "four")
            }
        }
        #expect(try folder.names().isEmpty)
    }

    @Test("A socket that nothing answers is replaced, and one of another service never by a rule file")
    func stale() async throws {
        let folder = try TestFolder()
        let path = folder.path + "/s"
        do {
            let left = try ListenSocket(Listener(.unix(path)), among: [], isShared: false, mode: nil)
            close(left.descriptor)
        }
        #expect(access(path, F_OK) == 0)
        try await RunningGateway.with(Self.rules("one"), options: Self.change(path)) { (_) async throws in
            #expect(try await Self.ask(path) == "one")
            let rules = ["a.conf": "server { listen unix:\(path); return 200 two; }"]
            let change = RunningGateway.Change { options in
                options.listeners = []
                options.sharesPorts = true
            }
            await #expect(throws: ListenError.self) { try await RunningGateway.with(rules, options: change) { _ in } }
            #expect(try await Self.ask(path) == "one")
        }
    }

    @Test("The mode of the file is the one that an option names")
    func mode() async throws {
        let folder = try TestFolder()
        let path = folder.path + "/s"
        try await RunningGateway.with(Self.rules("one"), options: Self.change(path, mode: 0o660)) { _ in
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == 0o660)
        }
    }
}
#endif
