#if Gateway
import Foundation
import Glibc
import NginxOracle
import TestFolder

/// The program that drives Chromium, spoken to by W3C WebDriver: JSON over HTTP, https://www.w3.org/TR/webdriver2/.
///
/// One for all tests. It ends with them: the shell that started it looks once a second whether they still run, and then ends the
/// group.
final class Chromedriver: Sendable {
    /// The place where Debian and others put the programs.
    private static let places = ["/usr/bin/", "/usr/local/bin/", "/usr/lib/chromium/"]

    private static func path(_ name: String) -> String? {
        places.map { $0 + name }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// True if there is a browser to test with.
    static let isInstalled = path("chromedriver") != nil && path("chromium") != nil
    static let missing =
        "Chromium is not installed: scripts/install-packages --tests installs chromium and chromium-driver"

    private let files: TestFolder
    private let port: UInt16

    /// Starts the program on a port that it chooses.
    ///
    /// One that does not listen in time, as on a busy machine, is started a second time.
    ///
    /// - Throws: A `TestProblem` with its output if the second one does not listen either.
    init() async throws {
        guard let program = Self.path("chromedriver") else { throw TestProblem(Self.missing) }
        let folder = try TestFolder()
        files = folder
        for number in 1...2 {
            let output = "output\(number)"
            try Self.start(program, output: folder.path + "/" + output)
            try? await Wait.until("chromedriver listens") { Self.port(in: (try? folder.text(output)) ?? "") != nil }
            if let port = Self.port(in: (try? folder.text(output)) ?? "") {
                self.port = port
                return
            }
        }
        let outputs = (1...2).map { (try? folder.text("output\($0)")) ?? "" }
        throw TestProblem("chromedriver does not listen: \(outputs.joined(separator: "; "))")
    }

    /// The port in the output of a program that listens; nil before.
    private static func port(in output: String) -> UInt16? {
        guard let start = output.range(of: "successfully on port ") else { return nil }
        return UInt16(output[start.upperBound...].prefix { $0.isNumber })
    }

    private static func start(_ program: String, output: String) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        let script = """
            setsid "$0" --port=0 >"$1" 2>&1 </dev/null &
            while kill -0 "$2" 2>/dev/null; do sleep 1; done
            kill -s KILL -- "-$!"
            """
        process.arguments = ["-c", script, program, output, "\(getpid())"]
        process.standardInput = FileHandle.nullDevice
        // The runner of the tests waits until no process can write to their output any more.
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    /// Sends a command and returns the value of its answer.
    func send(_ method: String, _ path: String, _ body: [String: any Sendable]? = nil) async throws -> Answer {
        let json = try body.map { try JSONSerialization.data(withJSONObject: $0) } ?? Data()
        let port = port
        return try await Blocking.run {
            var connection = try TestConnection(port: port)
            let head = [
                "\(method) \(path) HTTP/1.1", "Host: 127.0.0.1:\(port)", "Content-Type: application/json",
                "Content-Length: \(json.count)", "Connection: close", "", "",
            ]
            try connection.send(Array(head.joined(separator: "\r\n").utf8) + json)
            guard let response = try connection.response() else { throw TestProblem("no answer to \(path)") }
            let answer = Answer(bytes: response.body)
            guard response.status == 200 else {
                let problem = answer.value as? [String: Any]
                throw TestProblem("\(path): \(problem?["error"] ?? "") \(problem?["message"] ?? "")")
            }
            return answer
        }
    }

    /// An answer that came back.
    struct Answer: Sendable {
        let bytes: [UInt8]

        var value: Any? {
            (try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])?["value"]
        }
    }
}
#endif
