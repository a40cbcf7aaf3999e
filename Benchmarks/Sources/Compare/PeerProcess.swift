import Foundation
import Servers

/// A program of `Peers/`, which answers questions on its standard input.
final class PeerProcess: Contestant {
    let name: String
    let stride = 1
    private(set) var loadSeconds: Double?
    /// The bytes that the compiled patterns take, without what is made on first use.
    private(set) var loadBytes: Int?
    /// The version that the library reports.
    private(set) var version = ""
    private let process = Process()
    private let questions = Pipe()
    private let answers = Pipe()
    private var lines = LineBuffer()
    private let files: [String: String]

    /// Starts a program and waits until it has compiled the patterns.
    ///
    /// - Parameters:
    ///   - name: The name, for tables.
    ///   - program: The path of the program.
    ///   - patterns: The path of a file with patterns.
    ///   - files: Paths of files with URLs, by kind.
    /// - Throws: `Absence` when the program is not there or refuses the patterns.
    init(name: String, program: String, patterns: String, files: [String: String]) throws {
        self.name = name
        self.files = files
        guard FileManager.default.isExecutableFile(atPath: program) else {
            throw Absence("\(name): \(program) is not there; its package is missing or did not build")
        }
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = [patterns]
        process.standardInput = questions
        process.standardOutput = answers
        try process.run()
        let words = try answer()
        guard words.count >= 3, words[0] == "ready" else { throw Absence("\(name): is not ready") }
        loadSeconds = Double(words[1])
        loadBytes = Int(words[2])
        version = words.dropFirst(3).joined(separator: " ")
    }

    deinit {
        try? questions.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    func round(_ kind: String, nanoseconds: Double) throws -> Round {
        guard let file = files[kind] else { throw Absence("\(name): no URLs \(kind)") }
        try questions.fileHandleForWriting.write(contentsOf: Data("\(file) \(nanoseconds)\n".utf8))
        let words = try answer()
        guard words.count == 3, let cost = Double(words[0]), let lookups = Int(words[1]), let matches = Int(words[2])
        else { throw Absence("\(name): unexpected answer \(words)") }
        return Round(nanoseconds: cost, lookups: lookups, matches: matches)
    }

    private func answer() throws -> [String] {
        guard let line = lines.next(from: answers.fileHandleForReading) else {
            throw Absence("\(name): ended")
        }
        return line.split(separator: " ").map(String.init)
    }
}

/// Lines of a pipe.
struct LineBuffer {
    private var buffer = Data()

    /// The next line without its end; nil at the end of the input.
    mutating func next(from handle: FileHandle) -> String? {
        while true {
            if let end = buffer.firstIndex(of: 0x0a) {
                let line = String(decoding: buffer[buffer.startIndex..<end], as: UTF8.self)
                buffer.removeSubrange(buffer.startIndex...end)
                return line
            }
            let data = handle.availableData
            guard !data.isEmpty else { return nil }
            buffer.append(data)
        }
    }
}
