#if Gateway && Fleet
import Foundation
import Glibc
import NginxOracle
import Synchronization
import TestFolder
import Testing

/// `shunt serve` as a node of a fleet.
@Suite("A gateway as a node of a fleet") struct FleetNodeTests {
    /// The answers to clients while releases pass.
    final class Traffic: Sendable {
        let isOver = Atomic<Bool>(false)
        let problems = Mutex<[String]>([])
    }

    /// A folder with keys, rules, and the first release.
    static func folder(inMemory: Bool = false) async throws -> TestFolder {
        let folder = try TestFolder(inMemory: inMemory)
        try answer(201, folder)
        let roles = ["--role", "publish", "--role", "rollback"]
        try await run(["keygen", "--owner", "alice", "--out", "alice.key"] + roles, folder)
        try await run(["keys", "make", "--namespace", "web", "alice.key.pub", "--out", "keys.json"], folder)
        try await publish(folder)
        return folder
    }

    static func answer(_ status: Int, _ folder: TestFolder) throws {
        let rules = "server { listen 80; location / { return \(status) $server_port; } }\n"
        try folder.write("rules/10-app.conf", rules)
    }

    @discardableResult
    static func publish(
        _ folder: TestFolder,
        _ options: [String] = [],
        to store: String = "releases"
    ) async throws -> String {
        let words = ["publish", "rules", "--to", store, "--key", "alice.key", "--keys", "keys.json"]
        return try await run(words + options, folder)
    }

