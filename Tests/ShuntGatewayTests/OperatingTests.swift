#if Gateway
import Foundation
import Glibc
import NginxOracle
import Synchronization
import TestFolder
import TestSettings
import Testing

@testable import ShuntGateway

/// Features for operators: systemd, options from elsewhere, restarts without a lost connection.
@Suite("Operating", .serialized)
struct OperatingTests {
    private static func rules(_ word: String) throws -> TestFolder {
        let directory = try TestFolder()
        try directory.replace("rules.conf", "server { listen 80; return 200 \(word); }\n")
        return directory
    }

    @Test("systemd is notified of the start, of a reload and of the end", .timeLimit(.minutes(10)))
    func notifies() async throws {
        let directory = try Self.rules("one")
        let socket = try NoticeSocket(directory.path + "/notify")
        let gateway = try await ServedProgram.serving(
            rules: directory.path,
            limits: "export NOTIFY_SOCKET=\(directory.path)/notify"
        )
        #expect(try await socket.next().hasPrefix("READY=1\n"))
        try directory.replace("rules.conf", "server { listen 80; return 200 two; }\n")
        var messages: [String] = []
        // Nothing shows when the program begins to hear the signal.
        try await Wait.until("SIGHUP is heard") {
            gateway.send(SIGHUP)
            if let message = socket.tryNext(), !message.hasPrefix("STATUS=") { messages.append(message) }
            return messages.count >= 2
        }
        #expect(messages[0].hasPrefix("RELOADING=1\nMONOTONIC_USEC="))
        #expect(messages[1].hasPrefix("READY=1"))
        #expect(try await gateway.ask("/").text == "two")
        gateway.send(SIGTERM)
        var last = ""
        try await Wait.until("the end is told") {
            last = socket.tryNext() ?? last
            return last.hasPrefix("STOPPING=1")
        }
        #expect(try await gateway.end() == 0)
    }

    /// Asks on new connections until it is stopped, and counts what fails.
    private final class Load: Sendable {
        private let state = Mutex((isDone: false, answered: 0, failures: [String]()))

        var answered: Int { state.withLock { $0.answered } }
        var failures: [String] { state.withLock { $0.failures } }

        func stop() { state.withLock { $0.isDone = true } }

        func run(_ port: UInt16, keepingConnections: Bool) {
            var kept: TestConnection?
            while !state.withLock({ $0.isDone }) {
                do {
                    let isKept = kept != nil
                    var connection = try kept.take() ?? TestConnection(port: port)
                    let close = keepingConnections ? "" : "Connection: close\r\n"
                    guard (try? connection.send("GET / HTTP/1.1\r\nHost: a.test\r\n\(close)\r\n")) != nil || !isKept,
                        let response = try connection.response(), response.status == 200
                    else {
                        // A connection that was idle may be closed at any time; clients ask again on another.
                        if isKept { continue }
                        throw TestProblem("no answer")
                    }
                    if keepingConnections, response["Connection"] != "close" { kept = consume connection }
                    state.withLock { $0.answered += 1 }
                } catch {
                    kept = nil
                    state.withLock { $0.failures.append("\(error)") }
                }
            }
        }
    }

    @Test("With an inherited socket restarts lose no connection", .timeLimit(.minutes(10)))
    func inheritedSocket() async throws {
        let restarts = TestSettings.restarts
        let directory = try Self.rules("one")
        // Not handed over to other programs, but for its copy with the number of the protocol.
        let socket = try InheritableSocket()
        let port = socket.port
        let load = Load()
        let worker = Task { try await Blocking.run { load.run(port, keepingConnections: false) } }
        for _ in 0..<restarts {
            let before = load.answered
            let program = try await ServedProgram.inheriting(
                socket.descriptor,
                words: ["serve", "--rules", directory.path, "--listen", "127.0.0.1:\(port)=0.0.0.0:80"]
            )
            try await Wait.until("requests are answered") { load.answered > before + 20 }
            program.send(SIGTERM)
            #expect(try await program.end() == 0)
        }
        let last = try await ServedProgram.inheriting(
            socket.descriptor,
            words: ["serve", "--rules", directory.path, "--listen", "127.0.0.1:\(port)=0.0.0.0:80"]
        )
        load.stop()
        try await worker.value
        #expect(load.failures.isEmpty, "\(load.failures)")
        print("\(load.answered) requests over \(restarts) restarts")
        last.send(SIGTERM)
        #expect(try await last.end() == 0)
    }

    @Test("A second instance takes over a port, and what the first one accepted is answered", .timeLimit(.minutes(10)))
    func sharedPort() async throws {
        let directory = try Self.rules("one")
        let first = try await ServedProgram.serving(rules: directory.path, options: ["--reuse-port"])
        let port = first.port
        let load = Load()
        let worker = Task { try await Blocking.run { load.run(port, keepingConnections: true) } }
        try await Wait.until("requests are answered") { load.answered > 20 }
        let second = try await ServedProgram.serving(
            rules: directory.path,
            options: ["--reuse-port", "--listen", "127.0.0.1:\(port)"],
            listensAt: port
        )
        let before = load.answered
        try await Wait.until("requests are answered") { load.answered > before + 20 }
        first.send(SIGTERM)
        #expect(try await first.end() == 0)
        let after = load.answered
        try await Wait.until("the second one answers") { load.answered > after + 20 }
        load.stop()
        try await worker.value
        // One that the system had given to the first and that it had not accepted yet is lost, as docs/operations.md
        // states: there is one client, so there may be one such connection.
        #expect(load.failures.count <= 1, "\(load.failures)")
        #expect(second.errors.contains("requests come in at 127.0.0.1:\(port)"))
        // Without the option the port is taken.
        let third = try ServedProgram.ending(rules: directory.path, options: ["--listen", "127.0.0.1:\(port)"])
        #expect(try await third.end() == 3)
    }

