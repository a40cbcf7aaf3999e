import Foundation
import Glibc
import TestFolder
import Testing

@Suite("Streaming through shunt run")
struct StreamTests {
    private let rules = ["rules.conf": "block host ads.test;\n"]
    private let arguments = ["run", "--rules", "rules.conf", "--format", "json"]

    @Test("Decisions come out when the input pauses, even in the middle of a line")
    func pauses() throws {
        let folder = try TestFolder(rules)
        let (input, output) = (try Pipe(in: folder), try Pipe(in: folder))
        let program = try Program(arguments, in: folder, input: input.readEnd, output: output.writeEnd, errors: 2)
        close(input.readEnd)
        close(output.writeEnd)
        var reader = PipeLines(output.readEnd)
        for (sent, expected) in [("kl://1\n", ["1"]), ("kl://2\nkl://3\nkl:", ["2", "3"]), ("//4\n", ["4"])] {
            #expect(Pipe.write(Array(sent.utf8), to: input.writeEnd))
            for number in expected { #expect(reader.next()?.hasPrefix("{\"request\":\"kl://\(number)\"") == true) }
        }
        close(input.writeEnd)
        #expect(reader.next() == nil)
        close(output.readEnd)
        #expect(try program.status() == 0)
    }

    @Test("200,000 lines come out in order and take no more memory than 2,000")
    func constantMemory() throws {
        let folder = try TestFolder(rules)
        let (input, output) = (try Pipe(in: folder), try Pipe(in: folder))
        let program = try Program(arguments, in: folder, input: input.readEnd, output: output.writeEnd, errors: 2)
        close(input.readEnd)
        close(output.writeEnd)
        let total = 200_000
        Thread.detachNewThread {
            for start in stride(from: 0, to: total, by: 1_000) {
                let lines = (start..<start + 1_000).map { "kl://ads.example/\($0)?some=more&text=here\n" }
                guard Pipe.write(Array(lines.joined().utf8), to: input.writeEnd) else { return }
            }
        }
        var reader = PipeLines(output.readEnd)
        var early = 0
        for number in 0..<total {
            let line = reader.next() ?? ""
            guard line.hasPrefix("{\"request\":\"kl://ads.example/\(number)?") else {
                Issue.record("decision \(number) is \(line)")
                break
            }
            if number == 2_000 { early = try program.peakMemory() }
        }
        // All is read, and the program waits for more: a good moment to read it.
        let late = try program.peakMemory()
        close(input.writeEnd)
        #expect(reader.next() == nil)
        close(output.readEnd)
        #expect(try program.status() == 0)
        #expect(early > 0)
        #expect(late - early < 4 << 20, "\(early) bytes grew to \(late)")
    }

    @Test(
        "A reader that goes away ends the program quietly",
        arguments: [["run", "--rules", "rules.conf"], ["--help"]]
    )
    func closedPipe(arguments: [String]) throws {
        let folder = try TestFolder(rules)
        try folder.write(Array(String(repeating: "kl://a/b\n", count: 20_000).utf8), to: "input")
        let output = try Pipe(in: folder)
        close(output.readEnd)
        let input = open(folder.path + "/input", O_RDONLY | O_CLOEXEC)
        let errors = open(folder.path + "/errors", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        let program = try Program(arguments, in: folder, input: input, output: output.writeEnd, errors: errors)
        for descriptor in [input, errors, output.writeEnd] { close(descriptor) }
        #expect(try program.status() == 0)
        #expect(try folder.read("errors").isEmpty)
    }

    @Test("A reader that goes away does not make the answer yes")
    func closedAnswer() throws {
        let folder = try TestFolder(["rules.conf": String(repeating: "wrong;\n", count: 2_000)])
        let output = try Pipe(in: folder)
        close(output.readEnd)
        let program = try Program(["check", "rules.conf"], in: folder, input: 0, output: output.writeEnd, errors: 2)
        close(output.writeEnd)
        #expect(try program.status() == 1)
    }

    @Test(
        "Output that cannot be written is an error",
        arguments: [
            ["run", "--rules", "rules.conf", "--format", "json"], ["lint", "rules.conf"], ["check", "rules.conf"],
            ["lint", "--explain", "open-redirect"], ["examples", "--rules", "rules.conf"],
        ]
    )
    func fullDevice(arguments: [String]) throws {
        let folder = try TestFolder(rules)
        try folder.write(Array("kl://a/b\n".utf8), to: "input")
        let input = open(folder.path + "/input", O_RDONLY | O_CLOEXEC)
        let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
        let errors = open(folder.path + "/errors", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        let program = try Program(arguments, in: folder, input: input, output: full, errors: errors)
        for descriptor in [input, errors, full] { close(descriptor) }
        #expect(try program.status() == 3)
        let message = String(decoding: try folder.read("errors"), as: UTF8.self)
        #expect(message == "shunt: error: cannot write the output: No space left on device\n")
    }

    @Test("Input that cannot be read is an error, after the decisions so far")
    func unreadableInput() throws {
        let folder = try TestFolder(rules)
        let input = open(folder.path, O_RDONLY | O_CLOEXEC)
        let errors = open(folder.path + "/errors", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        let program = try Program(arguments, in: folder, input: input, output: errors, errors: errors)
        for descriptor in [input, errors] { close(descriptor) }
        #expect(try program.status() == 3)
        let message = String(decoding: try folder.read("errors"), as: UTF8.self)
        #expect(message == "shunt: error: cannot read the input: Is a directory\n")
    }
}
