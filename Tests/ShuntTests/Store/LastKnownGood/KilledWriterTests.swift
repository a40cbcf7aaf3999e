import Foundation
import Glibc
import Shunt
import TestFolder
import TestSettings
import Testing

/// Kills a process that reloads and writes copies, again and again.
///
/// `SHUNT_KILLS` in the environment sets how often; 1,000 take about a minute.
@Suite("A writer that is killed")
struct KilledWriterTests {
    static let kills = TestSettings.kills

    /// The program next to the tests.
    static var program: String {
        let beside = Bundle.main.bundleURL.appendingPathComponent("LastKnownGoodWriter").path
        if FileManager.default.isExecutableFile(atPath: beside) { return beside }
        let tests = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        return tests.appendingPathComponent("LastKnownGoodWriter").path
    }

    @Test func leavesAWholeCopyEachTime() async throws {
        try #require(FileManager.default.isExecutableFile(atPath: Self.program), "\(Self.program)")
        // The end of a process loses nothing that was written, so no disk needs to be waited for.
        let folder = try TestFolder(inMemory: true)
        let path = folder.path + "/copy"
        var generator = SystemRandomNumberGenerator()
        var last = 0
        for kill in 0..<Self.kills {
            try Self.run(path, first: last + 1, steps: Int.random(in: 1...3, using: &generator), &generator)
            var options = RuleStore.Options()
            options.lastKnownGood = LastKnownGood(path: path)
            let store = try await RuleStore.open(
                MemorySource(RuleArchive(["a.conf": "broken"]), name: "writer"),
                options: options
            )
            let numbers = NumberedRules.numbers(in: store.snapshot.archive)
            #expect(numbers.count == 1, "after kill \(kill)")
            #expect(store.snapshot.archive.entries.count == 9)
            let number = numbers.first.flatMap(Int.init) ?? 0
            #expect(number >= last, "after kill \(kill)")
            last = number
        }
    }

    /// Starts the writer, lets it take some steps, and kills it some instructions later.
    private static func run(
        _ path: String,
        first: Int,
        steps: Int,
        _ generator: inout SystemRandomNumberGenerator
    ) throws {
        var ends: [CInt] = [-1, -1]
        try #require(pipe(&ends) == 0)
        defer { close(ends[0]) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        posix_spawn_file_actions_addclose(&actions, ends[0])
        let words: [String] = [program, path, "\(first)"]
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var process: pid_t = 0
        let result = posix_spawn(&process, program, &actions, nil, &arguments, environ)
        close(ends[1])
        try #require(result == 0)
        defer {
            kill(process, SIGKILL)
            var status: CInt = 0
            waitpid(process, &status, 0)
        }
        // One byte comes before each reload.
        var byte: UInt8 = 0
        for _ in 0..<steps { try #require(read(ends[0], &byte, 1) == 1) }
        // A point anywhere in the step that has begun.
        for _ in 0..<Int.random(in: 0..<4000, using: &generator) { _ = getppid() }
    }
}
