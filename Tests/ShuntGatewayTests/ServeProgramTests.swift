#if Gateway
import Foundation
import Glibc
import TestFolder
import Testing

/// `shunt serve` as a process: its command line, signals, files and exit status.
@Suite struct ServeProgramTests {
    static func rules(_ word: String) throws -> TestFolder {
        let directory = try TestFolder()
        try directory.replace("rules.conf", "server {\n    location / { return 200 \(word); }\n}\n")
        return directory
    }

    @Test(.timeLimit(.minutes(10))) func reloadsBySignalAndByItself() async throws {
        let directory = try Self.rules("one")
        let gateway = try await ServedProgram.serving(rules: directory.path, options: ["--log-level", "debug"])
        #expect(try await gateway.ask("/").text == "one")
        try directory.replace("rules.conf", "server {\n    locatoin / { return 200 two; }\n}\n")
        try await Wait.until("the mistake is in the log") { gateway.errors.contains("rules.conf:2:5: error:") }
        #expect(gateway.errors.contains("did you mean \"location\"?"))
        #expect(try await gateway.ask("/").text == "one")
        try directory.replace("rules.conf", "server {\n    location / { return 200 three; }\n}\n")
        try await Wait.until("the new rules serve") { try await gateway.ask("/").text == "three" }
        #expect(gateway.errors.contains("trigger=source"))
        // Last, for a signal that is still on its way would take what was written before for itself.
        try await Wait.until("SIGHUP is heard") {
            gateway.send(SIGHUP)
            return gateway.errors.contains("trigger=signal")
        }
        gateway.send(SIGTERM)
        #expect(try await gateway.end() == 0)
    }

    @Test("Signals of nginx do what they do there, and each writes a line", .timeLimit(.minutes(10)))
    func heedsSignals() async throws {
        let directory = try Self.rules("one")
        let log = directory.path + "/access.log"
        let gateway = try await ServedProgram.serving(rules: directory.path, options: ["--access-log", log])
        _ = try await gateway.ask("/first")
        try await Wait.until("the first line is written") { try directory.text("access.log").contains("/first") }
        #expect(rename(log, log + ".1") == 0)
        // Nothing shows when the program begins to hear signals, so they are sent until they are heard.
        try await Wait.until("SIGUSR1 is heard") {
            gateway.send(SIGUSR1)
            return gateway.errors.contains("the access log is opened again") && access(log, F_OK) == 0
        }
        _ = try await gateway.ask("/second")
        try await Wait.until("the second line is written") { try directory.text("access.log").contains("/second") }
        #expect(try !directory.text("access.log.1").contains("/second"))
        try await Wait.until("SIGUSR2 is heard") {
            gateway.send(SIGUSR2)
            return gateway.errors.contains("SIGUSR2 is ignored")
        }
        try await Wait.until("SIGHUP is heard") {
            gateway.send(SIGHUP)
            return gateway.errors.contains("rules: unchanged, version 1 stays in use")
        }
        gateway.send(SIGQUIT)
        #expect(try await gateway.end() == 0)
        #expect(gateway.errors.contains("stopping: no more connections"))
        #expect(gateway.errors.contains("the gateway has stopped"))
        #expect(!gateway.errors.contains("crashed"))
    }

    @Test("The limit of open files is raised, and connections fit it", .timeLimit(.minutes(10)))
    func fitsDescriptors() async throws {
        let directory = try Self.rules("one")
        let raised = try await ServedProgram.serving(rules: directory.path, limits: "ulimit -Sn 80")
        let limits = try String(contentsOfFile: "/proc/\(raised.process)/limits", encoding: .utf8)
        let line = limits.split(separator: "\n").first { $0.hasPrefix("Max open files") } ?? ""
        let soft = line.split(separator: " ").dropFirst(3).first.flatMap { Int($0) } ?? 0
        #expect(soft > 80, "\(line)")

        let bounded = try await ServedProgram.serving(rules: directory.path, limits: "ulimit -Sn 132; ulimit -Hn 132")
        #expect(bounded.errors.contains("at most 18 client connections: the open-file limit is 132"))
        let port = bounded.port
        // More than there are descriptors: the others wait, and are served when there is room.
        let answered = try await Blocking.run {
            var waiting: [SendableConnection] = []
            for _ in 0..<150 { waiting.append(SendableConnection(try TestConnection(port: port))) }
            var count = 0
            for connection in waiting {
                let text = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
                if try connection.finish(text)?.text == "one" { count += 1 }
            }
            return count
        }
        #expect(answered == 150)
        #expect(try await bounded.reload().status == 200)
    }

