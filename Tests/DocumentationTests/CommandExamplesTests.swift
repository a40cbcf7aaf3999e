import Foundation
import TestFolder
import Testing

extension DocumentationTests {
    /// Runs the commands that the documents show and compares what they print.
    ///
    /// A line `$ COMMAND` of a `console` block is run by a shell, in a folder with the files of the example or at the root of
    /// the repository.
    @Suite struct CommandExamplesTests {
        @Test("Commands print what the documents show", arguments: Document.whole + Document.others + Document.articles)
        func console(path: String) throws {
            var recorded: [(Document.Block, [String])] = []
            for example in Example.all(in: try Document(path)) {
                for block in example.outcomes where block.language == "console" && block.name != "etcd" {
                    let folder = block.name == "repository" ? nil : try Self.folder(example)
                    var lines: [String] = []
                    for line in block.lines where line.hasPrefix("$ ") {
                        lines.append(line)
                        lines += try Self.output(of: String(line.dropFirst(2)), in: folder?.path ?? Document.root)
                    }
                    if Document.isRecording {
                        recorded.append((block, lines))
                    } else {
                        #expect(lines == block.lines, "\(path):\(block.line)")
                    }
                }
            }
            if Document.isRecording { try Document.write(recorded, to: path) }
        }

        @Test("Commands of shunt stand where they are run", arguments: Document.whole)
        func noOthers(path: String) throws {
            for block in try Document(path).blocks where block.language != "console" {
                for (index, line) in block.lines.enumerated() {
                    #expect(!line.hasPrefix("shunt ") && !line.hasPrefix("$ shunt "), "\(path):\(block.line + index)")
                }
            }
        }

        private static func folder(_ example: Example) throws -> TestFolder {
            let folder = try TestFolder()
            for file in example.files { try folder.write(Example.name(file), file.text) }
            return folder
        }

        /// The output of a command; the built `shunt`, which is next to the tests, is in its path.
        static func output(of command: String, in folder: String) throws -> [String] {
            let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            process.arguments = ["-c", command]
            process.currentDirectoryURL = URL(fileURLWithPath: folder)
            let programs = URL(fileURLWithPath: tests).deletingLastPathComponent().path
            process.environment = ["PATH": programs + ":/usr/bin:/bin", "NO_COLOR": "1"]
            let pipe = Pipe()
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = pipe
            process.standardError = pipe
            try process.run()
            let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            return String(decoding: data, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
                .dropLast()
                .map(String.init)
        }
    }
}
