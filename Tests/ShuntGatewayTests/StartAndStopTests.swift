#if Gateway
import Foundation
import Glibc
import NginxOracle
import Shunt
import TestFolder
import Testing

@testable import ShuntGateway

@Suite("Start, stop and what operators see of them", .timeLimit(.minutes(10)))
struct StartAndStopTests {
    private static let rules = ["a.conf": "server { return 200 one; }"]

    @Test("With a delay connections are accepted for a while after the beginning of a shutdown")
    func shutdownDelay() async throws {
        let folder = try TestFolder(Self.rules)
        let program = try await ServedProgram.serving(rules: folder.path, options: ["--shutdown-delay", "10m"])
        program.send(SIGTERM)
        try await Wait.until("it is not ready") {
            try await program.ask("/ready", from: program.adminPort).status == 503
        }
        #expect(try await program.ask("/").text == "one")
        #expect(program.errors.contains("stopping: not ready; connections are accepted for 600 more seconds"))
    }

    @Test("A request that was on its way at the shutdown gets Connection: close")
    func lateRequest() async throws {
        let folder = try TestFolder(Self.rules)
        let program = try await ServedProgram.serving(rules: folder.path)
        var connection = try TestConnection(port: program.port)
        try connection.send("GET /a HTTP/1.1\r\nHost: a.test\r\n\r\n")
        #expect(try connection.response()?.text == "one")
        try connection.send("GET /a HTTP/1.1\r\nHo")
        try await Task.sleep(for: .milliseconds(100))
        program.send(SIGTERM)
        try await Wait.until("it stops") { program.errors.contains("stopping") }
        try await Task.sleep(for: .milliseconds(300))
        try connection.send("st: a.test\r\n\r\n")
        let response = try connection.response()
        #expect(response?.text == "one" && response?["connection"] == "close")
        #expect(try await program.end() == 0)
    }

    @Test("systemd has the reason why rules are refused, and the version that serves")
    func status() async throws {
        let folder = try TestFolder(["rules/a.conf": "server { return 200 one; }"])
        let socket = try NoticeSocket(folder.path + "/notify")
        let program = try await ServedProgram.serving(
            rules: folder.path + "/rules",
            limits: "export NOTIFY_SOCKET=\(folder.path)/notify"
        )
        #expect(try await socket.next() == "READY=1\nSTATUS=requests are accepted")
        func next(after text: String, _ message: String) async throws {
            try folder.replace("rules/a.conf", text)
            let expression = try Regex(message)
            var all: [String] = []
            try await Wait.until(message) {
                program.send(SIGHUP)
                while let one = socket.tryNext() { all.append(one) }
                return all.contains { $0.contains(expression) }
            }
        }
        try await next(
            after: "server { retrun 200 x; }",
            #"^STATUS=rules refused at \d\d:\d\d:\d\d UTC: .+; version 1 serves$"#
        )
        try await next(after: "server { return 200 two; }", "^STATUS=requests are accepted, by version 2 of the rules$")
    }

    @Test("A copy that could not be written is tried again at a reload without changes")
    func copy() async throws {
        let folder = try TestFolder()
        let change = RunningGateway.Change {
            $0.store.lastKnownGood = LastKnownGood(path: folder.path + "/copies/rules")
        }
        try await RunningGateway.with(Self.rules, options: change) { gateway in
            func has(_ text: String, _ path: String) async throws -> Bool {
                try await gateway.get(path, from: gateway.adminPort).text.contains(text)
            }
            #expect(try await has("copy_failure", "/status"))
            #expect(try await has("shunt_rules_copy_failed 1\n", "/metrics"))
            try folder.makeDirectory("copies")
            #expect(await gateway.gateway.reload().failure == nil)
            #expect(try await !has("copy_failure", "/status"))
            #expect(try await has("shunt_rules_copy_failed 0\n", "/metrics"))
            #expect(try !folder.names().isEmpty)
        }
    }