    @Test("A header for an input that no rule declares is reported", .timeLimit(.minutes(10)))
    func unknownInput() async throws {
        let directory = try TestFolder()
        try directory.replace("rules.conf", "input $app_version \"0\"; server { return 200 $app_version; }")
        let options = ["--input-header", "app_versoin=X-App", "--input-header", "app_version=X-Version"]
        let gateway = try await ServedProgram.serving(rules: directory.path, options: options)
        #expect(gateway.errors.contains("the rules have no input \"app_versoin\", did you mean \"app_version\"?"))
        #expect(!gateway.errors.contains("no input \"app_version\""))
    }

    @Test("--trust lets rule files lead to other directories", .timeLimit(.minutes(10)))
    func trusts() async throws {
        let shared = try TestFolder()
        try shared.replace("answer.inc", "return 200 shared;")
        let directory = try TestFolder()
        try directory.replace("rules.conf", "server { include \(shared.path)/answer.inc; }")
        let refused = try ServedProgram.ending(rules: directory.path)
        #expect(try await refused.end() == 3)
        let gateway = try await ServedProgram.serving(rules: directory.path, options: ["--trust", shared.path])
        #expect(try await gateway.ask("/").text == "shared")
        try shared.replace("answer.inc", "return 200 changed;")
        #expect(try await gateway.reload().status == 200)
        #expect(try await gateway.ask("/").text == "changed")
    }

    @Test("--ignore-unknown lets directives of other modules pass, at each reload too", .timeLimit(.minutes(10)))
    func ignoresUnknown() async throws {
        let directory = try TestFolder()
        let copies = try TestFolder()
        try directory.replace("rules.conf", "server { fancy_thing on; location / { return 200 one; } }\n")
        let refused = try ServedProgram.ending(rules: directory.path)
        #expect(try await refused.end() == 3)
        #expect(refused.errors.contains("unknown directive \"fancy_thing\""))
        let options = ["--ignore-unknown", "--last-known-good", copies.path]
        do {
            let gateway = try await ServedProgram.serving(rules: directory.path, options: options)
            #expect(try await gateway.ask("/").text == "one")
            try directory.replace("rules.conf", "server { fancier_thing on; location / { return 200 two; } }\n")
            #expect(try await gateway.reload().status == 200)
            #expect(try await gateway.ask("/").text == "two")
            try await Wait.until("both copies are written") { access(copies.path + "/rules.b", F_OK) == 0 }
        }
        // An old copy is read as the rules were.
        try directory.replace("rules.conf", "server { retrun")
        let recovered = try await ServedProgram.serving(rules: directory.path, options: options)
        #expect(try await recovered.ask("/").text == "two")
    }

    @Test("Routes are read by `routing`, after a reload too", .timeLimit(.minutes(10)))
    func routing() async throws {
        let directory = try TestFolder()
        func put(_ preset: String) throws {
            try directory.replace(
                "rules.conf",
                "routing \(preset);\nroute /Item/:id? item default=tab:all;\nroute /files/* rest;\n"
            )
        }
        try put("react-router")
        let gateway = try await ServedProgram.serving(rules: directory.path)
        #expect(try await gateway.ask("/ITEM").text.contains(#""route":"item","parameters":{"tab":"all"}"#))
        #expect(try await gateway.ask("/files/a/b").text.contains(#""parameters":{"*":"a/b"}"#))
        try put("caseSensitive=yes")
        #expect(try await gateway.reload().status == 200)
        #expect(try await gateway.ask("/ITEM").status == 404)
        #expect(try await gateway.ask("/files/a/b").status == 404)
        #expect(try await gateway.ask("/Item/7").text.contains(#""parameters":{"id":"7","tab":"all"}"#))
        // What is not an option keeps what there is.
        try put("react-roter")
        #expect(try await gateway.reload().status == 422)
        #expect(try await gateway.ask("/Item/7").status == 200)
    }