    @Test("A listen that a reload changes is reported, for it takes a restart")
    func changedListens() async throws {
        let folder = try TestFolder()
        func rules(_ name: String) -> String { "server { listen unix:\(folder.path)/\(name); return 200 x; }" }
        let change = RunningGateway.Change { $0.listeners = [] }
        try await RunningGateway.with(["rules.conf": rules("a")], options: change) { gateway in
            try gateway.directory.replace("rules.conf", rules("b"))
            await gateway.gateway.reload()
            let all = gateway.messages.all
            #expect(all.contains { $0.contains("the rules listen at unix:\(folder.path)/b, which takes a restart") })
            #expect(all.contains { $0.contains("the rules listen no more at unix:\(folder.path)/a: conn") })
        }
    }

    @Test("The log may be JSON, one object a line", .timeLimit(.minutes(10)))
    func logsAsJSON() async throws {
        let directory = try Self.rules("one")
        let gateway = try await ServedProgram.serving(rules: directory.path, options: ["--log", "json"])
        gateway.send(SIGTERM)
        #expect(try await gateway.end() == 0)
        let lines = gateway.errors.split(separator: "\n")
        #expect(lines.count >= 3)
        for line in lines {
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            #expect(object?["level"] is String && object?["message"] is String && object?["time"] is String, "\(line)")
        }
    }

    @Test(
        "Options stand on the command line, in the environment and in a file, in this order",
        .timeLimit(.minutes(10))
    )
    func optionSources() async throws {
        let directory = try Self.rules("one")
        let log = directory.path + "/own.log"
        try directory.write(
            "options",
            "# How it runs.\n\nmax-body 20m\n--client-timeout=10s\naccess-log \(directory.path)/other.log\n"
        )
        let gateway = try await ServedProgram.serving(
            rules: directory.path,
            options: ["--options", directory.path + "/options"],
            limits: "export SHUNT_ACCESS_LOG=\(log) SHUNT_LISTEN=127.0.0.1:1"
        )
        _ = try await gateway.ask("/")
        try await Wait.until("the log is written") { access(log, F_OK) == 0 }
        #expect(access(directory.path + "/other.log", F_OK) != 0)
    }

    @Test("All mistakes of a file of options are reported", .timeLimit(.minutes(10)))
    func wrongOptions() async throws {
        let directory = try Self.rules("one")
        let path = directory.path + "/options"
        try directory.write("options", "acess-log x\n  max-body\nallow-empty yes\nclient-timeout 10x\n")
        let program = try ServedProgram.ending(rules: directory.path, options: ["--options", path])
        #expect(try await program.end() == 2)
        #expect(
            program.errors == """
                \(path):1:1: error: unknown option "acess-log", did you mean "access-log"?
                   1 | acess-log x
                     | ^^^^^^^^^
                \(path):2:3: error: "max-body" needs a value
                   2 |   max-body
                     |   ^^^^^^^^
                \(path):3:1: error: "allow-empty" takes no value
                   3 | allow-empty yes
                     | ^^^^^^^^^^^

                """
        )
        try directory.write("options", "client-timeout 10x\n")
        let other = try ServedProgram.ending(rules: directory.path, options: ["--options", path])
        #expect(try await other.end() == 2)
        #expect(other.errors.contains("The value '10x' is invalid for '--client-timeout <time>'"), "\(other.errors)")
        let missing = try ServedProgram.ending(rules: directory.path, options: ["--options", path + "x"])
        #expect(try await missing.end() == 3)
        #expect(missing.errors.contains("--options \(path)x"))
    }

    @Test("The options of the package are options", .timeLimit(.minutes(10)))
    func packagedOptions() async throws {
        let help = try ServedProgram.helping(["serve"])
        #expect(try await help.end() == 0)
        let packaging = Recipe.root.appendingPathComponent("packaging")
        let text = try String(contentsOf: packaging.appendingPathComponent("options"), encoding: .utf8)
        let names = text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { $0.prefix { $0 != " " } }
        #expect(names.count >= 5)
        for name in names { #expect(help.output.contains("--\(name) "), "\(name)") }
        let image = try String(contentsOf: packaging.appendingPathComponent("Containerfile"), encoding: .utf8)
        let variables = image.matches(of: /SHUNT_([A-Z_]+)=/).map { $0.1.lowercased().replacing("_", with: "-") }
        #expect(variables.count >= 3)
        for name in variables { #expect(help.output.contains("--\(name) "), "\(name)") }
        #expect(image.contains("\nUSER 65532"))
    }
}
#endif
