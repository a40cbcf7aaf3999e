import Foundation
import NginxOracle
import TestFolder
import Testing

extension DocumentationTests {
    /// The quick start of `docs/fleet.md`: its `console etcd` blocks, with the files before each of them.
    ///
    /// Only the ports are others than those that the document names, so that nothing else on the machine is in the way.
    @Suite(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/etcd"), "etcd is not installed"))
    struct FleetQuickStartTests {
        @Test("Five commands lead from no etcd to a rollback")
        func fiveCommands() throws {
            let path = "docs/fleet.md"
            let folder = try TestFolder()
            let port = try LoopbackSocket.listening().port
            var etcd: pid_t?
            defer {
                if let etcd {
                    kill(etcd, SIGKILL)
                    _ = ChildProcess.waitForEnd(etcd, milliseconds: 5000)
                }
            }
            var commands = 0
            var recorded: [(Document.Block, [String])] = []
            let document = try Document(path)
            for block in document.blocks
            where document.sections[block.section - 1].title == "From nothing to a rollback" {
                if block.language == "nginx", let name = block.name { try folder.write(name, block.text) }
                guard block.language == "console", block.name == "etcd" else { continue }
                var lines: [String] = []
                for line in block.lines where line.hasPrefix("$ ") {
                    lines.append(line)
                    commands += 1
                    let command = String(line.dropFirst(2)).replacing("127.0.0.1:2379", with: "127.0.0.1:\(port)")
                    if etcd == nil {
                        etcd = try Self.start(command, at: port, in: folder)
                    } else {
                        lines += try CommandExamplesTests.output(of: command, in: folder.path)
                    }
                }
                if Document.isRecording {
                    recorded.append((block, lines))
                } else {
                    #expect(lines.map(Self.timeless) == block.lines.map(Self.timeless), "\(path):\(block.line)")
                }
            }
            #expect(commands == 5)
            if Document.isRecording { try Document.write(recorded, to: path) }
        }

        /// A line with one time for all that it took.
        private static func timeless(_ line: String) -> String { line.replacing(/\ in [0-9.]+ s$/, with: " in 0.0 s") }

        /// Starts the etcd of the document, and waits until it answers, as a person does who continues to type.
        private static func start(_ command: String, at port: UInt16, in folder: TestFolder) throws -> pid_t {
            let peer = "http://127.0.0.1:\(try LoopbackSocket.listening().port)"
            let client = "http://127.0.0.1:\(port)"
            let ports =
                "--listen-client-urls \(client) --advertise-client-urls \(client) --listen-peer-urls \(peer) "
                + "--initial-advertise-peer-urls \(peer) --initial-cluster default=\(peer)"
            let words = try #require(command.wholeMatch(of: /etcd (.*) &/)).1
            let script = "cd \(folder.path) && exec /usr/bin/etcd \(ports) \(words)"
            let process = try ChildProcess.start(["/bin/sh", "-c", script], error: folder.path + "/etcd.log")
            for _ in 0..<2000 {
                if answers(at: port) { return process }
                usleep(10_000)
            }
            kill(process, SIGKILL)
            throw OracleFailure("etcd does not answer")
        }

        private static func answers(at port: UInt16) -> Bool {
            guard let socket = try? LoopbackSocket.connected(to: port, timeoutSeconds: 5),
                socket.send(Array("GET /health HTTP/1.0\r\n\r\n".utf8))
            else { return false }
            var answer: [UInt8] = []
            var space = [UInt8](repeating: 0, count: 4096)
            while case .bytes = socket.receive(into: &answer, space: &space) {}
            return String(decoding: answer, as: UTF8.self).contains(#""health":"true""#)
        }
    }
}