    /// Returns the output of a command of `shunt fleet`, which has to end with a status.
    @discardableResult
    static func run(_ arguments: [String], _ folder: TestFolder, is status: Int32 = 0) async throws -> String {
        let path = folder.path
        return try await Blocking.run {
            let output = try TestFolder()
            // Foundation's own way reads beyond the end of a list of open files, which is long here.
            let process = try ChildProcess.start(
                ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\" 2>&1", path, ServedProgram.program, "fleet"] + arguments,
                environment: ProcessInfo.processInfo.environment.map { "\($0)=\($1)" },
                output: output.path + "/output",
                error: output.path + "/errors"
            )
            let end = ChildProcess.waitForEnd(process, milliseconds: 600_000)
            let text = try output.text("output")
            guard end == status << 8 else { throw TestProblem("\(arguments): \(text)") }
            return text
        }
    }

    static func node(
        _ name: String,
        _ rules: String,
        _ folder: TestFolder,
        _ options: [String] = []
    ) async throws -> ServedProgram {
        try await ServedProgram.serving(
            rules: rules,
            options: [
                "--fleet-keys", "\(folder.path)/keys.json", "--fleet-node", name, "--fleet-directory",
                "\(folder.path)/\(name)", "--fleet-interval", "1s",
            ] + options
        )
    }

    @Test("Releases of a directory pass through nodes without a failed request, and everybody can see who has what")
    func directory() async throws {
        let folder = try await Self.folder()
        let nodes = [
            try await Self.node("edge-1", "file:\(folder.path)/releases", folder),
            try await Self.node("edge-2", "file:\(folder.path)/releases", folder),
        ]
        let traffic = Traffic()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for node in nodes {
                group.addTask {
                    var last = 201
                    while !traffic.isOver.load(ordering: .relaxed) {
                        let status = (try? await node.ask("/").status) ?? 0
                        // Releases only go up here.
                        if !(last...204).contains(status) {
                            traffic.problems.withLock { $0.append("\(status) after \(last)") }
                        }
                        last = status
                    }
                }
            }
            group.addTask {
                defer { traffic.isOver.store(true, ordering: .relaxed) }
                for status in 202...204 {
                    try Self.answer(status, folder)
                    let told = try await Self.publish(
                        folder,
                        ["--wait", "--stages", "1,100%", "--bake", "0", "--spread", "0"]
                    )
                    #expect(told.contains("stage 2     100 %     2 of 2 applied in "), "\(told)")
                }
            }
            try await group.waitForAll()
        }
        #expect(traffic.problems.withLock { $0 } == [])
        for node in nodes { #expect(try await node.ask("/").status == 204) }
        let status = try await nodes[0].ask("/status", from: nodes[0].adminPort).text
        let release = #""release":{"node":"edge-1","serving":4,"sequence":4,"state":"applied","contact_age_seconds":"#
        #expect(status.contains(release), "\(status)")
        #expect(try await nodes[0].ask("/version", from: nodes[0].adminPort).text.contains(release))
        let metrics = try await nodes[0].ask("/metrics", from: nodes[0].adminPort).text
        #expect(metrics.contains("\nshunt_fleet_release 4\n"))
        #expect(metrics.contains("\nshunt_fleet_contact_age_seconds "))
        let seen = try await Self.run(["status", "--keys", "keys.json", "--store", "releases"], folder)
        #expect(seen.hasPrefix("namespace web   release 4 stable   2 nodes, 2 live\n"), "\(seen)")
        #expect(seen.contains("release 4  \(String(repeating: "█", count: 40))  2\n"), "\(seen)")
    }

    @Test("One node that refuses takes a release back from all, and reports why")
    func aborted() async throws {
        let folder = try await Self.folder()
        let store = "file:\(folder.path)/releases"
        try folder.write("rules/20-hosts.conf", (0..<20).map { "block host a\($0).test;\n" }.joined())
        try await Self.publish(folder, ["--wait", "--stages", "100%", "--bake", "0", "--added", "1000"])
        let nodes = [
            try await Self.node("edge-1", store, folder),
            try await Self.node("edge-2", store, folder, ["--max-removed", "0", "--gate", "refuse"]),
        ]
        for _ in 0..<120 { #expect(try await nodes[1].ask("/").status == 201) }
        try folder.write("rules/20-hosts.conf", (0..<19).map { "block host a\($0).test;\n" }.joined())
        let words = [
            "publish", "rules", "--to", "releases", "--key", "alice.key", "--keys", "keys.json", "--wait", "--stages",
            "2,100%", "--bake", "0", "--spread", "0",
        ]
        let told = try await Self.run(words, folder, is: 1)
        #expect(told.contains("stage 1     2 nodes   edge-2 rejected: "), "\(told)")
        #expect(told.contains("\naborted     "), "\(told)")
        #expect(told.hasSuffix(" release 2\n"), "\(told)")
        let seen = try await Self.run(["status", "--keys", "keys.json", "--store", "releases"], folder)
        #expect(
            seen.hasPrefix("namespace web   release 2 stable   release 3 aborted, stage 1 of 2   2 nodes, 2 live\n"),
            "\(seen)"
        )
        #expect(seen.contains("\nedge-2  2       2    rejected  "), "\(seen)")
        // Its refusals are reported with what its requests met, and how long the slowest took.
        let said = try folder.text("releases/nodes/edge-2")
        #expect(said.contains(#""requests":120,"#), "\(said)")
        #expect(said.contains(/"p99_us":[1-9]/), "\(said)")
        for node in nodes {
            // What the other had to take back when the rollout ended it may not have had yet when it did.
            try await Wait.until("it is back on release 2") {
                try await node.ask("/status", from: node.adminPort).text.contains(#""serving":2,"#)
            }
        }
    }

    @Test("A conductor that runs somewhere moves what others publish, until SIGTERM")
    func conductor() async throws {
        let folder = try await Self.folder()
        let conductor = Process()
        conductor.executableURL = URL(fileURLWithPath: ServedProgram.program)
        conductor.arguments = ["fleet", "conduct", "--store", "releases", "--keys", "keys.json", "--name", "here"]
        conductor.currentDirectoryURL = URL(fileURLWithPath: folder.path)
        let pipe = Pipe()
        conductor.standardOutput = pipe
        try conductor.run()
        defer { kill(conductor.processIdentifier, SIGKILL) }
        try Self.answer(202, folder)
        try await Self.publish(folder, ["--stages", "1,100%", "--bake", "0"])
        try await Wait.until("the second release is stable") {
            try await Self.run(["status", "--keys", "keys.json", "--store", "releases"], folder)
                .contains("release 2 stable")
        }
        conductor.terminate()
        let told = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        conductor.waitUntilExit()
        #expect(told == "release 2  stage 1\nrelease 2  stage 2\nrelease 2  done\n")
        #expect(conductor.terminationStatus == 0)
        let history = try await Self.run(["history", "--store", "releases"], folder)
        #expect(history.contains("  here\n"), "\(history)")
    }

    @Test("A node serves its copy at once where the carrier is gone, and the call to reload looks at the carrier")
    func restart() async throws {
        let folder = try await Self.folder()
        var node: ServedProgram? = try await Self.node("edge-1", "file:\(folder.path)/releases", folder)
        node?.send(SIGTERM)
        #expect(try await node?.end() == 0)
        node = nil
        try folder.rename("releases", "away")
        let start = ContinuousClock.now
        let again = try await Self.node("edge-1", "file:\(folder.path)/releases", folder)
        #expect(ContinuousClock.now - start < .seconds(10))
        #expect(try await again.ask("/").status == 201)
        _ = try await again.reload()
        let status = try await again.ask("/status", from: again.adminPort).text
        #expect(status.contains(#""condition":""#) && status.contains("no such file"), "\(status)")
        try folder.rename("away", "releases")
        #expect(try await again.reload().status == 200)
        let better = try await again.ask("/status", from: again.adminPort).text
        #expect(!better.contains("no such file"), "\(better)")
    }

    @Test("Releases that nginx serves are followed")
    func web() async throws {
        guard NginxProcess.executable != nil else { return }
        let folder = try await Self.folder()
        let nginx = try NginxProcess()
        defer { nginx.stop() }
        let socket = try LoopbackSocket.listening()
        let http = "server { listen 127.0.0.1:\(socket.port); location /web/ { alias \(folder.path)/releases/; } }"
        try nginx.configure(http, connections: 64)
        try nginx.start(sockets: [socket.descriptor])
        let node = try await Self.node("edge-1", "http://127.0.0.1:\(socket.port)/web/", folder)
        #expect(try await node.ask("/").status == 201)
        try Self.answer(202, folder)
        try await Self.publish(folder, ["--wait", "--stages", "100%", "--bake", "0"])
        try await Wait.until("the second release serves") { try await node.ask("/").status == 202 }
        let url = "http://127.0.0.1:\(socket.port)/web/"
        let verified = try await Self.run(["verify", "--store", url, "--keys", "keys.json"], folder)
        #expect(verified.hasPrefix("right  release 2 set "), "\(verified)")
        let seen = try await Self.run(["status", "--keys", "keys.json", "--store", url], folder)
        #expect(seen == "namespace web   release 2 stable   0 nodes, 0 live\n")
    }

    @Test("Releases of a real etcd are followed, and a rollback reaches all")
    func etcd() async throws {
        guard RunningEtcd.isInstalled else { return }
        let folder = try await Self.folder()
        let etcd = try await RunningEtcd(publishing: folder)
        let store = etcd.store
        let nodes = [
            try await Self.node("edge-1", store, folder), try await Self.node("edge-2", store, folder),
        ]
        try Self.answer(202, folder)
        let options = ["--wait", "--stages", "1,100%", "--bake", "0", "--spread", "0"]
        let told = try await Self.publish(folder, options, to: store)
        #expect(told.contains("stage 2     100 %     2 of 2 applied in "), "\(told)")
        for node in nodes { #expect(try await node.ask("/").status == 202) }
        let back = [
            "rollback", "--to", "1", "--key", "alice.key", "--keys", "keys.json", "--at-once", "--store", store,
        ]
        #expect(try await Self.run(back, folder).hasSuffix("done        release 3 is stable\n"))
        for node in nodes { #expect(try await node.ask("/").status == 201) }
        let seen = try await Self.run(["status", "--keys", "keys.json", "--store", store], folder)
        #expect(seen.hasPrefix("namespace web   release 3 stable   2 nodes, 2 live\n"), "\(seen)")
        #expect(try await Self.run(["gc", "--store", store], folder) == "0 manifests and 0 blobs removed\n")
    }

    @Test(
        "Missing options of a node are reported",
        arguments: [
            (["--rules", "file:releases"], "Releases need --fleet-keys"),
            (["--rules", "file:releases", "--fleet-keys", "keys.json"], "Releases need --fleet-directory"),
            (["--rules", "rules", "--fleet-node", "a"], "--fleet-node is for releases"),
            (["--rules", "rules", "--fleet-interval", "5m"], "--fleet-interval is for releases"),
        ]
    )
    func usage(arguments: [String], text: String) async throws {
        let folder = try TestFolder()
        let path = folder.path
        let (status, output) = try await Blocking.run {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: ServedProgram.program)
            process.arguments = ["serve"] + arguments
            process.currentDirectoryURL = URL(fileURLWithPath: path)
            let pipe = Pipe()
            process.standardError = pipe
            try process.run()
            let text = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
            process.waitUntilExit()
            return (process.terminationStatus, text)
        }
        #expect(status == 2)
        #expect(output.contains(text), "\(output)")
    }
}
#endif
