import Foundation
import RouteTables

/// A router in another language: a program made of what is in `Peers`, which answers questions on its standard input.
final class RouterProcess: RouteContestant {
    let name: String
    let wrongAnswers: Int
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var buffer = Data()

    /// Starts the program and waits until it has built its table and checked its answers.
    ///
    /// - Parameters:
    ///   - name: `httprouter`, `chi` or `matchit`.
    ///   - program: The path of the program.
    ///   - questions: The routes and what is asked.
    /// - Throws: `Refusal` when the program is not there, or when the router does not take the routes.
    init(_ name: String, program: String, _ questions: RouteQuestions) throws {
        guard FileManager.default.isExecutableFile(atPath: program) else {
            throw Refusal(description: "\(name): \(program) is not there")
        }
        let folder = NSTemporaryDirectory() + "shunt-routes-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let routes = questions.set.routes.map { "\($0.method) \($0.pattern)\n" }.joined()
        let lines = questions.questions.map { "\($0.method) \($0.path) \($0.route ?? -1)\n" }.joined()
        try routes.write(toFile: folder + "/routes", atomically: true, encoding: .utf8)
        try lines.write(toFile: folder + "/questions", atomically: true, encoding: .utf8)
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = [name, folder + "/routes", folder + "/questions"]
        process.standardInput = input
        process.standardOutput = output
        self.name = name
        try process.run()
        var first: [String] = []
        (first, buffer) = Self.line(from: output, Data())
        guard first.first == "ready", first.count == 2, let wrong = Int(first[1]) else {
            throw Refusal(description: "\(name): \(first.joined(separator: " "))")
        }
        wrongAnswers = wrong
    }

    deinit {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    func round(nanoseconds: Double) throws -> RouteRound {
        try input.fileHandleForWriting.write(contentsOf: Data("\(nanoseconds)\n".utf8))
        let words: [String]
        (words, buffer) = Self.line(from: output, buffer)
        guard words.count == 3, let cost = Double(words[0]), let lookups = Int(words[1]), let matches = Int(words[2])
        else { throw Refusal(description: "\(name): unexpected answer \(words)") }
        return RouteRound(nanoseconds: cost, lookups: lookups, matches: matches)
    }

    /// The words of the next line, and what was read after it.
    private static func line(from pipe: Pipe, _ start: Data) -> (words: [String], rest: Data) {
        var buffer = start
        while true {
            if let end = buffer.firstIndex(of: 0x0a) {
                let text = String(decoding: buffer[buffer.startIndex..<end], as: UTF8.self)
                return (text.split(separator: " ").map(String.init), Data(buffer[(end + 1)...]))
            }
            let data = pipe.fileHandleForReading.availableData
            guard !data.isEmpty else { return ([], buffer) }
            buffer.append(data)
        }
    }
}
