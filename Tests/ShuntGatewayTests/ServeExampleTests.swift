#if Gateway
import Foundation
import Synchronization
import TestSettings
import Testing

/// The first command of the README, with the output that the quick start shows.
@Suite struct ServeExampleTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The output of the script, with the ports and the times of the page.
    private static func output() async throws -> [String] {
        let process = Process()
        process.executableURL = root.appendingPathComponent("scripts/serve-example")
        process.environment = ["PATH": "/usr/bin:/bin", "SHUNT_PROGRAM": ServedProgram.program]
        let output = Pipe()
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        // Standard output is not a terminal, so it ends without a signal.
        let status = Mutex<Int32?>(nil)
        process.terminationHandler = { process in status.withLock { $0 = process.terminationStatus } }
        try process.run()
        let data = try await Blocking.run { try output.fileHandleForReading.readToEnd() }
        try await Wait.until("the script ends") { status.withLock { $0 } != nil }
        #expect(status.withLock { $0 } == 0)
        let text = String(decoding: data ?? Data(), as: UTF8.self)
        var ports: [Substring] = []
        for match in text.matches(of: #/127\.0\.0\.1:(\d+)/#) where !ports.contains(match.1) { ports.append(match.1) }
        try #require(ports.count == 2, "\(text)")
        return text.replacing(":\(ports[0])", with: ":8080").replacing(":\(ports[1])", with: ":8081")
            .replacing(#/Date: .*/#, with: "Date: Sat, 21 Nov 2026 12:00:00 GMT")
            .replacing(#/"hash":"\w+","loaded":"[^"]*"/#, with: #""hash":"…","loaded":"2026-11-21T12:00:00+00:00""#)
            .split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }

    @Test("scripts/serve-example prints what the quick start shows", .timeLimit(.minutes(10)))
    func quickStart() async throws {
        let lines = try await Self.output()
        let path = Self.root.appendingPathComponent("docs/quick-start.md").path
        var page = try String(contentsOfFile: path, encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let start = try #require(page.firstIndex { $0.hasPrefix("$ curl ") })
        let end = try #require(page[start...].firstIndex(of: "```"))
        if TestSettings.recordsDocuments {
            page.replaceSubrange(start..<end, with: lines)
            try page.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
        } else {
            #expect(Array(page[start..<end]) == lines)
        }
    }
}
#endif