    @Test("A copy serves at a start without the servers whose names have no address")
    func copyWithoutNames() async throws {
        let folder = try TestFolder()
        let server = "server { listen 80; location = /own { return 200 own; } location / { proxy_pass http://u; } }"
        let rules = ["a.conf": "upstream u { server no-such-name.invalid; } \(server)"]
        let archive = RuleArchive(rules)
        let hash = try archive.compile().contentHash
        let change = RunningGateway.Change { options in
            let copy = LastKnownGood(path: folder.path + "/rules")
            options.store.lastKnownGood = copy
            let (path, date) = (options.rules, Timestamp(seconds: 0))
            #expect(throws: Never.self) { try copy.write(archive, contentHash: hash, source: path, date: date) }
        }
        try await RunningGateway.with(rules, options: change) { gateway in
            let metrics = try await gateway.get("/metrics", from: gateway.adminPort).text
            #expect(metrics.contains("shunt_rules_last_known_good 1\n"))
            #expect(try await gateway.get("/own").text == "own")
            #expect(try await gateway.get("/").status == 502)
        }
    }

    @Test("The end of a certificate is a metric")
    func certificates() async throws {
        let rules = """
            server { listen 443 ssl; ssl_certificate a.pem; ssl_certificate_key a.key; return 200 x; }
            """
        let files = TestCertificates.files.merging(["rules.conf": rules]) { first, _ in first }
        let change = RunningGateway.Change {
            $0.listeners = [Listener("tls:127.0.0.1:0=0.0.0.0:443")].compactMap(\.self)
        }
        try await RunningGateway.with(files, options: change) { gateway in
            let metrics = try await gateway.get("/metrics", from: gateway.adminPort).text
            let end = metrics.firstMatch(of: /shunt_tls_not_after_seconds{certificate="a.pem"} (\d+)\n/)
            #expect(Int(end?.1 ?? "") ?? 0 > 1_600_000_000)
        }
    }

    @Test("A file of options may have the line ends of other systems", arguments: ["", "\u{feff}"])
    func lineEnds(mark: String) async throws {
        let folder = try TestFolder(["rules/a.conf": "server { return 200 one; }"])
        let lines = ["# how it runs", "rules \(folder.path)/rules", "listen 127.0.0.1:0", "client-timeout 10x", ""]
        try folder.write("options", mark + lines.joined(separator: "\r\n"))
        let program = try ServedProgram.running(["serve", "--options", folder.path + "/options"])
        #expect(try await program.end() == 2)
        #expect(program.errors.hasPrefix("\(folder.path)/options:4: error: in this option:\n"), "\(program.errors)")
        #expect(program.errors.contains("The value '10x' is invalid for '--client-timeout <time>'"))
    }

    @Test("Without rules the gateway does not start, and names the way out")
    func withoutRules() async throws {
        let folder = try TestFolder(["nginx.conf": "events {} http { include sites-enabled/*; }"])
        let program = try ServedProgram.running(["serve", "--rules", folder.path + "/nginx.conf"])
        #expect(try await program.end() == 3)
        let message = "there are no rules in \(folder.path)/nginx.conf; if that is meant, add --allow-empty\n"
        #expect(program.errors.hasSuffix("shunt: error: \(message)"), "\(program.errors)")
    }

    @Test("A value that is refused names the variable that it comes from")
    func variable() async throws {
        let folder = try TestFolder(Self.rules)
        let words = [
            "/bin/sh", "-c", "SHUNT_MAX_HEADER=much exec \(ServedProgram.program) serve --rules \(folder.path)",
        ]
        let process = try ChildProcess.start(words, error: folder.path + "/errors")
        var status: Int32 = 0
        try await Wait.until("it ends") { waitpid(process, &status, WNOHANG) == process }
        #expect(try folder.text("errors").hasPrefix("SHUNT_MAX_HEADER: error: in this option:\n"))
    }

    @Test("The unit and the rotation of logs do what the documents state")
    func packaging() throws {
        func text(_ name: String) throws -> String {
            try String(contentsOf: Recipe.root.appendingPathComponent("packaging/" + name), encoding: .utf8)
        }
        let unit = try text("shunt.service")
        let lines = [
            "ExecReload=/usr/bin/shunt check /etc/shunt/rules\nExecReload=/bin/kill -HUP $MAINPID\n",
            "RuntimeDirectory=shunt\n", "RestartSec=2\n",
        ]
        for line in lines { #expect(unit.contains(line)) }
        let beginning = unit.prefix(upTo: try #require(unit.firstRange(of: "[Service]")).lowerBound)
        #expect(beginning.contains("StartLimitIntervalSec=0\n"))
        #expect(try text("shunt.logrotate").contains("--signal=USR1 shunt.service"))
    }
}
#endif
