import Foundation
import Glibc
import TestFolder

/// Something that went wrong with running the program, and not in it.
struct ProgramError: Error {
    var description: String

    init(_ description: String) {
        self.description = description
    }
}

/// The built program, running.
struct Program {
    let process: pid_t

    /// The place where the program is: next to the tests.
    static var path: String {
        let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(fileURLWithPath: tests).deletingLastPathComponent().appendingPathComponent("shunt").path
    }

    /// Starts the program in a folder, with the descriptors that become its standard input, output and errors, and
    /// with some variables other than `PATH`.
    init(
        _ arguments: [String],
        in folder: TestFolder,
        input: Int32,
        output: Int32,
        errors: Int32,
        environment: [String: String] = [:]
    ) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // Via high numbers, so that none of the three is overwritten before it was copied.
        for (index, descriptor) in [input, output, errors].enumerated() {
            posix_spawn_file_actions_adddup2(&actions, descriptor, 200 + Int32(index))
        }
        for index in Int32(0)..<3 {
            posix_spawn_file_actions_adddup2(&actions, 200 + index, index)
            posix_spawn_file_actions_addclose(&actions, 200 + index)
        }
        let variables = environment.merging(["PATH": "/usr/bin:/bin"]) { given, _ in given }
        let starter = "/usr/bin/env"
        let words = ([starter, "-C", folder.path, Self.path] + arguments).map { strdup($0) }
        let settings = variables.map { strdup("\($0)=\($1)") }
        defer { for text in words + settings { free(text) } }
        var process: pid_t = 0
        let result = posix_spawn(&process, starter, &actions, nil, words + [nil], settings + [nil])
        guard result == 0 else { throw ProgramError("cannot start \(starter): error \(result)") }
        self.process = process
    }

    /// Waits for the program to end; its exit status, or 1000 and the number of the signal that ended it.
    func status() throws -> Int32 {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 {
            guard errno == EINTR else { throw ProgramError("cannot wait: error \(errno)") }
        }
        return status & 0x7f == 0 ? status >> 8 & 0xff : 1000 + status & 0x7f
    }

    /// The most memory that the program has had so far, in bytes.
    func peakMemory() throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        for line in text.split(separator: "\n") where line.hasPrefix("VmHWM:") {
            if let kilobytes = line.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) {
                return kilobytes * 1024
            }
        }
        throw ProgramError("no peak memory in \(text)")
    }
}

/// The result of a run of the program.
struct Outcome {
    var status: Int32
    var output: [UInt8]
    var errors: String

    var text: String { String(decoding: output, as: UTF8.self) }

    var lines: [String] { text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init) }
}

extension TestFolder {
    /// Runs the program in this folder to its end.
    func run(_ arguments: [String], input: [UInt8], environment: [String: String] = [:]) throws -> Outcome {
        try write(input, to: ".input")
        let descriptors = [
            open(path + "/.input", O_RDONLY | O_CLOEXEC),
            open(path + "/.output", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600),
            open(path + "/.errors", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600),
        ]
        defer { for descriptor in descriptors { close(descriptor) } }
        guard descriptors.allSatisfy({ $0 >= 0 }) else { throw ProgramError("cannot open files in \(path)") }
        let program = try Program(
            arguments,
            in: self,
            input: descriptors[0],
            output: descriptors[1],
            errors: descriptors[2],
            environment: environment
        )
        let status = try program.status()
        return Outcome(
            status: status,
            output: try read(".output"),
            errors: String(decoding: try read(".errors"), as: UTF8.self)
        )
    }

    /// Runs the program in this folder to its end.
    func run(_ arguments: [String], input: String = "", environment: [String: String] = [:]) throws -> Outcome {
        try run(arguments, input: Array(input.utf8), environment: environment)
    }
}
