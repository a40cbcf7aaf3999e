import ArgumentParser
import Foundation
import Measurement
import Servers

/// Measures all sets and writes what came out.
struct RunCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Measures all sets, and writes sets.json, sets.md and sets.svg."
    )

    @Option(help: "The folder for the results; made if it is not there.")
    var output: String

    @Option(help: "A folder with folders that have rules/ and urls.txt, to measure too.")
    var real: String?

    @Option(help: "The times that each set is measured; the fastest counts.")
    var runs = 3

    func run() throws {
        // The path of a socket has to be short.
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sets-\(getpid())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try FileManager.default.createDirectory(atPath: output, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        report("making the sets")
        var sets = try SetFolder.write(to: folder)
        if let real { sets += try SetFolder.all(in: real) }
        var results = SetResults()
        var measurements: [String: [SetMeasurement]] = [:]
        // Each run is a new process, and the sets take turns.
        for run in 1...runs {
            for set in sets {
                report("\(set.name), run \(run)")
                guard let one = attempt(set, &results, { try measured(set) }) else { continue }
                measurements[set.name, default: []].append(one)
            }
        }
        for set in sets {
            guard let all = measurements[set.name], var result = SetResult(set, all) else { continue }
            report("\(set.name), instructions and nginx")
            if !set.isForLoading {
                result.instructions = attempt(set, &results) { try instructions(set, without: false) }
            }
            if set.without != nil {
                result.instructionsWithout = attempt(set, &results) { try instructions(set, without: true) }
            }
            if set.server != nil {
                result.nginx = attempt(set, &results) { try NginxSet(set, in: folder).measure() }
            }
            results.sets.append(result)
        }
        results.engineBytes = try? Engines.bytesOfEach()
        let table = SetTables(results: results)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try encoder.encode(results).write(to: URL(fileURLWithPath: "\(output)/sets.json"))
        try table.text.write(toFile: "\(output)/sets.md", atomically: true, encoding: .utf8)
        try SetPlot(results: results).svg.write(toFile: "\(output)/sets.svg", atomically: true, encoding: .utf8)
        print(table.text)
    }

    private func report(_ text: String) {
        FileHandle.standardError.write(Data("measuring \(text)\n".utf8))
    }

    /// Returns the result of a body; nil, and a line with the reason, if it fails.
    private func attempt<Value>(_ set: SetFolder, _ results: inout SetResults, _ body: () throws -> Value) -> Value? {
        do {
            return try body()
        } catch {
            results.skipped.append("\(set.name): \(error)")
            return nil
        }
    }

    private func measured(_ set: SetFolder) throws -> SetMeasurement {
        let own = CommandLine.arguments[0]
        return try JSONDecoder().decode(SetMeasurement.self, from: try outputs(own, ["time", set.path]).output)
    }

    /// The instructions of a decision, which callgrind counts.
    private func instructions(_ set: SetFolder, without: Bool) throws -> Double {
        let valgrind = try ServerProcess.find("valgrind", for: "instructions")
        let (output, errors) = try outputs(
            valgrind,
            ["--tool=callgrind", "--instr-atstart=no", "--callgrind-out-file=/dev/null"]
                + [CommandLine.arguments[0], "count", set.path] + (without ? ["--without"] : [])
        )
        let decisions = String(decoding: output, as: UTF8.self).split(separator: " ").first.flatMap { Double($0) }
        let collected = String(decoding: errors, as: UTF8.self).split(separator: "\n")
            .first { $0.contains("Collected :") }?
            .split(separator: " ").last.flatMap { Double($0) }
        guard let decisions, let collected else { throw Absence("callgrind counted nothing") }
        return collected / decisions
    }

    private func outputs(_ program: String, _ arguments: [String]) throws -> (output: Data, errors: Data) {
        let process = Process()
        let output = Pipe()
        let errors = FileManager.default.temporaryDirectory.appendingPathComponent("sets-\(getpid()).errors")
        _ = FileManager.default.createFile(atPath: errors.path, contents: nil)
        defer { try? FileManager.default.removeItem(at: errors) }
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.standardOutput = output
        process.standardError = try FileHandle(forWritingTo: errors)
        process.environment = ProcessInfo.processInfo.environment.merging([
            "SWIFT_DETERMINISTIC_HASHING": "1",
            // From some length on, copying is one instruction, of which valgrind counts each byte.
            "GLIBC_TUNABLES": "glibc.cpu.x86_rep_movsb_threshold=1000000000",
        ]) { $1 }
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let message = try Data(contentsOf: errors)
        guard process.terminationStatus == 0 else {
            let lines = String(decoding: message, as: UTF8.self).split(separator: "\n")
            throw Absence("\(program): \(lines.last ?? "")")
        }
        return (data, message)
    }
}