    @Test("It ends by SIGTERM, SIGQUIT and SIGINT", .timeLimit(.minutes(10)), arguments: [SIGTERM, SIGQUIT, SIGINT])
    func ends(_ signal: Int32) async throws {
        let directory = try Self.rules("one")
        let log = directory.path + "/access.log"
        let gateway = try await ServedProgram.serving(rules: directory.path, options: ["--access-log", log])
        let port = gateway.port
        let kept = try await Blocking.run {
            var kept = try TestConnection(port: port)
            try kept.send("GET /a?b HTTP/1.1\r\nHost: a.test\r\n\r\n")
            #expect(try kept.response()?.text == "one")
            return SendableConnection(kept)
        }
        gateway.send(signal)
        // A connection without a request is closed, and the log is written to its end.
        #expect(try await Blocking.run { try kept.isAtEnd() })
        #expect(try await gateway.end() == 0)
        let lines = try directory.text("access.log").split(separator: "\n")
        #expect(lines.count == 1)
        let line = lines.first.map(String.init) ?? ""
        #expect(line.contains(#""method":"GET","host":"a.test","target":"/a?b""#))
        #expect(line.contains(#""decision":"respond""#))
        #expect(line.contains("rules.conf:2:18"))
    }

    @Test(.timeLimit(.minutes(10))) func startsFromTheLastGoodRules() async throws {
        let directory = try Self.rules("one")
        let copies = try TestFolder()
        let options = ["--last-known-good", copies.path]
        do {
            let gateway = try await ServedProgram.serving(rules: directory.path, options: options)
            try await Wait.until("a copy is written") { access(copies.path + "/rules.a", F_OK) == 0 }
            gateway.send(SIGKILL)
            #expect(try await gateway.end() == 1000 + SIGKILL)
        }
        try directory.replace("rules.conf", "server {\n    retrun 200 two;\n}\n")

        let refused = try ServedProgram.ending(rules: directory.path)
        #expect(try await refused.end() == 3)
        #expect(
            refused.errors.contains(
                """
                rules.conf:2:5: error: unknown directive "retrun" [unknown-directive]
                   2 |     retrun 200 two;
                     |     ^~~~~~ did you mean "return"?
                """
            )
        )

        let gateway = try await ServedProgram.serving(rules: directory.path, options: options)
        #expect(try await gateway.ask("/").text == "one")
        #expect(gateway.errors.contains("an old copy is in use"))
        let metrics = try await gateway.ask("/metrics", from: gateway.adminPort).text
        #expect(metrics.contains("shunt_rules_last_known_good 1\n"))
        #expect(metrics.contains("shunt_rules_reloads_total{outcome=\"recovered\"} 1\n"))
        #expect(metrics.contains("shunt_rules_reloads_total{outcome=\"failed\"} 0\n"))
        try directory.replace("rules.conf", "server {\n    return 200 three;\n}\n")
        #expect(try await gateway.reload().status == 200)
        #expect(try await gateway.ask("/").text == "three")
    }

    @Test(
        "Mistakes on the command line are reported",
        arguments: [
            (["--upstream", "ftp://a"], "'ftp://a' is not http://HOST:PORT"),
            (["--listen", "a:b"], "not an ADDRESS:PORT"),
            (["--client-timeout", "0"], "--client-timeout is from 1"), (["--log-level", "loud"], "not a level"),
            (["--input-header", "x"], "name=header"), (["--upstream-host", "x"], "neither client nor upstream"),
        ]
    )
    func usage(options: [String], message: String) async throws {
        let program = try ServedProgram.ending(rules: "/nowhere", options: options)
        #expect(try await program.end() == 2)
        #expect(program.errors.contains(message), "\(program.errors)")
    }

    @Test("Memory does not grow with the number of reloads", .timeLimit(.minutes(10)))
    func memory() async throws {
        let directory = try TestFolder()
        func put(_ number: Int) throws {
            let rewrites = (0..<400).map { "rewrite ^/old/\($0)-\(number)/(.*)$ /new/$1 last;\n" }.joined()
            try directory.replace("a.conf", "server { \(rewrites) return 200 \(number); }\n")
        }
        try put(0)
        let gateway = try await ServedProgram.serving(rules: directory.path)
        var sizes: [Int] = []
        for number in 1...60 {
            try put(number)
            #expect(try await gateway.reload().status == 200)
            if number > 20 { sizes.append(try gateway.residentBytes()) }
        }
        let first = sizes.prefix(10).max() ?? 0
        let last = sizes.suffix(10).max() ?? 0
        print("memory over 40 reloads of 400 rules: \(first >> 10) KiB, then \(last >> 10) KiB")
        // Old sets that stay would be far more; `ReloadMeasurements` looks more closely, at more reloads.
        #expect(Double(last) <= Double(first) * 1.1)
    }
}
#endif
